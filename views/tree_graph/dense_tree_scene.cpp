// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tree_graph/dense_tree_scene.h"

#include "views/tree_graph/tree_labels_scene.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace skein {
namespace {

constexpr int kRowBits = 64;
/// Strips up to so many pixels wide are blocks of pixels: a rectangle takes more memory than its pixels do.
constexpr int kNarrowStrip = 20;

/// Rows of pixels of a strip, from the top of the body, a bit each.
class PixelRows {
public:
    explicit PixelRows(int height)
        : height_(std::max(0, height)), bits_(static_cast<std::size_t>(height_ / kRowBits + 1), 0)
    {
    }

    void clear() { std::fill(bits_.begin(), bits_.end(), 0); }

    /// Rows [from, to), as far as there are any.
    void mark(int from, int to)
    {
        from = std::max(0, from);
        to = std::min(height_, to);
        if (from >= to) return;
        const int first = from / kRowBits, last = (to - 1) / kRowBits;
        const std::uint64_t above = kAll << (from % kRowBits);
        const std::uint64_t below = kAll >> (kRowBits - 1 - (to - 1) % kRowBits);
        if (first == last) {
            word(first) |= above & below;
            return;
        }
        word(first) |= above;
        for (int at = first + 1; at < last; ++at) word(at) = kAll;
        word(last) |= below;
    }

    /// Marked rows, neighbours together.
    void appendRuns(std::vector<RowRun>& runs) const
    {
        for (int from = next(0, kAll); from < height_;) {
            const int to = next(from, 0);
            runs.push_back({from, to});
            from = next(to, kAll);
        }
    }

private:
    static constexpr std::uint64_t kAll = ~std::uint64_t{0};

    std::uint64_t& word(int at) { return bits_[static_cast<std::size_t>(at)]; }

    /// The first row from `row` on that is marked (`wanted` all ones) or is not (0); the height if none is.
    int next(int row, std::uint64_t wanted) const
    {
        for (int at = row / kRowBits; row < height_; row = ++at * kRowBits) {
            const std::uint64_t found =
                ~(bits_[static_cast<std::size_t>(at)] ^ wanted) & (kAll << (row % kRowBits));
            if (found) return std::min(height_, at * kRowBits + std::countr_zero(found));
        }
        return height_;
    }

    int height_;
    std::vector<std::uint64_t> bits_;
};

/// Whole rows from the top of the body; places far outside may be at any row there.
class BodyRows {
public:
    BodyRows(const TreeGraphLayout& layout, double offset)
        : top_(layout.camera.y - layout.body.y + offset),
          rowHeight_(layout.camera.rowHeight),
          height_(layout.body.height)
    {
    }

    int at(double across) const
    {
        constexpr double kOutside = 64;
        const double y = std::clamp(top_ + across * rowHeight_, -kOutside, height_ + kOutside);
        return static_cast<int>(y + kOutside + 0.5) - static_cast<int>(kOutside);
    }

    /// Of the nodes of a level those that may be seen and are `reach` pixels high: indices into levelNodes.
    std::pair<std::size_t, std::size_t> seen(const TreeGraph& graph, std::uint32_t depth, double reach) const
    {
        const auto begin = graph.levelAcross.begin();
        const auto first = begin + graph.levelOffsets[depth], end = begin + graph.levelOffsets[depth + 1];
        const auto place = [&](double y) {
            return static_cast<std::size_t>(std::lower_bound(first, end, (y - top_) / rowHeight_) - begin);
        };
        return {place(-1.0 - reach), place(height_ + 1.0)};
    }

private:
    double top_, rowHeight_, height_;
};

/// Levels that share a column of pixels, as they do where there are very many.
struct ColumnOfLevels {
    int column = 0;
    std::uint32_t first = 0, end = 0;
};

/// Those that reach into the body; `left` and `right`: how far they reach from their nodes.
std::vector<ColumnOfLevels> columnsInSight(const TreeGraph& graph, const TreeGraphLayout& layout, double left,
                                           double right)
{
    std::vector<ColumnOfLevels> columns;
    for (std::uint32_t depth = 0; depth < graph.layout.levels; ++depth) {
        const double x = layout.camera.x + depth * layout.camera.levelWidth;
        if (graph.level(depth).empty() || x + right <= layout.body.x || x - left >= layout.body.right())
            continue;
        const int column = static_cast<int>(std::lround(x - left));
        if (columns.empty() || columns.back().column != column) columns.push_back({column, depth, depth});
        columns.back().end = depth + 1;
    }
    return columns;
}

/// The lines between levels: out of nodes, along their children, and to these.
class DenseEdges {
public:
    DenseEdges(DrawList& list, LabelRoom& room, const TreeGraph& graph, const TreeGraphLayout& layout,
               const Canvas& canvas)
        : list_(list),
          room_(room),
          graph_(graph),
          layout_(layout),
          canvas_(canvas),
          rows_(layout, 0),
          width_(std::max(1, static_cast<int>(canvas.px(1)))),
          leads_(static_cast<int>(layout.body.height)),
          bars_(leads_),
          stubs_(leads_)
    {
    }

