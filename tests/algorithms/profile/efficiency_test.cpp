// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/profile/efficiency.h"
#include "algorithms/profile/summarize.h"
#include "tests/support/catch.h"
#include "tests/support/random_trace.h"

#include <algorithm>
#include <numeric>

namespace skein::efficiency_test {

using test::randomExperiment;

namespace {

/// Some regions are of MPI; the first thread of process p is location p × threads.
Experiment programWithMpi(std::uint64_t seed)
{
    Experiment experiment =
        randomExperiment(seed, {.processes = 3, .threadsPerProcess = 2, .regionsPerProcess = seed % 2 == 0});
    for (std::size_t region = 0; region < experiment.definitions.regions.size(); region += 3)
        experiment.definitions.regions[region].name = "MPI_Wait" + std::to_string(region % 6);
    return experiment;
}

bool inMpi(const Experiment& experiment, LocationId location, TimeNs time)
{
    const CallIntervals& calls = experiment.trace->locations[location.index()].intervals;
    for (std::size_t call = 0; call < calls.size(); ++call) {
        const Region& region =
            experiment.definitions.region(experiment.callTree->region(CallPathId(calls.callPath[call])));
        if (region.name.starts_with("MPI_") && calls.span(call).contains(time)) return true;
    }
    return false;
}

/// Nanosecond by nanosecond.
double usefulOf(const Experiment& experiment, LocationId location, TimeSpan span)
{
    double useful = 0;
    for (TimeNs time = span.begin; time < span.end; ++time)
        useful += inMpi(experiment, location, time) ? 0 : 1;
    return useful;
}

std::vector<LocationId> firstThreads(const Experiment& experiment)
{
    std::vector<LocationId> threads;
    for (std::size_t id = 0; id < experiment.definitions.locations.size(); ++id)
        if (experiment.definitions.locations[id].thread == 0
            && experiment.trace->locations[id].intervals.size() > 0)
            threads.emplace_back(id);
    return threads;
}

void check(const Efficiency& found, const std::vector<double>& useful, double runtime)
{
    const double most = *std::max_element(useful.begin(), useful.end());
    const double mean =
        std::accumulate(useful.begin(), useful.end(), 0.0) / static_cast<double>(useful.size());
    CHECK(found.processes == useful.size());
    CHECK(found.usefulNs == Approx(mean).margin(1e-6));
    CHECK(found.mostUsefulNs == Approx(most));
    CHECK(found.runtimeNs == runtime);
    CHECK(found.parallelEfficiency() == Approx(mean / runtime));
    CHECK(found.parallelEfficiency()
          == Approx(found.loadBalance() * found.communicationEfficiency()).margin(1e-12));
}

}  // namespace

TEST_CASE("efficiencies are what looking at every nanosecond gives")
{
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
        const Experiment experiment = programWithMpi(seed);
        const TimeNs end = experiment.trace->extent.end;
        for (const auto& window : {std::optional<TimeSpan>(), std::optional(TimeSpan{end / 4, end / 2})}) {
            std::vector<double> useful;
            double runtime = 0;
            for (const LocationId thread : firstThreads(experiment)) {
                TimeSpan span = experiment.trace->locations[thread.index()].extent;
                if (window) span = span.intersected(*window);
                if (window && span.empty()) continue;
                useful.push_back(usefulOf(experiment, thread, span));
                runtime = std::max(runtime, static_cast<double>(span.lengthNs()));
            }
            const auto found = efficiencyOf(experiment, window, Task());
            REQUIRE(found);
            check(*found, useful, runtime);
            CHECK(found->absent == firstThreads(experiment).size() - useful.size());
        }
    }
}

