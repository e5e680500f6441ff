// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/profile/added_metric.h"

#include "algorithms/profile/summarize.h"
#include "tests/support/catch.h"
#include "tests/support/random_trace.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <numeric>

namespace skein::added_metric_test {
namespace {

/// A metric more, of which nothing is known yet.
MetricId newMetric(Experiment& experiment)
{
    Metric metric;
    metric.name = "cost";
    experiment.definitions.metrics.push_back(metric);
    return MetricId(experiment.definitions.metrics.size() - 1);
}

double sumOf(const Column<double>& column) { return std::accumulate(column.begin(), column.end(), 0.0); }

/// What an item has on all locations together.
std::map<std::uint32_t, double> byItem(const MetricCube& cube, const Column<double>& column)
{
    std::map<std::uint32_t, double> sums;
    for (std::size_t row = 0; row < cube.rows(); ++row) sums[cube.items[row]] += column[row];
    return sums;
}

/// Only the rows of the first location but for its first: most call paths have none.
MetricCube nearlyWithoutRows(const MetricCube& cube)
{
    MetricCube out;
    out.metrics = cube.metrics;
    out.inclusive.resize(cube.inclusive.size());
    out.exclusive.resize(cube.exclusive.size());
    const std::size_t end = cube.locationOffsets[1];
    const auto part = [&](const auto& column) {
        using Value = typename std::decay_t<decltype(column)>::value_type;
        if (column.empty()) return Column<Value>();
        return Column<Value>(std::vector<Value>(column.begin() + 1, column.begin() + end));
    };
    out.items = part(cube.items);
    out.calls = part(cube.calls);
    out.subroutines = part(cube.subroutines);
    for (std::size_t i = 0; i < cube.metrics.size(); ++i) {
        out.inclusive[i] = part(cube.inclusive[i]);
        out.exclusive[i] = part(cube.exclusive[i]);
    }
    std::vector<std::uint64_t> offsets(cube.locationOffsets.size(), end - 1);
    offsets[0] = 0;
    out.locationOffsets = Column<std::uint64_t>(offsets);
    return out;
}

void checkForm(const MetricCube& cube)
{
    CHECK(cube.locationOffsets.front() == 0);
    CHECK(cube.locationOffsets[cube.locations()] == cube.rows());
    CHECK(cube.calls.size() == cube.rows());
    for (std::size_t location = 0; location < cube.locations(); ++location)
        for (std::uint64_t row = cube.locationOffsets[location] + 1; row < cube.locationOffsets[location + 1];
             ++row)
            CHECK(cube.items[row - 1] < cube.items[row]);
    for (std::size_t column = 0; column < cube.metrics.size(); ++column) {
        CHECK(cube.inclusive[column].size() == cube.rows());
        CHECK(cube.exclusive[column].size() == cube.rows());
    }
}

}  // namespace

TEST_CASE("added metric: every amount of a call path is there, and below it is added up")
{
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        Experiment experiment = test::randomExperiment(seed);
        Profile profile = summarizeTrace(experiment, {}, Task()).value();
        const double time = sumOf(profile.callPaths.exclusive[0]), calls = sumOf(profile.callPaths.calls);
        const bool fewRows = seed % 2 == 1;
        if (fewRows) profile.callPaths = nearlyWithoutRows(profile.callPaths);
        const double fewCalls = sumOf(profile.callPaths.calls);
        const CallTree& tree = *experiment.callTree;
        std::vector<double> amounts, below;
        for (std::size_t node = 0; node < tree.size(); ++node)
            amounts.push_back(static_cast<double>((node * 7919 + seed) % 100));
        below = amounts;
        for (std::size_t node = tree.size(); node-- > 0;)
            if (tree.parent(CallPathId(node)).valid())
                below[tree.parent(CallPathId(node)).index()] += below[node];
        const MetricId metric = newMetric(experiment);
        addMetricColumn(profile, experiment, metric, amounts);

        INFO("seed " << seed);
        checkForm(profile.callPaths);
        checkForm(profile.regions);
        REQUIRE(profile.callPaths.metrics.back() == metric);
        const auto exclusive = byItem(profile.callPaths, profile.callPaths.exclusive.back());
        const auto inclusive = byItem(profile.callPaths, profile.callPaths.inclusive.back());
        std::map<std::uint32_t, double> ofRegions, outermost;
        for (std::uint32_t node = 0; node < tree.size(); ++node) {
            CHECK((exclusive.contains(node) ? exclusive.at(node) : 0) == amounts[node]);
            CHECK((inclusive.contains(node) ? inclusive.at(node) : 0) == below[node]);
            const auto region = static_cast<std::uint32_t>(tree.region(CallPathId(node)).index());
            ofRegions[region] += amounts[node];
            if (!tree.isRecursive(CallPathId(node))) outermost[region] += below[node];
        }
        CHECK(byItem(profile.regions, profile.regions.exclusive.back()) == ofRegions);
        CHECK(byItem(profile.regions, profile.regions.inclusive.back()) == outermost);
        // What was measured is as it was.
        CHECK(sumOf(profile.callPaths.calls) == (fewRows ? fewCalls : calls));
        if (!fewRows) CHECK(sumOf(profile.callPaths.exclusive[0]) == time);
    }
}

TEST_CASE("added metric: the same metric once more takes the place of what was, and no amount is none")
{
    Experiment experiment = test::randomExperiment(3);
    Profile profile = summarizeTrace(experiment, {}, Task()).value();
    const MetricId metric = newMetric(experiment);
    std::vector<double> amounts(experiment.callTree->size(), 5.0);
    addMetricColumn(profile, experiment, metric, amounts);
    const std::size_t columns = profile.callPaths.metrics.size();
    amounts[0] = std::numeric_limits<double>::quiet_NaN();
    amounts[1] = std::numeric_limits<double>::infinity();
    amounts.pop_back();
    addMetricColumn(profile, experiment, metric, amounts);
    CHECK(profile.callPaths.metrics.size() == columns);
    CHECK(sumOf(profile.callPaths.exclusive.back())
          == 5.0 * static_cast<double>(experiment.callTree->size() - 3));
}

TEST_CASE("added metric: extremes are not known where nothing was measured")
{
    Experiment experiment = test::randomExperiment(4);
    Profile profile = summarizeTrace(experiment, {}, Task()).value();
    profile.callPaths = nearlyWithoutRows(profile.callPaths);
    const MetricId largest = newMetric(experiment);
    experiment.definitions.metrics.back().aggregation = MetricAggregation::Maximum;
    const std::size_t rows = profile.callPaths.rows();
    profile.callPaths.metrics.push_back(largest);
    profile.callPaths.inclusive.emplace_back(std::vector<double>(rows, 2.0));
    profile.callPaths.exclusive.emplace_back(std::vector<double>(rows, 2.0));
    addMetricColumn(profile, experiment, newMetric(experiment),
                    std::vector<double>(experiment.callTree->size(), 1.0));
    const Column<double>& column = profile.callPaths.exclusive[profile.callPaths.metrics.size() - 2];
    const auto unknown =
        std::count_if(column.begin(), column.end(), [](double value) { return std::isnan(value); });
    REQUIRE(profile.callPaths.rows() > rows);
    CHECK(unknown == static_cast<std::ptrdiff_t>(profile.callPaths.rows() - rows));
}

}  // namespace skein::added_metric_test
