// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/function_summary/function_summary_view.h"

#include "core/base/units.h"
#include "core/select/translate.h"
#include "views/common/empty_state.h"
#include "views/common/filter_menu.h"
#include "views/common/metric_chooser.h"
#include "views/common/region_groups.h"
#include "views/common/selection_model.h"
#include "views/common/table/number_text.h"
#include "views/common/task_runner.h"
#include "views/common/theme.h"
#include "views/function_summary/summary_model.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QTreeView>

#include <algorithm>

namespace skein {
namespace {

constexpr int kDelayMs = 60;  ///< a pan or zoom sends many spans; the sum of the last one is wanted
constexpr int kLeastNameWidth = 240;

QString text(const std::string& utf8) { return QString::fromStdString(utf8); }

bool contains(const Selection& selected, const SummaryRow& row)
{
    return std::any_of(row.region.regions.begin(), row.region.regions.end(), [&](RegionId id) {
        return std::binary_search(selected.regions.begin(), selected.regions.end(), RegionRef{row.experiment, id});
    });
}

}  // namespace

FunctionSummaryView::FunctionSummaryView(const ViewContext& context, QWidget* parent)
    : TableView(context, "Function summary", parent),
      model_(new SummaryModel(this)),
      caption_(new QLabel(this)),
      filter_(makeNameField(tr("Filter the regions by name"))),
      metric_(new MetricChooser(selection(), this))
{
    table().setModel(model_);
    table().setRootIsDecorated(false);
    table().setSortingEnabled(true);
    table().sortByColumn(SummaryModel::kExclusive, Qt::DescendingOrder);
    caption_->setProperty("role", "secondary");
    filter_->setMaximumWidth(240);
    controls().addWidget(caption_, 1);
    controls().addWidget(metric_);
    controls().addWidget(filter_);
    delay_.setSingleShot(true);
    delay_.setInterval(kDelayMs);
    connect(&delay_, &QTimer::timeout, this, &FunctionSummaryView::compute);
    connect(filter_, &QLineEdit::textChanged, model_, &SummaryModel::setFilter);
    connect(table().selectionModel(), &QItemSelectionModel::selectionChanged, this, &FunctionSummaryView::publishSelection);
    selection().listen(this, [this](const ViewChange& change) {
        if (change.parts.has(ViewParts::kVisible | ViewParts::kFilters | ViewParts::kMetric | ViewParts::kClocks)) delay_.start();
        if (change.parts.has(ViewParts::kSelected)) showSelection();
    });
    setSession(nullptr);
}

std::vector<KeyHint> FunctionSummaryView::keyHints() const { return {{tr("Click on a column"), tr("Sort by it")}}; }

void FunctionSummaryView::setSession(SessionPtr session)
{
    session_ = std::move(session);
    forgetFit();
    metric_->setSession(session_);
    tasks().drop("function_summary");
    model_->clear();
    if (!session_) return pages().showMessage(tr("Open an archive to see which regions took its time."));
    updatePalettes();
    table().setColumnHidden(SummaryModel::kComponent, session_->experiments.size() < 2);
    pages().showMessage(tr("Summing up the calls…"));
    compute();
}

void FunctionSummaryView::compute()
{
    if (!session_) return;
    const ViewState& state = selection().state();
    const SummaryRequest request{state.visible, state.filters, state.metric, state.clockShiftsNs};
    tasks().run<SummaryRows>(
        {"function_summary", tr("Function summary")}, this,
        [session = session_, request](const Task& task) { return makeSummaryRows(*session, request, task); },
        [this](Result<SummaryRows> rows) {
            if (rows) showRows(std::move(*rows));
            else if (!rows.error().cancelled()) pages().showMessage(text(rows.error().text()));
        });
}

void FunctionSummaryView::showRows(SummaryRows rows)
{
    follow([&] { model_->setRows(std::move(rows), *session_); });
    showCaption();
    if (model_->rows().rows.empty() && model_->rows().wholeRun && selection().state().filters.empty())
        return pages().showMessage(tr("This archive has no calls: neither a profile nor enter and leave events."));
    pages().showContent();
    if (!fitted()) fit(kLeastNameWidth);
    showSelection();
}

void FunctionSummaryView::showCaption()
{
    const SummaryRows& rows = model_->rows();
    const auto& visible = selection().state().visible;
    QString what = tr("Whole run");
    if (!rows.wholeRun && visible)
        what = tr("Visible window: %1, from %2").arg(text(formatDuration(double(visible->lengthNs()))),
                                                     text(formatDuration(double(visible->begin))));
    if (rows.someWithoutTimes && !rows.wholeRun) what += tr(" · profiles are left out: they have no times of events");
    const QString regions = text(formatGrouped(static_cast<std::int64_t>(rows.rows.size())));
    const QString total = rows.time ? text(formatDuration(rows.totalExclusive))
                                    : QString("%1 %2").arg(tableNumber(rows.totalExclusive).trimmed(), metric_->currentText());
    caption_->setText(tr("%1 · %2 over all locations · %3 regions").arg(what, total, regions) +
                      (rows.hidden > 0 ? tr(", %1 hidden").arg(rows.hidden) : QString()));
}

void FunctionSummaryView::publishSelection()
{
    if (following() || !session_) return;
    std::vector<RegionRef> regions;
    for (const QModelIndex& index : table().selectionModel()->selectedRows()) {
        const SummaryRow& row = model_->row(index.row());
        for (const RegionId id : row.region.regions) regions.push_back({row.experiment, id});
    }
    selection().setSelected(select(*session_, regions), this);
}

void FunctionSummaryView::showSelection()
{
    const Selection& selected = selection().state().selected;
    QItemSelection rows;
    QModelIndex first;
    for (int row = 0; row < model_->rowCount(); ++row) {
        if (!contains(selected, model_->row(row))) continue;
        rows.select(model_->index(row, 0), model_->index(row, SummaryModel::kColumnCount - 1));
        if (!first.isValid()) first = model_->index(row, 0);
    }
    markRows(rows, first);
}

void FunctionSummaryView::updatePalettes()
{
    model_->setPalettes(palettesOf(*session_, themeFor(palette()).dark));
}

void FunctionSummaryView::changeEvent(QEvent* event)
{
    View::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && session_) updatePalettes();
}

void FunctionSummaryView::fillMenu(QMenu& menu)
{
    FilterSubject subject;
    for (const QModelIndex& index : table().selectionModel()->selectedRows()) {
        const SummaryRow& row = model_->row(index.row());
        for (const RegionId region : row.region.regions) subject.regions.push_back({row.experiment, region});
    }
    addFilterActions(menu, selection(), session_, subject, this);
}

}  // namespace skein
