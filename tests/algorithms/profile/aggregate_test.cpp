// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/profile/aggregate.h"
#include "algorithms/profile/summarize.h"
#include "tests/support/catch.h"
#include "tests/support/random_trace.h"

#include <map>

namespace skein::aggregate_test {

using test::randomExperiment;

TEST_CASE("regions that every process defines for itself are one row a name")
{
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        const Experiment merged = randomExperiment(seed);
        const Experiment split = randomExperiment(seed, {.regionsPerProcess = true});
        REQUIRE(split.definitions.regions.size() == 4 * merged.definitions.regions.size());
        const auto rows = profileByRegion(merged, summarizeTrace(merged, {}, Task()).value(), 0);
        const auto again = profileByRegion(split, summarizeTrace(split, {}, Task()).value(), 0);
        REQUIRE(rows.size() == again.size());
        for (std::size_t i = 0; i < rows.size(); ++i) {
            CHECK(rows[i].name == again[i].name);
            CHECK(rows[i].values.calls == again[i].values.calls);
            CHECK(rows[i].values.inclusive == again[i].values.inclusive);
            CHECK(rows[i].values.exclusive == again[i].values.exclusive);
            CHECK(rows[i].values.durations.maximum == again[i].values.durations.maximum);
            CHECK(rows[i].locations == again[i].locations);
        }
    }
}

TEST_CASE("call paths stand in preorder, the heaviest sibling first, and sum up to the regions")
{
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        const Experiment experiment = randomExperiment(seed, {.regionsPerProcess = true});
        const Profile profile = summarizeTrace(experiment, {}, Task()).value();
        const auto rows = profileByCallPath(experiment, profile, 0);
        std::map<std::string, double> exclusive;
        std::map<std::ptrdiff_t, double> before;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            exclusive[rows[i].name] += rows[i].values.exclusive;
            REQUIRE(rows[i].parent < static_cast<std::ptrdiff_t>(i));
            REQUIRE(rows[i].depth
                    == (rows[i].parent < 0 ? 0 : rows[static_cast<std::size_t>(rows[i].parent)].depth + 1));
            if (before.contains(rows[i].parent)) REQUIRE(before[rows[i].parent] >= rows[i].values.inclusive);
            before[rows[i].parent] = rows[i].values.inclusive;
        }
        for (const RegionRow& row : profileByRegion(experiment, profile, 0))
            CHECK(exclusive[row.name] == row.values.exclusive);
    }
}

TEST_CASE("a region that calls another of its own name counts once")
{
    Experiment experiment = randomExperiment(3, {.processes = 1});
    const auto before = profileByRegion(experiment, summarizeTrace(experiment, {}, Task()).value(), 0);
    double whole = 0.0;
    for (const RegionRow& row : before) whole += row.values.exclusive;
    for (Region& region : experiment.definitions.regions) region.name = "same";
    const auto rows = profileByRegion(experiment, summarizeTrace(experiment, {}, Task()).value(), 0);
    REQUIRE(rows.size() == 1);
    CHECK(rows[0].values.inclusive == whole);
    CHECK(rows[0].values.exclusive == whole);
    CHECK(rows[0].regions.size() == before.size());
}

TEST_CASE("locations keep their order and their own sums")
{
    const Experiment experiment = randomExperiment(4);
    const Profile profile = summarizeTrace(experiment, {}, Task()).value();
    const auto rows = profileByLocation(experiment, profile, 0);
    REQUIRE(rows.size() == 4);
    double calls = 0.0;
    for (const LocationRow& row : rows) calls += row.values.calls;
    CHECK(calls == static_cast<double>(experiment.trace->intervalCount()));
}

TEST_CASE("metrics are found by name, and an unknown one is refused with the known ones")
{
    const Experiment experiment = randomExperiment(4);
    const Profile profile = summarizeTrace(experiment, {}, Task()).value();
    CHECK(metricColumn(experiment, profile, "").value() == 0);
    CHECK(metricColumn(experiment, profile, "time").value() == 0);
    const auto unknown = metricColumn(experiment, profile, "PAPI_FP_OPS");
    CHECK(unknown.error().message == "random has no metric \"PAPI_FP_OPS\"; it has TIME.");
}

}  // namespace skein::aggregate_test
