// SPDX-License-Identifier: GPL-3.0-or-later
// Every number of the reference facts about Cube profiles.
#include "algorithms/profile/aggregate.h"
#include "algorithms/profile/summarize.h"
#include "core/io/cube/anchor.h"
#include "core/io/cube/tar_archive.h"
#include "core/io/importer.h"
#include "tests/support/catch.h"
#include "tests/support/cube_facts.h"
#include "tests/support/paths.h"

#include <cmath>
#include <map>
#include <set>

namespace skein::cube_facts_test {

using namespace skein::test;

namespace {

using FactsOfMetric = std::vector<CubeFact>;
using FactsOfFile = std::map<std::string, FactsOfMetric>;

std::map<std::string, FactsOfFile> factsByFile(const std::filesystem::path& table)
{
    std::map<std::string, FactsOfFile> facts;
    for (const CubeFact& fact : readCubeFacts(table)) facts[fact.file][fact.metric].push_back(fact);
    return facts;
}

cube::Anchor anchorOf(const std::filesystem::path& file)
{
    ImportReport report;
    const auto archive = cube::TarArchive::open(file, report, Task());
    REQUIRE(archive);
    const auto plain = cube::unpackedWherePacked(archive->member("anchor.xml")->bytes, Task());
    auto anchor = cube::parseAnchor(plain->bytes, "anchor.xml", report, Task());
    REQUIRE(anchor);
    return std::move(*anchor);
}

bool near(double value, double wanted, double scale)
{
    return std::fabs(value - wanted) <= 1e-9 * std::max(std::fabs(wanted), scale);
}

void requireMetric(const Experiment& experiment, const cube::Anchor& anchor, const FactsOfMetric& facts)
{
    const auto column = metricColumn(experiment, *experiment.profile, facts.front().metric);
    REQUIRE(column);
    const Metric& metric = experiment.definitions.metric(experiment.profile->callPaths.metrics[*column]);
    CHECK(metric.name == facts.front().metric);
    CHECK(metric.unit == (facts.front().unit == "sec" ? "ns" : facts.front().unit));
    for (const cube::AnchorMetric& stored : anchor.metrics)
        if (stored.uniqueName == metric.name)
            CHECK((stored.stored == cube::StoredAmount::Inclusive ? "INCLUSIVE" : "EXCLUSIVE")
                  == facts.front().stored);
    const double scale = facts.front().unit == "sec" ? 1e9 : 1.0;
    const CallPathSums sums = callPathSums(experiment, *column);
    double largest = 0.0;
    for (const CubeFact& fact : facts) largest = std::max(largest, std::fabs(fact.inclusive) * scale);
    std::map<std::uint64_t, const CubeFact*> known;
    for (const CubeFact& fact : facts) known[fact.cnode] = &fact;
    for (std::size_t node = 0; node < anchor.nodes.size(); ++node) {
        const auto found = known.find(anchor.nodes[node].id);
        INFO(metric.name << " of cnode " << anchor.nodes[node].id);
        const double inclusive = found == known.end() ? 0.0 : found->second->inclusive * scale;
        const double exclusive = found == known.end() ? 0.0 : found->second->exclusive * scale;
        if (!near(sums.inclusive[node], inclusive, largest)) CHECK(sums.inclusive[node] == inclusive);
        if (!near(sums.exclusive[node], exclusive, largest)) CHECK(sums.exclusive[node] == exclusive);
        if (found != known.end()) CHECK(factPath(experiment, CallPathId(node)) == found->second->path);
    }
}

/// Exclusive amounts of all call paths together are the inclusive ones of the roots, whatever is stored;
/// those of all regions too.
void requireInvariants(const Experiment& experiment)
{
    for (std::size_t column = 0; column < experiment.profile->callPaths.metrics.size(); ++column) {
        if (aggregationOf(experiment, experiment.profile->callPaths, column) != MetricAggregation::Sum)
            continue;
        const CallPathSums sums = callPathSums(experiment, column);
        double roots = 0.0, all = 0.0, regions = 0.0, magnitude = 0.0;
        for (const std::uint32_t root : experiment.callTree->roots()) roots += sums.inclusive[root];
        for (const double exclusive : sums.exclusive) {
            all += exclusive;
            magnitude += std::fabs(exclusive);
        }
        const auto profile = withColumn(experiment.profile, column, Task());
        for (const RegionRow& row : profileByRegion(experiment, **profile, column)) {
            regions += row.values.exclusive;
            CHECK_FALSE(row.breakdown);
        }
        INFO(metricName(experiment, experiment.profile->callPaths, column));
        CHECK(near(all, roots, magnitude));
        CHECK(near(regions, roots, magnitude));
    }
}

}  // namespace

TEST_CASE("Cube profiles hold what another reader has counted")
{
    SKEIN_SHARED_OR_SKIP(folder, "data/cube");
    const auto facts = factsByFile(folder / "facts.csv");
    REQUIRE_FALSE(facts.empty());
    for (const auto& [file, metrics] : facts) {
        INFO(file);
        const auto experiment = openExperiment(folder / file, Task());
        REQUIRE(experiment);
        CHECK((*experiment)->importer == "cube");
        CHECK_FALSE((*experiment)->report.lostData());
        const cube::Anchor anchor = anchorOf(folder / file);
        CHECK((*experiment)->callTree->size() == anchor.nodes.size());
        CHECK((*experiment)->definitions.locations.size() == anchor.locations.size());
        for (const auto& [metric, ofMetric] : metrics) requireMetric(**experiment, anchor, ofMetric);
        requireInvariants(**experiment);
    }
}

TEST_CASE("minima and maxima of a Cube profile are those of its call paths, not sums")
{
    SKEIN_SHARED_OR_SKIP(folder, "data/cube/scorep/call_tree_test/call_tree_test.cubex");
    const auto experiment = openExperiment(folder, Task());
    REQUIRE(experiment);
    // The dump of Cube's own tools: the root's and the first call path's extremes in seconds.
    for (const auto& [metric, inclusive, exclusive] : {std::tuple("max_time", 74.0505352523, 74.0505352523),
                                                       {"min_time", 0.0101263816885, 74.0505352523}}) {
        const auto profile = profileOf(**experiment, std::nullopt, metric, Task());
        REQUIRE(profile);
        const auto column = metricColumn(**experiment, **profile, metric);
        REQUIRE(column);
        const auto rows = profileByCallPath(**experiment, **profile, *column);
        REQUIRE(rows.front().name == "test.x");
        CHECK(rows.front().values.inclusive == Approx(inclusive * 1e9));
        CHECK(rows.front().values.exclusive == Approx(exclusive * 1e9));
        double extreme = 0.0;
        for (const RegionRow& row : profileByRegion(**experiment, **profile, *column)) {
            if (row.name == "a2")
                CHECK(row.values.exclusive
                      == Approx(metric == std::string("max_time") ? 10.0001370923e9 : 10.0001044654e9));
            extreme = std::max(extreme, row.values.exclusive);
        }
        CHECK(extreme == Approx(74.0505352523e9));
    }
}

}  // namespace skein::cube_facts_test
