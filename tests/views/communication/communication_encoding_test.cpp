// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/communication/communication_encoding_scene.h"

#include "tests/support/catch.h"
#include "tests/support/machine_session.h"
#include "tests/support/scenes.h"
#include "views/common/scene/color/color_scale.h"
#include "views/communication/communication_data_scene.h"
#include "views/communication/communication_lines_scene.h"

#include <cmath>
#include <set>

namespace skein::communication_encoding_test {
namespace {

/// Four nodes at the corners of a square in a row of links: the way from first to last goes over all.
struct Square {
    GroupedCommunicationPtr grouped;
    CommunicationPicture picture;
    test::PlainCanvas plain{800, 600};

    explicit Square(CommunicationOptions options)
    {
        const SessionPtr session =
            test::sessionOfSums(4, {{{0, 3, 1, 4000}, {1, 2, 1, 1000}, {2, 2, 1, 500}}});
        const auto communication = test::communicationOn(session, "mesh:4");
        grouped =
            groupedCommunication(communication, session->experiments[0]->definitions, {}, {}, Task()).value();
        picture = communicationPicture(grouped->graph, options, Task());
        placeVertices(picture,
                      std::make_shared<const std::vector<PlanePoint>>(
                          std::vector<PlanePoint>{{0, 0}, {0, 1}, {1, 1}, {1, 0}}));
    }
    CommunicationLayout layout() const { return communicationLayout(picture, {}, plain.canvas); }
    FlowLine first() const { return stackedLines(picture, layout(), picture.order, plain.canvas).front(); }
};

/// How far a line goes away from the straight way between its ends, as a part of that way.
double reachOf(const FlowLine& line)
{
    double reach = 0;
    const Point a = line.points.front(), b = line.points.back();
    const double length = std::hypot(b.x - a.x, b.y - a.y);
    for (const Point& p : line.points)
        reach = std::max(reach, std::abs((b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x)) / length);
    return reach / length;
}

constexpr CommunicationOptions routesAs(CommunicationStyle style)
{
    return {CommunicationLines::Routes, CommunicationColor::Bytes, style, 100};
}

}  // namespace

TEST_CASE("communication: B-splines lead around the nodes of a way, the nearer the stronger")
{
    Square square(routesAs(CommunicationStyle::BSpline));
    const double usual = reachOf(square.first());
    square.picture.options.style = CommunicationStyle::Straight;
    const double straight = reachOf(square.first());
    CHECK(usual > 0.5 * straight);
    CHECK(usual < 0.98 * straight);
    square.picture.options.style = CommunicationStyle::BSpline;
    square.picture.encoding.curves = 0.5;
    CHECK(reachOf(square.first()) == Approx(usual / 2).epsilon(0.02));
    square.picture.encoding.curves = 1.5;
    CHECK(reachOf(square.first()) > straight);
    square.picture.encoding.curves = 0;
    CHECK(reachOf(square.first()) < 1e-9);
}

TEST_CASE("communication: pairs bend as far as the strength of curves says, whatever curves they are")
{
    for (const CommunicationStyle style : {CommunicationStyle::Curved, CommunicationStyle::BSpline}) {
        Square square({CommunicationLines::Pairs, CommunicationColor::Bytes, style, 100});
        const double usual = reachOf(square.first());
        CHECK(usual == Approx(0.14));
        square.picture.encoding.curves = 0.5;
        CHECK(reachOf(square.first()) == Approx(usual / 2));
        square.picture.encoding.curves = 0;
        CHECK(reachOf(square.first()) < 1e-9);
    }
}

TEST_CASE("communication: widths of pairs and of routes and radii follow their factors")
{
    for (const CommunicationLines lines : {CommunicationLines::Pairs, CommunicationLines::Routes}) {
        Square square({lines, CommunicationColor::Bytes, CommunicationStyle::Straight, 100});
        const double usual = square.first().width;
        const bool routes = lines == CommunicationLines::Routes;
        (routes ? square.picture.encoding.pairs : square.picture.encoding.routes) = 3;
        CHECK(square.first().width == usual);
        (routes ? square.picture.encoding.routes : square.picture.encoding.pairs) = 2;
        CHECK(square.first().width == Approx(2 * usual));
    }
    Square square(routesAs(CommunicationStyle::Straight));
    const double radius = vertexRadius(square.picture, square.layout(), 0, square.plain.canvas);
    square.picture.encoding.nodes = 0.5;
    CHECK(vertexRadius(square.picture, square.layout(), 0, square.plain.canvas) == Approx(radius / 2));
    square.picture.encoding.smallestNodePx = 19;
    CHECK(vertexRadius(square.picture, square.layout(), 0, square.plain.canvas)
          == Approx(std::max(radius / 2, 19.0)));
}

TEST_CASE("communication: without lines the nodes and their rings stay, and no line can be pointed at")
{
    const Square shown({CommunicationLines::None, {}, {}, 100});
    const DrawList list = communicationScene(shown.picture, {}, shown.plain.canvas, Task());
    CHECK(test::itemsOf<LineItem>(list).empty());
    CHECK(test::itemsOf<PolygonItem>(list).empty());
    const auto circles = [](const DrawList& drawn) {
        std::size_t count = 0;
        for (const RectItem& item : test::itemsOf<RectItem>(drawn)) count += item.radius > 0 ? 1 : 0;
        return count;
    };
    Square ringless({CommunicationLines::None, {}, {}, 100});
    ringless.picture.encoding.rings = 0;
    CHECK(circles(list) == circles(communicationScene(ringless.picture, {}, shown.plain.canvas, Task())) + 1);
    const CommunicationLayout layout = shown.layout();
    const Point between = layout.toCanvas({0.5, 0});
    CHECK(communicationAt(shown.picture, {}, between, shown.plain.canvas) == CommunicationHit());
}

TEST_CASE("communication: what is not selected fades as the encoding says")
{
    Square square(routesAs(CommunicationStyle::Straight));
    square.picture.selectedVertices = {1, 0, 0, 0};
    square.picture.selectedFlows.assign(square.picture.graph->flows.size(), 0);
    const auto alphas = [&] {
        std::set<int> found;
        const DrawList list = communicationScene(square.picture, {}, square.plain.canvas, Task());
        for (const LineItem& item : test::itemsOf<LineItem>(list)) found.insert(item.color.alpha);
        for (const PolygonItem& item : test::itemsOf<PolygonItem>(list)) found.insert(item.fill.alpha);
        return found;
    };
    square.picture.encoding.fadedOpacity = 0.5;
    CHECK(alphas() == std::set<int>{128});
    const Theme& theme = square.plain.canvas.theme();
    CommunicationEncoding encoding;
    encoding.fadedOpacity = 1;
    encoding.fadedGrey = 0;
    CHECK(fadedFlowColor(encoding, {10, 20, 30}, theme) == Color{10, 20, 30});
    encoding.fadedGrey = 1;
    CHECK(fadedFlowColor(encoding, {10, 20, 30}, theme) == theme.secondaryText);
}

TEST_CASE(
    "communication: two discs of a node have the areas of what it sends and receives, in the order asked for")
{
    // Vertex 2 receives one message from 1, and sends 3 nothing: only 0 and 1 send.
    const SessionPtr session = test::sessionOfSums(3, {{{0, 1, 9, 9000}, {1, 0, 1, 1000}, {2, 0, 3, 300}}});
    const auto communication = test::communicationOn(session, "none");
    const auto grouped =
        groupedCommunication(communication, session->experiments[0]->definitions, {}, {}, Task()).value();
    CommunicationPicture picture =
        communicationPicture(grouped->graph, {CommunicationLines::None, {}, {}, 100}, Task());
    placeVertices(
        picture,
        std::make_shared<const std::vector<PlanePoint>>(std::vector<PlanePoint>{{0, 0}, {0, 1}, {1, 1}}));
    const test::PlainCanvas plain{800, 600};
    const bool dark = plain.canvas.theme().dark;
    const Color sent = divergingColor(dark, -1), received = divergingColor(dark, 1);
    const CommunicationLayout layout = communicationLayout(picture, {}, plain.canvas);
    // Filled discs at a vertex, the upper one last.
    const auto discsAt = [&](std::uint32_t vertex, NodeDiscs discs) {
        picture.encoding.discs = discs;
        const Point at = layout.toCanvas((*picture.points)[vertex]);
        std::vector<std::pair<Color, double>> found;
        const DrawList list = communicationScene(picture, {}, plain.canvas, Task());
        for (const RectItem& item : test::itemsOf<RectItem>(list))
            if (item.radius > 0 && item.fill.alpha == 255
                && std::hypot(item.rect.x + item.radius - at.x, item.rect.y + item.radius - at.y) < 1e-6
                && (item.fill == sent || item.fill == received))
                found.emplace_back(item.fill, item.radius * item.radius);
        return found;
    };
    // 0 sends 9 and receives 4, 1 sends 1 and receives 9.
    for (const NodeDiscs discs : {NodeDiscs::SentOnReceived, NodeDiscs::ReceivedOnSent}) {
        const auto first = discsAt(0, discs), second = discsAt(1, discs);
        REQUIRE(first.size() == 2);
        REQUIRE(second.size() == 2);
        const std::size_t upper = discs == NodeDiscs::SentOnReceived ? 1 : 0;
        CHECK(first[upper].first == sent);
        CHECK(second[upper].first == sent);
        CHECK(first[1 - upper].first == received);
        CHECK(first[upper].second / first[1 - upper].second == Approx(9.0 / 4.0));
        CHECK(second[upper].second / second[1 - upper].second == Approx(1.0 / 9.0));
    }
    CHECK(discsAt(0, NodeDiscs::SmallerOnLarger).back().first == received);
    CHECK(discsAt(1, NodeDiscs::SmallerOnLarger).back().first == sent);
    CHECK(discsAt(0, NodeDiscs::Share).empty());
}

TEST_CASE("communication: the encoding is kept with the session, and what is no number of it is as usual")
{
    ViewState state;
    CHECK(encodingOf(state) == CommunicationEncoding());
    CommunicationEncoding encoding;
    encoding.curves = 1.25;
    encoding.pairs = 7.5;
    encoding.fadedOpacity = 0;
    encoding.discs = NodeDiscs::SmallerOnLarger;
    state.panels[kEncodingPanel] = encodingSettings(encoding);
    CHECK(encodingOf(state) == encoding);
    state.panels[kEncodingPanel] = {{"curves", "1.6"}, {"pairs", "nan"}, {"routes", "-1"}, {"nodes", "2x"},
                                    {"rings", "inf"},  {"other", "1"},   {"discs", "4"}};
    CHECK(encodingOf(state) == CommunicationEncoding());
}

}  // namespace skein::communication_encoding_test
