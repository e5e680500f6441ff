// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tree_graph/tree_graph_view.h"

#include "views/common/choice_box.h"
#include "views/common/context_menu.h"
#include "views/common/filter_menu.h"
#include "views/common/metric_chooser.h"
#include "views/common/scope_head.h"
#include "views/common/selection_model.h"
#include "views/common/table/cell_table.h"
#include "views/common/task_runner.h"
#include "views/common/utf8_text.h"
#include "views/common/wrap_layout.h"
#include "views/tree_graph/prune_panel.h"
#include "views/tree_graph/tree_graph_canvas.h"
#include "views/tree_graph/tree_table_scene.h"

#include <QAction>
#include <QComboBox>
#include <QMenu>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QSplitter>
#include <QTabWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace skein {
namespace {

constexpr int kTreeGraphDelayMs = 60;
constexpr std::size_t kMostTableRows = 5'000;
constexpr int kSideWidth = 330;

std::vector<TableCell> nodeCells(const std::vector<TreeTable::Cell>& row)
{
    std::vector<TableCell> cells;
    for (const TreeTable::Cell& cell : row)
        cells.push_back(cell.isNumber ? TableCell(WordedNumber{cell.text, cell.number})
                                      : TableCell(cell.text));
    return cells;
}

std::vector<CellColumn> nodeColumns(const TreeTable& table)
{
    std::vector<CellColumn> columns;
    for (std::size_t column = 0; column < table.header.size(); ++column) {
        const bool numbers = std::any_of(table.rows.begin(), table.rows.end(),
                                         [&](const auto& row) { return row[column].isNumber; });
        columns.push_back({toQString(table.header[column]), numbers ? CellKind::Number : CellKind::Text});
    }
    return columns;
}

}  // namespace

TreeGraphView::TreeGraphView(const ViewContext& context, QWidget* parent)
    : View(context, parent),
      canvas_(new TreeGraphCanvas(context, this)),
      other_(new TreeGraphCanvas(context, this)),
      prune_(new PrunePanel(context, this))
{
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    head_ = new ScopeHead(selection(), this);
    head_->setContentsMargins(8, 4, 8, 0);
    connect(head_, &ScopeHead::pinned, this, &TreeGraphView::compute);
    all->addWidget(head_);
    all->addWidget(makeControls());
    auto* split = new QSplitter(Qt::Horizontal, this);
    other_->setObjectName("tree_graph.other");
    other_->setAccessibleName(tr("Call graph of the second run"));
    other_->hide();
    split->addWidget(canvas_);
    split->addWidget(other_);
    split->addWidget(makeSide());
    split->setStretchFactor(0, 1);
    split->setStretchFactor(1, 1);
    split->setChildrenCollapsible(false);
    all->addWidget(split, 1);
    setFocusProxy(canvas_);
    addEdits();
    for (TreeGraphCanvas* canvas : {canvas_, other_})
        connect(canvas, &TreeGraphCanvas::menuWanted, this, &TreeGraphView::showMenu);
    connect(canvas_, &TreeGraphCanvas::cameraChanged, other_, [this] { other_->setCameraOf(*canvas_); });
    connect(other_, &TreeGraphCanvas::cameraChanged, canvas_, [this] { canvas_->setCameraOf(*other_); });
    delay_.setSingleShot(true);
    delay_.setInterval(kTreeGraphDelayMs);
    connect(&delay_, &QTimer::timeout, this, &TreeGraphView::compute);
    selection().listen(this, [this](const ViewChange& change) {
        if (change.parts.has(ViewParts::kMetric)) fillQuantities();
        if (change.parts.has(kScopeParts | ViewParts::kFilters | ViewParts::kMetric | ViewParts::kClocks
                             | ViewParts::kComparison))
            delay_.start();
        else if (change.parts.has(ViewParts::kTree)) layOut();
        if (change.parts.has(ViewParts::kCauses)) canvas_->showCauses();
        if (change.parts.has(ViewParts::kSelected)) {
            canvas_->showSelection();
            other_->update();
            showTable();
        }
    });
    setSession(nullptr);
}

