// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/call_tree/call_tree_view.h"

#include "core/select/translate.h"
#include "views/call_tree/call_tree_model.h"
#include "views/common/empty_state.h"
#include "views/common/metric_chooser.h"
#include "views/common/scope_head.h"
#include "views/common/selection_model.h"
#include "views/common/task_runner.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QToolButton>
#include <QTreeView>

#include <algorithm>

namespace skein {
namespace {

constexpr std::size_t kMostUnfolded = 200;  ///< rows that a search unfolds, or a selection marks
constexpr int kExpandLevels = 3;
constexpr int kLeastCallPathWidth = 160;

Selection selectionOf(const Session& session, const CallTreeRow& row)
{
    std::vector<CallPathRef> callPaths;
    for (const CallPathId id : row.callPaths) callPaths.push_back({row.experiment, id});
    if (!callPaths.empty()) return select(session, callPaths);
    std::vector<RegionRef> regions;
    for (const RegionId id : row.regions) regions.push_back({row.experiment, id});
    return select(session, regions);
}

}  // namespace

CallTreeView::CallTreeView(const ViewContext& context, QWidget* parent)
    : RegionTableView(context, "Call tree", ViewParts::kFilters | ViewParts::kMetric | ViewParts::kClocks,
                      parent),
      model_(new CallTreeModel(this)),
      filter_(makeNameField(tr("Filter the call tree by name"))),
      metric_(new MetricChooser(selection(), this))
{
    table().setIndentation(14);
    table().setExpandsOnDoubleClick(true);
    setModel(model_, CallTreeModel::kInclusive);
    connect(&table(), &QTreeView::expanded, this, [this] {
        if (!following()) widenSoon();
    });
    buildHeader();
    setSession(nullptr);
}

QAction* CallTreeView::addViewAction(const char* id, const QString& text, const QKeySequence& shortcut,
                                     const QString& hint, void (CallTreeView::*triggered)())
{
    auto* action = new QAction(text, this);
    action->setObjectName(id);
    action->setShortcut(shortcut);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    action->setToolTip(shortcut.isEmpty() ? hint : QString("%1 (%2)").arg(hint, shortcut.toString()));
    connect(action, &QAction::triggered, this, triggered);
    addAction(action);
    return action;
}

void CallTreeView::buildHeader()
{
    filter_->setPlaceholderText(tr("Filter"));  // the row is full
    controls().addWidget(filter_, 1);
    controls().addWidget(metric_);
    connect(filter_, &QLineEdit::textChanged, this, &CallTreeView::applyFilter);
    QAction* const actions[] = {
        addViewAction("callTree.hotPath", tr("Hot Path"), QKeySequence("H"),
                      tr("Follow the call that took most, while it holds at least half"),
                      &CallTreeView::showHotPath),
        addViewAction("callTree.expand", tr("Expand"), QKeySequence("E"),
                      tr("Unfold three levels below the selection"), &CallTreeView::expandSelected),
        addViewAction("callTree.collapse", tr("Collapse"), QKeySequence("C"),
                      tr("Fold the selection, or everything"), &CallTreeView::collapseSelected)};
    for (QAction* action : actions) {
        auto* button = new QToolButton(this);
        button->setDefaultAction(action);
        controls().addWidget(button);
    }
    addViewAction("callTree.filter", tr("Filter by Name"), QKeySequence::Find, tr("Filter by name"),
                  &CallTreeView::focusFilter);
}

std::vector<KeyHint> CallTreeView::keyHints() const
{
    return {{tr("Click on a column"), tr("Sort by it")},
            {tr("Left / Right"), tr("Fold and unfold a call")},
            {tr("*"), tr("Unfold everything below a call")},
            {tr("Ctrl+click"), tr("Select several calls")}};
}

void CallTreeView::setSession(SessionPtr session)
{
    metric_->setSession(session);
    tasks().drop("call_tree");
    model_->setRows(std::make_shared<const CallTreeRows>(), {});
    if (takeSession(std::move(session), tr("Open an archive to see where its time went."))) compute();
}

void CallTreeView::setPalettes(std::vector<RegionPalette> palettes)
{
    if (model_->rowCount() > 0) model_->setPalettes(std::move(palettes));
}

void CallTreeView::compute()
{
    const ViewState& state = selection().state();
    const ProfileQuery query{head().scope().span, head().filters(), state.metric, state.clockShiftsNs,
                             results()};
    tasks().run<CallTreeRows>(
        {"call_tree", tr("Call tree")}, this,
        [session = session(), query](const Task& task) { return makeCallTreeRows(*session, query, task); },
        [this](Result<CallTreeRows> rows) {
            if (rows) showRows(std::move(*rows));
            else if (rows.error().cancelled())
                pages().showMessage(tr("Summing up was cancelled. Open the archive again to see its calls."));
            else pages().showMessage(QString::fromStdString(rows.error().text()));
        });
}

void CallTreeView::showRows(CallTreeRows rows)
{
    if (rows.rows.empty())
        return pages().showMessage(
            selection().state().filters.empty()
                ? tr("This archive has no calls: neither a profile nor enter and leave events.")
                : tr("The filters hide every call. Remove one of them to see calls again."));
    model_->setRows(std::make_shared<const CallTreeRows>(std::move(rows)), {});
    updatePalettes();
    tellInsteadOfTime(model_->rows().insteadOfTime);
    pages().showContent();
    table().setRootIsDecorated(model_->rows().hasTree || session()->experiments.size() > 1);
    follow([this] {
        unfoldTo(model_->hotPathFrom({}));
        table().scrollToTop();
    });
    fit(kLeastCallPathWidth);
    showSelection();
}

void CallTreeView::unfoldTo(const QModelIndex& index)
{
    for (QModelIndex above = index.parent(); above.isValid(); above = above.parent()) table().expand(above);
}

void CallTreeView::showHotPath()
{
    const QModelIndex end = model_->hotPathFrom(table().currentIndex());
    if (!end.isValid()) return;
    unfoldTo(end);
    table().setCurrentIndex(end);
    table().scrollTo(end);
}

void CallTreeView::expandSelected()
{
    const QModelIndexList selected = table().selectionModel()->selectedRows();
    if (selected.isEmpty()) return table().expandToDepth(kExpandLevels - 1);
    for (const QModelIndex& index : selected) table().expandRecursively(index, kExpandLevels - 1);
}

void CallTreeView::collapseSelected()
{
    const QModelIndexList selected = table().selectionModel()->selectedRows();
    if (selected.isEmpty()) return table().collapseAll();
    for (const QModelIndex& index : selected) table().collapse(index);
}

void CallTreeView::focusFilter() { filter_->setFocus(Qt::ShortcutFocusReason); }

void CallTreeView::applyFilter(const QString& text)
{
    follow([&] {
        model_->setFilter(text.trimmed());
        if (text.trimmed().isEmpty()) unfoldTo(model_->hotPathFrom({}));
        else
            for (const std::int64_t node : model_->matches(kMostUnfolded)) unfoldTo(model_->indexOf(node));
    });
    showSelection();
}

Selection CallTreeView::meantBy(const QModelIndexList& rows) const
{
    Selection selected;
    for (const QModelIndex& index : rows)
        selected = united(
            selected,
            selectionOf(*session(), model_->rows().rows[static_cast<std::size_t>(model_->nodeOf(index))]));
    return selected;
}

FilterSubject CallTreeView::subjectOf(const QModelIndexList& rows) const
{
    FilterSubject subject;
    for (const QModelIndex& index : rows) {
        const CallTreeRow& row = model_->rows().rows[static_cast<std::size_t>(model_->nodeOf(index))];
        for (const RegionId region : row.regions) subject.regions.push_back({row.experiment, region});
    }
    return subject;
}

LocationRef CallTreeView::locationIn(const QModelIndex& cell) const
{
    if (cell.column() != CallTreeModel::kWorst) return {};
    const CallTreeRow& row = model_->rows().rows[static_cast<std::size_t>(model_->nodeOf(cell))];
    return {row.experiment, row.balance.worst};
}

void CallTreeView::showSelection()
{
    const Selection& selected = selection().state().selected;
    std::vector<std::int64_t> nodes;
    for (const CallPathRef& ref : selected.callPaths)
        nodes.push_back(model_->rows().rowOf(ref.experiment, ref.id));
    for (const RegionRef& ref : selected.regions)
        nodes.push_back(model_->rows().rowOf(ref.experiment, ref.id));
    std::erase_if(nodes, [this](std::int64_t node) { return !model_->indexOf(node).isValid(); });
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    // The greatest first: it is what the view scrolls to.
    std::stable_sort(nodes.begin(), nodes.end(), [this](std::int64_t a, std::int64_t b) {
        const auto& rows = model_->rows().rows;
        return rows[static_cast<std::size_t>(a)].values.inclusive
            > rows[static_cast<std::size_t>(b)].values.inclusive;
    });
    if (nodes.size() > kMostUnfolded) nodes.resize(kMostUnfolded);
    selectRows(nodes);
}

void CallTreeView::selectRows(const std::vector<std::int64_t>& nodes)
{
    QItemSelection rows;
    for (const std::int64_t node : nodes)
        rows.select(model_->indexOf(node), model_->indexOf(node, CallTreeModel::kColumnCount - 1));
    const QModelIndex first = nodes.empty() ? QModelIndex() : model_->indexOf(nodes.front());
    const bool unfolds = first.isValid() && first.parent().isValid() && !table().isExpanded(first.parent());
    follow([&] { unfoldTo(first); });
    if (unfolds) widenSoon();
    markRows(rows, first);
}

}  // namespace skein
