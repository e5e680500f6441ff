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

    /// Rows [from, to), as far as there are any.
    void mark(int from, int to)
    {
        const int count = static_cast<int>(rows_.size());
        const int first = std::clamp(from, 0, count), end = std::clamp(to, first, count);
        std::fill(rows_.begin() + first, rows_.begin() + end, std::uint8_t{1});
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

/// Marks the lines between two levels that are in sight.
class LevelLines {
public:
    LevelLines(const TreeGraph& graph, const TreeGraphLayout& layout, const Canvas& canvas)
        : graph_(graph),
          top_(layout.camera.y - layout.body.y),
          rowHeight_(layout.camera.rowHeight),
          height_(layout.body.height),
          width_(std::max(1, static_cast<int>(canvas.px(1))))
    {
    }

    /// From the nodes of a level to those of the next one.
    void mark(DenseLevel& level, std::uint32_t depth) const
    {
        if (depth + 1 >= graph_.layout.levels) return;
        const std::size_t begin = graph_.levelOffsets[depth + 1], end = graph_.levelOffsets[depth + 2];
        const auto place = [&](double y) {
            const auto found = std::lower_bound(
                graph_.levelAcross.begin() + static_cast<std::ptrdiff_t>(begin),
                graph_.levelAcross.begin() + static_cast<std::ptrdiff_t>(end), (y - top_) / rowHeight_);
            return static_cast<std::size_t>(found - graph_.levelAcross.begin());
        };
        const std::size_t first = place(-1.0 - width_), last = place(height_ + 1.0);
        for (std::size_t i = first; i < last; ++i) {
            const int row = rowAt(graph_.levelAcross[i]);
            level.stubs.mark(row, row + width_);
        }
        // Children just outside are those of parents whose lines may cross all that is in sight.
        std::uint32_t parent = kNoShownNode;
        for (std::size_t i = first > begin ? first - 1 : begin; i < std::min(end, last + 1); ++i) {
            const std::uint32_t of = graph_.shown.nodes[graph_.levelNodes[i]].parent;
            if (of == parent || of == kNoShownNode) continue;
            parent = of;
            markParent(level, parent);
        }
    }

private:
    int rowAt(double across) const
    {
        // What is far outside may be at any row there.
        constexpr double kOutside = 64;
        const double y = std::clamp(top_ + across * rowHeight_, -kOutside, height_ + kOutside);
        return static_cast<int>(y + kOutside + 0.5) - static_cast<int>(kOutside);
    }

    void markParent(DenseLevel& level, std::uint32_t parent) const
    {
        const auto below = graph_.childrenOf(parent);
        const int row = rowAt(graph_.layout.across[parent]);
        level.leads.mark(row, row + width_);
        level.bars.mark(rowAt(graph_.layout.across[below.front()]),
                        rowAt(graph_.layout.across[below.back()]) + width_);
    }

    const TreeGraph& graph_;
    double top_, rowHeight_, height_;
    int width_;
};

/// By column: of very many levels several share one.
std::map<int, DenseLevel> denseLevels(const TreeGraph& graph, const TreeGraphLayout& layout,
                                      const Canvas& canvas)
{
    const LevelLines lines(graph, layout, canvas);
    std::map<int, DenseLevel> levels;
    for (std::uint32_t depth = 0; depth < graph.layout.levels; ++depth) {
        const auto nodes = graph.level(depth);
        const double x = nodes.empty() ? 0 : layout.place(graph, nodes.front()).x;
        if (nodes.empty() || !levelIsSeen(layout, x)) continue;
        const auto [found, isNew] =
            levels.try_emplace(static_cast<int>(std::lround(x)), static_cast<int>(layout.body.height));
        DenseLevel& level = found->second;
        if (isNew) {
            level.at = std::round(x);
            level.bend = std::round(treeBend(graph, layout, nodes.front(), canvas));
            level.end = std::round(x + layout.camera.levelWidth);
        }
        lines.mark(level, depth);
    }
    return levels;
}

}  // namespace

void drawDenseEdges(DrawList& list, LabelRoom& room, const TreeGraph& graph, const TreeGraphLayout& layout,
                    const Canvas& canvas)
{
    const double width = canvas.px(1);
    const auto levels = denseLevels(graph, layout, canvas);
    std::size_t count = 0;
    for (const auto& [column, level] : levels)
        for (const PixelRows* rows : {&level.leads, &level.bars, &level.stubs})
            rows->forRuns([&count](double, double) { ++count; });
    list.items.reserve(list.items.size() + count + levels.size());
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
    const auto put = [&](const TreePlace& place, bool isSelected) {
        const std::uint32_t node = place.node;
        const Point at = layout.place(place);
        if (at.x < layout.body.x - side || at.x > layout.body.right() + side) return;
        const double top = std::round(at.y - side / 2) - layout.body.y;
        if (top + side <= 0 || top >= layout.body.height) return;
        auto*& known = ofDepth[place.depth];
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
    for (const std::uint32_t node : selected) put(graph.placeOf(node), true);
    for (const TreePlace& place : graph.placesByValue) put(place, false);
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
