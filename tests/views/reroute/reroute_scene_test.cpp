// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "tests/support/scenes.h"
#include "views/reroute/reroute_plan_scene.h"

#include <algorithm>

namespace skein::reroute_scene_test {
namespace {

/// Two routes over one link of a square, of which one may go round the other way.
SessionCommunicationPtr onSquare(const MachineChoice& machine)
{
    Experiment experiment;
    experiment.commMatrix =
        std::make_shared<const CommMatrix>(4, std::vector<CommMatrix::Entry>{{0, 3, 1, 100}, {0, 1, 1, 100}});
    auto session = std::make_shared<Session>();
    session->experiments.push_back(std::make_shared<const Experiment>(std::move(experiment)));
    ResultStore results;
    CommunicationRequest request;
    request.machine = machine;
    return communicationOf(results, session, request, Task()).value();
}

}  // namespace

TEST_CASE("reroute panel: the selected route leaves the loaded link, is applied, and the rest stays")
{
    const auto communication = onSquare({.topology = "mesh:2x2", .routing = "dimension-order:BA"});
    const auto base = rerouteBase(communication).value();
    CHECK(*std::ranges::max_element(base->loads) == 200);
    const auto routes = selectedRoutes(*base, std::vector<RankPairRef>{{0, 0, 3}});
    REQUIRE(routes.size() == 1);
    const auto plan = planReroute(base, routes, {}, Task()).value();
    REQUIRE(plan->changed.size() == 1);
    CHECK(plan->result.maximumAfter == 100);
    CHECK(reductionPercent(plan->result.changes[plan->changed[0]]) == 50);
    CHECK(planText(*plan).starts_with("1 of 1 routes take another way."));
    const auto then = applied(*plan);
    CHECK(*std::ranges::max_element(then->loads) == 100);
    CHECK(planReroute(then, routes, {}, Task()).value()->changed.empty());
    CHECK(routesOfTopLinks(*base, 0.01).size() == 2);
    CHECK(planReroute(base, {}, {}, Task()).error().message.starts_with("No route is selected"));
    const test::PlainCanvas plain(500, 300);
    CHECK(test::unreadable(reroutePlanScene(*base, plan.get(), plain.canvas, Task()), plain.measure) == "");
}

TEST_CASE("reroute panel: without a machine, and where messages split, a sentence says so")
{
    CHECK(rerouteBase(onSquare({.topology = "none"})).error().message.starts_with("Routes are those"));
    CHECK(rerouteBase(onSquare({.topology = "mesh:2x2", .routing = "ecmp"}))
              .error()
              .message.starts_with("The routing ecmp sends one message over several ways"));
}

}  // namespace skein::reroute_scene_test