QAction* TreeGraphView::makeAction(const char* id, const QString& text, const QKeySequence& shortcut,
                                   const QString& hint)
{
    auto* action = new QAction(text, this);
    action->setObjectName(id);
    action->setShortcut(shortcut);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    action->setToolTip(shortcut.isEmpty() ? hint : QString("%1 (%2)").arg(hint, shortcut.toString()));
    addAction(action);
    return action;
}

QToolButton* TreeGraphView::makeButton(QLayout& row, QAction* action)
{
    auto* button = new QToolButton(this);
    button->setDefaultAction(action);
    button->setToolButtonStyle(Qt::ToolButtonTextOnly);
    row.addWidget(button);
    return button;
}

QWidget* TreeGraphView::makeControls()
{
    auto* row = new QWidget(this);
    auto* layout = new WrapLayout(row);
    layout->setContentsMargins(8, 4, 8, 4);
    layout->setSpacing(6);
    metric_ = new MetricChooser(selection(), this);
    color_ = newChoice(this, "tree_graph.color", tr("What colours mean"));
    size_ = newChoice(this, "tree_graph.size", tr("What areas mean"));
    tree_ = newChoice(this, "tree_graph.tree", tr("Which tree is shown"));
    map_ = newChoice(this, "tree_graph.map", tr("Colours of one hue, or of two from the middle"),
                     {tr("One hue"), tr("Two hues")});
    scaling_ = newChoice(this, "tree_graph.scaling", tr("How colours are spread"),
                         {tr("Linear"), tr("Logarithmic")});
    unit_ = newChoice(this, "tree_graph.unit", tr("What scales begin and end with"),
                      {tr("One scale"), tr("A scale a tree")});
    beside_ = newChoice(this, "tree_graph.beside", tr("How two compared runs are shown"),
                        {tr("Difference"), tr("Side by side")});
    beside_->hide();
    connect(beside_, &QComboBox::activated, this, &TreeGraphView::showGraph);
    invertColors_ =
        makeAction("tree_graph.invertColors", tr("Invert Colours"), {}, tr("Begin colours at the other end"));
    invertSizes_ =
        makeAction("tree_graph.invertSizes", tr("Invert Areas"), {}, tr("Draw what is least largest"));
    brush_ = makeAction("tree_graph.brush", tr("Brush"), QKeySequence("B"),
                        tr("Drag to select nodes instead of to move the picture"));
    sideShown_ = makeAction("tree_graph.side", tr("Prune and Table"), QKeySequence("P"),
                            tr("Show what prunes many call paths at once, and what is selected as a table"));
    auto* fit = makeAction("tree_graph.fit", tr("Fit"), QKeySequence("F"), tr("Show the whole tree"));
    for (QAction* action : {invertColors_, invertSizes_, brush_, sideShown_}) action->setCheckable(true);
    for (QWidget* control :
         std::initializer_list<QWidget*>{metric_, tree_, beside_, color_, size_, map_, scaling_, unit_})
        layout->addWidget(control);
    auto* looks = new QToolButton(this);
    looks->setText(tr("Invert"));
    looks->setToolTip(tr("Turn colours or areas round"));
    looks->setPopupMode(QToolButton::InstantPopup);
    looks->addActions({invertColors_, invertSizes_});
    layout->addWidget(looks);
    layout->addStretch();
    for (QAction* action : {brush_, fit, sideShown_}) makeButton(*layout, action);
    for (QComboBox* choice : {color_, size_})
        connect(choice, &QComboBox::activated, this, [this] { compute(); });
    connect(tree_, &QComboBox::activated, this, &TreeGraphView::layOut);
    for (QComboBox* choice : {map_, scaling_, unit_})
        connect(choice, &QComboBox::activated, this, &TreeGraphView::takeOptions);
    for (QAction* action : {invertColors_, invertSizes_, brush_})
        connect(action, &QAction::toggled, this, &TreeGraphView::takeOptions);
    connect(fit, &QAction::triggered, canvas_, &TreeGraphCanvas::fit);
    return row;
}

