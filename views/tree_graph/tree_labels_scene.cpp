// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tree_graph/tree_labels_scene.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace skein {
namespace {

constexpr double kNodeLabelGap = 4;    ///< logical pixels between a node and its name
constexpr double kShortestLabel = 34;  ///< logical pixels; less room is not worth a name
constexpr double kWidestLabel = 420;
constexpr double kBetweenLabels = 4;
constexpr double kCollapsedMarker = 1.6;  ///< radii

class TreeLabels {
public:
    TreeLabels(DrawList& list, LabelRoom& room, const TreeGraph& graph, const TreeGraphOptions& options,
               const TreeGraphLayout& layout, const Canvas& canvas)
        : list_(list),
          room_(room),
          graph_(graph),
          options_(options),
          layout_(layout),
          canvas_(canvas),
          done_(graph.shown.nodes.size(), 0),
          height_(canvas.lineHeight()),
          shortest_(canvas.px(kShortestLabel)),
          spread_(treeSpreadWidth(graph, layout, canvas) / 2),
          fitsOnEdges_(namesFitOnEdges(layout, canvas))
    {
    }

    void draw(const std::vector<std::uint32_t>& selected)
    {
        for (const std::uint32_t node : selected) label(node, {}, FontStyle::Bold);
        for (const auto& [node, note] : graph_.notes) label(node, " — " + note, FontStyle::Small);
        for (const TreePlace& place : graph_.placesByValue)
            if (place.isLeaf && !place.isSurrogate && mayHaveLabel(place))
                label(place.node, {}, FontStyle::Small);
        for (const TreePlace& place : graph_.placesByValue)
            if (!place.isLeaf && (fitsOnEdges_ || place.depth == 0)) label(place.node, {}, FontStyle::Small);
        // "12 pruned" tells less than the name of a function.
        for (const TreePlace& place : graph_.placesByValue)
            if (place.isSurrogate && mayHaveLabel(place)) label(place.node, {}, FontStyle::Small);
        // Only then what is left goes where it is nearer to others.
        if (!fitsOnEdges_) return;
        for (const TreePlace& place : graph_.placesByValue)
            if (seen(layout_.place(place))) labelElsewhere(place.node, FontStyle::Small);
    }

private:
    bool seen(Point at) const
    {
        return at.y + height_ > layout_.body.y && at.y - height_ < layout_.body.bottom()
            && at.x < layout_.body.right() && at.x > layout_.body.x - layout_.camera.levelWidth;
    }

    /// Whether there may be room for a name on any edge: if not, most nodes are done with.
    static bool namesFitOnEdges(const TreeGraphLayout& layout, const Canvas& canvas)
    {
        const double bend = std::min(layout.camera.levelWidth / 3, layout.largestRadius + canvas.px(8));
        const double room =
            layout.camera.levelWidth - bend - canvas.px(kNodeLabelGap) - layout.smallestRadius - canvas.px(2);
        return room >= canvas.px(kShortestLabel);
    }

    /// Of a leaf. Asked for all, of which few have room: looks at what a name of any radius would cover.
    bool mayHaveLabel(const TreePlace& place) const
    {
        const Point at = layout_.place(place);
        if (!seen(at)) return false;
        if (fitsOnEdges_) return true;
        const double gap = canvas_.px(kNodeLabelGap);
        const double nearest = at.x + layout_.smallestRadius + gap;
        const double farthest = at.x + kCollapsedMarker * layout_.largestRadius + gap + 1;
        const Point inside = inBody(farthest, std::round(at.y - height_ / 2));
        const double width = nearest + shortest_ - farthest;
        return width <= 0 || room_.isFree({inside.x, std::floor(inside.y + height_ / 2), width, 1});
    }

    void label(std::uint32_t node, const std::string& behind, FontStyle style)
    {
        if (done_[node]) return;
        const Point at = layout_.place(graph_, node);
        if (!seen(at)) return;
        const bool leaf = graph_.childrenOf(node).empty();
        // Lines of a sibling's children may stand right behind a leaf: then there is room over its own edge.
        if ((leaf && labelBehind(node, at, behind, style)) || labelOver(node, at, behind, style))
            done_[node] = 1;
    }

    /// Close below the edge that is above its own, or below its own.
    void labelElsewhere(std::uint32_t node, FontStyle style)
    {
        const Point at = layout_.place(graph_, node);
        if (done_[node] || !seen(at) || graph_.shown.nodes[node].parent == kNoShownNode) return;
        const auto [from, end] = edgeTo(node, at);
        if (end - from < shortest_) return;
        // Letters without marks above leave some of the line free.
        const double marks = std::floor(height_ / 5);
        const double above = std::round(at.y - height_ - canvas_.px(1));
        const double below = std::round(at.y) + canvas_.px(1);
        if (place({from, above}, end - from, node, {}, style, marks)
            || place({from, below}, end - from, node, {}, style))
            done_[node] = 1;
    }

