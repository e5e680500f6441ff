// SPDX-License-Identifier: GPL-3.0-or-later
// Trees whose rows are narrower than pixels look as if every line and node had been set pixel by pixel.
#include "tests/bench/tree_graph_pictures.h"
#include "tests/support/catch.h"
#include "tests/support/scenes.h"
#include "views/tree_graph/dense_tree_scene.h"
#include "views/tree_graph/tree_labels_scene.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace skein::dense_tree_scene_test {

namespace {

constexpr int kWidth = 700, kHeight = 300;

/// Pixels of a picture, 0 where there is nothing.
struct Pixels {
    std::vector<std::uint32_t> argb = std::vector<std::uint32_t>(kWidth * kHeight, 0);

    void set(int x, int y, std::uint32_t value)
    {
        if (x >= 0 && x < kWidth && y >= 0 && y < kHeight)
            argb[static_cast<std::size_t>(y * kWidth + x)] = value;
    }
    std::uint32_t at(int x, int y) const { return argb[static_cast<std::size_t>(y * kWidth + x)]; }
    void fill(int left, int top, int right, int bottom, std::uint32_t value)
    {
        for (int y = std::max(0, top); y < std::min(kHeight, bottom); ++y)
            for (int x = std::max(0, left); x < std::min(kWidth, right); ++x) set(x, y, value);
    }
};

int rounded(double value) { return static_cast<int>(std::lround(value)); }

Pixels shown(const DrawList& list)
{
    Pixels pixels;
    for (const DrawItem& item : list.items) {
        if (const auto* rect = std::get_if<RectItem>(&item))
            pixels.fill(rounded(rect->rect.x), rounded(rect->rect.y), rounded(rect->rect.right()),
                        rounded(rect->rect.bottom()), toArgb(rect->fill));
        const auto* block = std::get_if<PixelItem>(&item);
        int y = block ? block->y : 0;
        for (std::size_t line = 0; block && line < block->heights.size(); ++line)
            for (const int end = y + block->heights[line]; y < end; ++y)
                for (int column = 0; column < block->columns; ++column) {
                    const std::uint32_t argb = block->argb[line * static_cast<std::size_t>(block->columns)
                                                           + static_cast<std::size_t>(column)];
                    if (argb != 0) pixels.set(block->x + column, y, argb);
                }
    }
    return pixels;
}

/// A tree in a camera, and what is asked of it.
struct Case {
    test::PlainCanvas plain{kWidth, kHeight};
    TreeGraphPtr graph;
    TreeGraphOptions options;
    TreeGraphLayout layout;

    Case(std::size_t nodes, double zoom, double levelWidth, double left)
        : graph(*layOutTree(bench::treeSums(nodes), {}, Task()))
    {
        options = bench::zoomedTree(*graph, plain.canvas, zoom);
        options.camera->levelWidth = levelWidth;
        options.camera->x = left;
        layout = treeGraphLayout(*graph, options, plain.canvas);
    }

    /// Only what is in the body.
    int top() const { return static_cast<int>(layout.body.y); }
};

Pixels edgesOneByOne(const Case& one)
{
    Pixels pixels;
    const std::uint32_t color = toArgb(treeEdgeColor(one.plain.style.theme));
    for (std::uint32_t node = 0; node < one.graph->shown.nodes.size(); ++node) {
        const auto below = one.graph->childrenOf(node);
        if (below.empty()) continue;
        const Point at = one.layout.place(*one.graph, node);
        const int bend = rounded(treeBend(*one.graph, one.layout, node, one.plain.canvas));
        const auto fill = [&](int left, int y0, int right, int y1) {
            pixels.fill(left, std::max(one.top(), y0), std::max(right, left + 1), y1, color);
        };
        fill(rounded(at.x), rounded(at.y), bend, rounded(at.y) + 1);
        fill(bend, rounded(one.layout.place(*one.graph, below.front()).y), bend + 1,
             rounded(one.layout.place(*one.graph, below.back()).y) + 1);
        for (const std::uint32_t child : below) {
            const Point to = one.layout.place(*one.graph, child);
            fill(bend, rounded(to.y), rounded(to.x), rounded(to.y) + 1);
        }
    }
    return pixels;
}

/// From the least to the greatest, then what is selected: the last one stays.
Pixels nodesOneByOne(const Case& one, const std::vector<std::uint32_t>& selected, int side)
{
    Pixels pixels;
    const auto put = [&](std::uint32_t node, std::uint32_t argb) {
        const Point at = one.layout.place(*one.graph, node);
        const int x = rounded(at.x - side / 2.0), y = rounded(at.y - side / 2.0);
        pixels.fill(x, std::max(one.top(), y), x + side, y + side, argb);
    };
    std::vector<std::uint32_t> order = one.graph->byValue;
    std::reverse(order.begin(), order.end());
    const Theme& theme = one.plain.style.theme;
    for (const std::uint32_t node : order) put(node, toArgb(nodeColor(*one.graph, one.options, theme, node)));
    for (const std::uint32_t node : selected) put(node, toArgb(theme.accent));
    return pixels;
}

/// Cells of labels are taken exactly where a pixel of them is.
void checkRoom(const Case& one, const LabelRoom& room, const Pixels& pixels)
{
    bool same = true;
    for (int y = one.top(); y < kHeight; ++y)
        for (int x = 0; x < kWidth; x += LabelRoom::kCell) {
            bool covered = false;
            for (int in = 0; in < LabelRoom::kCell; ++in) covered = covered || pixels.at(x + in, y) != 0;
            const Rect cell{double(x), double(y - one.top()), LabelRoom::kCell, 1};
            same = same && room.isFree(cell) != covered;
        }
    CHECK(same);
}

}  // namespace

