// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/communication/communication_density_scene.h"

#include "tests/support/catch.h"
#include "tests/support/machine_session.h"
#include "tests/support/scenes.h"
#include "views/communication/communication_data_scene.h"
#include "views/communication/communication_lines_scene.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace skein::communication_density_test {
namespace {

/// 60 ranks on a circle, each of which sends to each.
CommunicationPicture everyoneToEveryone()
{
    std::vector<CommMatrix::Entry> entries;
    for (std::uint32_t a = 0; a < 60; ++a)
        for (std::uint32_t b = 0; b < 60; ++b)
            if (a != b) entries.push_back({a, b, 1, 1 + a * 60 + b});
    const SessionPtr session = test::sessionOfSums(60, {std::move(entries)});
    const auto grouped = groupedCommunication(test::communicationOn(session, "none"),
                                              session->experiments[0]->definitions, {}, {}, Task())
                             .value();
    CommunicationPicture picture = communicationPicture(grouped->graph, {}, Task());
    std::vector<PlanePoint> ring;
    for (int i = 0; i < 60; ++i) ring.push_back({std::cos(i * 0.1047), std::sin(i * 0.1047)});
    placeVertices(picture, std::make_shared<const std::vector<PlanePoint>>(ring));
    return picture;
}

/// Two vertices far apart, and `lines` from the one to the other that are not exact.
CommunicationPicture oneDensePiece(PlanePoint from, PlanePoint to, float lines, float value)
{
    CommunicationPicture picture;
    auto graph = std::make_shared<CommGraph>();
    graph->vertices.resize(2);
    picture.graph = graph;
    picture.dense = std::make_shared<const std::vector<DensePiece>>(1, DensePiece{1, lines, value});
    placeVertices(picture, std::make_shared<const std::vector<PlanePoint>>(std::vector{from, to}));
    return picture;
}

double coverOf(const FlowGrid& grid)
{
    double sum = 0;
    for (const FlowCell& cell : grid.cells) sum += cell.cover;
    return sum;
}

PixelItem densityOf(const DrawList& list)
{
    const auto pixels = test::itemsOf<PixelItem>(list);
    REQUIRE(pixels.size() == 1);
    return pixels[0];
}

/// The mean of the red channel over the tiles of a picture, 8 × 8 of them; where nothing is: the background.
std::vector<double> tilesOf(const PixelItem& item, Color background)
{
    constexpr std::size_t kTiles = 8;
    std::vector<double> sums(kTiles * kTiles, 0), counts(kTiles * kTiles, 0);
    std::size_t tall = 0, y = 0;
    for (const int height : item.heights) tall += static_cast<std::size_t>(height);
    const auto columns = static_cast<std::size_t>(item.columns);
    for (std::size_t line = 0; line < item.heights.size(); ++line)
        for (int repeat = 0; repeat < item.heights[line]; ++repeat, ++y)
            for (std::size_t x = 0; x < columns; ++x) {
                const std::uint32_t argb = item.argb[line * columns + x];
                const std::size_t tile = y * kTiles / tall * kTiles + x * kTiles / columns;
                sums[tile] += argb >> 24 ? (argb >> 16 & 0xFF) : background.red;
                counts[tile] += 1;
            }
    for (std::size_t tile = 0; tile < sums.size(); ++tile) sums[tile] /= counts[tile];
    return sums;
}

}  // namespace

TEST_CASE("communication: more flows than are drawn exactly are a density that covers their lines")
{
    const CommunicationPicture picture = everyoneToEveryone();
    const std::vector<PlanePoint>& ring = *picture.points;
    CHECK(picture.dense->size() == 60 * 59 - kExactFlows);
    const test::PlainCanvas plain(500, 500);
    const DrawList list = communicationScene(picture, {}, plain.canvas, Task());
    const auto pixels = test::itemsOf<PixelItem>(list);
    REQUIRE(pixels.size() == 1);
    const CommunicationLayout layout = communicationLayout(picture, {}, plain.canvas);
    for (std::size_t i = 0; i < picture.dense->size(); i += 97) {
        const Point from = layout.toCanvas(ring[(*picture.dense)[i].key >> 32]);
        const Point to = layout.toCanvas(ring[(*picture.dense)[i].key & 0xFFFFFFFFu]);
        const auto x = static_cast<std::size_t>((from.x + to.x) / 2 - pixels[0].x);
        const auto y = static_cast<std::size_t>((from.y + to.y) / 2 - pixels[0].y);
        const auto columns = static_cast<std::size_t>(pixels[0].columns);
        const bool covered = pixels[0].argb[y * columns + x] >> 24
            || pixels[0].argb[y * columns + x + 1] >> 24 || pixels[0].argb[(y + 1) * columns + x] >> 24;
        CHECK(covered);
    }
}