TEST_CASE("phases are the k-th executions of a region on all processes")
{
    for (std::uint64_t seed = 1; seed < 12; seed += 2) {
        const Experiment experiment = programWithMpi(seed);
        const std::string name = experiment.definitions.regions[1].name;
        std::vector<std::vector<TimeSpan>> executions;
        for (const LocationId thread : firstThreads(experiment)) {
            const CallIntervals& calls = experiment.trace->locations[thread.index()].intervals;
            auto& found = executions.emplace_back();
            std::size_t after = 0;  // behind the calls below the last execution
            for (std::size_t call = 0; call < calls.size(); ++call) {
                const RegionId region = experiment.callTree->region(CallPathId(calls.callPath[call]));
                if (call < after || experiment.definitions.region(region).name != name) continue;
                found.push_back(calls.span(call));
                for (after = call + 1; after < calls.size() && calls.depth[after] > calls.depth[call];)
                    ++after;
            }
        }
        std::size_t most = 0;
        for (const auto& process : executions) most = std::max(most, process.size());
        const auto phases = efficiencyByPhase(experiment, name, {}, Task());
        if (most == 0) {
            REQUIRE_FALSE(phases);
            continue;
        }
        REQUIRE(phases);
        REQUIRE(phases->size() == most);
        for (std::size_t phase = 0; phase < most; ++phase) {
            std::vector<double> useful;
            double runtime = 0;
            for (std::size_t process = 0; process < executions.size(); ++process) {
                if (phase >= executions[process].size()) continue;
                const TimeSpan span = executions[process][phase];
                useful.push_back(usefulOf(experiment, firstThreads(experiment)[process], span));
                runtime = std::max(runtime, static_cast<double>(span.lengthNs()));
            }
            const Efficiency& found = (*phases)[phase];
            CHECK(found.phase == phase + 1);
            CHECK(found.processes == useful.size());
            CHECK(found.runtimeNs == runtime);
            CHECK(found.usefulSumNs()
                  == Approx(std::accumulate(useful.begin(), useful.end(), 0.0)).margin(1e-6));
        }
    }
}

TEST_CASE("a profile of the run has the efficiencies of its trace, but for time outside all calls")
{
    Experiment experiment = programWithMpi(4);
    const auto traced = efficiencyOf(experiment, {}, Task());
    auto profile = summarizeTrace(experiment, {}, Task());
    REQUIRE(traced);
    profile->regions = {};
    profile->callPaths.durations = {};
    Experiment recorded = experiment;
    recorded.trace = nullptr;
    recorded.profile = std::make_shared<const Profile>(std::move(*profile));
    const auto found = efficiencyOf(recorded, {}, Task());
    REQUIRE(found);
    CHECK(found->processes == traced->processes);
    CHECK(found->runtimeNs <= traced->runtimeNs);
    CHECK(found->usefulNs <= traced->usefulNs);
    CHECK(efficiencyOf(recorded, TimeSpan{0, 10}, Task()).error().code == ErrorCode::InvalidArgument);
    CHECK(efficiencyByPhase(recorded, "any", {}, Task()).error().code == ErrorCode::NotRecorded);
    CHECK(efficiencyByPhase(experiment, "no such region", {}, Task()).error().code == ErrorCode::NotRecorded);
}

TEST_CASE("a profile beside a trace changes nothing of the trace's efficiencies")
{
    Experiment experiment = programWithMpi(5);
    const auto traced = efficiencyOf(experiment, {}, Task());
    // Another run's, say: twice the time in everything.
    Profile profile = summarizeTrace(experiment, {}, Task()).value();
    for (MetricCube* cube : {&profile.callPaths, &profile.regions}) {
        std::vector<double> twice;
        for (const double value : cube->exclusive[0]) twice.push_back(2 * value);
        cube->exclusive[0] = Column<double>(std::move(twice));
        cube->durations = {};
    }
    experiment.profile = std::make_shared<const Profile>(std::move(profile));
    const auto found = efficiencyOf(experiment, {}, Task());
    REQUIRE(traced);
    REQUIRE(found);
    CHECK(found->usefulNs == traced->usefulNs);
    CHECK(found->runtimeNs == traced->runtimeNs);
}

TEST_CASE("twice the processes that compute half as long scale perfectly")
{
    Efficiency reference, run;
    reference.processes = 4;
    reference.usefulNs = 1000;
    reference.instructions = 4e6;
    reference.cycles = 8e6;
    run.processes = 8;
    run.usefulNs = 500;
    run.instructions = 5e6;
    run.cycles = 8e6;
    const ComputationScaling strong = computationScaling(reference, run, ScalingKind::Strong);
    CHECK(strong.computation == 1.0);
    CHECK(strong.instructions.value() == 0.8);
    CHECK(strong.ipc.value() == 1.25);
    CHECK(strong.frequency.value() == 1.0);
    CHECK(computationScaling(reference, run, ScalingKind::Weak).computation == 2.0);
    run.cycles.reset();
    CHECK_FALSE(computationScaling(reference, run, ScalingKind::Strong).ipc);
}

}  // namespace skein::efficiency_test
