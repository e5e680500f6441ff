// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tree_graph/tree_graph_canvas.h"

#include "core/select/translate.h"
#include "views/common/selection_model.h"
#include "views/common/source_opener.h"
#include "views/common/utf8_text.h"
#include "views/tree_graph/tree_table_scene.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QInputDialog>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace skein {
namespace {

constexpr double kDragBeginsPx = 4;
constexpr double kHitReachPx = 3;
constexpr double kTreeZoomStep = 1.25;
constexpr double kClosestRow = 120;  ///< logical pixels
constexpr double kFarthestRow = 1e-4;

}  // namespace

TreeGraphCanvas::TreeGraphCanvas(const ViewContext& context, QWidget* parent)
    : SceneView(context, tr("Drawing the call tree"), parent)
{
    setObjectName("tree_graph.canvas");
    setAccessibleName(tr("Call graph"));
    setAccessibleDescription(
        tr("The calling context tree as nodes and lines. The call tree is the same as a table."));
    setFocusPolicy(Qt::StrongFocus);
}

void TreeGraphCanvas::setSession(SessionPtr session)
{
    session_ = std::move(session);
    options_.camera.reset();
    setGraph(nullptr, {});
}

void TreeGraphCanvas::setGraph(TreeGraphPtr graph, const QString& message)
{
    hovered_.reset();
    graph_ = std::move(graph);
    message_ = message;
    redraw();
}

void TreeGraphCanvas::setOptions(const TreeGraphOptions& options)
{
    if (options == options_) return;
    options_ = options;
    redraw();
}

void TreeGraphCanvas::showSelection()
{
    const auto nodes = selected();
    if (nodes.size() == 1) showNode(nodes.front());
    redraw();
}

TreeGraphLayout TreeGraphCanvas::sceneLayout() const
{
    if (!graph_) return {};
    return onCanvas([this](const Canvas& canvas) { return treeGraphLayout(*graph_, options_, canvas); });
}

std::vector<std::uint32_t> TreeGraphCanvas::selected() const
{
    return graph_ ? selectedNodes(*graph_, selection().state().selected) : std::vector<std::uint32_t>();
}

SceneView::Maker TreeGraphCanvas::maker() const
{
    if (!graph_ || graph_->shown.nodes.empty()) return {};
    return [graph = graph_, selected = selection().state().selected, options = options_](const Canvas& canvas,
                                                                                         const Task&) {
        return treeGraphScene(*graph, selected, options, canvas);
    };
}

DrawList TreeGraphCanvas::overlay(const Canvas& canvas) const
{
    DrawList list;
    if (!graph_) return list;
    const Theme& theme = canvas.theme();
    if (hovered_) {
        const TreeGraphLayout layout = treeGraphLayout(*graph_, options_, canvas);
        const Point at = layout.place(*graph_, *hovered_);
        const double radius = nodeRadius(*graph_, options_, layout, *hovered_) + canvas.px(3);
        list.items.push_back(RectItem{{at.x - radius, at.y - radius, 2 * radius, 2 * radius},
                                      {0, 0, 0, 0},
                                      theme.hover,
                                      canvas.px(2),
                                      radius,
                                      {}});
    }
    if (const CauseLinks* causes = shownCauses(selection().state())) {
        const TreeGraphLayout layout = treeGraphLayout(*graph_, options_, canvas);
        drawCauseArrows(list, causeArrowsOn(*graph_, layout, *causes), layout.body, theme, canvas.px(1),
                        canvas.measure);
        drawCausesText(list, *causes, layout.body, theme, canvas.px(1), canvas.measure);
    }
    if (brush_)
        list.items.push_back(RectItem{*brush_, theme.selectionFill, theme.accent, canvas.px(1), 0, {}});
    return list;
}

std::vector<std::string> TreeGraphCanvas::toolTipAt(Point point) const
{
    const auto node = nodeAt(point);
    return node ? treeNodeTooltip(*graph_, *node) : std::vector<std::string>();
}

std::optional<std::uint32_t> TreeGraphCanvas::nodeAt(Point point) const
{
    if (!graph_) return std::nullopt;
    return treeNodeAt(*graph_, options_, sceneLayout(), point, kHitReachPx * devicePixelRatioF());
}

