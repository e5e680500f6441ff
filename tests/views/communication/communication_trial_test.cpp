// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/data/communication_trial.h"

#include "algorithms/routing/reroute_many.h"
#include "tests/support/catch.h"
#include "tests/support/machine_session.h"
#include "tests/support/scenes.h"
#include "views/comm_matrix/comm_matrix_scene.h"
#include "views/common/scene/color/color_stops.h"
#include "views/common/scene/drawing/pane_row.h"
#include "views/communication/communication_lines_scene.h"
#include "views/communication/communication_trial_scene.h"
#include "views/machine/machine_scene.h"
#include "views/reroute/reroute_plan_scene.h"
#include "views/route_matrix/route_matrix_scene.h"

#include <cmath>
#include <map>
#include <numeric>
#include <random>

namespace skein::communication_trial_test {
namespace {

constexpr std::uint32_t kRanks = 16;

SessionPtr randomSession(unsigned seed)
{
    std::mt19937 random(seed);
    std::vector<CommMatrix::Entry> entries;
    for (std::uint32_t i = 0; i < 40; ++i)
        entries.push_back({static_cast<std::uint32_t>(random() % kRanks),
                           static_cast<std::uint32_t>(random() % kRanks), 1 + random() % 5,
                           100 + random() % 1000});
    return test::sessionOfSums(kRanks, {std::move(entries)});
}

CommunicationTrialPtr shuffledPlacement(unsigned seed)
{
    CommunicationTrial trial;
    trial.name = "shuffled";
    trial.slotOfRank.resize(kRanks);
    std::iota(trial.slotOfRank.begin(), trial.slotOfRank.end(), 0u);
    std::shuffle(trial.slotOfRank.begin(), trial.slotOfRank.end(), std::mt19937(seed));
    return std::make_shared<const CommunicationTrial>(std::move(trial));
}

struct Tried {
    SessionPtr session;
    SessionCommunicationPtr before, after;
    ResultStore results;