TEST_CASE("communication density: a line covers as much of a cell as it has lines, once for each cell along")
{
    // 2048 cells are 2048 units.
    for (const PlanePoint to : {PlanePoint{2048, 700.25}, PlanePoint{700.25, 2048}, PlanePoint{2048, 2048}}) {
        const auto map = flowDensityMap(oneDensePiece({0, 0}, to, 9, 0.25f), Task());
        REQUIRE(map->levels.size() > 5);
        double cells = 2049;
        for (std::size_t level = 0; level < 5; ++level, cells = (cells + 1) / 2) {
            // Three, the root of nine lines, for every cell on the way.
            CHECK(coverOf(map->levels[level]) == Approx(3 * cells).epsilon(0.01));
            for (const FlowCell& cell : map->levels[level].cells)
                if (cell.cover > 0 && cell.value != 0.25f) FAIL("a value that no line there has");
        }
    }
}

TEST_CASE("communication density: at rest it is the same bits on any number of threads")
{
    const CommunicationPicture picture = everyoneToEveryone();
    const test::PlainCanvas plain(701, 503);
    const PlaneView close{{0.3, 0.2}, 900};
    for (const PlaneView& view : {PlaneView(), close}) {
        const auto draw = [&](int threads) {
            return densityOf(communicationScene(picture, view, plain.canvas, Task().withThreads(threads)))
                .argb;
        };
        const auto alone = draw(1);
        CHECK(std::ranges::count_if(alone, [](std::uint32_t argb) { return argb >> 24 != 0; }) > 50'000);
        CHECK(draw(2) == alone);
        CHECK(draw(7) == alone);
    }
}

TEST_CASE("communication density: while the view moves it is where it is at rest, as strong")
{
    const CommunicationPicture picture = everyoneToEveryone();
    const test::PlainCanvas plain(1200, 900);
    FlowDensityMap map = *flowDensityMap(picture, Task());
    CHECK(map.isOf(picture));
    // With the exact lines as lines.
    map.strong.clear();
    const Color background = plain.canvas.theme().background;
    const PlaneView whole = communicationLayout(picture, {}, plain.canvas).view;
    for (const double zoom : {0.3, 1.0, 2.7}) {
        const PlaneView view{whole.center, whole.pixels * zoom};
        const auto still = densityOf(communicationScene(picture, view, plain.canvas, Task()));
        const auto drawn = tilesOf(still, background);
        for (const FlowDensityMap* from :
             {static_cast<const FlowDensityMap*>(&map), static_cast<const FlowDensityMap*>(nullptr)}) {
            const auto moved = densityOf(movingCommunicationScene(picture, view, plain.canvas, from, Task()));
            CHECK(moved.columns == still.columns);
            const auto quick = tilesOf(moved, background);
            for (std::size_t tile = 0; tile < drawn.size(); ++tile)
                CHECK(std::abs(quick[tile] - drawn[tile]) < 14);
        }
    }
}

TEST_CASE("communication density: what moves has the exact lines, nodes and texts of the picture at rest")
{
    const CommunicationPicture picture = everyoneToEveryone();
    const test::PlainCanvas plain(800, 600);
    const DrawList still = communicationScene(picture, {}, plain.canvas, Task());
    const DrawList moved = movingCommunicationScene(picture, {}, plain.canvas, nullptr, Task());
    CHECK(test::itemsOf<RectItem>(still).size() == test::itemsOf<RectItem>(moved).size());
    CHECK(test::itemsOf<TextItem>(still).size() == test::itemsOf<TextItem>(moved).size());
    CHECK(test::itemsOf<LineItem>(moved).size() == kExactFlows);
    CHECK(densityOf(moved).heights.size() < densityOf(still).heights.size());
}

TEST_CASE(
    "communication density: small nodes of tens of thousands move as squares of the same size and place")
{
    auto graph = std::make_shared<CommGraph>();
    graph->vertices.resize(22'500);
    std::vector<PlanePoint> places;
    for (int i = 0; i < 22'500; ++i) {
        graph->vertices[static_cast<std::size_t>(i)].out = 1 + static_cast<std::uint64_t>(i % 3);
        places.push_back({i % 150 * 1.013, i / 150 * 1.007});
    }
    CommunicationPicture picture = communicationPicture(graph, {}, Task());
    placeVertices(picture, std::make_shared<const std::vector<PlanePoint>>(places));
    const test::PlainCanvas plain(1600, 1200);
    const auto still = test::itemsOf<RectItem>(communicationScene(picture, {}, plain.canvas, Task()));
    const auto moved =
        test::itemsOf<RectItem>(movingCommunicationScene(picture, {}, plain.canvas, nullptr, Task()));
    REQUIRE(still.size() == moved.size());
    int squares = 0;
    double discArea = 0, squareArea = 0;
    for (std::size_t i = 0; i < still.size(); ++i) {
        if (moved[i].radius > 0 || still[i].radius == 0) continue;
        ++squares;
        const Rect &disc = still[i].rect, &square = moved[i].rect;
        CHECK(std::abs(disc.x + disc.width / 2 - square.x - square.width / 2) <= 0.5);
        CHECK(std::abs(disc.y + disc.height / 2 - square.y - square.height / 2) <= 0.5);
        const double outer = disc.width / 2 + (still[i].stroke.alpha ? still[i].strokeWidth / 2 : 0);
        discArea += std::numbers::pi * outer * outer;
        squareArea += square.width * square.height;
    }
    CHECK(squares == 22'500);
    CHECK(squareArea == Approx(discArea).epsilon(0.15));
    // From near they are discs.
    const PlaneView whole = communicationLayout(picture, {}, plain.canvas).view;
    const auto near = test::itemsOf<RectItem>(
        movingCommunicationScene(picture, {whole.center, whole.pixels * 5}, plain.canvas, nullptr, Task()));
    CHECK(std::ranges::count_if(near, [](const RectItem& item) { return item.radius > 3; }) > 500);
}

TEST_CASE(
    "communication density: what moves keeps its strongest lines, and the others as cells where they lie")
{
    const CommunicationPicture picture = everyoneToEveryone();
    const test::PlainCanvas plain(1200, 900);
    const auto map = flowDensityMap(picture, Task());
    REQUIRE(map->exactFlows > 20);
    REQUIRE(map->exactFlows < kExactFlows / 2);
    const CommunicationLayout layout = communicationLayout(picture, {}, plain.canvas);
    const auto all = stackedLines(picture, layout, exactFlows(picture), plain.canvas);
    const DrawList list = movingCommunicationScene(picture, {}, plain.canvas, map.get(), Task());
    const auto lines = test::itemsOf<LineItem>(list);
    REQUIRE(lines.size() == map->exactFlows);
    // The first of the order is drawn last.
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const FlowLine& wanted = all[lines.size() - 1 - i];
        CHECK(lines[i].from == wanted.points[0]);
        CHECK(lines[i].width == wanted.width);
    }
    const PixelItem cells = densityOf(list);
    const auto columns = static_cast<std::size_t>(cells.columns);
    const std::uint32_t nothing = toArgb(plain.canvas.theme().background);
    int found = 0, asked = 0;
    for (std::size_t i = map->exactFlows; i < all.size(); i += 53) {
        const Point from = all[i].points[0], to = all[i].points[1];
        const auto x = static_cast<std::size_t>((from.x + to.x) / 2 - cells.x);
        const auto y = static_cast<std::size_t>((from.y + to.y) / 2 - cells.y) / 2;
        // A line lies between pixels, blocks are two wide and high.
        bool covered = false;
        for (std::size_t row = y - 1; row <= y + 1; ++row)
            for (std::size_t column = x - 2; column <= x + 2; ++column)
                covered = covered || cells.argb[row * columns + column] != nothing;
        found += covered;
        ++asked;
    }
    // Of lines that others stand beside the place is not the same at every scale.
    CHECK(asked > 20);
    CHECK(found >= asked - 1);
}

TEST_CASE("communication density: what is selected, and all that is in sight of few, moves as lines")
{
    CommunicationPicture picture = everyoneToEveryone();
    picture.selectedFlows.assign(picture.graph->flows.size(), 0);
    picture.selectedVertices.assign(60, 0);
    for (std::size_t i = 1000; i < 1010; ++i) picture.selectedFlows[picture.order[i]] = 1;
    const test::PlainCanvas plain(1200, 900);
    const auto map = flowDensityMap(picture, Task());
    const DrawList list = movingCommunicationScene(picture, {}, plain.canvas, map.get(), Task());
    CHECK(test::itemsOf<LineItem>(list).size() == map->exactFlows + 10);
    // Outside of the ring hardly a line is in sight: all are lines again.
    const PlaneView whole = communicationLayout(picture, {}, plain.canvas).view;
    const PlaneView aside{{whole.center.x + 1 + 590 / whole.pixels, whole.center.y}, whole.pixels};
    const DrawList few = movingCommunicationScene(picture, aside, plain.canvas, map.get(), Task());
    CHECK(test::itemsOf<LineItem>(few).size() == kExactFlows);
}

TEST_CASE("communication density: a map is of the places and lines that it was made of")
{
    const CommunicationPicture picture = everyoneToEveryone();
    const auto map = flowDensityMap(picture, Task());
    CommunicationPicture marked = picture;
    marked.selectedFlows.assign(picture.graph->flows.size(), 1);
    CHECK(map->isOf(marked));
    CommunicationPicture placed = picture;
    placeVertices(placed, std::make_shared<const std::vector<PlanePoint>>(*picture.points));
    CHECK_FALSE(map->isOf(placed));
}

}  // namespace skein::communication_density_test