void TreeGraphCanvas::hover(std::optional<std::uint32_t> node)
{
    if (node == hovered_) return;
    hovered_ = node;
    Hover hover;
    if (node && graph_->shown.nodes[*node].kind != ShownKind::Surrogate) {
        const CallTreeRow& row = graph_->rows().rows[graph_->shown.nodes[*node].row];
        if (!row.callPaths.empty()) hover.callPath = {row.experiment, row.callPaths.front()};
        if (!row.regions.empty()) hover.region = {row.experiment, row.regions.front()};
    }
    selection().setHover(hover, this);
    updateOverlay();
}

std::vector<std::uint32_t> TreeGraphCanvas::rowsOf(const std::vector<std::uint32_t>& nodes) const
{
    std::vector<std::uint32_t> rows;
    for (const std::uint32_t node : nodes)
        if (graph_->shown.nodes[node].kind != ShownKind::Surrogate)
            rows.push_back(graph_->shown.nodes[node].row);
    return rows;
}

void TreeGraphCanvas::select(const std::vector<std::uint32_t>& nodes, Qt::KeyboardModifiers modifiers)
{
    if (!session_ || !graph_) return;
    const bool adds = modifiers & (Qt::ShiftModifier | Qt::ControlModifier);
    std::vector<std::uint32_t> all = adds ? selected() : std::vector<std::uint32_t>();
    const bool takesAway =
        adds && nodes.size() == 1 && std::binary_search(all.begin(), all.end(), nodes.front());
    if (takesAway) std::erase(all, nodes.front());
    else all.insert(all.end(), nodes.begin(), nodes.end());
    std::vector<CallPathRef> paths;
    for (const std::uint32_t row : rowsOf(all)) {
        const ComparedRowsPtr& compared = graph_->sums->compared;
        const auto refs = compared ? compared->callPaths[row] : callPathsOf(graph_->rows(), row);
        paths.insert(paths.end(), refs.begin(), refs.end());
    }
    selection().setSelected(paths.empty() ? Selection() : skein::select(*session_, paths), this);
    redraw();
}

void TreeGraphCanvas::setEdits(const TreeEdits& edits) { selection().setTree(edits, nullptr); }

void TreeGraphCanvas::collapseSelected()
{
    if (!graph_) return;
    TreeEdits edits = selection().state().tree;
    for (const std::uint32_t row : rowsOf(selected()))
        edits = withToggled(std::move(edits), graph_->rows(), row);
    setEdits(edits);
}

void TreeGraphCanvas::composeSelected()
{
    if (graph_) setEdits(withRemoved(selection().state().tree, graph_->rows(), rowsOf(selected())));
}

void TreeGraphCanvas::decomposeSelected()
{
    if (!graph_) return;
    TreeEdits edits = selection().state().tree;
    for (const std::uint32_t node : selected())
        edits = withDecomposed(std::move(edits), graph_->rows(), graph_->shown, node);
    setEdits(edits);
}

void TreeGraphCanvas::pruneSelected()
{
    if (!graph_) return;
    std::vector<std::uint8_t> below(graph_->rows().rows.size(), 0);
    for (const std::uint32_t row : rowsOf(selected())) below[row] = 1;
    std::vector<std::uint32_t> pruned;
    for (std::uint32_t row = 0; row < below.size(); ++row) {
        const std::int64_t parent = graph_->rows().rows[row].parent;
        if (parent >= 0 && below[static_cast<std::size_t>(parent)]) below[row] = 1;
        if (below[row]) pruned.push_back(row);
    }
    setEdits(withRemoved(selection().state().tree, graph_->rows(), pruned));
}

void TreeGraphCanvas::keepSelected()
{
    if (!graph_ || selected().empty()) return;
    setEdits(withOnly(selection().state().tree, graph_->rows(), rowsOf(selected())));
}

void TreeGraphCanvas::noteSelected()
{
    const auto rows = graph_ ? rowsOf(selected()) : std::vector<std::uint32_t>();
    if (rows.empty()) return selection().say(tr("Select a call path to write a note on it."));
    auto* dialog = new QInputDialog(window());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Note"));
    dialog->setLabelText(tr("Note on this call path (empty: none)"));
    dialog->setTextValue(toQString(noteOn(selection().state().tree, graph_->rows(), rows.front())));
    connect(dialog, &QInputDialog::textValueSelected, this,
            [this, graph = graph_, row = rows.front()](const QString& text) {
                if (graph != graph_) return;
                setEdits(
                    withNote(selection().state().tree, graph_->rows(), row, text.trimmed().toStdString()));
            });
    dialog->open();
}

