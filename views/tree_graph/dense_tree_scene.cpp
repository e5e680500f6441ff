// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tree_graph/dense_tree_scene.h"

#include "views/tree_graph/tree_labels_scene.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

namespace skein {
namespace {

/// Rows of pixels of a column, from the top of the body.
class PixelRows {
public:
    explicit PixelRows(int height) : rows_(static_cast<std::size_t>(std::max(0, height)), 0) {}

    void mark(double from, double to)
    {
        const auto bound = [&](double y) {
            return static_cast<std::size_t>(std::clamp(y, 0.0, static_cast<double>(rows_.size())));
        };
        std::fill(rows_.begin() + static_cast<std::ptrdiff_t>(bound(from)),
                  rows_.begin() + static_cast<std::ptrdiff_t>(bound(to)), std::uint8_t{1});
    }

    template <typename Use>
    void forRuns(Use use) const
    {
        for (std::size_t from = 0; from < rows_.size();) {
            std::size_t to = from + 1;
            while (to < rows_.size() && rows_[to] == rows_[from]) ++to;
            if (rows_[from]) use(static_cast<double>(from), static_cast<double>(to));
            from = to;
        }
    }

private:
    std::vector<std::uint8_t> rows_;
};

/// What lines of one level cover: out of its nodes, along their children, and to these.
struct DenseLevel {
    explicit DenseLevel(int height) : leads(height), bars(height), stubs(height) {}

    double at = 0, bend = 0, end = 0;
    PixelRows leads, bars, stubs;
};

bool levelIsSeen(const TreeGraphLayout& layout, double x)
{
    return x + layout.camera.levelWidth > layout.body.x && x < layout.body.right();
}

void markNode(DenseLevel& level, const TreeGraph& graph, const TreeGraphLayout& layout, std::uint32_t node,
              double width)
{
    const auto below = graph.childrenOf(node);
    const auto row = [&](std::uint32_t one) {
        return std::round(layout.place(graph, one).y) - layout.body.y;
    };
    level.leads.mark(row(node), row(node) + width);
    level.bars.mark(row(below.front()), row(below.back()) + width);
    for (const std::uint32_t child : below) level.stubs.mark(row(child), row(child) + width);
}

}  // namespace

void drawDenseEdges(DrawList& list, LabelRoom& room, const TreeGraph& graph, const TreeGraphLayout& layout,
                    const Canvas& canvas)
{
    const double width = canvas.px(1);
    const int height = static_cast<int>(layout.body.height);
    std::map<int, DenseLevel> levels;  // by column: of very many levels several share one
    std::vector<DenseLevel*> ofDepth(graph.layout.levels, nullptr);
    for (std::uint32_t node = 0; node < graph.shown.nodes.size(); ++node) {
        if (graph.childrenOf(node).empty()) continue;
        DenseLevel*& known = ofDepth[graph.layout.depth[node]];
        if (!known) {
            const double x = layout.place(graph, node).x;
            if (!levelIsSeen(layout, x)) continue;
            const auto [level, isNew] = levels.try_emplace(static_cast<int>(std::lround(x)), height);
            known = &level->second;
            if (isNew) {
                known->at = std::round(x);
                known->bend = std::round(treeBend(graph, layout, node, canvas));
                known->end = std::round(x + layout.camera.levelWidth);
            }
        }
        markNode(*known, graph, layout, node, width);
    }
    const Color color = treeEdgeColor(canvas.theme());
    for (const auto& [column, level] : levels) {
        const auto fill = [&](const PixelRows& rows, double from, double to) {
            rows.forRuns([&](double top, double bottom) {
                const Rect rect{from, layout.body.y + top, std::max(width, to - from), bottom - top};
                list.fillRect(rect, color);
                room.take({rect.x - layout.body.x, top, rect.width, rect.height});
            });
        };
        fill(level.leads, level.at, level.bend);
        fill(level.bars, level.bend, level.bend + width);
        fill(level.stubs, level.bend, level.end);
    }
}

void drawDenseNodes(DrawList& list, LabelRoom& room, const TreeGraph& graph,
                    const std::vector<std::uint32_t>& selected, const TreeGraphOptions& options,
                    const TreeGraphLayout& layout, double side, const Canvas& canvas)
{
    const auto height = static_cast<std::size_t>(std::max(0.0, layout.body.height));
    std::map<int, std::vector<std::uint32_t>> columns;
    std::vector<std::vector<std::uint32_t>*> ofDepth(graph.layout.levels, nullptr);
    const auto put = [&](std::uint32_t node, bool isSelected) {
        const Point at = layout.place(graph, node);
        if (at.x < layout.body.x - side || at.x > layout.body.right() + side) return;
        const double top = std::round(at.y - side / 2) - layout.body.y;
        if (top + side <= 0 || top >= layout.body.height) return;
        auto*& known = ofDepth[graph.layout.depth[node]];
        if (!known) {
            known = &columns[static_cast<int>(std::lround(at.x - side / 2))];
            known->resize(height, 0);
        }
        auto& column = *known;
        std::uint32_t argb = 0;
        for (auto y = static_cast<std::size_t>(std::max(0.0, top));
             y < height && static_cast<double>(y) < top + side; ++y) {
            if (column[y]) continue;
            if (!argb)
                argb = toArgb(isSelected ? canvas.theme().accent
                                         : nodeColor(graph, options, canvas.theme(), node));
            column[y] = argb;
        }
    };
    for (const std::uint32_t node : selected) put(node, true);
    for (const std::uint32_t node : graph.byValue) put(node, false);
    const int wide = static_cast<int>(side);
    for (const auto& [x, rows] : columns) {
        PixelItem block{x, static_cast<int>(layout.body.y), wide, {}, {}, {}};
        for (std::size_t from = 0; from < rows.size();) {
            std::size_t to = from + 1;
            while (to < rows.size() && rows[to] == rows[from]) ++to;
            block.heights.push_back(static_cast<int>(to - from));
            block.argb.insert(block.argb.end(), static_cast<std::size_t>(wide), rows[from]);
            if (rows[from])
                room.take(
                    {x - layout.body.x, static_cast<double>(from), side, static_cast<double>(to - from)});
            from = to;
        }
        list.items.push_back(std::move(block));
    }
}

}  // namespace skein
