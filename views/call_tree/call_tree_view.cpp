// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/call_tree/call_tree_view.h"

#include "core/select/translate.h"
#include "views/call_tree/call_tree_model.h"
#include "views/call_tree/unfolded_rows.h"
#include "views/common/empty_state.h"
#include "views/common/metric_chooser.h"
#include "views/common/scene/tree/caller_rows.h"
#include "views/common/scope_head.h"
#include "views/common/selection_model.h"
#include "views/common/source_opener.h"
#include "views/common/task_runner.h"
#include "views/common/utf8_text.h"

#include <QAction>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QToolButton>
#include <QTreeView>

#include <algorithm>
#include <limits>
#include <tuple>

namespace skein {
namespace {

constexpr std::size_t kMostUnfolded = 200;  ///< rows that a search unfolds, or a selection marks
constexpr int kExpandLevels = 3;
constexpr int kLeastCallPathWidth = 160;
constexpr int kLeastFilterWidth = 70;

/// The rows in another order than from the outermost call inwards. The second
/// is false where callers further out were left out for their number.
std::pair<CallTreeRows, bool> inOrder(CallTreeRows rows, CallTreeView::Order order,
                                      const std::string& function, const Task& task)
{
    if (order == CallTreeView::Order::TopDown || !rows.hasTree) return {std::move(rows), true};
    CallerRowsOptions options;
    if (order == CallTreeView::Order::Flat) options.levels = 0;
    if (order == CallTreeView::Order::CallersOf) options.function = function;
    CallerRows callers = makeCallerRows(rows, options, task);
    callers.rows.hasTree = order != CallTreeView::Order::Flat;
    return {std::move(callers.rows), callers.complete};
}

/// Rows from the inside out are parts of call paths: what an expression is of them is not known.
Result<DerivedColumn> derivedInOrder(const Session& session, const ProfileQuery& query,
                                     const CallTreeRows& rows, CallTreeView::Order order,
                                     const std::string& expression, const Task& task)
{
    const bool flat = order == CallTreeView::Order::Flat;
    if (flat || order == CallTreeView::Order::TopDown)
        return derivedOfRows(session, query, rows, flat ? DerivedRows::Regions : DerivedRows::CallPaths,
                             expression, task);
    DerivedColumn column;
    column.expression = expression;
    column.values.assign(rows.rows.size(), std::numeric_limits<double>::quiet_NaN());
    column.problem = "Expressions have values of whole call paths and of functions, not of callers.";
    return column;
}

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
    : RegionTableView(context, "Call tree",
                      ViewParts::kFilters | ViewParts::kMetric | ViewParts::kClocks | ViewParts::kComparison,
                      parent),
      model_(new CallTreeModel(this)),
      filter_(makeNameField(tr("Filter the call tree by name"))),
      metric_(new MetricChooser(selection(), this)),
      order_(new QComboBox(this))
{
    table().setExpandsOnDoubleClick(true);
    setModel(model_, CallTreeModel::kInclusive);
    connect(&table(), &QTreeView::expanded, this, [this] {
        if (following()) return;
        unfoldedByHand_ = true;
        widenSoon();
    });
    connect(&table(), &QTreeView::collapsed, this, [this] {
        if (!following()) unfoldedByHand_ = true;
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
    order_->setObjectName("call_tree.order");
    order_->setAccessibleName(tr("What stands below what"));
    order_->setToolTip(tr("What stands below what"));
    order_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    order_->setMinimumContentsLength(8);
    order_->addItems({tr("Top-down"), tr("Flat"), tr("Bottom-up")});
    controls().addWidget(order_);
    connect(order_, &QComboBox::activated, this, &CallTreeView::chooseOrder);
    connect(filter_, &QLineEdit::textChanged, this, &CallTreeView::applyFilter);
    QAction* const actions[] = {
        addViewAction("call_tree.hotPath", tr("Hot Path"), QKeySequence("H"),
                      tr("Follow the call that took most, while it holds at least half"),
                      &CallTreeView::showHotPath),
        addViewAction("call_tree.expand", tr("Expand"), QKeySequence("E"),
                      tr("Unfold three levels below the selection"), &CallTreeView::expandSelected),
        addViewAction("call_tree.collapse", tr("Collapse"), QKeySequence("C"),
                      tr("Fold the selection, or everything"), &CallTreeView::collapseSelected)};
    for (QAction* action : actions) {
        auto* button = new QToolButton(this);
        button->setDefaultAction(action);
        controls().addWidget(button);
        buttons_.push_back(button);
    }
    more_ = new QToolButton(this);
    more_->setText(tr("…"));
    more_->setToolTip(tr("Hot path, expand, collapse"));
    more_->setAccessibleName(more_->toolTip());
    more_->setPopupMode(QToolButton::InstantPopup);
    for (QAction* action : actions) more_->addAction(action);
    more_->hide();
    controls().addWidget(more_);
    addViewAction("call_tree.callers", tr("Callers of Selected"), QKeySequence("Shift+H"),
                  tr("Who called the selected function, from the inside out"), &CallTreeView::showCallers);
    addViewAction("call_tree.source", tr("Open Source"), QKeySequence("O"),
                  tr("Open the source line in $EDITOR"), &CallTreeView::openSource);
    addViewAction("call_tree.filter", tr("Filter by Name"), QKeySequence::Find, tr("Filter by name"),
                  &CallTreeView::focusFilter);
}

/// A panel beside the timeline is often narrow: then one button stands for three.
void CallTreeView::foldButtons()
{
    int needed =
        16 + kLeastFilterWidth + metric_->minimumSizeHint().width() + order_->minimumSizeHint().width();
    for (const QToolButton* button : buttons_) needed += button->sizeHint().width() + controls().spacing();
    const bool narrow = needed > width();
    for (QToolButton* button : buttons_) button->setVisible(!narrow);
    more_->setVisible(narrow);
}

void CallTreeView::resizeEvent(QResizeEvent* event)
{
    RegionTableView::resizeEvent(event);
    foldButtons();
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
    forgetCallers();
    unfoldedByHand_ = false;
    order_->setCurrentIndex(0);
    tasks().drop("call_tree");
    model_->setRows(std::make_shared<const CallTreeRows>(), {});
    if (takeSession(std::move(session), tr("Open an archive to see where its time went."))) compute();
}

void CallTreeView::setPalettes(std::vector<RegionPalette> palettes)
{
    if (model_->rowCount() > 0) model_->setPalettes(std::move(palettes));
}

void CallTreeView::forgetCallers()
{
    function_.clear();
    if (order_->count() > static_cast<int>(Order::CallersOf))
        order_->removeItem(static_cast<int>(Order::CallersOf));
}

void CallTreeView::chooseOrder(int order)
{
    if (order != static_cast<int>(Order::CallersOf)) forgetCallers();
    unfoldedByHand_ = false;
    if (session()) compute();
}

void CallTreeView::showCallers()
{
    const QModelIndexList selected = table().selectionModel()->selectedRows();
    if (selected.isEmpty()) return selection().say(tr("Select a call to see who called its function."));
    const std::string function =
        model_->rows().rows[static_cast<std::size_t>(model_->nodeOf(selected.front()))].name;
    constexpr int kCallers = static_cast<int>(Order::CallersOf);
    forgetCallers();
    function_ = function;
    order_->addItem(tr("Callers of %1").arg(toQString(function_).left(40)));
    order_->setCurrentIndex(kCallers);
    unfoldedByHand_ = false;
    compute();
}

void CallTreeView::openSource()
{
    if (!session()) return;
    const auto& regions = selection().state().selected.regions;
    selection().say(openSourceOf(*session(), regions.empty() ? RegionRef() : regions.front()));
}

/// Callers are those of one run.
bool CallTreeView::comparesNow() const
{
    return selection().state().comparison.shown && order_->currentIndex() <= static_cast<int>(Order::Flat);
}

void CallTreeView::computeCompared()
{
    const ViewState& state = selection().state();
    const bool flat = order_->currentIndex() == static_cast<int>(Order::Flat);
    const ComparedRowsRequest request{
        state.comparison, state.metric, head().filters(), state.clockShiftsNs, flat, false, state.derived};
    tasks().run<ComparedRowsPtr>(
        {"call_tree", tr("Call tree")}, this,
        [session = session(), request](const Task& task) {
            return makeComparedRows(*session, request, task);
        },
        [this](Result<ComparedRowsPtr> compared) {
            if (compared) showCompared(std::move(*compared));
            else if (!compared.error().cancelled()) pages().showMessage(toQString(compared.error().text()));
        });
}

void CallTreeView::showCompared(ComparedRowsPtr compared)
{
    if (compared->rows.rows.empty())
        return pages().showMessage(tr("Neither of the two runs has calls that could be compared."));
    const bool before = static_cast<bool>(model_->compared());
    const int columns = model_->columnCount();
    unfoldedByHand_ = unfoldedByHand_ && before;
    const UnfoldedRows unfolded(table());
    model_->setCompared(std::move(compared));
    if (before && model_->columnCount() != columns) forgetFit();
    updatePalettes();
    setNote(model_->compared().note());
    pages().showContent();
    table().setRootIsDecorated(model_->rows().hasTree);
    if (!before) table().sortByColumn(1 + static_cast<int>(ComparedColumn::Difference), Qt::DescendingOrder);
    unfoldAgain(unfolded);
}

/// What was unfolded by hand stays so, and the table where it is: an analyst looks at the same calls in
/// another part of the run. Otherwise the hot path of the rows that have come is unfolded.
void CallTreeView::unfoldAgain(const UnfoldedRows& unfolded)
{
    follow([&] {
        if (unfoldedByHand_) return unfolded.unfold(table());
        unfoldFound();
        table().scrollToTop();
    });
    fit(kLeastCallPathWidth);
    if (unfoldedByHand_) unfolded.scroll(table());
    else bringSelection();
    showSelection();
}

void CallTreeView::compute()
{
    if (comparesNow()) return computeCompared();
    const ViewState& state = selection().state();
    const ProfileQuery query{head().scope().span, head().filters(), state.metric, state.clockShiftsNs,
                             results()};
    struct Ordered {
        CallTreeRows rows;
        bool complete = true;
        DerivedColumn derived;
    };
    tasks().run<Ordered>(
        {"call_tree", tr("Call tree")}, this,
        [session = session(), query, order = static_cast<Order>(order_->currentIndex()), function = function_,
         expression = state.derived](const Task& task) -> Result<Ordered> {
            auto rows = makeCallTreeRows(*session, query, task);
            if (!rows) return tl::make_unexpected(rows.error());
            Ordered ordered;
            std::tie(ordered.rows, ordered.complete) = inOrder(std::move(*rows), order, function, task);
            if (expression.empty()) return ordered;
            auto derived = derivedInOrder(*session, query, ordered.rows, order, expression, task);
            if (!derived) return tl::make_unexpected(derived.error());
            ordered.derived = std::move(*derived);
            return ordered;
        },
        [this](Result<Ordered> rows) {
            if (rows) {
                showRows(std::move(rows->rows), std::move(rows->derived));
                if (!rows->complete)
                    selection().say(tr("Callers further out are left out for their "
                                       "number. Show those of one "
                                       "function to see them."));
            } else if (rows.error().cancelled())
                pages().showMessage(tr("Summing up was cancelled. Open the archive "
                                       "again to see its calls."));
            else pages().showMessage(QString::fromStdString(rows.error().text()));
        });
}

void CallTreeView::showRows(CallTreeRows rows, DerivedColumn derived)
{
    if (rows.rows.empty())
        return pages().showMessage(selection().state().filters.empty()
                                       ? tr("This archive has no calls: neither a "
                                            "profile nor enter and leave events.")
                                       : tr("The filters hide every call. Remove "
                                            "one of them to see calls again."));
    const bool compared = static_cast<bool>(model_->compared());
    const bool others = model_->derived().expression != derived.expression;
    unfoldedByHand_ = unfoldedByHand_ && !compared;
    const UnfoldedRows unfolded(table());
    model_->setRows(std::make_shared<const CallTreeRows>(std::move(rows)), {}, std::move(derived));
    if (compared) table().sortByColumn(CallTreeModel::kInclusive, Qt::DescendingOrder);
    updatePalettes();
    tellInsteadOfTime(model_->rows().insteadOfTime);
    if (!model_->derived().problem.empty()) setNote(toQString(model_->derived().problem));
    if (others) forgetFit();
    pages().showContent();
    table().setRootIsDecorated(model_->rows().hasTree || session()->experiments.size() > 1);
    unfoldAgain(unfolded);
}

void CallTreeView::unfoldTo(const QModelIndex& index)
{
    for (QModelIndex above = index.parent(); above.isValid(); above = above.parent()) table().expand(above);
}

/// And what its end called: where most time is one function's own, nothing else would be seen.
void CallTreeView::unfoldHotPath()
{
    const QModelIndex end = model_->hotPathFrom({});
    if (!end.isValid()) return;
    unfoldTo(end);
    table().expand(end);
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

/// What is looked for by name; the hot path where nothing is.
void CallTreeView::unfoldFound()
{
    if (filter_->text().trimmed().isEmpty()) return unfoldHotPath();
    for (const std::int64_t node : model_->matches(kMostUnfolded)) unfoldTo(model_->indexOf(node));
}

void CallTreeView::applyFilter(const QString& text)
{
    follow([&] {
        model_->setFilter(text.trimmed());
        unfoldFound();
    });
    bringSelection();
    showSelection();
}

Selection CallTreeView::meantBy(const QModelIndexList& rows) const
{
    std::vector<Selection> parts;
    for (const QModelIndex& index : rows) {
        const auto row = static_cast<std::size_t>(model_->nodeOf(index));
        parts.push_back(model_->compared()
                            ? selectionOfCompared(*session(), *model_->compared().compared, row)
                            : selectionOf(*session(), model_->rows().rows[row]));
    }
    return unitedParts(std::move(parts));
}

FilterSubject CallTreeView::subjectOf(const QModelIndexList& rows) const
{
    FilterSubject subject;
    for (const QModelIndex& index : rows) {
        const CallTreeRow& row = model_->rows().rows[static_cast<std::size_t>(model_->nodeOf(index))];
        if (model_->compared()) {
            const auto& both =
                model_->compared().compared->regions[static_cast<std::size_t>(model_->nodeOf(index))];
            subject.regions.insert(subject.regions.end(), both.begin(), both.end());
            continue;
        }
        for (const RegionId region : row.regions) subject.regions.push_back({row.experiment, region});
    }
    return subject;
}

void CallTreeView::fillMenu(QMenu& menu)
{
    RegionTableView::fillMenu(menu);
    addTreeExport(menu, *this);
}

LocationRef CallTreeView::locationIn(const QModelIndex& cell) const
{
    if (cell.column() != CallTreeModel::kWorst || model_->compared()) return {};
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
        rows.select(model_->indexOf(node), model_->indexOf(node, model_->columnCount() - 1));
    const QModelIndex first = nodes.empty() ? QModelIndex() : model_->indexOf(nodes.front());
    const bool unfolds = first.isValid() && first.parent().isValid() && !table().isExpanded(first.parent());
    follow([&] { unfoldTo(first); });
    if (unfolds) widenSoon();
    markSelected(rows, first);
}

}  // namespace skein