void TreeGraphCanvas::openSource()
{
    const auto rows = graph_ ? rowsOf(selected()) : std::vector<std::uint32_t>();
    const CallTreeRow* row = rows.empty() ? nullptr : &graph_->rows().rows[rows.front()];
    const bool known = row && !row->regions.empty();
    selection().say(
        openSourceOf(*session_, known ? RegionRef{row->experiment, row->regions.front()} : RegionRef()));
}

void TreeGraphCanvas::copySelected()
{
    if (!graph_) return;
    QApplication::clipboard()->setText(toQString(treeTableText(treeTable(*graph_, selected()))));
}

void TreeGraphCanvas::setCamera(const TreeCamera& camera)
{
    options_.camera = camera;
    redraw();
    Q_EMIT cameraChanged();
}

void TreeGraphCanvas::setCameraOf(const TreeGraphCanvas& other)
{
    if (options_.camera == other.options_.camera) return;
    options_.camera = other.options_.camera;
    redraw();
}

void TreeGraphCanvas::fit()
{
    options_.camera.reset();
    redraw();
    Q_EMIT cameraChanged();
}

void TreeGraphCanvas::panBy(double x, double y)
{
    TreeCamera camera = sceneLayout().camera;
    camera.x += x;
    camera.y += y;
    setCamera(camera);
}

void TreeGraphCanvas::zoomBy(double factor)
{
    const Rect body = sceneLayout().body;
    zoomAt({body.x + body.width / 2, body.y + body.height / 2}, factor, true);
}

void TreeGraphCanvas::zoomAt(Point point, double factor, bool wide)
{
    if (!graph_) return;
    TreeCamera camera = sceneLayout().camera;
    const double ratio = devicePixelRatioF();
    const double height =
        std::clamp(camera.rowHeight * factor, std::min(camera.rowHeight, kFarthestRow), kClosestRow * ratio);
    const double grown = height / camera.rowHeight;
    camera.y = point.y - (point.y - camera.y) * grown;
    camera.rowHeight = height;
    if (wide) {
        // Levels need not become as wide as rows high: names have room from some width on.
        const double width = std::clamp(camera.levelWidth * std::sqrt(factor), 1e-3, 320 * ratio);
        camera.x = point.x - (point.x - camera.x) * (width / camera.levelWidth);
        camera.levelWidth = width;
    }
    setCamera(camera);
}

void TreeGraphCanvas::showNode(std::uint32_t node)
{
    const TreeGraphLayout layout = sceneLayout();
    const Point at = layout.place(*graph_, node);
    const double margin = 40 * devicePixelRatioF();
    const Rect inner = layout.body.inset(margin);
    if (inner.empty() || inner.contains(at)) return;
    panBy(std::clamp(at.x, inner.x, inner.right()) - at.x, std::clamp(at.y, inner.y, inner.bottom()) - at.y);
}

void TreeGraphCanvas::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || !graph_) return SceneView::mousePressEvent(event);
    pressed_ = toDevice(event->position());
    cameraAtPress_ = sceneLayout().camera;
    moved_ = false;
}

void TreeGraphCanvas::mouseMoveEvent(QMouseEvent* event)
{
    const Point at = toDevice(event->position());
    if (!pressed_) return hover(nodeAt(at));
    const double far = std::hypot(at.x - pressed_->x, at.y - pressed_->y);
    moved_ = moved_ || far > kDragBeginsPx * devicePixelRatioF();
    if (!moved_) return;
    if (drag_ == Drag::Brush || brush_ || (event->modifiers() & Qt::AltModifier)) {
        brush_ = Rect{std::min(at.x, pressed_->x), std::min(at.y, pressed_->y), std::abs(at.x - pressed_->x),
                      std::abs(at.y - pressed_->y)};
        return updateOverlay();
    }
    TreeCamera camera = cameraAtPress_;
    camera.x += at.x - pressed_->x;
    camera.y += at.y - pressed_->y;
    setCamera(camera);
}

