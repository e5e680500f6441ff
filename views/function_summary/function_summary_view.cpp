// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/function_summary/function_summary_view.h"

#include "core/base/units.h"
#include "core/select/translate.h"
#include "views/common/empty_state.h"
#include "views/common/metric_chooser.h"
#include "views/common/scope_head.h"
#include "views/common/selection_model.h"
#include "views/common/table/number_text.h"
#include "views/common/task_runner.h"
#include "views/common/utf8_text.h"
#include "views/function_summary/summary_model.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QTreeView>

namespace skein {
namespace {

constexpr int kLeastRegionWidth = 240;

}  // namespace

FunctionSummaryView::FunctionSummaryView(const ViewContext& context, QWidget* parent)
    : RegionTableView(context, "Function summary",
                      ViewParts::kFilters | ViewParts::kMetric | ViewParts::kClocks | ViewParts::kComparison,
                      parent),
      model_(new SummaryModel(this)),
      filter_(makeNameField(tr("Filter the regions by name"))),
      metric_(new MetricChooser(selection(), this))
{
    table().setRootIsDecorated(false);
    setModel(model_, SummaryModel::kExclusive);
    filter_->setMaximumWidth(240);
    head().addControl(metric_);
    head().addControl(filter_);
    connect(filter_, &QLineEdit::textChanged, model_, &SummaryModel::setFilter);
    setSession(nullptr);
}

std::vector<KeyHint> FunctionSummaryView::keyHints() const
{
    return {{tr("Click on a column"), tr("Sort by it")}};
}

void FunctionSummaryView::setSession(SessionPtr session)
{
    metric_->setSession(session);
    tasks().drop("function_summary");
    model_->clear();
    if (!takeSession(std::move(session), tr("Open an archive to see which regions took its time."))) return;
    updatePalettes();
    table().setColumnHidden(SummaryModel::kComponent, this->session()->experiments.size() < 2);
    compute();
}

void FunctionSummaryView::setPalettes(std::vector<RegionPalette> palettes)
{
    model_->setPalettes(std::move(palettes));
}

void FunctionSummaryView::computeCompared()
{
    const ViewState& state = selection().state();
    const ComparedRowsRequest request{
        state.comparison, state.metric, head().filters(), state.clockShiftsNs, true, false, state.derived};
    tasks().run<ComparedRowsPtr>(
        {"function_summary", tr("Function summary")}, this,
        [session = session(), request](const Task& task) {
            return makeComparedRows(*session, request, task);
        },
        [this](Result<ComparedRowsPtr> compared) {
            if (compared) showCompared(std::move(*compared));
            else if (!compared.error().cancelled()) pages().showMessage(toQString(compared.error().text()));
        });
}

void FunctionSummaryView::showCompared(ComparedRowsPtr compared)
{
    if (compared->rows.rows.empty())
        return pages().showMessage(tr("Neither of the two runs has calls that could be compared."));
    const bool before = static_cast<bool>(model_->compared());
    const int columns = model_->columnCount();
    follow([&] { model_->setCompared(std::move(compared)); });
    if (before && model_->columnCount() != columns) forgetFit();
    if (!before) table().sortByColumn(1 + static_cast<int>(ComparedColumn::Difference), Qt::DescendingOrder);
    head().setDetail({});
    setNote(model_->compared().note());
    pages().showContent();
    if (!fitted() || !before) fit(kLeastRegionWidth);
    showSelection();
}

void FunctionSummaryView::compute()
{
    if (selection().state().comparison.shown) return computeCompared();
    const ViewState& state = selection().state();
    const ProfileQuery query{head().scope().span, head().filters(), state.metric, state.clockShiftsNs,
                             results()};
    tasks().run<SummaryRows>(
        {"function_summary", tr("Function summary")}, this,
        [session = session(), query, expression = state.derived](const Task& task) {
            return makeSummaryRows(*session, query, task, expression);
        },
        [this](Result<SummaryRows> rows) {
            if (rows) showRows(std::move(*rows));
            else if (!rows.error().cancelled()) pages().showMessage(toQString(rows.error().text()));
        });
}

void FunctionSummaryView::showRows(SummaryRows rows)
{
    const bool compared = static_cast<bool>(model_->compared());
    const bool others = model_->rows().derived.expression != rows.derived.expression;
    follow([&] { model_->setRows(std::move(rows), *session()); });
    if (others) forgetFit();
    if (compared) {
        table().sortByColumn(SummaryModel::kExclusive, Qt::DescendingOrder);
        table().setColumnHidden(SummaryModel::kComponent, session()->experiments.size() < 2);
        forgetFit();
    }
    showCaption();
    tellInsteadOfTime(model_->rows().insteadOfTime);
    if (!model_->rows().derived.problem.empty()) setNote(toQString(model_->rows().derived.problem));
    if (model_->rows().rows.empty() && model_->rows().wholeRun && selection().state().filters.empty())
        return pages().showMessage(
            tr("This archive has no calls: neither a profile nor enter and leave events."));
    pages().showContent();
    if (!fitted()) fit(kLeastRegionWidth);
    showSelection();
}

void FunctionSummaryView::showCaption()
{
    const SummaryRows& rows = model_->rows();
    const QString regions = toQString(formatGrouped(static_cast<std::int64_t>(rows.rows.size())));
    const QString total = rows.time
        ? toQString(formatDuration(rows.totalExclusive))
        : QString("%1 %2").arg(tableNumber(rows.totalExclusive).trimmed(),
                               rows.insteadOfTime.empty() ? metric_->currentText()
                                                          : toQString(rows.insteadOfTime));
    QString detail = tr("%1 · %2 regions").arg(total, regions);
    if (rows.hidden > 0) detail += tr(", %1 hidden").arg(rows.hidden);
    if (rows.someWithoutTimes && !rows.wholeRun)
        detail += tr(" · profiles are left out: they have no times of events");
    head().setDetail(detail);
}

Selection FunctionSummaryView::meantBy(const QModelIndexList& rows) const
{
    return select(*session(), subjectOf(rows).regions);
}

FilterSubject FunctionSummaryView::subjectOf(const QModelIndexList& rows) const
{
    FilterSubject subject;
    for (const QModelIndex& index : rows) {
        const SummaryRow& row = model_->row(index.row());
        if (model_->compared()) {
            const auto number = static_cast<std::size_t>(&row - model_->rows().rows.data());
            const auto& both = model_->compared().compared->regions[number];
            subject.regions.insert(subject.regions.end(), both.begin(), both.end());
            continue;
        }
        for (const RegionId region : row.region.regions) subject.regions.push_back({row.experiment, region});
    }
    return subject;
}

LocationRef FunctionSummaryView::locationIn(const QModelIndex& cell) const
{
    if (cell.column() != SummaryModel::kWorst || model_->compared()) return {};
    const SummaryRow& row = model_->row(cell.row());
    return {row.experiment, row.region.balance.worst};
}

void FunctionSummaryView::showSelection()
{
    const Selection& selected = selection().state().selected;
    QItemSelection rows;
    QModelIndex first;
    for (int row = 0; row < model_->rowCount(); ++row) {
        const SummaryRow& shown = model_->row(row);
        if (!anySelected(selected, shown.experiment, shown.region.regions)) continue;
        rows.select(model_->index(row, 0), model_->index(row, model_->columnCount() - 1));
        if (!first.isValid()) first = model_->index(row, 0);
    }
    markSelected(rows, first);
}

}  // namespace skein
