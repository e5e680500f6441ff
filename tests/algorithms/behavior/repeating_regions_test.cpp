// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/behavior/repeating_regions.h"

#include "core/io/importer.h"
#include "tests/support/catch.h"
#include "tests/support/paths.h"
#include "tests/support/small_session.h"

namespace skein::repeating_regions_test {

TEST_CASE("regions that repeat are those called 5 to 5000 times on the first location")
{
    test::ExperimentBuilder builder("steps");
    std::vector<test::Call> calls{{0, 100'000, "main", 0}};
    for (int i = 0; i < 6; ++i) {
        const TimeNs begin = 10 + i * 1000;
        calls.push_back({begin, begin + 100, "short", 1});
        calls.push_back({begin + 200, begin + 900, "long", 1});
        if (i > 1) calls.push_back({begin + 910, begin + 980, "too seldom", 1});
    }
    builder.process("node", calls);
    builder.process("node", {{0, 100'000, "main", 0}});
    const ExperimentPtr experiment = builder.finish();
    CHECK(repeatingRegions(*experiment, Task()) == std::vector<std::string>{"short", "long"});
    CHECK(repeatingRegions(Experiment(), Task()).empty());
}

TEST_CASE("what is called once in each iteration is proposed, not what takes most time in it")
{
    test::ExperimentBuilder builder("flat");
    std::vector<test::Call> calls{{0, 50'000, "main", 0}};
    for (int i = 0; i < 30; ++i) {
        const TimeNs begin = 10 + i * 1000;
        calls.push_back({begin, begin + 10, "send", 1});
        calls.push_back({begin + 20, begin + 100, "wait", 1});
        calls.push_back({begin + 110, begin + 400, "wait", 1});
        calls.push_back({begin + 410, begin + 430, "reduce", 1});
        if (i % 10 == 9) calls.push_back({begin + 440, begin + 900, "write", 1});
    }
    builder.process("node", calls);
    CHECK(repeatingRegions(*builder.finish(), Task()) == std::vector<std::string>{"send", "reduce", "wait"});
}

TEST_CASE("an outer region is proposed before those that are called once in each of its calls")
{
    test::ExperimentBuilder nested("nested");
    std::vector<test::Call> calls{{0, 50'000, "main", 0}};
    for (int i = 0; i < 40; ++i) {
        const TimeNs begin = 10 + i * 1000;
        calls.push_back({begin, begin + 900, "step", 1});
        calls.push_back({begin + 10, begin + 700, "solve", 2});
        for (int k = 0; k < 3 + i % 2; ++k)
            calls.push_back({begin + 20 + k * 100, begin + 110 + k * 100, "kernel", 3});
        calls.push_back({begin + 710, begin + 890, "exchange", 2});
    }
    nested.process("node", calls);
    const auto found = repeatingRegions(*nested.finish(), Task());
    REQUIRE(found.size() == 4);
    CHECK(found.front() == "step");
    CHECK(found.back() == "kernel");
}

TEST_CASE("of real programs the iterations are proposed")
{
    const auto first = [](const char* example) {
        const auto opened = openExperiment(test::sourcePath("examples") / example / "trace-otf2", Task());
        return repeatingRegions(*opened.value(), Task()).front();
    };
    CHECK(first("heatflow-16x2") == "time_step");
    CHECK(first("lulesh-8").starts_with("LagrangeLeapFrog"));
    CHECK(first("eztrace-lulesh-8") == "MPI_Allreduce");
}

}  // namespace skein::repeating_regions_test
