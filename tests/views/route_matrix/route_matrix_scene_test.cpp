// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/route_matrix/route_matrix_scene.h"

#include "tests/support/catch.h"
#include "tests/support/machine_session.h"
#include "tests/support/scenes.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

namespace skein::route_matrix_scene_test {
namespace {

RouteMatrixPicturePtr pictureOf(const SessionCommunicationPtr& communication, RouteMatrixOptions options = {},
                                const Selection& selected = {})
{
    ViewState state;
    state.selected = selected;
    return routeMatrixPicture(communication, options, state, Task()).value();
}

/// The paper's figure 6: one route on a torus of 2x2x4x2x2.
SessionPtr oneRoute()
{
    // Nodes are numbered with E fastest: (1,0,2,1,0) is 42, (0,1,2,0,0) is 24.
    return test::sessionOfSums(64, {{{42, 24, 1, 1000}}});
}

bool hasLine(const DrawList& list, Point from, Point to)
{
    const auto lines = test::itemsOf<LineItem>(list);
    return std::any_of(lines.begin(), lines.end(), [&](const LineItem& line) {
        const auto near = [](Point a, Point b) { return std::hypot(a.x - b.x, a.y - b.y) < 0.5; };
        return near(line.from, from) && near(line.to, to);
    });
}

}  // namespace

TEST_CASE("route matrix: a route goes along the row to the cell of its next hop, and then along the column")
{
    const auto communication = test::communicationOn(oneRoute(), "torus:2x2x4x2x2");
    RouteMatrixOptions options;
    options.topPercent = 100;
    const auto picture = pictureOf(communication, options);
    REQUIRE(picture->routes.size() == 1);
    CHECK(communication->traffic.paths[0].size() == 3);
    const test::PlainCanvas plain(900, 800);
    const RouteMatrixLayout layout = routeMatrixLayout(*picture, {}, plain.canvas);
    const DrawList list = routeMatrixScene(*picture, {}, plain.canvas, Task());
    for (const LinkIndex link : communication->traffic.paths[0]) {
        const double from = picture->middleOf(picture->topology().source(link));
        const double to = picture->middleOf(picture->topology().target(link));
        CHECK(hasLine(list, layout.toCanvas({from, from}), layout.toCanvas({to, from})));
        CHECK(hasLine(list, layout.toCanvas({to, from}), layout.toCanvas({to, to})));
        // The corner lies in a cell of adjacent nodes.
        const auto cell = routeCellAt(*picture, layout, layout.toCanvas({to, from}));
        REQUIRE(cell);
        CHECK(picture->topology().findLink(cell->first, cell->second) != kNoLink);
    }
    CHECK(test::unreadable(list, plain.measure).empty());
}

TEST_CASE("route matrix: a curved route goes through the same places, and is found where it is drawn")
{
    const auto communication = test::communicationOn(oneRoute(), "torus:2x2x4x2x2");
    RouteMatrixOptions options;
    options.topPercent = 100;
    options.ways = RouteWays::CatmullRom;
    const auto picture = pictureOf(communication, options);
    const test::PlainCanvas plain(900, 800);
    const RouteMatrixLayout layout = routeMatrixLayout(*picture, {}, plain.canvas);
    const auto lines = test::itemsOf<LineItem>(routeMatrixScene(*picture, {}, plain.canvas, Task()));
    const auto ends = [&](Point at) {
        return std::ranges::any_of(lines, [&](const LineItem& line) {
            return std::hypot(line.to.x - at.x, line.to.y - at.y) < 1e-6;
        });
    };
    std::size_t slanted = 0;
    for (const LineItem& line : lines)
        slanted += std::abs(line.to.x - line.from.x) > 0.1 && std::abs(line.to.y - line.from.y) > 0.1 ? 1 : 0;
    CHECK(slanted >= 3 * 8);
    for (const LinkIndex link : communication->traffic.paths[0]) {
        const double from = picture->middleOf(picture->topology().source(link));
        const double to = picture->middleOf(picture->topology().target(link));
        CHECK(ends(layout.toCanvas({to, from})));
        CHECK(ends(layout.toCanvas({to, to})));
    }
    for (const LineItem& line : lines)
        if (std::abs(line.to.x - line.from.x) > 0.1 && std::abs(line.to.y - line.from.y) > 0.1)
            CHECK(matrixRouteAt(*picture, layout, line.to, plain.canvas) == 0u);
}

TEST_CASE("route matrix: grey are exactly the cells of adjacent nodes")
{
    const auto communication = test::communicationOn(oneRoute(), "torus:2x2x4x2x2");
    Selection nothing;
    RouteMatrixOptions options;
    options.outline = RouteOutline::None;
    const auto picture = pictureOf(communication, options, nothing);
    const test::PlainCanvas plain(1400, 1300);
    const RouteMatrixLayout layout = routeMatrixLayout(*picture, {}, plain.canvas);
    const DrawList list = routeMatrixScene(*picture, {}, plain.canvas, Task());
    const auto pixels = test::itemsOf<PixelItem>(list);
    REQUIRE(pixels.size() == 1);
    const auto colorAt = [&](std::uint32_t row, std::uint32_t column) {
        const Point at = layout.toCanvas({column + 0.5, row + 0.5});
        return pixels[0]
            .argb[static_cast<std::size_t>(at.y - pixels[0].y) * static_cast<std::size_t>(pixels[0].columns)
                  + static_cast<std::size_t>(at.x - pixels[0].x)];
    };
    const std::uint32_t grey = colorAt(0, 1), white = colorAt(0, 3);
    CHECK(grey != white);
    for (std::uint32_t row = 0; row < 64; ++row)
        for (std::uint32_t column = 0; column < 64; ++column) {
            if (row == column) continue;
            const bool adjacent = picture->topology().findLink(row, column) != kNoLink;
            CHECK(colorAt(row, column) == (adjacent ? grey : white));
        }
}

TEST_CASE("route matrix: any order of dimensions, by ranks, or of a file; each vertex once")
{
    const auto communication = test::communicationOn(oneRoute(), "torus:2x2x4x2x2");
    for (const std::string order : {"", "Machine", "Ranks", "EDCBA", "CAB"}) {
        RouteMatrixOptions options;
        options.order = order;
        const auto picture = pictureOf(communication, options);
        std::vector<VertexIndex> sorted = picture->order;
        std::sort(sorted.begin(), sorted.end());
        for (VertexIndex vertex = 0; vertex < 64; ++vertex) {
            CHECK(sorted[vertex] == vertex);
            CHECK(picture->order[picture->positionOf[vertex]] == vertex);
        }
    }
    RouteMatrixOptions backwards;
    backwards.order = "EDCBA";
    CHECK(pictureOf(communication, backwards)->order[1] == 32);  // A is fastest
    for (const std::string wrong : {"AA", "F", "no such file"}) {
        RouteMatrixOptions options;
        options.order = wrong;
        CHECK_FALSE(routeMatrixPicture(communication, options, {}, Task()));
    }
}

TEST_CASE("route matrix: blocks without routes are folded, the others keep their size")
{
    const auto communication = test::communicationOn(oneRoute(), "torus:2x2x4x2x2");
    CHECK(routeMatrixBlocks(*communication->machine->topology) == std::vector<std::uint32_t>{2, 4, 16, 32});
    RouteMatrixOptions options;
    options.topPercent = 100;
    options.folded = 4;
    const auto picture = pictureOf(communication, options);
    CHECK(picture->side() < 20);
    std::vector<char> used(64, 0);
    for (const LinkIndex link : communication->traffic.paths[0]) {
        used[picture->topology().source(link)] = 1;
        used[picture->topology().target(link)] = 1;
    }
    for (std::uint32_t at = 0; at < 64; ++at) {
        const std::uint32_t block = at / 4 * 4;
        const bool any = used[block] || used[block + 1] || used[block + 2] || used[block + 3];
        CHECK(picture->starts[at + 1] - picture->starts[at] == Approx(any ? 1.0 : 0.125));
    }
}

TEST_CASE("route matrix: small cells are joined, marks and lines stay, and the lens has its own cells")
{
    const SessionPtr session = test::sessionOfSums(2048, {{{42, 24, 1, 1000}, {5, 1999, 1, 10}}});
    const auto communication = test::communicationOn(session, "torus:4x4x4x16x2");
    RouteMatrixOptions options;
    options.topPercent = 100;
    const auto picture = pictureOf(communication, options);
    const test::PlainCanvas plain(700, 600);
    DrawList list = routeMatrixScene(*picture, {}, plain.canvas, Task());
    std::size_t hops = 0;
    for (std::size_t i = 0; i < 2; ++i) hops += communication->traffic.paths[i].size();
    CHECK(test::itemsOf<LineItem>(list).size() == 2 * hops);
    const auto rects = test::itemsOf<RectItem>(list);
    const auto circles =
        std::count_if(rects.begin(), rects.end(), [](const RectItem& rect) { return rect.radius > 1; });
    CHECK(circles == 3);  // two destinations and one in the legend
    const RouteMatrixLayout layout = routeMatrixLayout(*picture, {}, plain.canvas);
    const std::size_t before = test::itemsOf<PixelItem>(list).size();
    drawRouteLens(list, *picture, layout, {300, 300}, plain.canvas);
    CHECK(test::itemsOf<PixelItem>(list).size() == before + 1);
}

TEST_CASE("route matrix: the lens shows the cells around the pointer eight times as large")
{
    const auto communication = test::communicationOn(oneRoute(), "torus:2x2x4x2x2");
    RouteMatrixOptions options;
    options.outline = RouteOutline::None;
    const auto picture = pictureOf(communication, options);
    const test::PlainCanvas plain(700, 650);
    const RouteMatrixLayout layout = routeMatrixLayout(*picture, {}, plain.canvas);
    for (const PlanePoint under : {PlanePoint{11.3, 9.4}, PlanePoint{32.5, 16.5}, PlanePoint{50.9, 53.2}}) {
        const Point at = layout.toCanvas(under);
        DrawList list;
        drawRouteLens(list, *picture, layout, at, plain.canvas);
        const auto pixels = test::itemsOf<PixelItem>(list);
        REQUIRE(pixels.size() == 1);
        const double large = 8 * layout.view.pixels;
        const auto colorAt = [&](double row, double column) -> std::optional<std::uint32_t> {
            const double x = std::floor(at.x + (column - under.x) * large) - pixels[0].x;
            const double y = std::floor(at.y + (row - under.y) * large) - pixels[0].y;
            if (x < 0 || y < 0 || x >= pixels[0].columns
                || y >= static_cast<double>(pixels[0].heights.size()))
                return std::nullopt;
            return pixels[0].argb[static_cast<std::size_t>(y) * static_cast<std::size_t>(pixels[0].columns)
                                  + static_cast<std::size_t>(x)];
        };
        std::set<std::uint32_t> adjacent, apart;
        std::size_t seen = 0;
        for (std::uint32_t row = 0; row < 64; ++row)
            for (std::uint32_t column = 0; column < 64; ++column) {
                const auto color = colorAt(row + 0.5, column + 0.5);
                if (!color || row == column) continue;
                const bool link = picture->topology().findLink(row, column) != kNoLink;
                (link ? adjacent : apart).insert(*color);
                ++seen;
            }
        CHECK(seen >= 4);
        CHECK(adjacent.size() <= 1);
        CHECK(apart.size() <= 1);
        CHECK((adjacent.empty() || apart.empty() || *adjacent.begin() != *apart.begin()));
    }
}

TEST_CASE("route matrix: a small map shows which part of the matrix is in sight, where it is a part")
{
    const auto picture = pictureOf(test::communicationOn(oneRoute(), "torus:2x2x4x2x2"));
    const test::PlainCanvas plain(900, 800);
    const Theme& theme = plain.canvas.theme();
    const auto same = [](Color a, Color b) { return toArgb(a) == toArgb(b); };
    const auto rectsOf = [&](const PlaneView& view) {
        return test::itemsOf<RectItem>(routeMatrixScene(*picture, view, plain.canvas, Task()));
    };
    const auto window = [&](const std::vector<RectItem>& rects) {
        return std::ranges::find_if(rects, [&](const RectItem& item) {
            return item.fill.alpha == 0 && same(item.stroke, theme.accent);
        });
    };
    const auto whole = rectsOf({});
    CHECK(window(whole) == whole.end());
    const PlaneView close{{20, 40}, 40};
    const auto rects = rectsOf(close);
    const auto found = window(rects);
    REQUIRE(found != rects.end());
    const auto map =
        std::ranges::find_if(rects, [&](const RectItem& item) { return same(item.fill, theme.panel); });
    REQUIRE(map != rects.end());
    const RouteMatrixLayout layout = routeMatrixLayout(*picture, close, plain.canvas);
    const double pixels = map->rect.width / picture->side();
    CHECK(found->rect.width == Approx(layout.body.width / 40 * pixels));
    CHECK(found->rect.height == Approx(layout.body.height / 40 * pixels));
    CHECK(found->rect.x + found->rect.width / 2 == Approx(map->rect.x + 20 * pixels));
    CHECK(found->rect.y + found->rect.height / 2 == Approx(map->rect.y + 40 * pixels));
}

TEST_CASE("route matrix: selected pairs and links show their routes alone")
{
    std::vector<CommMatrix::Entry> entries;
    for (std::uint32_t rank = 0; rank < 16; ++rank) entries.push_back({rank, (rank + 5) % 16, 1, 100 + rank});
    const auto communication = test::communicationOn(test::sessionOfSums(16, {entries}), "torus:4x4");
    Selection pair;
    pair.rankPairs = {{0, 3, 8}};
    const auto one = pictureOf(communication, {}, pair);
    REQUIRE(one->routes.size() == 1);
    CHECK(communication->traffic.pairs[one->routes[0]].from == 3);
    Selection link;
    link.links = {{communication->traffic.summary.maximumLink}};
    const auto over = pictureOf(communication, {}, link);
    for (const std::uint32_t route : over->routes) {
        const auto way = communication->traffic.paths[route];
        CHECK(std::find(way.begin(), way.end(), link.links[0].index) != way.end());
    }
    std::size_t expected = 0;
    for (std::size_t i = 0; i < communication->traffic.paths.size(); ++i) {
        const auto way = communication->traffic.paths[i];
        expected += std::find(way.begin(), way.end(), link.links[0].index) != way.end();
    }
    CHECK(over->routes.size() == expected);
}

TEST_CASE("route matrix: without a machine, or single routes, it says what is missing")
{
    const auto none = routeMatrixPicture(test::communicationOn(oneRoute(), "none"), {}, {}, Task());
    REQUIRE_FALSE(none);
    CHECK(none.error().text().find("machine") != std::string::npos);
}

}  // namespace skein::route_matrix_scene_test