    void draw()
    {
        for (const ColumnOfLevels& one : columnsInSight(graph_, layout_, 0, layout_.camera.levelWidth)) {
            for (PixelRows* rows : {&leads_, &bars_, &stubs_}) rows->clear();
            for (std::uint32_t depth = one.first; depth < one.end; ++depth) markBehind(depth);
            const double x = layout_.camera.x + one.first * layout_.camera.levelWidth;
            const int bend =
                static_cast<int>(std::lround(treeBend(graph_, layout_, graph_.level(one.first)[0], canvas_)));
            fill(leads_, one.column, bend);
            fill(bars_, bend, bend + width_);
            fill(stubs_, bend, static_cast<int>(std::lround(x + layout_.camera.levelWidth)));
        }
    }

private:
    /// From the nodes of a level to those of the next one.
    void markBehind(std::uint32_t depth)
    {
        if (depth + 1 >= graph_.layout.levels) return;
        const std::size_t begin = graph_.levelOffsets[depth + 1], end = graph_.levelOffsets[depth + 2];
        const auto [first, last] = rows_.seen(graph_, depth + 1, width_);
        for (std::size_t i = first; i < last; ++i) {
            const int row = rows_.at(graph_.levelAcross[i]);
            stubs_.mark(row, row + width_);
        }
        // Children just outside are those of parents whose lines may cross all that is in sight.
        std::uint32_t parent = kNoShownNode;
        for (std::size_t i = first > begin ? first - 1 : begin; i < std::min(end, last + 1); ++i) {
            const std::uint32_t of = graph_.shown.nodes[graph_.levelNodes[i]].parent;
            if (of == parent || of == kNoShownNode) continue;
            parent = of;
            markParent(parent);
        }
    }

    void markParent(std::uint32_t parent)
    {
        const auto below = graph_.childrenOf(parent);
        const int row = rows_.at(graph_.layout.across[parent]);
        leads_.mark(row, row + width_);
        bars_.mark(rows_.at(graph_.layout.across[below.front()]),
                   rows_.at(graph_.layout.across[below.back()]) + width_);
    }

    void fill(const PixelRows& rows, int from, int to)
    {
        const int width = std::max(width_, to - from);
        runs_.clear();
        rows.appendRuns(runs_);
        if (runs_.empty()) return;
        room_.takeRows(from - layout_.body.x, width, runs_);
        const Color color = treeEdgeColor(canvas_.theme());
        const int top = static_cast<int>(layout_.body.y);
        if (width <= kNarrowStrip) return fillBlock(from, top, width, toArgb(color));
        for (const RowRun& run : runs_)
            list_.fillRect({static_cast<double>(from), static_cast<double>(top + run.from),
                            static_cast<double>(width), static_cast<double>(run.to - run.from)},
                           color);
    }

    void fillBlock(int x, int top, int width, std::uint32_t argb)
    {
        PixelItem block{x, top, width, {}, {}, {}};
        block.heights.reserve(2 * runs_.size());
        block.argb.assign(2 * runs_.size() * static_cast<std::size_t>(width), 0);
        int row = 0;
        for (const RowRun& run : runs_) {
            if (run.from > row) block.heights.push_back(run.from - row);
            const auto line = block.argb.begin() + static_cast<std::ptrdiff_t>(block.heights.size()) * width;
            std::fill_n(line, width, argb);
            block.heights.push_back(run.to - run.from);
            row = run.to;
        }
        block.argb.resize(block.heights.size() * static_cast<std::size_t>(width));
        list_.items.push_back(std::move(block));
    }

    DrawList& list_;
    LabelRoom& room_;
    const TreeGraph& graph_;
    const TreeGraphLayout& layout_;
    const Canvas& canvas_;
    BodyRows rows_;
    int width_;
    PixelRows leads_, bars_, stubs_;
    std::vector<RowRun> runs_;
};

class DenseNodes {
public:
    DenseNodes(DrawList& list, LabelRoom& room, const TreeGraph& graph,
               const std::vector<std::uint32_t>& selected, const TreeGraphOptions& options,
               const TreeGraphLayout& layout, double side, const Canvas& canvas)
        : list_(list),
          room_(room),
          graph_(graph),
          options_(options),
          layout_(layout),
          canvas_(canvas),
          rows_(layout, -side / 2),
          side_(static_cast<int>(side)),
          ranks_(static_cast<std::size_t>(std::max(0.0, layout.body.height)), kNothingThere)
    {
        for (const std::uint32_t node : selected) selected_.emplace_back(graph.layout.depth[node], node);
        std::stable_sort(selected_.begin(), selected_.end(),
                         [](const auto& a, const auto& b) { return a.first < b.first; });
    }