QWidget* TreeGraphView::makeSide()
{
    side_ = new QTabWidget(this);
    side_->setMinimumWidth(kSideWidth);
    auto* scroll = new QScrollArea(side_);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(prune_);
    side_->addTab(scroll, tr("Prune"));
    table_ = new CellTable("tree_graph.table", tr("Selected call paths"), side_);
    // The panel's own action has the key: two that may take it take it from each other.
    for (QAction* action : table_->actions())
        if (action->shortcut() == QKeySequence(QKeySequence::Copy)) action->setShortcut({});
    side_->addTab(table_, tr("Selected"));
    side_->hide();
    connect(sideShown_, &QAction::toggled, side_, [this](bool shown) {
        side_->setVisible(shown);
        if (shown) prune_->setGraph(graph_);
        showTable();
    });
    return side_;
}

void TreeGraphView::addEdits()
{
    const auto add = [this](const char* id, const QString& text, const QKeySequence& key, const QString& hint,
                            void (TreeGraphCanvas::*does)()) {
        QAction* action = makeAction(id, text, key, hint);
        connect(action, &QAction::triggered, canvas_, does);
        edits_.push_back(action);
    };
    add("tree_graph.collapse", tr("Collapse or Expand"), QKeySequence(Qt::Key_Space),
        tr("Put a node in place of its subtree, or open it again"), &TreeGraphCanvas::collapseSelected);
    add("tree_graph.compose", tr("Compose with Caller"), QKeySequence("C"),
        tr("Take the node out: its exclusive amounts count for its caller, what it calls hangs there"),
        &TreeGraphCanvas::composeSelected);
    add("tree_graph.decompose", tr("Decompose"), QKeySequence("D"),
        tr("Show again what was composed with the node or pruned below it"),
        &TreeGraphCanvas::decomposeSelected);
    add("tree_graph.prune", tr("Prune Subtree"), QKeySequence(Qt::Key_Delete),
        tr("Prune the node and all below it"), &TreeGraphCanvas::pruneSelected);
    add("tree_graph.keep", tr("Keep Only Selected"), QKeySequence("K"),
        tr("Prune all but the selected nodes and their callers"), &TreeGraphCanvas::keepSelected);
    add("tree_graph.note", tr("Note…"), QKeySequence("A"), tr("Write a note on the call path"),
        &TreeGraphCanvas::noteSelected);
    add("tree_graph.source", tr("Open Source"), QKeySequence("O"), tr("Open the source line in $EDITOR"),
        &TreeGraphCanvas::openSource);
    add("tree_graph.copy", tr("Copy Selected as Table"), QKeySequence::Copy,
        tr("Copy what is selected with all its amounts, for spreadsheets and pandas.read_clipboard()"),
        &TreeGraphCanvas::copySelected);
}

void TreeGraphView::setSession(SessionPtr session)
{
    closeContextMenus(*this);
    session_ = std::move(session);
    head_->setSession(session_);
    metric_->setSession(session_);
    sums_.reset();
    tasks().drop("tree_graph");
    graph_ = nullptr;
    for (TreeGraphCanvas* canvas : {canvas_, other_}) canvas->setSession(session_);
    other_->hide();
    prune_->setGraph(nullptr);
    prune_->forgetWritten();
    table_->clearRows();
    fillQuantities();
    {
        const QSignalBlocker quiet(tree_);
        tree_->clear();
        tree_->addItem(tr("All trees"));
        roots_ = {std::nullopt};
    }
    if (!session_)
        return canvas_->setGraph(nullptr, tr("Open an archive to see its calls as a tree of nodes."));
    canvas_->setGraph(nullptr, tr("Summing up the calls…"));
    compute();
}

/// Inclusive amounts as colours and exclusive ones as areas: what is large and dark took the time itself.
void TreeGraphView::fillQuantities()
{
    const QSignalBlocker quietColor(color_), quietSize(size_);
    const int color = std::max(0, color_->currentIndex()), size = size_->currentIndex();
    color_->clear();
    size_->clear();
    quantities_.clear();
    if (!session_) return;
    quantities_ = treeQuantities(*session_, selection().state().metric, selection().state().derived);
    for (const TreeQuantity& quantity : quantities_) {
        const QString name = toQString(quantityName(*session_, quantity));
        color_->addItem(tr("Colour: %1").arg(name));
        size_->addItem(tr("Area: %1").arg(name));
    }
    color_->setCurrentIndex(color < color_->count() ? color : 0);
    size_->setCurrentIndex(size >= 0 && size < size_->count() ? size : std::min(1, size_->count() - 1));
    if (isSpeedUp(quantityName(*session_, quantities_[static_cast<std::size_t>(color_->currentIndex())])))
        invertColors_->setChecked(true);
}