TEST_CASE("edges that share pixels cover what all of them would")
{
    struct Camera {
        double zoom, levelWidth, left;
    };
    // Many levels in a pixel, narrow ones, wide ones, and some that are partly out of sight.
    for (const Camera& camera :
         {Camera{1, 0.4, 20}, {1, 7, 20}, {3, 14, -90}, {2, 40, -300}, {6, 120.5, -1000.25}}) {
        const Case one(6000, camera.zoom, camera.levelWidth, camera.left);
        INFO("zoom " << camera.zoom << ", levels " << camera.levelWidth << " wide");
        REQUIRE(one.layout.camera.rowHeight < 2);
        DrawList list;
        LabelRoom room(kWidth, static_cast<int>(one.layout.body.height));
        drawDenseEdges(list, room, *one.graph, one.layout, one.plain.canvas);
        const Pixels pixels = shown(list);
        // Where levels share columns they bend where the first of them does.
        if (camera.levelWidth > 1) {
            CHECK(pixels.argb == edgesOneByOne(one).argb);
            checkRoom(one, room, pixels);
        }
        CHECK(std::count_if(pixels.argb.begin(), pixels.argb.end(), [](auto argb) { return argb != 0; })
              > 100);
    }
}

TEST_CASE("of nodes that share pixels the selected ones are seen, else the greatest")
{
    for (const double zoom : {1.0, 3.0})
        for (const int side : {2, 3}) {
            const Case one(6000, zoom, 7.3, 20);
            std::vector<std::uint32_t> selected;
            for (std::uint32_t node = 17; node < one.graph->shown.nodes.size(); node += 613)
                selected.push_back(node);
            DrawList list;
            LabelRoom room(kWidth, static_cast<int>(one.layout.body.height));
            drawDenseNodes(list, room, *one.graph, selected, one.options, one.layout, side, one.plain.canvas);
            const Pixels pixels = shown(list);
            CHECK(pixels.argb == nodesOneByOne(one, selected, side).argb);
            checkRoom(one, room, pixels);
        }
}

TEST_CASE("the strongest node keeps its colour however many there are")
{
    const Case one(50'000, 1, 2.3, 20);
    DrawList list;
    LabelRoom room(kWidth, static_cast<int>(one.layout.body.height));
    drawDenseNodes(list, room, *one.graph, {}, one.options, one.layout, 2, one.plain.canvas);
    const Pixels pixels = shown(list);
    for (std::size_t rank = 0; rank < 20; ++rank) {
        const std::uint32_t node = one.graph->byValue[rank];
        const Point at = one.layout.place(*one.graph, node);
        const std::uint32_t color = toArgb(nodeColor(*one.graph, one.options, one.plain.style.theme, node));
        bool seen = false;
        for (int y = -2; y <= 2; ++y)
            for (int x = -2; x <= 2; ++x)
                seen = seen || pixels.at(rounded(at.x) + x, rounded(at.y) + y) == color;
        CHECK(seen);
    }
}

}  // namespace skein::dense_tree_scene_test
