// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/profile/metric_statistics.h"
#include "algorithms/profile/region_table.h"
#include "algorithms/profile/restrict.h"
#include "algorithms/profile/sampled_metrics.h"
#include "algorithms/profile/summarize.h"
#include "core/io/importer.h"
#include "tests/support/catch.h"
#include "tests/support/paths.h"
#include "tests/support/random_trace.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace skein::region_table_test {

using test::randomExperiment;

namespace {

void requireSums(const Experiment& experiment, const Profile& profile, std::size_t column)
{
    const RegionTable table = regionTable(experiment, profile, column);
    REQUIRE(table.locations() == experiment.definitions.locations.size());
    std::vector<RegionCell> sums(table.regions.size());
    std::vector<std::size_t> locations(table.regions.size());
    for (std::size_t location = 0; location < table.locations(); ++location) {
        for (const RegionCell& cell : table.cellsOf(location)) {
            sums[cell.region].calls += cell.calls;
            sums[cell.region].inclusive += cell.inclusive;
            sums[cell.region].exclusive += cell.exclusive;
            ++locations[cell.region];
        }
    }
    for (std::size_t row = 0; row < sums.size(); ++row) {
        const RegionRow& region = table.regions[row];
        REQUIRE(sums[row].calls == Approx(region.values.calls));
        REQUIRE(sums[row].inclusive == Approx(region.values.inclusive));
        REQUIRE(sums[row].exclusive == Approx(region.values.exclusive));
        REQUIRE(locations[row] == region.locations);
    }
}

}  // namespace

TEST_CASE("what regions took on each location sums up to the profile by region")
{
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
        const Experiment experiment = randomExperiment(
            seed, {.processes = 3, .threadsPerProcess = 2, .regionsPerProcess = seed % 2 == 0});
        requireSums(experiment, summarizeTrace(experiment, {}, Task()).value(), 0);
        requireSums(experiment, summarizeTrace(experiment, {TimeSpan{100, 900}, {}}, Task()).value(), 0);
    }
    for (const char* path :
         {"lulesh-8/profile-flat", "lulesh-8/profile-multi", "lulesh-8/profile-callpath"}) {
        const auto experiment =
            openExperiment(test::sourcePath(std::string("examples/") + path), Task()).value();
        for (std::size_t column = 0; column < experiment->profile->regions.metrics.size(); ++column)
            requireSums(*experiment, *experiment->profile, column);
    }
}

TEST_CASE("what regions took on one location is the profile of this location alone")
{
    for (std::uint64_t seed = 20; seed < 26; ++seed) {
        const Experiment experiment = randomExperiment(seed, {.regionsPerProcess = true});
        const RegionTable table = regionTable(experiment, summarizeTrace(experiment, {}, Task()).value(), 0);
        for (std::size_t location = 0; location < table.locations(); ++location) {
            const auto alone =
                summarizeTrace(experiment, {std::nullopt, {LocationId(location)}}, Task()).value();
            std::map<std::string, ProfileValues> expected;
            for (const RegionRow& row : profileByRegion(experiment, alone, 0))
                expected[row.name] = row.values;
            REQUIRE(table.cellsOf(location).size() == expected.size());
            for (const RegionCell& cell : table.cellsOf(location)) {
                const ProfileValues& values = expected.at(table.regions[cell.region].name);
                REQUIRE(cell.calls == values.calls);
                REQUIRE(cell.inclusive == values.inclusive);
                REQUIRE(cell.exclusive == values.exclusive);
            }
        }
    }
}

TEST_CASE("a table by groups has the sums of their locations, and balances over groups")
{
    for (std::uint64_t seed = 40; seed < 46; ++seed) {
        const Experiment experiment = randomExperiment(seed, {.processes = 5, .regionsPerProcess = true});
        const RegionTable table = regionTable(experiment, summarizeTrace(experiment, {}, Task()).value(), 0);
        // The last location is in no group, and one group has none.
        std::vector<std::vector<LocationId>> groups(4);
        for (std::size_t location = 0; location + 1 < table.locations(); ++location)
            groups[location % 3].emplace_back(location);
        const RegionTable grouped = groupedTable(table, groups);
        REQUIRE(grouped.locations() == 4);
        REQUIRE(grouped.regions.size() == table.regions.size());
        for (std::uint32_t region = 0; region < table.regions.size(); ++region) {
            std::vector<double> inclusive(4), exclusive(4), calls(4);
            for (std::size_t group = 0; group < 4; ++group)
                for (const LocationId location : groups[group])
                    for (const RegionCell& cell : table.cellsOf(location.index()))
                        if (cell.region == region) {
                            inclusive[group] += cell.inclusive;
                            exclusive[group] += cell.exclusive;
                            calls[group] += cell.calls;
                        }
            for (std::size_t group = 0; group < 4; ++group)
                for (const RegionCell& cell : grouped.cellsOf(group))
                    if (cell.region == region) {
                        REQUIRE(cell.inclusive == Approx(inclusive[group]));
                        REQUIRE(cell.exclusive == Approx(exclusive[group]));
                        REQUIRE(cell.calls == calls[group]);
                        inclusive[group] = -inclusive[group];
                    }
            double sum = 0, most = 0;
            for (double& amount : inclusive) {
                REQUIRE(amount <= 0);  // what is not nothing has had its cell
                amount = -amount;
                sum += amount;
                most = std::max(most, amount);
            }
            const LocationBalance& balance = grouped.regions[region].balance;
            REQUIRE(balance.mean == Approx(sum / 4));
            REQUIRE(balance.maximum == Approx(most));
            double squares = 0;
            for (const double amount : inclusive) squares += (amount - sum / 4) * (amount - sum / 4);
            REQUIRE(balance.deviation == Approx(std::sqrt(squares / 4)).margin(1e-6));
        }
    }
}