/// Each entry carries the root that it names, whatever the order.
void TreeGraphView::fillTrees()
{
    const TreeGraphPtr& graph = graph_;
    const std::optional<CallPathRef> before =
        roots_[static_cast<std::size_t>(std::max(0, tree_->currentIndex()))];
    const QSignalBlocker quiet(tree_);
    tree_->clear();
    roots_ = {std::nullopt};
    const std::size_t count = graph ? graph->shown.trees.size() : 0;
    tree_->addItem(count == 1 ? tr("One tree") : tr("All %1 trees").arg(count));
    for (std::size_t tree = 0; tree < count; ++tree) {
        const auto refs = callPathsOf(graph->rows(), graph->shown.trees[tree].root);
        if (refs.empty()) continue;
        roots_.emplace_back(refs.front());
        tree_->addItem(
            tr("%1 (%2)").arg(toQString(graph->shown.trees[tree].name)).arg(graph->shown.trees[tree].rows));
        if (before == roots_.back()) tree_->setCurrentIndex(tree_->count() - 1);
    }
    tree_->setVisible(count > 1);
}

void TreeGraphView::takeOptions()
{
    TreeGraphOptions options = canvas_->options();
    options.map = map_->currentIndex() == 1 ? ColorMap::Diverging : ColorMap::Sequential;
    options.scaling = scaling_->currentIndex() == 1 ? ColorScaling::Logarithmic : ColorScaling::Linear;
    options.unit = unit_->currentIndex() == 1 ? ScaleUnit::EachTree : ScaleUnit::AllTrees;
    options.colors = invertColors_->isChecked() ? ColorDirection::Falling : ColorDirection::Rising;
    options.sizes = invertSizes_->isChecked() ? ColorDirection::Falling : ColorDirection::Rising;
    for (TreeGraphCanvas* canvas : {canvas_, other_}) {
        canvas->setDrag(brush_->isChecked() ? TreeGraphCanvas::Drag::Brush : TreeGraphCanvas::Drag::Pan);
        canvas->setOptions(options);
    }
}

TreeGraphRequest TreeGraphView::request() const
{
    const ViewState& state = selection().state();
    const auto chosen = [this](const QComboBox* box) {
        const int row = box->currentIndex();
        return row >= 0 ? quantities_[static_cast<std::size_t>(row)] : TreeQuantity();
    };
    TreeGraphRequest request;
    request.query = {head_->scope().span, head_->filters(), state.metric, state.clockShiftsNs, results()};
    request.edits = state.tree;
    request.color = chosen(color_);
    request.size = chosen(size_);
    if (state.comparison.shown) request.compared = state.comparison;
    request.root = roots_[static_cast<std::size_t>(std::max(0, tree_->currentIndex()))];
    return request;
}

void TreeGraphView::showEvent(QShowEvent* event)
{
    View::showEvent(event);
    if (std::exchange(stale_, false)) QTimer::singleShot(kShownForMs, this, [this] { compute(); });
}

/// Panels that nobody looks at cost an archive nothing.
void TreeGraphView::compute()
{
    if (!session_) return;
    stale_ = !isVisible();
    if (stale_) return;
    takeOptions();
    tasks().run<TreeGraphPtr>(
        {"tree_graph", tr("Call graph")}, this,
        [session = session_, request = request()](const Task& task) -> Result<TreeGraphPtr> {
            auto sums = sumUpTree(session, request, task.part(0.0, 0.8));
            if (!sums) return tl::make_unexpected(sums.error());
            return layOutTree(std::move(*sums), request, task.part(0.8, 1.0));
        },
        [this](Result<TreeGraphPtr> graph) { takeGraph(std::move(graph)); });
}

