// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/statistics/statistics_view.h"

#include "core/base/units.h"
#include "core/select/translate.h"
#include "views/common/empty_state.h"
#include "views/common/scene/data/shared_results.h"
#include "views/common/scope_head.h"
#include "views/common/selection_model.h"
#include "views/common/task_runner.h"
#include "views/common/utf8_text.h"
#include "views/statistics/statistics_chart.h"
#include "views/statistics/statistics_model.h"

#include <QAction>
#include <QHBoxLayout>
#include <QSplitter>
#include <QToolButton>
#include <QTreeView>

#include <algorithm>
#include <set>
#include <utility>

namespace skein {
namespace {

constexpr int kLeastRegionOrLocationWidth = 240;

}  // namespace

StatisticsView::StatisticsView(const ViewContext& context, QWidget* parent)
    : RegionTableView(context, "Statistics of the marked span", ViewParts::kFilters | ViewParts::kClocks,
                      parent),
      model_(new StatisticsModel(this))
{
    table().setRootIsDecorated(true);
    setModel(model_, StatisticsModel::kExclusive);
    chart_ = new StatisticsChart(this);
    chart_->hide();
    // Beside the table: the panel is wide and low where it stands at first.
    auto* both = new QSplitter(Qt::Horizontal, this);
    delete table().parentWidget()->layout()->replaceWidget(&table(), both);
    both->addWidget(&table());
    both->addWidget(chart_);
    both->setStretchFactor(0, 2);
    both->setStretchFactor(1, 1);
    both->setChildrenCollapsible(false);
    auto* action = new QAction(tr("Chart"), this);
    action->setObjectName("statistics.showChart");
    action->setToolTip(tr("Show the regions of most exclusive time as bars"));
    action->setCheckable(true);
    connect(action, &QAction::toggled, this, [this](bool on) {
        chart_->setVisible(on);
        if (on) chart_->showRows(model_->rows(), palettes_);
    });
    addAction(action);
    auto* button = new QToolButton(this);
    button->setDefaultAction(action);
    head().addControl(button);
    setSession(nullptr);
}

std::vector<KeyHint> StatisticsView::keyHints() const
{
    return {{tr("Click on a column"), tr("Sort by it")},
            {tr("Right, Left"), tr("Unfold a region to its locations, fold it")}};
}

void StatisticsView::setSession(SessionPtr session)
{
    tasks().drop("statistics");
    model_->clear();
    if (!takeSession(std::move(session),
                     tr("Open a trace and drag over a span of the timeline to see where its time went.")))
        return;
    updatePalettes();
    table().setColumnHidden(StatisticsModel::kComponent, this->session()->experiments.size() < 2);
    compute();
}

void StatisticsView::setPalettes(std::vector<RegionPalette> palettes)
{
    palettes_ = palettes;
    model_->setPalettes(std::move(palettes));
    if (chart_->isVisible()) chart_->showRows(model_->rows(), palettes_);
}

void StatisticsView::compute()
{
    tasks().run<StatisticsRows>(
        {"statistics", tr("Statistics of the marked span")}, this,
        [session = session(), results = results(), state = selection().state(), span = head().scope().span,
         filters = head().filters()](const Task& task) -> Result<StatisticsRows> {
            const auto prepared = timelineDataOf(*results, *session, task);
            if (!prepared) return tl::make_unexpected(prepared.error());
            const TimelineDataPtr shifted = withClockOf(*prepared, state);
            // Half-open: the last event belongs to the whole run.
            TimeSpan all = shifted->clock.extent;
            ++all.end;
            return makeStatisticsRows(*shifted, span.value_or(all), filters, task);
        },
        [this](Result<StatisticsRows> rows) {
            if (rows) showRows(std::move(*rows));
            else if (!rows.error().cancelled()) pages().showMessage(toQString(rows.error().text()));
        });
}

void StatisticsView::showRows(StatisticsRows rows)
{
    const bool any = !rows.rows.empty();
    setRows(std::move(rows));
    if (!chart_->isHidden()) chart_->showRows(model_->rows(), palettes_);
    const StatisticsRows& shown = model_->rows();
    head().setDetail(tr("%1 over %2 locations · %3 regions")
                         .arg(toQString(formatDuration(static_cast<double>(shown.exclusiveNs))))
                         .arg(shown.locations)
                         .arg(shown.rows.size())
                     + (shown.hidden > 0 ? tr(", %1 hidden").arg(shown.hidden) : QString()));
    if (!anyTrace(*session()))
        return pages().showMessage(
            tr("This profile has no times of events. Open a trace to see where the time of a span went."));
    if (!any && head().scope() == Scope() && selection().state().filters.empty())
        return pages().showMessage(tr("The trace holds no calls. The import report says why."));
    pages().showContent();
    if (!fitted()) fit(kLeastRegionOrLocationWidth);
    showSelection();
}

/// Another span has other sums: what was unfolded stays so.
void StatisticsView::setRows(StatisticsRows rows)
{
    const auto key = [this](int row) {
        const StatisticsRow& region = model_->rowOf(model_->index(row, 0));
        return std::pair(region.experiment, region.name);
    };
    std::set<std::pair<std::uint32_t, std::string>> unfolded;
    for (int row = 0; row < model_->rowCount(); ++row)
        if (table().isExpanded(model_->index(row, 0))) unfolded.insert(key(row));
    follow([&] { model_->setRows(std::move(rows), session()); });
    for (int row = 0; row < model_->rowCount() && !unfolded.empty(); ++row)
        if (unfolded.contains(key(row))) table().expand(model_->index(row, 0));
}

/// Of unfolded regions the selected locations, where some are.
void StatisticsView::showSelection()
{
    const Selection& selected = selection().state().selected;
    QItemSelection rows;
    QModelIndex first;
    const auto mark = [&](const QModelIndex& row) {
        rows.select(row, row.siblingAtColumn(StatisticsModel::kColumnCount - 1));
        if (!first.isValid()) first = row;
    };
    for (int row = 0; row < model_->rowCount(); ++row) {
        const QModelIndex region = model_->index(row, 0);
        const StatisticsRow& shown = model_->rowOf(region);
        if (!anySelected(selected, shown.experiment, shown.regions)) continue;
        const qsizetype before = rows.size();
        for (int child = 0; table().isExpanded(region) && child < model_->rowCount(region); ++child) {
            const QModelIndex location = model_->index(child, 0, region);
            if (std::binary_search(selected.locations.begin(), selected.locations.end(),
                                   model_->locationOf(location)))
                mark(location);
        }
        if (rows.size() == before) mark(region);
    }
    markSelected(rows, first);
}

Selection StatisticsView::meantBy(const QModelIndexList& rows) const
{
    std::vector<Selection> parts;
    for (const QModelIndex& index : rows) {
        const StatisticsRow& row = model_->rowOf(index);
        for (const RegionId id : row.regions)
            parts.push_back(select(*session(), RegionRef{row.experiment, id}));
        if (const LocationRef location = model_->locationOf(index); location.valid())
            parts.push_back(select(*session(), location));
    }
    return unitedParts(std::move(parts));
}

FilterSubject StatisticsView::subjectOf(const QModelIndexList& rows) const
{
    FilterSubject subject;
    for (const QModelIndex& index : rows) {
        const StatisticsRow& row = model_->rowOf(index);
        for (const RegionId region : row.regions) subject.regions.push_back({row.experiment, region});
        const LocationRef location = model_->locationOf(index);
        if (!location.valid()) continue;
        subject.locations.push_back(location);
        subject.locationsName = subject.locations.size() == 1
            ? index.data().toString()
            : tr("%1 locations").arg(subject.locations.size());
    }
    subject.span = selection().state().brushed;
    return subject;
}

}  // namespace skein
