// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/problem/hop_bytes.h"
#include "algorithms/mapping/search/remap.h"
#include "algorithms/mapping/search/search_stages.h"
#include "tests/algorithms/mapping/mapping_support.h"
#include "tests/support/catch.h"

#include <algorithm>

namespace skein::more_steps_test {

using namespace skein::test;

namespace {

RemapParams searchOf(std::uint64_t steps, std::uint64_t seed)
{
    RemapParams params;
    params.budget.steps = steps;
    params.seed = seed;
    return params;
}

/// The routes of a line of nodes: links to the right first, then those to the left.
RouteOfNodes alongLine(std::uint32_t nodes)
{
    return [nodes](std::uint32_t from, std::uint32_t to, std::vector<std::uint32_t>& links) {
        for (; from < to; ++from) links.push_back(from);
        for (; from > to; --from) links.push_back(nodes + from);
    };
}

std::vector<std::int64_t> found(const RemapResult& result)
{
    std::vector<std::int64_t> objectives;
    for (const MappingProgress& progress : result.history) objectives.push_back(progress.objective);
    return objectives;
}

/// With five times the steps a search first finds, one by one, what it finds with its own. Groups that stay
/// together move once more at the end, so the last that was found is not compared where there are any.
void requireNeverWorse(const MappingProblem& problem, RemapParams params, std::uint64_t most)
{
    std::vector<std::int64_t> before;
    std::int64_t best = 0;
    for (; params.budget.steps <= most; params.budget.steps *= 5) {
        CAPTURE(params.budget.steps, params.seed);
        const RemapResult result = remap(problem, params, Task()).value();
        REQUIRE(satisfies(problem, result.slotOfRank));
        const std::vector<std::int64_t> now = found(result);
        REQUIRE(before.size() <= now.size());
        const bool groups = !problem.constraints.together.empty() && !before.empty();
        CHECK(std::equal(before.begin(), groups ? before.end() - 1 : before.end(), now.begin()));
        if (!before.empty()) CHECK(result.objectiveAfter <= best);
        before = now;
        best = result.objectiveAfter;
    }
    REQUIRE_FALSE(before.empty());
}

}  // namespace

TEST_CASE("remap: five times the steps are never worse, on any machine")
{
    Random random(41);
    const std::vector<Distances> machines{
        torusOf({5, 5}), torusOf({4, 4, 4}), torusOf({6, 4, 5}), randomTable(70, random),
        gridOf({{12, DimensionShape::Complete}, {10, DimensionShape::Line}})};
    for (const Distances& machine : machines) {
        for (const std::uint64_t seed : {1u, 2u}) {
            const MappingProblem problem =
                problemOn(machine, randomComm(machine.nodes(), 5 * machine.nodes(), random), 1, random);
            const std::uint64_t least = leastStepsOf(problem.slots());
            requireNeverWorse(problem, searchOf(least + seed, seed), 6 * least);
        }
    }
}

TEST_CASE("remap: five times the steps are never worse from coarse to fine and with folds")
{
    Random random(43);
    for (const CommMatrix& comm : {haloComm(32, 64), randomComm(2048, 8000, random)}) {
        const MappingProblem problem = problemOn(torusOf({8, 8, 16}), comm, 2, random);
        requireNeverWorse(problem, searchOf(leastStepsOf(problem.slots()), 7),
                          5 * leastStepsOf(problem.slots()));
    }
}

TEST_CASE("remap: five times the steps are never worse under constraints and for link loads")
{
    Random random(47);
    for (const std::uint64_t seed : {1u, 2u}) {
        MappingProblem problem =
            problemOn(gridOf({{24, DimensionShape::Line}}), randomComm(90, 400, random), 4, random);
        const RemapParams params = searchOf(leastStepsOf(problem.slots()), seed);
        const std::uint64_t most = 5 * params.budget.steps;
        RemapParams loads = params;
        loads.links = 48;
        loads.route = alongLine(24);
        for (const RemapObjective objective : {RemapObjective::MaxLinkLoad, RemapObjective::Weighted}) {
            loads.objective = objective;
            requireNeverWorse(problem, loads, most);
        }
        problem.constraints.together = {{1, 2, 3}, {7, 40}, {20, 21, 22, 23}};
        problem.constraints.pinned = {5};
        requireNeverWorse(problem, params, most);
        loads.objective = RemapObjective::MaxLinkLoad;
        requireNeverWorse(problem, loads, most);
        problem.constraints.together.clear();
        problem.constraints.maxMoved = 20;
        requireNeverWorse(problem, params, most);
    }
}

}  // namespace skein::more_steps_test
