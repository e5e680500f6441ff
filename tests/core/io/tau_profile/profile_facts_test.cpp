// SPDX-License-Identifier: GPL-3.0-or-later
// Every number of the reference facts about TAU profiles.
#include "core/io/tau_profile/tau_profile_importer.h"
#include "tests/support/catch.h"
#include "tests/support/paths.h"
#include "tests/support/tau_facts.h"

#include <cmath>
#include <set>

namespace skein::profile_facts_test {

using namespace skein::test;

namespace {

Experiment opened(const std::filesystem::path& path)
{
    const auto archive = tau::sniffProfile(path, Task());
    REQUIRE(archive);
    auto experiment = tau::readProfile(*archive, Task());
    REQUIRE(experiment);
    return std::move(*experiment);
}

void requireFacts(const nlohmann::json& facts, const Experiment& experiment, std::size_t metric)
{
    const auto& definitions = experiment.definitions;
    CHECK(definitions.locations.size() == facts["threads"].get<std::size_t>());
    CHECK(definitions.locationGroups.size() == facts["nodes"].get<std::size_t>());
    const auto sums = regionSums(experiment, metric);
    CHECK(sums.size() == facts["functions_flat"].get<std::size_t>());
    requireRegions(facts["flat_name_calls_inclusive_exclusive_usec_all_threads"], sums,
                   definitions.metrics[metric].unit == "ns" ? 1000.0 : 1.0);
    CHECK(experiment.profile->statistics.size() == facts["user_event_rows"].get<std::size_t>());
    if (facts.contains("message_matrix")) {
        REQUIRE(experiment.commMatrix);
        requireMatrix(facts["message_matrix"], *experiment.commMatrix);
    }
    std::set<std::uint32_t> paths;
    std::uint32_t deepest = 0;
    const MetricCube& cube = experiment.profile->callPaths;
    for (const std::uint32_t node : cube.items) {
        if (experiment.callTree->depth(CallPathId(node)) > 0) paths.insert(node);
        deepest = std::max(deepest, experiment.callTree->depth(CallPathId(node)) + 1);
    }
    CHECK(paths.size() == facts["functions_callpath"].get<std::size_t>());
    CHECK(deepest == facts["max_callpath_length"].get<std::uint32_t>());
    CHECK_FALSE(experiment.report.lostData());
}

/// Checks a folder of one metric against the facts under its name.
void requireSet(const std::string& set, const std::string& name)
{
    SKEIN_SHARED_OR_SKIP(folder, "data/ours/" + set);
    INFO(set << "/" << name);
    requireFacts(readFacts(folder / "FACTS.json")[name], opened(folder / name), 0);
}

}  // namespace

TEST_CASE("TAU profiles of every measured set have the calls, times and messages of their facts")
{
    for (const char* name : {"profile-flat", "profile-callpath", "profile-sampling", "profile-same-run"})
        requireSet("lulesh-8", name);
    for (const char* name : {"profile-flat", "profile-callpath", "profile-same-run"})
        requireSet("miniamr-16", name);
    for (const char* name : {"profile-callpath", "profile-same-run"}) requireSet("heatflow-16x2", name);
    requireSet("miniamr-64", "profile-callpath");
    requireSet("minimd-64", "profile-callpath");
    requireSet("workflow-12-4", "sim/profile-same-run");
    requireSet("workflow-12-4", "ana/profile-same-run");
}

TEST_CASE("the metric folders of a TAU profile open as one experiment with TIME first")
{
    for (const char* set : {"lulesh-8", "miniamr-16"}) {
        SKEIN_SHARED_OR_SKIP(folder, std::string("data/ours/") + set);
        const auto facts = readFacts(folder / "FACTS.json")["profile-multi"];
        const Experiment experiment = opened(folder / "profile-multi");
        REQUIRE(experiment.profile->regions.metrics.size() == 3);
        CHECK(experiment.definitions.metrics[0].name == "TIME");
        for (std::size_t metric = 0; metric < 3; ++metric)
            requireFacts(facts["MULTI__" + experiment.definitions.metrics[metric].name], experiment, metric);
        const Experiment byMember = opened(folder / "profile-multi" / "MULTI__TIME" / "profile.1.0.0");
        CHECK(byMember.path == experiment.path);
    }
}

TEST_CASE("packed TAU profiles equal the folders they were packed from")
{
    SKEIN_SHARED_OR_SKIP(folder, "data/ours/lulesh-8");
    const auto facts = readFacts(folder / "FACTS.json");
    const Experiment packed = opened(folder / "packed-callpath.ppk");
    requireFacts(facts["profile-callpath"], packed, 0);
    const Experiment unpacked = opened(folder / "profile-callpath");
    CHECK(packed.callTree->size() == unpacked.callTree->size());
    CHECK(packed.profile->callPaths.rows() == unpacked.profile->callPaths.rows());
    CHECK(packed.definitions.systemTree.size() == unpacked.definitions.systemTree.size());
    const Experiment multi = opened(folder / "packed-multi.ppk");
    for (std::size_t metric = 0; metric < 3; ++metric)
        requireFacts(facts["profile-multi"]["MULTI__" + multi.definitions.metrics[metric].name], multi,
                     metric);
}

TEST_CASE("merged and snapshot TAU profiles have the calls of the other runs of the same program")
{
    for (const char* set : {"lulesh-8", "miniamr-16"}) {
        SKEIN_SHARED_OR_SKIP(folder, std::string("data/ours/") + set);
        const auto facts = readFacts(folder / "FACTS.json")["profile-callpath"];
        const Experiment merged = opened(folder / "profile-merged" / "tauprofile.xml");
        CHECK_FALSE(merged.report.lostData());
        CHECK(merged.definitions.locations.size() == facts["threads"].get<std::size_t>());
        const auto sums = regionSums(merged);
        CHECK(sums.size() == facts["functions_flat"].get<std::size_t>());
        for (const auto& fact : facts["flat_name_calls_inclusive_exclusive_usec_all_threads"]) {
            INFO(fact[0].get<std::string>());
            REQUIRE(sums.count(fact[0].get<std::string>()) == 1);
            CHECK(sums.at(fact[0].get<std::string>()).calls == fact[1].get<double>());
        }
    }
    SKEIN_SHARED_OR_SKIP(folder, "data/ours/lulesh-8");
    const auto facts = readFacts(folder / "FACTS.json")["profile-flat"];
    const Experiment snapshot = opened(folder / "profile-snapshot" / "snapshot.3.0.0");
    CHECK(snapshot.path == folder / "profile-snapshot");
    CHECK_FALSE(snapshot.report.lostData());
    CHECK(snapshot.definitions.locations.size() == 8);
    const auto sums = regionSums(snapshot);
    CHECK(sums.size() == 69);
    CHECK(sums.at("MPI_Wait()").calls == 1136);
    CHECK(snapshot.profile->statistics.size() == facts["user_event_rows"].get<std::size_t>());
}

TEST_CASE("in a TAU call path profile the exclusive values sum up to the inclusive value of the root")
{
    SKEIN_SHARED_OR_SKIP(folder, "data/ours/miniamr-16/profile-callpath");
    const Experiment experiment = opened(folder);
    const MetricCube& cube = experiment.profile->callPaths;
    for (std::size_t location = 0; location < cube.locations(); ++location) {
        double exclusive = 0, roots = 0;
        for (auto row = cube.locationOffsets[location]; row < cube.locationOffsets[location + 1]; ++row) {
            exclusive += cube.exclusive[0][row];
            if (!experiment.callTree->parent(CallPathId(cube.items[row])).valid())
                roots += cube.inclusive[0][row];
        }
        CHECK(roots > 0);
        // TAU rounds every row to a whole microsecond.
        CHECK(std::fabs(exclusive - roots) < 1000.0 * static_cast<double>(cube.rows()));
    }
    CHECK(experiment.callTree->roots().size() == 1);
}

TEST_CASE("TAU profiles of other tools' test data have their known numbers")
{
    SKEIN_SHARED_OR_SKIP(hatchet, "data/hatchet/tau-cpi-mpi");
    const Experiment cpi = opened(hatchet);
    const double roots[] = {51781, 55329, 54029, 52908};
    REQUIRE(cpi.definitions.locations.size() == 4);
    const MetricCube& cube = cpi.profile->regions;
    for (std::size_t location = 0; location < 4; ++location) {
        CHECK(cube.locationOffsets[location + 1] - cube.locationOffsets[location] == 12);
        CHECK(cube.inclusive[0][cube.locationOffsets[location]] == roots[location] * 1000);
    }
    CHECK(cpi.profile->callPaths.rows() == 4 * 12);
    CHECK(cpi.profile->statistics.size() == 8);

    SKEIN_SHARED_OR_SKIP(workflow, "data/tau2/workflow_consolidation");
    const Experiment xmain = opened(workflow / "xmain_0");
    const Experiment reader = opened(workflow / "reader2_0" / "profile.2.0.0");
    CHECK(xmain.profile->regions.rows() == 216);
    CHECK(reader.profile->regions.rows() == 68);
    // Each rank wrote one of its user events twice, which counts as one.
    CHECK(xmain.profile->statistics.size() == 203 - xmain.definitions.locations.size());
    CHECK(xmain.report.count(IssueKind::DuplicateDefinition) == 0);
    CHECK(reader.profile->statistics.size() == 37);
    CHECK(xmain.profile->regions.inclusive[0][0] == 62483749e3);
    CHECK(reader.profile->regions.inclusive[0][0] == 62404509e3);

    SKEIN_SHARED_OR_SKIP(wrap, "data/tau2/wrap");
    const Experiment parameters = opened(wrap);
    CHECK(parameters.definitions.locations.size() == 2);
    CHECK(parameters.profile->statistics.empty());
    std::size_t breakdowns = 0;
    for (const Region& region : parameters.definitions.regions)
        breakdowns += region.role == RegionRole::Artificial;
    CHECK(breakdowns == 3);
}

}  // namespace skein::profile_facts_test
