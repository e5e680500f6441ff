// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/communication/communication_scene.h"

#include "tests/support/catch.h"
#include "tests/support/machine_session.h"
#include "tests/support/scenes.h"
#include "views/communication/communication_data_scene.h"
#include "views/communication/communication_lines_scene.h"

#include <cmath>
#include <set>

namespace skein::communication_scene_test {
namespace {

/// Eight nodes in a row that talk to their neighbours, and first to last.
SessionPtr lineSession()
{
    std::vector<CommMatrix::Entry> entries{{0, 7, 1, 5000}, {3, 3, 1, 700}};
    for (std::uint32_t rank = 0; rank + 1 < 8; ++rank) {
        entries.push_back({rank, rank + 1, 2, 100 * (rank + 1)});
        entries.push_back({rank + 1, rank, 1, 50});
    }
    return test::sessionOfSums(8, {std::move(entries)});
}

struct Shown {
    SessionPtr session = lineSession();
    GroupedCommunicationPtr grouped;
    CommunicationPicture picture;

    explicit Shown(const std::string& topology, const std::string& grouping = {},
                   CommunicationOptions options = {})
    {
        const auto communication = test::communicationOn(session, topology);
        grouped =
            groupedCommunication(communication, session->experiments[0]->definitions, grouping, {}, Task())
                .value();
        picture = communicationPicture(grouped->graph, options, Task());
        std::vector<PlanePoint> row;
        for (std::size_t i = 0; i < grouped->graph->vertices.size(); ++i)
            row.push_back({static_cast<double>(i), 0});
        placeVertices(picture, std::make_shared<const std::vector<PlanePoint>>(row));
        for (std::uint32_t i = 0; i < grouped->graph->vertices.size(); ++i)
            picture.names.push_back(vertexName(*grouped, i));
        picture.head = communicationHead(*grouped, picture);
    }
};

}  // namespace

TEST_CASE("communication: a line lies to the right of its direction, and lines of a bundle beside each other")
{
    const Shown shown("mesh:8", {}, {CommunicationLines::Routes, {}, {}, 100});
    const test::PlainCanvas plain(800, 400);
    const CommunicationLayout layout = communicationLayout(shown.picture, {}, plain.canvas);
    const std::vector<FlowLine> lines =
        stackedLines(shown.picture, layout, shown.picture.order, plain.canvas);
    REQUIRE(lines.size() == shown.picture.order.size());
    double total = 0;
    std::vector<std::pair<double, double>> spans;  // across the piece from node 0 to node 1
    for (const FlowLine& line : lines) {
        const std::vector<std::uint32_t> way = shown.picture.wayOf(line.flow);
        const double middle = layout.toCanvas((*shown.picture.points)[way[0]]).y;
        // To the right of a way to the right is below.
        const bool right = way[1] > way[0];
        CHECK((line.points[0].y > middle) == right);
        if (way[0] != 0) continue;
        spans.push_back({line.points[0].y - line.width / 2, line.points[0].y + line.width / 2});
        total += line.width;
    }
    REQUIRE(spans.size() == 2);
    std::sort(spans.begin(), spans.end());
    CHECK(spans[0].first == Approx(layout.toCanvas({0, 0}).y));
    CHECK(spans[1].first == Approx(spans[0].second));
    CHECK(spans[1].second - spans[0].first == Approx(total));
}

TEST_CASE("communication: a graph of few vertices fills the canvas, and all of their names are on it")
{
    Shown shown("mesh:8");
    std::vector<PlanePoint> cube;
    for (int i = 0; i < 8; ++i) cube.push_back({0.2 * (i & 1) + 0.5 * (i >> 1 & 1), 0.9 * (i >> 2)});
    placeVertices(shown.picture, std::make_shared<const std::vector<PlanePoint>>(cube));
    const test::PlainCanvas plain(1600, 1000);
    const CommunicationLayout layout = communicationLayout(shown.picture, {}, plain.canvas);
    const double tall = layout.toCanvas({0, 0.9}).y - layout.toCanvas({0, 0}).y;
    CHECK(tall > 0.85 * layout.body.height);
    const DrawList list = communicationScene(shown.picture, {}, plain.canvas, Task());
    for (const TextItem& item : test::itemsOf<TextItem>(list))
        CHECK(item.box.bottom() <= plain.canvas.height);
}

TEST_CASE("communication: widths are in proportion to bytes")
{
    const Shown shown("none");
    const test::PlainCanvas plain(3000, 400);
    const CommunicationLayout layout = communicationLayout(shown.picture, {}, plain.canvas);
    const auto lines = stackedLines(shown.picture, layout, {0, 1}, plain.canvas);
    const CommGraph& graph = *shown.grouped->graph;
    CHECK(lines[0].width / lines[1].width
          == Approx(static_cast<double>(graph.flows[0].bytes) / static_cast<double>(graph.flows[1].bytes)));
}

TEST_CASE("communication: the area of a node is its degree, its colour what of it comes in")
{
    const Shown shown("none");
    const test::PlainCanvas plain(1600, 800);
    const CommunicationLayout layout = communicationLayout(shown.picture, {}, plain.canvas);
    const auto area = [&](std::uint32_t vertex) {
        const double radius = vertexRadius(shown.picture, layout, vertex, plain.canvas);
        return radius * radius;
    };
    const auto& vertices = shown.grouped->graph->vertices;
    CHECK(area(0) / area(3)
          == Approx(static_cast<double>(vertices[0].degree()) / static_cast<double>(vertices[3].degree())));
}

TEST_CASE("communication: the top share are the flows with the most of what colours tell")
{
    CommunicationOptions options;
    options.color = CommunicationColor::Length;
    options.topPercent = 10;
    const Shown shown("mesh:8", {}, options);
    REQUIRE(shown.picture.order.size() == 2);  // of 15, rounded up
    CHECK(shown.grouped->graph->flows[shown.picture.order[0]].hops == 7);
}

TEST_CASE("communication: what is under the pointer is found, and told with ranks, degrees and loads")
{
    const Shown shown("mesh:8", {}, {CommunicationLines::Routes, {}, {}, 100});
    const test::PlainCanvas plain(1600, 400);
    const CommunicationLayout layout = communicationLayout(shown.picture, {}, plain.canvas);
    const auto vertex = communicationAt(shown.picture, {}, layout.toCanvas({3, 0}), plain.canvas);
    REQUIRE(vertex.vertex == 3u);
    const std::vector<std::string> told = vertexTooltip(*shown.grouped, 3);
    CHECK(told[1] == "Rank 3");
    CHECK(told[3].find("700 B") != std::string::npos);
    const auto lines = stackedLines(shown.picture, layout, {0}, plain.canvas);
    const Point on{(lines[0].points[0].x + lines[0].points[1].x) / 2, lines[0].points[0].y};
    const auto flow = communicationAt(shown.picture, {}, on, plain.canvas);
    REQUIRE(flow.flow);
    CHECK(flowTooltip(*shown.grouped, 0)[2].find("Length 7 hops") != std::string::npos);
    CHECK(communicationAt(shown.picture, {}, {5, layout.body.y + 5}, plain.canvas) == CommunicationHit());
}

TEST_CASE("communication: a lasso takes what it encloses, or what it touches too")
{
    const Shown shown("none");
    const std::vector<PlanePoint> around{{1.5, -1}, {3.5, -1}, {3.5, 1}, {1.5, 1}};
    const LassoSelection within = lassoed(shown.picture, around, LassoMode::Within);
    CHECK(within.vertices == std::vector<std::uint32_t>{2, 3});
    for (const std::uint32_t flow : within.flows) {
        const CommGraph::Flow& found = shown.grouped->graph->flows[flow];
        CHECK((found.from >= 2 && found.from <= 3 && found.to >= 2 && found.to <= 3));
    }
    CHECK(within.flows.size() == 2);
    // The flow from 0 to 7 passes through, and those to 1 and 4 begin or end inside.
    const LassoSelection touching = lassoed(shown.picture, around, LassoMode::Touching);
    CHECK(touching.vertices == std::vector<std::uint32_t>{0, 1, 2, 3, 4, 7});
    CHECK(touching.flows.size() == 7);
}

TEST_CASE("communication: what is chosen is told as pairs of ranks, and shown by them")
{
    const Shown shown("mesh:8", "By coordinates A");
    const Selection chosen = selectionOf(*shown.session, *shown.grouped, {}, {0});
    REQUIRE(chosen.rankPairs.size() == 1);
    CHECK(chosen.rankPairs[0] == RankPairRef{0, 0, 7});
    ViewState state;
    state.selected = chosen;
    CommunicationPicture picture = shown.picture;
    markSelected(*shown.session, *shown.grouped, state, picture);
    CHECK(picture.isSelected(0));
    CHECK_FALSE(picture.isSelected(1));
    CHECK(picture.selectedVertices[7] == 1);
    state.selected.rankPairs.clear();
    state.selected.links = {{0}};
    markSelected(*shown.session, *shown.grouped, state, picture);
    for (std::uint32_t flow = 0; flow < picture.graph->flows.size(); ++flow) {
        const auto way = picture.graph->wayOf(picture.graph->flows[flow]);
        const auto& topology = *shown.grouped->communication->machine->topology;
        bool over = false;
        for (std::size_t i = 1; i < way.size(); ++i)
            over = over || (way[i - 1] == topology.source(0) && way[i] == topology.target(0));
        CHECK(picture.isSelected(flow) == over);
    }
}

TEST_CASE("communication: all that is written can be read, in every style")
{
    for (const CommunicationStyle style : {CommunicationStyle::Straight, CommunicationStyle::Curved,
                                           CommunicationStyle::BSpline, CommunicationStyle::Metro}) {
        const Shown shown("mesh:8", {},
                          {CommunicationLines::Routes, CommunicationColor::Category, style, 100});
        const test::PlainCanvas plain(900, 500);
        const DrawList list = communicationScene(shown.picture, {}, plain.canvas, Task());
        CHECK(test::unreadable(list, plain.measure).empty());
        CHECK(test::shows(list, shown.picture.names[0]));
    }
}

TEST_CASE("communication: groupings are those that machine and archive have, letters may be typed")
{
    const SessionPtr session = lineSession();
    const Definitions& definitions = session->experiments[0]->definitions;
    CHECK(groupingNames(*test::communicationOn(session, "none"), definitions)
          == std::vector<std::string>{"Each rank"});
    const auto onMesh = test::communicationOn(session, "mesh:2x2x2");
    CHECK(groupingNames(*onMesh, definitions)
          == std::vector<std::string>{"Each node", "By coordinates A", "By coordinates AB"});
    const auto typed = groupedCommunication(onMesh, definitions, "By coordinates c", {}, Task());
    REQUIRE(typed);
    CHECK((*typed)->graph->vertices.size() == 2);
    CHECK_FALSE(groupedCommunication(onMesh, definitions, "By coordinates X", {}, Task()));
    CHECK_FALSE(groupedCommunication(onMesh, definitions, "By rack", {}, Task()));
}

}  // namespace skein::communication_scene_test