TEST_CASE("groups of minima have the least of their locations, not the sum")
{
    RegionTable table;
    table.aggregation = MetricAggregation::Minimum;
    table.regions.resize(1);
    table.locationOffsets = {0, 1, 2, 2, 3};
    const double none = std::numeric_limits<double>::quiet_NaN();
    table.cells = {{0, 1, 0, 5, 3}, {0, 1, 0, 2, none}, {0, 1, 0, 7, 7}};
    const RegionTable grouped =
        groupedTable(table, {{LocationId(0), LocationId(1)}, {LocationId(2)}, {LocationId(3)}});
    REQUIRE(grouped.cells.size() == 2);
    CHECK(grouped.cells[0].inclusive == 2);
    CHECK(grouped.cells[0].exclusive == 3);
    CHECK(grouped.cells[0].calls == 2);
    CHECK(grouped.cells[1].inclusive == 7);
    CHECK(grouped.regions[0].balance.mean == 4.5);
    CHECK(grouped.regions[0].balance.maximum == 7);
}

TEST_CASE("samples of a trace belong to the innermost call at their time")
{
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        const Experiment experiment = randomExperiment(seed, {.metricSamples = 60});
        for (const std::optional<TimeSpan>& window :
             {std::optional<TimeSpan>(), std::optional<TimeSpan>(TimeSpan{200, 1500})}) {
            for (const std::string& name : sampledMetricNames(experiment)) {
                std::map<std::pair<std::uint32_t, std::uint32_t>, Moments> expected;
                for (const MetricStream& stream : experiment.trace->metricStreams) {
                    for (std::size_t column = 0; column < stream.metrics.size(); ++column) {
                        if (experiment.definitions.metric(stream.metrics[column]).name != name) continue;
                        const CallIntervals& calls =
                            experiment.trace->locations[stream.recorder.index()].intervals;
                        for (std::size_t sample = 0; sample < stream.samples(); ++sample) {
                            const TimeNs time = stream.times[sample];
                            if (window && !window->contains(time)) continue;
                            // The last call entered by then whose callers all still run.
                            RegionId region;
                            for (std::size_t call = 0; call < calls.size() && calls.begin[call] <= time;
                                 ++call) {
                                bool left = calls.end[call] < time;
                                for (std::size_t later = call + 1;
                                     later < calls.size() && calls.begin[later] <= time; ++later)
                                    left = left || calls.depth[later] <= calls.depth[call];
                                if (!left)
                                    region = experiment.callTree->region(CallPathId(calls.callPath[call]));
                            }
                            const double value =
                                metricValue(stream.values[sample * stream.metrics.size() + column],
                                            experiment.definitions.metric(stream.metrics[column]).valueType);
                            expected[{stream.recorder.value(), region.value()}].merge(
                                {1, value, value, value, 0});
                        }
                    }
                }
                const auto cells = sampledMetric(experiment, name, window, Task()).value();
                REQUIRE(cells.size() == expected.size());
                for (const SampledCell& cell : cells) {
                    const Moments& values = expected.at({cell.location.value(), cell.region.value()});
                    REQUIRE(cell.values.count == values.count);
                    REQUIRE(cell.values.sum == Approx(values.sum));
                    REQUIRE(cell.values.minimum == values.minimum);
                    REQUIRE(cell.values.maximum == values.maximum);
                }
            }
        }
    }
}

TEST_CASE("user events of a profile sum up to what skein-cli metrics prints")
{
    for (const char* path : {"lulesh-8/profile-flat", "lulesh-8/profile-callpath"}) {
        const auto experiment =
            openExperiment(test::sourcePath(std::string("examples/") + path), Task()).value();
        const auto names = sampledMetricNames(*experiment);
        REQUIRE_FALSE(names.empty());
        for (const MetricRow& row : metricStatistics(*experiment)) {
            if (row.source != MetricSource::UserEvents) continue;
            const auto cells =
                sampledMetric(*experiment, experiment->definitions.metric(row.metric).name, {}, Task())
                    .value();
            Moments sum;
            for (const SampledCell& cell : cells) sum.merge(cell.values);
            INFO(experiment->definitions.metric(row.metric).name);
            CHECK(sum.count == Approx(row.values.count));
            CHECK(sum.sum == Approx(row.values.sum));
            CHECK(sum.maximum == row.values.maximum);
        }
    }
}

}  // namespace skein::region_table_test