    explicit Tried(unsigned seed, const std::string& topology = "torus:4x4")
        : session(randomSession(seed)), before(test::communicationOn(session, topology))
    {
    }
    Result<SessionCommunicationPtr> under(const CommunicationTrialPtr& trial)
    {
        return communicationUnder(results, session, before, trial, Task());
    }
};

/// Hop-bytes counted from the matrix and the machine's distances, nothing else.
std::uint64_t hopBytesByHand(const CommMatrix& matrix, const std::vector<std::uint32_t>& slots)
{
    const auto around = [](std::uint32_t a, std::uint32_t b) {
        const std::uint32_t away = a > b ? a - b : b - a;
        return std::min(away, 4 - away);
    };
    std::uint64_t sum = 0;
    for (const CommMatrix::Entry& entry : matrix.entries()) {
        const std::uint32_t a = slots[entry.sender], b = slots[entry.receiver];
        sum += entry.bytes * (around(a / 4, b / 4) + around(a % 4, b % 4));
    }
    return sum;
}

GroupedCommunicationPtr grouped(const Tried& tried, const SessionCommunicationPtr& communication,
                                const std::string& grouping = {})
{
    return groupedCommunication(communication, tried.session->experiments[0]->definitions, grouping, {},
                                Task())
        .value();
}

/// What links carry, summed over ways of flows.
std::map<std::pair<std::string, std::string>, std::uint64_t> bytesOfPairs(
    const CommGraph& graph, const std::vector<std::string>& names)
{
    std::map<std::pair<std::string, std::string>, std::uint64_t> sums;
    for (const CommGraph::Flow& flow : graph.flows) sums[{names[flow.from], names[flow.to]}] += flow.bytes;
    return sums;
}

}  // namespace

TEST_CASE("trial: another placement sends the same bytes over other links")
{
    for (unsigned seed = 1; seed <= 5; ++seed) {
        Tried tried(seed);
        const auto trial = shuffledPlacement(seed);
        const auto after = tried.under(trial).value();
        CHECK(after->matrix == tried.before->matrix);
        CHECK(after->traffic.bytes == tried.before->traffic.bytes);
        CHECK(after->traffic.hopBytes == hopBytesByHand(*after->matrix, trial->slotOfRank));
        CHECK(after->machine->placementName == "shuffled");
        for (std::uint32_t rank = 0; rank < kRanks; ++rank)
            CHECK(after->machine->placement.nodeOf(rank) == trial->slotOfRank[rank]);
        const auto changes = loadChanges(*tried.before, *after);
        CHECK(std::accumulate(changes.begin(), changes.end(), std::int64_t{0})
              == static_cast<std::int64_t>(after->traffic.hopBytes)
                  - static_cast<std::int64_t>(tried.before->traffic.hopBytes));
        // Asked again it is the same object: panels share it.
        CHECK(tried.under(trial).value() == after);
    }
}

TEST_CASE("trial: what does not fit the machine is told in a sentence")
{
    Tried tried(1);
    CommunicationTrial few = *shuffledPlacement(1);
    few.slotOfRank.resize(3);
    CommunicationTrial far = *shuffledPlacement(1);
    far.slotOfRank[0] = 4'000'000'000u;
    CommunicationTrial twice = *shuffledPlacement(1);
    twice.slotOfRank[0] = twice.slotOfRank[1];
    CommunicationTrial file;
    file.kind = CommunicationTrial::Kind::Map;
    file.name = file.map = "bgq:no-such-file.map";
    for (const CommunicationTrial& wrong : {few, far, twice, file}) {
        const auto result = tried.under(std::make_shared<const CommunicationTrial>(wrong));
        REQUIRE_FALSE(result.has_value());
        CHECK(result.error().text().ends_with('.'));
    }
    Tried logical(1, "none");
    CHECK_FALSE(logical.under(shuffledPlacement(1)).has_value());
}

TEST_CASE("trial: other routes load the links as the rerouting says")
{
    Tried tried(3, "torus:4x4");
    const auto base = rerouteBase(tried.before).value();
    std::vector<std::uint32_t> all(base->paths.size());
    std::iota(all.begin(), all.end(), 0u);
    RerouteParameters parameters;
    parameters.limits.criterion = RerouteCriterion::Load;
    const auto plan = planReroute(base, all, parameters, Task()).value();
    REQUIRE_FALSE(plan->changed.empty());
    const auto trial = std::make_shared<const CommunicationTrial>(trialOf(*plan, "Rerouting"));
    const auto after = tried.under(trial).value();
    CHECK(after->traffic.loads.listed() == plan->result.loads);
    CHECK(after->traffic.summary.maximum == plan->result.maximumAfter);

    RouteMatrixOptions options;
    options.topPercent = 100;
    const auto matrix = routeMatrixPicture(tried.before, options, {}, Task()).value();
    const auto difference = routeMatrixDifference(*matrix, *after);
    CHECK(difference->routes.size() == plan->changed.size());
    REQUIRE(difference->alternatives.size() == difference->routes.size());
    for (std::size_t i = 0; i < difference->routes.size(); ++i) {
        const auto path = after->traffic.paths[difference->routes[i]];
        CHECK(difference->alternatives[i] == std::vector<LinkIndex>(path.begin(), path.end()));
    }
    CHECK_FALSE(difference->notes.empty());
    const test::PlainCanvas plain(900, 700);
    const std::string text = toText(routeMatrixScene(*difference, {}, plain.canvas, Task()));
    CHECK(text.find("way after") != std::string::npos);
    CHECK(text.find("highest load") != std::string::npos);

    const auto before = grouped(tried, tried.before), beside = grouped(tried, after);
    const auto united = uniteCommunication(*before, *beside, CommunicationLines::Routes);
    const CommunicationPicture alternatives = communicationAlternatives(*united, {}, Task());
    CHECK(alternatives.order.size() == 2 * plan->changed.size());
    std::size_t blue = 0;
    for (const std::uint32_t flow : alternatives.order) blue += alternatives.alternative[flow] ? 1 : 0;
    CHECK(blue == plan->changed.size());
}

TEST_CASE("trial: the machine's difference tells what each link carries more or less")
{
    Tried tried(4);
    const auto after = tried.under(shuffledPlacement(9)).value();
    const auto plan = machinePlan(tried.before->machine->topology, Task()).value();
    MachinePicture left = machinePicture(plan, {{"before", tried.before}}, 0);
    MachinePicture right = machinePicture(plan, {{"after", after}}, 0);
    const MachinePicture difference = machineDifference(left, right);
    std::int64_t most = 0;
    for (LinkIndex link = 0; link < plan->topology->links(); ++link) {
        const auto change = static_cast<std::int64_t>(after->traffic.loads[link])
            - static_cast<std::int64_t>(tried.before->traffic.loads[link]);
        CHECK(difference.changes[link] == change);
        most = std::max(most, std::abs(change));
    }
    CHECK(difference.most == static_cast<std::uint64_t>(most));
    CHECK(std::abs(difference.changes[difference.order.front()]) == most);
    shareScale(left, right);
    CHECK(left.most == right.most);
    CHECK(left.most == std::max(tried.before->traffic.summary.maximum, after->traffic.summary.maximum));
    // One zoom: both lie at the same places of their panes.
    const test::PlainCanvas plain(1000, 500);
    const Canvas pane = paneCanvas(plain.canvas, 2);
    const MachineLayout a = machineLayout(left, {}, pane), b = machineLayout(right, {}, pane);
    CHECK(a.view == b.view);
    CHECK(a.body == b.body);
}

TEST_CASE("trial: communication before and after has the same vertices and sums of either side")
{
    for (const CommunicationLines lines : {CommunicationLines::Pairs, CommunicationLines::Routes}) {
        for (const std::string grouping : {"", "By coordinates A"}) {
            Tried tried(6, "mesh:4x8");
            const auto after = tried.under(shuffledPlacement(2)).value();
            const auto left = grouped(tried, tried.before, grouping), right = grouped(tried, after, grouping);
            const auto united = uniteCommunication(*left, *right, lines);
            REQUIRE(united->before->graph->vertices.size() == united->vertices.size());
            REQUIRE(united->after->graph->vertices.size() == united->vertices.size());
            std::vector<std::string> names;
            for (std::uint32_t v = 0; v < right->graph->vertices.size(); ++v)
                names.push_back(vertexName(*right, v));
            CHECK(bytesOfPairs(*united->after->graph, united->vertices)
                  == bytesOfPairs(*right->graph, names));
            for (std::uint32_t v = 0; v < left->graph->vertices.size(); ++v) {
                CHECK(united->vertices[v] == vertexName(*left, v));
                CHECK(united->before->graph->vertices[v] == left->graph->vertices[v]);
            }
            std::size_t before = 0, then = 0;
            for (const FlowChange& change : united->changes) {
                before += change.before != CommGraph::kNone ? 1 : 0;
                then += change.after != CommGraph::kNone ? 1 : 0;
            }
            CHECK(before <= left->graph->flows.size());
            CHECK(then <= right->graph->flows.size());
            if (lines == CommunicationLines::Routes) {
                CHECK(before == left->graph->flows.size());
                CHECK(then == right->graph->flows.size());
            }
            CommunicationOptions options;
            options.lines = lines;
            const CommunicationPicture difference = communicationDifference(*united, options, Task());
            // One rank a node: what one way loses another gets.
            if (!grouping.empty()) continue;
            CHECK(std::accumulate(difference.changes.begin(), difference.changes.end(), 0.0)
                  == Approx(0).margin(1e-6));
            CHECK(std::ranges::any_of(difference.changes, [](double change) { return change > 0; }));
            CHECK(std::ranges::any_of(difference.changes, [](double change) { return change < 0; }));
            CHECK(std::ranges::is_sorted(difference.order, [&](std::uint32_t a, std::uint32_t b) {
                return std::abs(difference.changes[a]) > std::abs(difference.changes[b]);
            }));
        }
    }
}

TEST_CASE("trial: two pictures of communication share one scale of colours and widths")
{
    Tried tried(7);
    const auto after = tried.under(shuffledPlacement(3)).value();
    const auto united =
        uniteCommunication(*grouped(tried, tried.before), *grouped(tried, after), CommunicationLines::Pairs);
    CommunicationOptions options;
    options.color = CommunicationColor::HighestLoad;
    CommunicationPicture left = communicationPicture(united->before->graph, options, Task());
    CommunicationPicture right = communicationPicture(united->after->graph, options, Task());
    shareScale(left, right);
    const FlowColors ofLeft(left, false), ofRight(right, false);
    CHECK(ofLeft.most() == ofRight.most());
    CHECK(ofLeft.least() == ofRight.least());
    CHECK(ofLeft.most()
          == static_cast<double>(
              std::max(tried.before->traffic.summary.maximum, after->traffic.summary.maximum)));
    CHECK(left.mostDegree == right.mostDegree);
}

TEST_CASE("trial: the difference of matrices holds the cells of either")
{
    const SessionPtr session =
        test::sessionOfSums(4, {{{0, 1, 1, 10}, {1, 2, 1, 30}}, {{0, 1, 1, 25}, {3, 0, 2, 7}}});
    const auto first = test::communicationOn(session, "none"),
               second = test::communicationOn(session, "none", 1);
    const auto before = makeCommMatrixTable(*session, first, {}, Task()).value();
    const auto after = makeCommMatrixTable(second, *before, Task()).value();
    const auto difference = commMatrixDifference(*before, *after, Task()).value();
    REQUIRE(difference->cells.size() == 3);
    CHECK(difference->changes == std::vector<double>{15, -30, 7});
    CHECK(difference->greatest == 30);
    CHECK(difference->cellAt(3, 0)->bytes == 7);
    CommMatrixTable left = *before, right = *after;
    shareScale(left, right);
    CHECK(left.greatest == 30);
    CHECK(right.greatest == 30);
    const SessionPtr other = test::sessionOfSums(5, {{{0, 1, 1, 10}}});
    CHECK_FALSE(makeCommMatrixTable(test::communicationOn(other, "none"), *before, Task()).has_value());
}

TEST_CASE("colour stops: straight between the stops, in order, kept as text")
{
    ColorStops stops;
    for (const double part : {0.0, 0.1, 0.25, 0.6, 1.0}) CHECK(stops.colorPart(part) == Approx(part));
    stops.move(1, 0.9);
    CHECK(stops.at[1] == Approx(0.74));
    stops.move(1, 0.3);
    stops.move(0, 0.1);
    CHECK(stops.colorPart(0.1) == Approx(0.25));
    CHECK(stops.colorPart(0.3) == Approx(0.5));
    CHECK(stops.colorPart(0.2) == Approx(0.375));
    CHECK(stops.colorPart(std::nan("")) == 0);
    CHECK(stops.colorPart(2) == 1);
    CHECK(colorStopsOf(stops.text()) == stops);
    for (const char* wrong :
         {"", "a b c", "0.5 0.4 0.6", "0.1 0.2", "0.1 0.2 1.5", "0.1 0.2 0.3 0.4", "nan 0.2 0.3"})
        CHECK(colorStopsOf(std::string_view(wrong)) == ColorStops());
}

TEST_CASE("panes: shapes lie in their own pane, and every place belongs to one")
{
    const test::PlainCanvas plain(1001, 300);
    const PaneRow row = paneRow(plain.canvas, 2);
    CHECK(2 * row.width + row.gap <= 1001);
    CHECK(row.at(0) == 0);
    CHECK(row.at(1000) == 1);
    CHECK(row.at(row.left(1)) == 1);
    const DrawList list = besideEachOther(plain.canvas, 2, [](int pane, const Canvas& canvas) {
        DrawList own;
        own.fillRect({0, 0, static_cast<double>(canvas.width), 10},
                     pane == 0 ? Color{1, 2, 3} : Color{4, 5, 6});
        return own;
    });
    std::vector<double> lefts;
    for (const DrawItem& item : list.items)
        if (const auto* rect = std::get_if<RectItem>(&item)) lefts.push_back(rect->rect.x);
    CHECK(lefts == std::vector<double>{0, row.left(1)});
}

}  // namespace skein::communication_trial_test
