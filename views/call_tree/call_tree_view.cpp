// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/call_tree/call_tree_view.h"

#include "core/select/translate.h"
#include "views/call_tree/call_tree_model.h"
#include "views/common/empty_state.h"
#include "views/common/selection_model.h"
#include "views/common/table/table_setup.h"
#include "views/common/task_runner.h"
#include "views/common/theme.h"

#include <QAction>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>

namespace skein {
namespace {

constexpr std::size_t kMostUnfolded = 200;  ///< rows that a search unfolds, or a selection marks
constexpr int kExpandLevels = 3;
constexpr int kLeastNameWidth = 160;

std::vector<RegionPalette> palettesOf(const Session& session, bool dark)
{
    std::vector<RegionPalette> palettes;
    for (const ExperimentPtr& experiment : session.experiments)
        palettes.push_back(regionPalette(experiment->definitions, dark));
    return palettes;
}

Selection selectionOf(const Session& session, const CallTreeRow& row)
{
    Selection selection;
    for (const CallPathId id : row.callPaths)
        selection = united(selection, select(session, CallPathRef{row.experiment, id}));
    if (!row.callPaths.empty()) return selection;
    for (const RegionId id : row.regions)
        selection = united(selection, select(session, RegionRef{row.experiment, id}));
    return selection;
}

}  // namespace

CallTreeView::CallTreeView(const ViewContext& context, QWidget* parent)
    : View(context, parent), model_(new CallTreeModel(this)), tree_(new QTreeView(this)), filter_(new QLineEdit(this))
{
    setUpTable(*tree_, "Call tree");
    tree_->setModel(model_);
    tree_->setIndentation(14);
    tree_->setSortingEnabled(true);
    tree_->sortByColumn(CallTreeModel::kInclusive, Qt::DescendingOrder);
    tree_->setExpandsOnDoubleClick(true);
    auto* header = new QWidget(this);
    buildHeader(*header);
    auto* content = new QWidget(this);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(header);
    column->addWidget(tree_, 1);
    pages_ = new EmptyState(content, this);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(pages_);
    setFocusProxy(tree_);
    connect(tree_->selectionModel(), &QItemSelectionModel::selectionChanged, this, &CallTreeView::publishSelection);
    selection().listen(this, [this](const ViewChange& change) {
        if (change.parts.has(ViewParts::kSelected)) showSelection();
    });
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

void CallTreeView::buildHeader(QWidget& header)
{
    auto* row = new QHBoxLayout(&header);
    row->setContentsMargins(8, 4, 8, 4);
    row->setSpacing(4);
    filter_->setPlaceholderText(tr("Filter by name"));
    filter_->setClearButtonEnabled(true);
    filter_->setAccessibleName(tr("Filter the call tree by name"));
    row->addWidget(filter_, 1);
    connect(filter_, &QLineEdit::textChanged, this, &CallTreeView::applyFilter);
    QAction* const actions[] = {
        addViewAction("callTree.hotPath", tr("Hot Path"), QKeySequence("H"),
                      tr("Follow the call that took most, while it holds at least half"), &CallTreeView::showHotPath),
        addViewAction("callTree.expand", tr("Expand"), QKeySequence("E"), tr("Unfold three levels below the selection"),
                      &CallTreeView::expandSelected),
        addViewAction("callTree.collapse", tr("Collapse"), QKeySequence("C"), tr("Fold the selection, or everything"),
                      &CallTreeView::collapseSelected)};
    for (QAction* action : actions) {
        auto* button = new QToolButton(&header);
        button->setDefaultAction(action);
        row->addWidget(button);
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
    session_ = std::move(session);
    fitted_ = false;
    tasks().drop("call_tree");
    model_->setRows(std::make_shared<const CallTreeRows>(), {});
    if (!session_) return pages_->showMessage(tr("Open an archive to see where its time went."));
    pages_->showMessage(tr("Summing up the calls…"));
    compute();
}

void CallTreeView::compute()
{
    tasks().run<CallTreeRows>(
        {"call_tree", tr("Call tree")}, this,
        [session = session_](const Task& task) { return makeCallTreeRows(*session, task); },
        [this](Result<CallTreeRows> rows) {
            if (rows) showRows(std::move(*rows));
            else if (rows.error().cancelled()) pages_->showMessage(tr("Summing up was cancelled. Open the archive again to see its calls."));
            else pages_->showMessage(QString::fromStdString(rows.error().text()));
        });
}

void CallTreeView::showRows(CallTreeRows rows)
{
    if (rows.rows.empty())
        return pages_->showMessage(tr("This archive has no calls: neither a profile nor enter and leave events."));
    model_->setRows(std::make_shared<const CallTreeRows>(std::move(rows)), palettesOf(*session_, themeFor(palette()).dark));
    pages_->showContent();
    tree_->setRootIsDecorated(model_->rows().hasTree || session_->experiments.size() > 1);
    fitted_ = true;
    fitColumns(*tree_, kLeastNameWidth);
    following_ = true;
    unfoldTo(model_->hotPathFrom({}));
    tree_->scrollToTop();
    following_ = false;
    showSelection();
}

void CallTreeView::unfoldTo(const QModelIndex& index)
{
    for (QModelIndex above = index.parent(); above.isValid(); above = above.parent()) tree_->expand(above);
}

void CallTreeView::showHotPath()
{
    const QModelIndex end = model_->hotPathFrom(tree_->currentIndex());
    if (!end.isValid()) return;
    unfoldTo(end);
    tree_->setCurrentIndex(end);
    tree_->scrollTo(end);
}

void CallTreeView::expandSelected()
{
    const QModelIndexList selected = tree_->selectionModel()->selectedRows();
    if (selected.isEmpty()) return tree_->expandToDepth(kExpandLevels - 1);
    for (const QModelIndex& index : selected) tree_->expandRecursively(index, kExpandLevels - 1);
}

void CallTreeView::collapseSelected()
{
    const QModelIndexList selected = tree_->selectionModel()->selectedRows();
    if (selected.isEmpty()) return tree_->collapseAll();
    for (const QModelIndex& index : selected) tree_->collapse(index);
}

void CallTreeView::focusFilter() { filter_->setFocus(Qt::ShortcutFocusReason); }

void CallTreeView::applyFilter(const QString& text)
{
    following_ = true;
    model_->setFilter(text.trimmed());
    if (text.trimmed().isEmpty()) unfoldTo(model_->hotPathFrom({}));
    else
        for (const std::int64_t node : model_->matches(kMostUnfolded)) unfoldTo(model_->indexOf(node));
    following_ = false;
    showSelection();
}

void CallTreeView::publishSelection()
{
    if (following_ || !session_) return;
    Selection selected;
    for (const QModelIndex& index : tree_->selectionModel()->selectedRows())
        selected = united(selected, selectionOf(*session_, model_->rows().rows[static_cast<std::size_t>(model_->nodeOf(index))]));
    selection().setSelected(selected, this);
}

void CallTreeView::showSelection()
{
    const Selection& selected = selection().state().selected;
    std::vector<std::int64_t> nodes;
    for (const CallPathRef& ref : selected.callPaths) nodes.push_back(model_->rows().rowOf(ref.experiment, ref.id));
    for (const RegionRef& ref : selected.regions) nodes.push_back(model_->rows().rowOf(ref.experiment, ref.id));
    std::erase_if(nodes, [this](std::int64_t node) { return !model_->indexOf(node).isValid(); });
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    // The greatest first: it is what the view scrolls to.
    std::stable_sort(nodes.begin(), nodes.end(), [this](std::int64_t a, std::int64_t b) {
        const auto& rows = model_->rows().rows;
        return rows[static_cast<std::size_t>(a)].values.inclusive > rows[static_cast<std::size_t>(b)].values.inclusive;
    });
    if (nodes.size() > kMostUnfolded) nodes.resize(kMostUnfolded);
    selectRows(nodes);
}

void CallTreeView::selectRows(const std::vector<std::int64_t>& nodes)
{
    following_ = true;
    QItemSelection rows;
    for (const std::int64_t node : nodes)
        rows.select(model_->indexOf(node), model_->indexOf(node, CallTreeModel::kColumnCount - 1));
    tree_->selectionModel()->select(rows, QItemSelectionModel::ClearAndSelect);
    if (!nodes.empty()) {
        const QModelIndex first = model_->indexOf(nodes.front());
        unfoldTo(first);
        tree_->selectionModel()->setCurrentIndex(first, QItemSelectionModel::NoUpdate);
        tree_->scrollTo(first);
    }
    following_ = false;
}

void CallTreeView::changeEvent(QEvent* event)
{
    View::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && session_ && model_->rowCount() > 0)
        model_->setPalettes(palettesOf(*session_, themeFor(palette()).dark));
}

void CallTreeView::resizeEvent(QResizeEvent* event)
{
    View::resizeEvent(event);
    if (fitted_) fitColumns(*tree_, kLeastNameWidth);
}

}  // namespace skein
