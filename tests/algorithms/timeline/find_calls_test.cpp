// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/timeline/find_calls.h"

#include "tests/support/catch.h"
#include "tests/support/random_calls.h"

#include <algorithm>
#include <set>

namespace skein::find_calls_test {

TEST_CASE("the longest calls of regions are those that sorting all of them gives")
{
    for (std::uint32_t seed = 1; seed <= 8; ++seed) {
        const ExperimentPtr experiment = test::experimentOfRandomCalls(seed, 300, 5);
        CallSearch search;
        search.limit = 17;
        for (std::uint32_t id = seed % 3; id < experiment->definitions.regions.size(); id += 3)
            search.regions.push_back(RegionId(id));
        if (seed % 2) search.span = TimeSpan{200, 900};
        if (seed % 4 == 0) search.locations = {LocationId(1), LocationId(3)};
        std::vector<FoundCall> all;
        for (std::uint32_t location = 0; location < 5; ++location) {
            if (!search.locations.empty() && location % 2 == 0) continue;
            const CallIntervals& calls = experiment->trace->locations[location].intervals;
            for (std::uint32_t call = 0; call < calls.size(); ++call) {
                const RegionId region = experiment->callTree->region(CallPathId(calls.callPath[call]));
                if (std::find(search.regions.begin(), search.regions.end(), region) == search.regions.end())
                    continue;
                if (search.span
                    && (calls.end[call] <= search.span->begin || calls.begin[call] >= search.span->end))
                    continue;
                all.push_back({LocationId(location), call, calls.end[call] - calls.begin[call]});
            }
        }
        std::stable_sort(all.begin(), all.end(),
                         [](const auto& a, const auto& b) { return a.durationNs > b.durationNs; });
        for (const int threads : {1, 3}) {
            const auto found = findCalls(*experiment, search, Task().withThreads(threads));
            REQUIRE(found);
            CHECK(found->total == all.size());
            CHECK(found->longest
                  == std::vector<FoundCall>(
                      all.begin(),
                      all.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(17, all.size()))));
        }
    }
}

TEST_CASE("the slowest messages come first and unmatched ones not at all")
{
    const auto experiment = test::ExperimentBuilder("run")
                                .process("n", {{0, 1000, "main", 0}})
                                .process("n", {{0, 1000, "main", 0}})
                                .message(0, 10, 1, 20, 1)
                                .message(0, 30, 1, 90, 1)
                                .message(1, 40, 0, 50, 1)
                                .finish();
    const auto found = findMessages(*experiment, {{}, {}, {}, 2}, Task());
    REQUIRE(found);
    CHECK(found->total == 3);
    CHECK(found->slowest == std::vector<std::uint32_t>{1, 0});
    CHECK_FALSE(findMessages(Experiment(), {}, Task()));
    CHECK_FALSE(findCalls(Experiment(), {}, Task()));
}

TEST_CASE("messages are found between some locations, with an end at one of some, and under way in a span")
{
    const auto experiment = test::ExperimentBuilder("run")
                                .process("n", {{0, 1000, "main", 0}})
                                .process("n", {{0, 1000, "main", 0}})
                                .process("n", {{0, 1000, "main", 0}})
                                .message(0, 10, 1, 20, 1)
                                .message(1, 30, 2, 90, 1)
                                .message(2, 40, 0, 50, 1)
                                .finish();
    const LocationId first(0), second(1), third(2);
    const auto slowest = [&](const MessageSearch& search) {
        return findMessages(*experiment, search, Task()).value().slowest;
    };
    using Indexes = std::vector<std::uint32_t>;
    CHECK(slowest({{first, second}, {}, {}}) == Indexes{0});
    CHECK(slowest({{}, {third}, {}}) == Indexes{1, 2});
    CHECK(slowest({{first, third}, {third}, {}}) == Indexes{2});
    CHECK(slowest({{}, {}, TimeSpan{20, 41}}) == Indexes{1, 2});
    CHECK(slowest({{}, {}, TimeSpan{20, 40}}) == Indexes{1});
}

TEST_CASE("messages are found among those that a filter of messages leaves")
{
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        const Experiment experiment = test::randomExperiment(seed, {.messages = 200});
        MessageSearch search;
        search.limit = 1000;
        search.filter =
            MessageFilter(experiment, {{MessageRuleEffect::Keep, *parseAttributeConditions("tag=2")}});
        std::set<std::uint32_t> expected;
        const auto& messages = experiment.trace->messages;
        for (std::uint32_t index = 0; index < messages.size(); ++index)
            if (messages[index].matched() && messages[index].tag == 2) expected.insert(index);
        const auto found = findMessages(experiment, search, Task()).value();
        CHECK(found.total == expected.size());
        CHECK(std::set(found.slowest.begin(), found.slowest.end()) == expected);
        CHECK_FALSE(expected.empty());
    }
}

}  // namespace skein::find_calls_test
