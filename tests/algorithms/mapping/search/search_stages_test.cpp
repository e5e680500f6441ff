// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/annealing/restarted_annealing.h"
#include "algorithms/mapping/constraints/prepared_mapping.h"
#include "algorithms/mapping/search/search_stages.h"
#include "tests/algorithms/mapping/mapping_support.h"
#include "tests/support/catch.h"

#include <algorithm>

namespace skein::search_stages_test {

namespace {

std::vector<double> stagesOfSeconds(double seconds)
{
    std::vector<double> ends;
    for (const SearchBudget& end : stageEnds({seconds, 0}, MoreTime::Cools, 100)) ends.push_back(end.seconds);
    return ends;
}

std::vector<std::uint64_t> stagesOfSteps(std::uint64_t steps)
{
    std::vector<std::uint64_t> ends;
    for (const SearchBudget& end : stageEnds({10.0, steps}, MoreTime::Continues, 100))
        ends.push_back(end.steps);
    return ends;
}

}  // namespace

TEST_CASE("remap: a longer search begins with the stages of a shorter one")
{
    CHECK(stagesOfSeconds(1.9) == std::vector<double>{1.9});
    CHECK(stagesOfSeconds(4.0) == std::vector<double>{4.0});
    CHECK(stagesOfSeconds(9.9) == std::vector<double>{2.0, 9.9});
    CHECK(stagesOfSeconds(60.0) == std::vector<double>{2.0, 10.0, 60.0});
    CHECK(stagesOfSeconds(3600.0) == std::vector<double>{2.0, 10.0, 60.0, 600.0, 3600.0});
    CHECK(stageEnds({60.0, 0}, MoreTime::Continues, 100).size() == 1);
    CHECK(stageEnds({60.0, 5000}, MoreTime::Once, 100).size() == 1);
}

TEST_CASE("remap: the stages of steps are those of a fifth of them, and the whole")
{
    CHECK(stagesOfSteps(99) == std::vector<std::uint64_t>{99});
    CHECK(stagesOfSteps(499) == std::vector<std::uint64_t>{499});
    CHECK(stagesOfSteps(500) == std::vector<std::uint64_t>{100, 500});
    for (const std::uint64_t steps : {100u, 777u, 123456789u}) {
        for (const std::uint64_t more : {5 * steps, 5 * steps + 4}) {
            std::vector<std::uint64_t> ends = stagesOfSteps(more);
            CHECK(ends.back() == more);
            ends.pop_back();
            CHECK(ends == stagesOfSteps(steps));
        }
    }
}

TEST_CASE("remap: restarted annealings are the same in a longer search, and clocks with steps end by "
          "time too")
{
    Random random(5);
    const MappingProblem problem =
        test::problemOn(test::torusOf({3, 4}), test::randomComm(12, 60, random), 1, random);
    const PreparedMapping prepared = prepareMapping(problem).value();
    const FieldModel model = makeFieldModel(problem.distances, 1).value();
    const AnnealOnce once = [&](std::vector<std::uint32_t> start, const AnnealingSchedule& schedule,
                                std::uint64_t seed, const SearchClock& clock, const Task& task) {
        return anneal({problem.flow, model, prepared.rules}, std::move(start), schedule, seed, clock, {},
                      task);
    };
    const auto mapsOf = [&](const SearchClock& clock, int threads) {
        std::vector<std::vector<std::uint32_t>> maps;
        annealWithRestarts(
            once, prepared.start, 2000 * 12 * 12, 1, clock,
            [&](const AnnealingOutcome& ended) { maps.push_back(ended.slotOfRank); },
            Task().withThreads(threads));
        for (const auto& map : maps) CHECK(satisfies(problem, map));
        return maps;
    };
    const auto some = mapsOf(SearchClock(SearchBudget{0.0, 1300000}), 1);
    const auto more = mapsOf(SearchClock(SearchBudget{0.0, 4000000}), 2);
    REQUIRE(some.size() >= 4);
    CHECK(more.size() > some.size());
    CHECK(std::equal(some.begin(), some.begin() + 4, more.begin()));
    CHECK(mapsOf(SearchClock(SearchBudget{1e-9, 0}), 1).empty());
    CHECK(SearchClock(SearchBudget{0.0, 0}).withSteps(10).spent(0) >= 1.0);
    CHECK(SearchClock(SearchBudget{100.0, 0}).withSteps(10).spent(5) == 0.5);
    CHECK_FALSE(SearchClock(SearchBudget{0.0, 10}).withSteps(5).late());
}

}  // namespace skein::search_stages_test
