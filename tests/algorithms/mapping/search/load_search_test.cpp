// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/annealing/rank_groups.h"
#include "algorithms/mapping/problem/hop_bytes.h"
#include "algorithms/mapping/search/load_search.h"
#include "algorithms/mapping/search/moved_front.h"
#include "algorithms/mapping/search/remap.h"
#include "tests/algorithms/mapping/mapping_support.h"
#include "tests/support/catch.h"

namespace skein::load_search_test {

using namespace skein::test;

namespace {

constexpr std::uint32_t kRing = 12;

/// On a ring: links 2n up from node n, 2n + 1 down; the shorter way, ties upwards.
void routeOnRing(std::uint32_t from, std::uint32_t to, std::vector<std::uint32_t>& links)
{
    const std::uint32_t up = (to + kRing - from) % kRing;
    const bool upwards = up <= kRing - up;
    for (std::uint32_t at = from; at != to; at = upwards ? (at + 1) % kRing : (at + kRing - 1) % kRing)
        links.push_back(2 * at + (upwards ? 0 : 1));
}

}  // namespace

TEST_CASE("remap: link loads kept by swaps equal loads from scratch")
{
    Random random(31);
    const RouteOfNodes route = routeOnRing;
    const MappingProblem problem = problemOn(torusOf({kRing}), randomComm(20, 90, random), 2, random);
    LinkLoads loads(problem, route, 2 * kRing, problem.current, Task());
    auto slots = problem.current;
    for (int i = 0; i < 50; ++i) {
        const std::uint32_t a = random.below(20), b = random.below(20);
        if (a == b) continue;
        loads.addRank(a, kNoRank, slots, -1);
        loads.addRank(b, a, slots, -1);
        std::swap(slots[a], slots[b]);
        loads.addRank(a, kNoRank, slots, 1);
        loads.addRank(b, a, slots, 1);
        const LinkLoads fresh(problem, route, 2 * kRing, slots, Task());
        REQUIRE(std::equal(loads.loads().begin(), loads.loads().end(), fresh.loads().begin()));
    }
}

TEST_CASE("remap: the maximum link load and the weighted sum are never worse")
{
    Random random(32);
    for (const RemapObjective objective : {RemapObjective::MaxLinkLoad, RemapObjective::Weighted}) {
        const MappingProblem problem = problemOn(torusOf({kRing}), randomComm(12, 60, random), 1, random);
        RemapParams params;
        params.objective = objective;
        params.route = routeOnRing;
        params.links = 2 * kRing;
        params.budget.steps = 4000;
        const RemapResult result = remap(problem, params, Task()).value();
        CHECK(satisfies(problem, result.slotOfRank));
        CHECK(result.objectiveAfter < result.objectiveBefore);
        if (objective == RemapObjective::MaxLinkLoad)
            CHECK(LinkLoads(problem, params.route, params.links, result.slotOfRank, Task()).maximum()
                  == result.objectiveAfter);
        params.route = {};
        CHECK(!remap(problem, params, Task()));
    }
}

TEST_CASE("remap: every method gives a valid placement that is not worse")
{
    Random random(34);
    const MappingProblem tiny = problemOn(torusOf({2, 3}), randomComm(6, 20, random), 1, random);
    const MappingProblem large = problemOn(torusOf({8, 8, 8}), haloComm(16, 32), 1, random);
    for (const RemapMethod& method : remapMethods()) {
        INFO(method.name);
        for (const MappingProblem* problem : {&tiny, &large}) {
            RemapParams params;
            params.method = method.name;
            params.budget.steps = method.name == "tabu" || method.name == "random" ? 40 : 20000;
            const auto result = remap(*problem, params, Task());
            if (method.name == "optimal" && problem == &large) {
                CHECK(!result);
                continue;
            }
            REQUIRE(result.has_value());
            CHECK(satisfies(*problem, result->slotOfRank));
            CHECK(result->objectiveAfter <= result->objectiveBefore);
            if (method.name == "optimal") CHECK(result->optimal);
        }
    }
}

TEST_CASE("remap: a stopped search of link loads tells what it has, and a stopped joining of ranks nothing")
{
    Random random(33);
    const MappingProblem problem = problemOn(torusOf({kRing}), randomComm(12, 60, random), 1, random);
    std::stop_source stop;
    stop.request_stop();
    const Task stopped(stop.get_token());
    RemapParams params;
    params.objective = RemapObjective::Weighted;
    params.route = routeOnRing;
    params.links = 2 * kRing;
    params.budget.steps = 4000;
    const RemapResult result = remap(problem, params, stopped).value();
    CHECK(result.stopped);
    CHECK(satisfies(problem, result.slotOfRank));
    CHECK(result.objectiveAfter <= result.objectiveBefore);
    CHECK(movedFront(problem, result.slotOfRank, {params}, SearchClock(params.budget), stopped).empty());
    CHECK(pairRanks(problem.flow, 1, stopped).empty());
    CHECK(groupRanks(problem.flow, 3, 1, stopped).empty());
}

}  // namespace skein::load_search_test