    Point inBody(double x, double y) const { return {x - layout_.body.x, y - layout_.body.y}; }

    bool labelBehind(std::uint32_t node, Point at, const std::string& behind, FontStyle style)
    {
        const double marker = graph_.shown.nodes[node].kind == ShownKind::Collapsed ? kCollapsedMarker : 1.0;
        const double reach = std::max(marker * nodeRadius(graph_, options_, layout_, node), spread_);
        const double x = std::ceil(at.x + reach + canvas_.px(kNodeLabelGap));
        return place({x, std::round(at.y - height_ / 2)}, canvas_.px(kWidestLabel), node, behind, style);
    }

    /// Over the edge that leads to the node, its end above the node itself.
    bool labelOver(std::uint32_t node, Point at, const std::string& behind, FontStyle style)
    {
        if (graph_.shown.nodes[node].parent == kNoShownNode)
            return labelRoot(node, at, nodeRadius(graph_, options_, layout_, node), behind, style);
        const auto [from, end] = edgeTo(node, at);
        if (end - from < shortest_) return false;
        return place({from, std::round(at.y - height_ - canvas_.px(1))}, end - from, node, behind, style);
    }

    /// Where names along the edge to a node begin and end.
    std::pair<double, double> edgeTo(std::uint32_t node, Point at) const
    {
        const std::uint32_t parent = graph_.shown.nodes[node].parent;
        return {std::ceil(treeBend(graph_, layout_, parent, canvas_) + canvas_.px(kNodeLabelGap)),
                at.x - nodeRadius(graph_, options_, layout_, node) - canvas_.px(2)};
    }

    /// Before a root, or above it where that is outside of the picture.
    bool labelRoot(std::uint32_t node, Point at, double radius, const std::string& behind, FontStyle style)
    {
        // The cell that the node begins in is taken as a whole.
        const double end = at.x - std::max(radius, spread_) - canvas_.px(kNodeLabelGap) - LabelRoom::kCell,
                     left = layout_.body.x + canvas_.px(kNodeLabelGap);
        const double most = std::min(end - left, canvas_.px(kWidestLabel));
        const double wanted = std::ceil(canvas_.measure.width(graph_.nameOf(node) + behind, style));
        const double from = std::max(left, end - std::max(wanted, shortest_));
        if (most >= shortest_
            && place({from, std::round(at.y - height_ / 2)}, end + LabelRoom::kCell - from, node, behind,
                     style))
            return true;
        return place({std::max(layout_.body.x, std::round(at.x - radius)),
                      std::round(at.y - radius - height_ - canvas_.px(2))},
                     canvas_.px(kWidestLabel), node, behind, style);
    }

    /// `spared`: pixels at the top of the line that others may have.
    bool place(Point corner, double most, std::uint32_t node, const std::string& behind, FontStyle style,
               double spared = 0)
    {
        const Point inside = inBody(corner.x, corner.y + spared);
        const double height = height_ - spared;
        if (!room_.isFree({inside.x, std::floor(inside.y + height / 2), shortest_, 1})) return false;
        const double free = room_.freeWidth(inside, height, most);
        if (free < shortest_) return false;
        const std::string whole = graph_.nameOf(node) + behind;
        const std::string text = elideName(whole, free, style, canvas_.measure);
        if (text.empty()) return false;
        const double width = std::min(free, std::ceil(canvas_.measure.width(text, style)));
        room_.take({inside.x, inside.y, width + canvas_.px(kBetweenLabels), height});
        const bool plain = graph_.shown.nodes[node].kind != ShownKind::Surrogate;
        list_.text({corner.x, corner.y + spared, width + 1, height}, text,
                   plain ? canvas_.theme().text : canvas_.theme().secondaryText, style);
        return true;
    }

    DrawList& list_;
    LabelRoom& room_;
    const TreeGraph& graph_;
    const TreeGraphOptions& options_;
    const TreeGraphLayout& layout_;
    const Canvas& canvas_;
    std::vector<std::uint8_t> done_;
    double height_, shortest_;
    double spread_;  ///< how far bars below nodes reach to either side
    bool fitsOnEdges_;
};

}  // namespace

void drawTreeLabels(DrawList& list, LabelRoom& room, const TreeGraph& graph,
                    const std::vector<std::uint32_t>& selected, const TreeGraphOptions& options,
                    const TreeGraphLayout& layout, const Canvas& canvas)
{
    TreeLabels(list, room, graph, options, layout, canvas).draw(selected);
}

}  // namespace skein