    void draw()
    {
        const double half = side_ / 2.0;
        for (const ColumnOfLevels& one : columnsInSight(graph_, layout_, half, half)) {
            std::fill(ranks_.begin(), ranks_.end(), kNothingThere);
            for (std::uint32_t depth = one.first; depth < one.end; ++depth) placeLevel(depth);
            placeSelected(one);
            fill(one.column);
        }
    }

private:
    static constexpr std::uint32_t kNothingThere = std::numeric_limits<std::uint32_t>::max();
    static constexpr std::uint32_t kSelectedThere = 0;  ///< others: their ranks and one

    void placeLevel(std::uint32_t depth)
    {
        const auto [first, last] = rows_.seen(graph_, depth, side_);
        for (std::size_t i = first; i < last; ++i)
            place(rows_.at(graph_.levelAcross[i]), graph_.levelRanks[i] + 1);
    }

    void placeSelected(const ColumnOfLevels& levels)
    {
        auto one = std::lower_bound(selected_.begin(), selected_.end(), levels.first,
                                    [](const auto& a, std::uint32_t depth) { return a.first < depth; });
        for (; one != selected_.end() && one->first < levels.end; ++one)
            place(rows_.at(graph_.layout.across[one->second]), kSelectedThere);
    }

    void place(int top, std::uint32_t rank)
    {
        const int height = static_cast<int>(ranks_.size());
        for (int row = std::max(0, top); row < std::min(height, top + side_); ++row) {
            std::uint32_t& there = ranks_[static_cast<std::size_t>(row)];
            there = std::min(there, rank);
        }
    }

    std::uint32_t colorOf(std::uint32_t rank) const
    {
        if (rank == kNothingThere) return 0;
        if (rank == kSelectedThere) return toArgb(canvas_.theme().accent);
        return toArgb(nodeColor(graph_, options_, canvas_.theme(), graph_.byValue[rank - 1]));
    }

    void fill(int x)
    {
        PixelItem block{x, static_cast<int>(layout_.body.y), side_, {}, {}, {}};
        runs_.clear();
        shades_.clear();
        std::uint32_t before = 0;
        for (std::size_t from = 0, to = 0; from < ranks_.size(); from = to) {
            while (to < ranks_.size() && ranks_[to] == ranks_[from]) ++to;
            const std::uint32_t argb = colorOf(ranks_[from]);
            const int height = static_cast<int>(to - from);
            if (argb) runs_.push_back({static_cast<int>(from), static_cast<int>(to)});
            if (!block.heights.empty() && argb == before) block.heights.back() += height;
            else {
                block.heights.push_back(height);
                shades_.push_back(argb);
            }
            before = argb;
        }
        if (runs_.empty()) return;
        block.argb.resize(shades_.size() * static_cast<std::size_t>(side_));
        auto line = block.argb.begin();
        for (const std::uint32_t argb : shades_) line = std::fill_n(line, side_, argb);
        room_.takeRows(x - layout_.body.x, side_, runs_);
        list_.items.push_back(std::move(block));
    }

    DrawList& list_;
    LabelRoom& room_;
    const TreeGraph& graph_;
    const TreeGraphOptions& options_;
    const TreeGraphLayout& layout_;
    const Canvas& canvas_;
    BodyRows rows_;
    int side_;
    std::vector<std::uint32_t> ranks_;  ///< [row of pixels]: the least of those that are there
    std::vector<std::pair<std::uint32_t, std::uint32_t>> selected_;  ///< depth and node
    std::vector<RowRun> runs_;
    std::vector<std::uint32_t> shades_;  ///< of the lines of a block
};

}  // namespace

void drawDenseEdges(DrawList& list, LabelRoom& room, const TreeGraph& graph, const TreeGraphLayout& layout,
                    const Canvas& canvas)
{
    DenseEdges(list, room, graph, layout, canvas).draw();
}

void drawDenseNodes(DrawList& list, LabelRoom& room, const TreeGraph& graph,
                    const std::vector<std::uint32_t>& selected, const TreeGraphOptions& options,
                    const TreeGraphLayout& layout, double side, const Canvas& canvas)
{
    DenseNodes(list, room, graph, selected, options, layout, side, canvas).draw();
}

}  // namespace skein
