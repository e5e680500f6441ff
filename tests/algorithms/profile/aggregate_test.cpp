// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/profile/aggregate.h"
#include "algorithms/profile/summarize.h"
#include "tests/support/catch.h"
#include "tests/support/random_trace.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace skein::aggregate_test {

using test::randomExperiment;

namespace {

bool sameRow(const RegionRow& a, const RegionRow& b) { return a.name == b.name; }
/// Rows of locations have those of their own call paths only.
bool sameRow(const CallPathRow& a, const CallPathRow& b)
{
    return a.depth == b.depth && a.name == b.name
        && std::any_of(a.callPaths.begin(), a.callPaths.end(), [&](CallPathId path) {
               return std::find(b.callPaths.begin(), b.callPaths.end(), path) != b.callPaths.end();
           });
}

}  // namespace

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

TEST_CASE("how a region is divided among locations is what adding up each of them gives")
{
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const Experiment experiment = randomExperiment(seed, {.regionsPerProcess = seed % 2 == 0});
        const TimeNs end = experiment.trace->extent.end;
        const std::optional<TimeSpan> window =
            seed % 3 == 0 ? std::optional(TimeSpan{end / 3, end / 2}) : std::nullopt;
        LocationScope scope;
        if (seed % 5 == 0) scope = std::vector<LocationId>{LocationId(1), LocationId(2)};
        const SummaryParams params{window, scope.value_or(std::vector<LocationId>())};
        const Profile profile = summarizeTrace(experiment, params, Task()).value();
        std::vector<LocationId> locations = scope.value_or(std::vector<LocationId>());
        if (!scope)
            for (std::size_t id = 0; id < experiment.trace->locations.size(); ++id)
                locations.emplace_back(id);
        CHECK(scopeSize(experiment, profile, scope) == locations.size());
        const auto check = [&](const auto& row, const auto& rowsOf) {
            std::vector<double> amounts;
            for (const LocationId location : locations) {
                const Profile alone = summarizeTrace(experiment, {window, {location}}, Task()).value();
                double amount = 0.0;
                for (const auto& each : rowsOf(alone))
                    if (sameRow(each, row)) amount += each.values.inclusive;
                amounts.push_back(amount);
            }
            double mean = 0.0, squares = 0.0;
            for (const double amount : amounts) mean += amount / static_cast<double>(amounts.size());
            for (const double amount : amounts)
                squares += (amount - mean) * (amount - mean) / static_cast<double>(amounts.size());
            const auto most = std::max_element(amounts.begin(), amounts.end());
            CHECK(row.balance.mean == Approx(mean));
            CHECK(row.balance.maximum == *most);
            CHECK(row.balance.deviation == Approx(std::sqrt(squares)).margin(1e-6));
            CHECK(row.balance.lost() == Approx(*most - mean).margin(1e-6));
            CHECK(row.balance.imbalance().value_or(0.0) == Approx(mean > 0 ? *most / mean : 0.0));
            if (*most > 0.0)
                CHECK(row.balance.worst == locations[static_cast<std::size_t>(most - amounts.begin())]);
        };
        for (const RegionRow& row : profileByRegion(experiment, profile, 0, scope))
            check(row, [&](const Profile& alone) { return profileByRegion(experiment, alone, 0); });
        const auto paths = profileByCallPath(experiment, profile, 0, scope);
        for (std::size_t row = 0; row < paths.size(); row += 5)
            check(paths[row], [&](const Profile& alone) { return profileByCallPath(experiment, alone, 0); });
    }
}

}  // namespace skein::aggregate_test