void TreeGraphView::layOut()
{
    if (!sums_) return;
    tasks().run<TreeGraphPtr>(
        {"tree_graph", tr("Call graph")}, this,
        [sums = sums_, request = request()](const Task& task) { return layOutTree(sums, request, task); },
        [this](Result<TreeGraphPtr> graph) { takeGraph(std::move(graph)); });
}

void TreeGraphView::takeGraph(Result<TreeGraphPtr> graph)
{
    if (!graph) {
        if (graph.error().cancelled()) return;
        other_->hide();
        return canvas_->setGraph(nullptr, toQString(graph.error().text()));
    }
    sums_ = (*graph)->sums;
    graph_ = std::move(*graph);
    const bool pruned = !selection().state().tree.removed.empty() || !selection().state().tree.query.empty();
    emptyText_ = pruned ? tr("Everything is pruned. Undo (Ctrl+Z) or Show All Again bring it back.")
                        : tr("Nothing of this metric was recorded in what is shown. Choose another one, or "
                             "show more of the time.");
    fillTrees();
    showGraph();
    if (side_->isVisible()) prune_->setGraph(graph_);
    showTable();
}

bool TreeGraphView::sideBySide() const
{
    return graph_ && graph_->sums->compared && beside_->currentIndex() == 1;
}

/// One picture, or that of each run with the same nodes at the same places.
void TreeGraphView::showGraph()
{
    if (!graph_) return;
    beside_->setVisible(graph_->sums->compared != nullptr);
    const bool both = sideBySide();
    other_->setVisible(both);
    canvas_->setGraph(both ? sideOf(*graph_, ComparedSide::A) : graph_, emptyText_);
    other_->setGraph(both ? sideOf(*graph_, ComparedSide::B) : nullptr, emptyText_);
    if (both) other_->setCameraOf(*canvas_);
}

void TreeGraphView::showTable()
{
    if (!side_->isVisible() || !canvas_->graph()) return;
    auto nodes = canvas_->selected();
    side_->setTabText(1, nodes.empty() ? tr("Selected") : tr("Selected (%1)").arg(nodes.size()));
    if (nodes.size() > kMostTableRows) nodes.resize(kMostTableRows);
    const TreeTable table = treeTable(*canvas_->graph(), nodes);
    std::vector<std::vector<TableCell>> rows;
    for (const auto& row : table.rows) rows.push_back(nodeCells(row));
    table_->setRows(nodeColumns(table), std::move(rows));
}

void TreeGraphView::showMenu(const QPoint& globalPosition)
{
    QMenu* menu = newContextMenu(*this);
    for (QAction* action : edits_) menu->addAction(action);
    menu->addSeparator();
    FilterSubject subject;
    subject.regions = selection().state().selected.regions;
    addFilterActions(*menu, selection(), session_, subject, this);
    addTreeExport(*menu, *this);
    menu->popup(globalPosition);
}

std::vector<KeyHint> TreeGraphView::keyHints() const
{
    return {{tr("Wheel, Shift+wheel"), tr("Zoom at the pointer; rows alone")},
            {tr("Drag, Alt+drag"), tr("Move the picture; select the nodes in a rectangle")},
            {tr("Click, Shift+click"), tr("Select a node; add it or take it away")},
            {tr("Double-click"), tr("Collapse a subtree, or open it")},
            {tr("Ctrl+double-click"), tr("Compose a node with its caller, or decompose it")},
            {tr("Left / Right"), tr("To the caller, to the first call")},
            {tr("Up / Down"), tr("To the neighbours of the level")},
            {tr("+ / −"), tr("Zoom")}};
}

std::optional<DrawList> TreeGraphView::drawnPicture(int width, int height) const
{
    if (!sideBySide()) return canvas_->drawnPicture(width, height);
    const int half = width / 2;
    auto picture = canvas_->drawnPicture(half, height);
    const auto right = other_->drawnPicture(width - half, height);
    if (!picture || !right) return picture;
    appendBeside(*picture, *right);
    return picture;
}

}  // namespace skein
