// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/statistics/statistics_view.h"

#include "core/base/units.h"
#include "core/select/translate.h"
#include "views/common/elided_label.h"
#include "views/common/empty_state.h"
#include "views/common/selection_model.h"
#include "views/common/task_runner.h"
#include "views/statistics/statistics_chart.h"
#include "views/statistics/statistics_model.h"

#include <QAction>
#include <QHBoxLayout>
#include <QSplitter>
#include <QToolButton>
#include <QTreeView>

#include <algorithm>

namespace skein {
namespace {

constexpr int kLeastNameWidth = 240;

QString text(const std::string& utf8) { return QString::fromStdString(utf8); }

}  // namespace

StatisticsView::StatisticsView(const ViewContext& context, QWidget* parent)
    : RegionTableView(context, "Statistics of the marked span",
                      ViewParts::kBrushed | ViewParts::kVisible | ViewParts::kFilters | ViewParts::kClocks, parent),
      model_(new StatisticsModel(this))
{
    table().setRootIsDecorated(true);
    setModel(model_, StatisticsModel::kExclusive);
    controls().addWidget(&caption(), 1);
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
    controls().addWidget(button);
    setSession(nullptr);
}

std::vector<KeyHint> StatisticsView::keyHints() const
{
    return {{tr("Click on a column"), tr("Sort by it")}, {tr("Right, Left"), tr("Unfold a region to its locations, fold it")}};
}

void StatisticsView::setSession(SessionPtr session)
{
    tasks().drop("statistics");
    model_->clear();
    if (!takeSession(std::move(session), tr("Open a trace and drag over a span of the timeline to see where its time went."))) return;
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
        [session = session(), share = indexes(), state = selection().state()](const Task& task) -> Result<StatisticsRows> {
            const auto prepared = share->dataOf(*session, task);
            if (!prepared) return tl::make_unexpected(prepared.error());
            const TimelineDataPtr shifted = withClockOf(*prepared, state);
            // Half-open: the last event belongs to the whole run.
            TimeSpan all = shifted->clock.extent;
            ++all.end;
            return makeStatisticsRows(*shifted, state.brushed.value_or(state.visible.value_or(all)), state.filters, task);
        },
        [this](Result<StatisticsRows> rows) {
            if (rows) showRows(std::move(*rows));
            else if (!rows.error().cancelled()) pages().showMessage(text(rows.error().text()));
        });
}

void StatisticsView::showRows(StatisticsRows rows)
{
    const bool any = !rows.rows.empty();
    follow([&] { model_->setRows(std::move(rows), session()); });
    if (!chart_->isHidden()) chart_->showRows(model_->rows(), palettes_);
    const auto about = [](TimeSpan span) {
        return tr("%1 from %2").arg(text(formatDuration(static_cast<double>(span.lengthNs()))), text(formatDuration(static_cast<double>(span.begin))));
    };
    const ViewState& state = selection().state();
    const QString span = state.brushed ? tr("Marked span: %1").arg(about(*state.brushed))
                         : state.visible ? tr("Visible window: %1").arg(about(*state.visible))
                                         : tr("Whole run; drag over the timeline to mark a span");
    const StatisticsRows& shown = model_->rows();
    caption().setText(tr("%1 · %2 over %3 locations · %4 regions").arg(span, text(formatDuration(static_cast<double>(shown.exclusiveNs)))).arg(shown.locations).arg(shown.rows.size()) +
                      (shown.hidden > 0 ? tr(", %1 hidden").arg(shown.hidden) : QString()));
    const bool trace = std::any_of(session()->experiments.begin(), session()->experiments.end(), [](const ExperimentPtr& experiment) { return experiment->trace != nullptr; });
    if (!trace) return pages().showMessage(tr("This profile has no times of events. Open a trace to see where the time of a span went."));
    if (!any && !state.brushed && !state.visible && state.filters.empty()) return pages().showMessage(tr("The trace holds no calls. The import report says why."));
    pages().showContent();
    if (!fitted()) fit(kLeastNameWidth);
}

Selection StatisticsView::meantBy(const QModelIndexList& rows) const
{
    Selection selected;
    for (const QModelIndex& index : rows) {
        const StatisticsRow& row = model_->rowOf(index);
        for (const RegionId id : row.regions) selected = united(selected, select(*session(), RegionRef{row.experiment, id}));
        if (const LocationRef location = model_->locationOf(index); location.valid())
            selected = united(selected, select(*session(), location));
    }
    return selected;
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
        subject.locationsName = subject.locations.size() == 1 ? index.data().toString() : tr("%1 locations").arg(subject.locations.size());
    }
    subject.span = selection().state().brushed;
    return subject;
}

}  // namespace skein