void TreeGraphCanvas::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || !pressed_) return SceneView::mouseReleaseEvent(event);
    const Point at = *pressed_;
    pressed_.reset();
    if (const auto brushed = std::exchange(brush_, std::nullopt)) {
        select(treeNodesWithin(*graph_, sceneLayout(), *brushed), event->modifiers());
        return updateOverlay();
    }
    if (moved_) return;
    const auto node = nodeAt(at);
    const bool adds = event->modifiers() & (Qt::ShiftModifier | Qt::ControlModifier);
    if (node) select({*node}, event->modifiers());
    else if (!adds) select({}, {});
}

void TreeGraphCanvas::mouseDoubleClickEvent(QMouseEvent* event)
{
    const auto node = nodeAt(toDevice(event->position()));
    if (event->button() != Qt::LeftButton || !node) return;
    pressed_.reset();
    const ShownNode& shown = graph_->shown.nodes[*node];
    const TreeEdits& edits = selection().state().tree;
    if (shown.kind == ShownKind::Surrogate)
        return setEdits(withDecomposed(edits, graph_->rows(), graph_->shown, *node));
    if (!(event->modifiers() & Qt::ControlModifier))
        return setEdits(withToggled(edits, graph_->rows(), shown.row));
    if (shown.composed > 0) return setEdits(withDecomposed(edits, graph_->rows(), graph_->shown, *node));
    if (shown.parent == kNoShownNode)
        return selection().say(tr("A root has no caller that it could be composed with."));
    setEdits(withRemoved(edits, graph_->rows(), {shown.row}));
}

void TreeGraphCanvas::wheelEvent(QWheelEvent* event)
{
    const double turns = (event->angleDelta().y() + event->angleDelta().x()) / 120.0;
    zoomAt(toDevice(event->position()), std::pow(kTreeZoomStep, turns),
           !(event->modifiers() & Qt::ShiftModifier));
    event->accept();
}

/// Along the tree as it is drawn: parents to the left, children to the right, siblings above and below.
std::optional<std::uint32_t> TreeGraphCanvas::neighbor(int key) const
{
    const auto now = selected();
    if (now.empty()) return graph_->level(0).empty() ? std::nullopt : std::optional(graph_->level(0).front());
    const std::uint32_t node = now.front();
    const std::uint32_t parent = graph_->shown.nodes[node].parent;
    const auto isCall = [&](std::uint32_t at) {
        return graph_->shown.nodes[at].kind != ShownKind::Surrogate;
    };
    if (key == Qt::Key_Left) return parent == kNoShownNode ? std::nullopt : std::optional(parent);
    if (key == Qt::Key_Right) {
        for (const std::uint32_t child : graph_->childrenOf(node))
            if (isCall(child)) return child;
        return std::nullopt;
    }
    const auto level = graph_->level(graph_->layout.depth[node]);
    auto at = std::find(level.begin(), level.end(), node);
    const int step = key == Qt::Key_Down ? 1 : -1;
    while (at != level.end()) {
        if (step < 0 && at == level.begin()) return std::nullopt;
        at += step;
        if (at != level.end() && isCall(*at)) return *at;
    }
    return std::nullopt;
}

void TreeGraphCanvas::moveTo(std::optional<std::uint32_t> node)
{
    if (!node) return;
    select({*node}, {});
    showNode(*node);
}

void TreeGraphCanvas::keyPressEvent(QKeyEvent* event)
{
    if (!graph_) return SceneView::keyPressEvent(event);
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Down: return moveTo(neighbor(event->key()));
    case Qt::Key_Home:
        return moveTo(graph_->level(0).empty() ? std::nullopt : std::optional(graph_->level(0).front()));
    case Qt::Key_Plus:
    case Qt::Key_Equal: return zoomBy(kTreeZoomStep);
    case Qt::Key_Minus: return zoomBy(1 / kTreeZoomStep);
    case Qt::Key_Escape: return select({}, {});
    default: SceneView::keyPressEvent(event);
    }
}

void TreeGraphCanvas::contextMenuEvent(QContextMenuEvent* event)
{
    if (!graph_) return;
    if (const auto node = nodeAt(toDevice(event->pos()))) {
        const auto now = selected();
        if (!std::binary_search(now.begin(), now.end(), *node)) select({*node}, {});
    }
    Q_EMIT menuWanted(event->globalPos());
}

void TreeGraphCanvas::leaveEvent(QEvent* event)
{
    hover(std::nullopt);
    SceneView::leaveEvent(event);
}

}  // namespace skein
