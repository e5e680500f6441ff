// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/comm/comm_phases.h"

#include "core/io/importer.h"
#include "tests/support/catch.h"
#include "tests/support/paths.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

namespace skein::comm_phases_test {
namespace {

ExperimentPtr heatflow()
{
    return openExperiment(test::sourcePath("examples/heatflow-16x2/trace-otf2"), Task()).value();
}

/// The latest begin of the k-th calls of a region by all ranks, for each k.
std::set<TimeNs> lastBegins(const Experiment& experiment, const std::string& region)
{
    std::map<std::size_t, TimeNs> last;
    for (const auto& location : experiment.trace->locations) {
        std::size_t count = 0;
        for (std::size_t call = 0; call < location.intervals.size(); ++call) {
            const CallPathId path(location.intervals.callPath[call]);
            const RegionId of = experiment.callTree->region(path);
            if (experiment.definitions.regions[of.index()].name != region) continue;
            const TimeNs begin = location.intervals.span(call).begin;
            const auto [found, isNew] = last.try_emplace(count++, begin);
            if (!isNew) found->second = std::max(found->second, begin);
        }
    }
    std::set<TimeNs> times;
    for (const auto& [number, time] : last) times.insert(time);
    return times;
}

}  // namespace

TEST_CASE("phases of a trace without collective events end where the last rank came to a joining call")
{
    const ExperimentPtr experiment = heatflow();
    REQUIRE(experiment->trace->collectives.empty());
    const auto phases = commPhases(*experiment, std::nullopt, Task()).value();
    // 75 allreduces and 7 barriers, as FACTS.json counts them by the profile of the same run.
    std::set<TimeNs> expected = lastBegins(*experiment, "MPI_Allreduce()");
    CHECK(expected.size() == 75);
    const std::set<TimeNs> barriers = lastBegins(*experiment, "MPI_Barrier()");
    CHECK(barriers.size() == 7);
    expected.insert(barriers.begin(), barriers.end());
    REQUIRE(phases.size() == expected.size() + 1);
    CHECK(phases.front().begin == experiment->trace->extent.begin);
    CHECK(phases.back().end == experiment->trace->extent.end + 1);
    auto cut = expected.begin();
    for (std::size_t i = 0; i + 1 < phases.size(); ++i, ++cut) {
        CHECK(phases[i].end == *cut);
        CHECK(phases[i + 1].begin == *cut);
    }
}

TEST_CASE("phases of a window are those of the run, cut off at its ends")
{
    const ExperimentPtr experiment = heatflow();
    const auto all = commPhases(*experiment, std::nullopt, Task()).value();
    const TimeSpan window{all[10].begin + 5, all[14].begin + 7};
    const auto phases = commPhases(*experiment, window, Task()).value();
    REQUIRE(phases.size() == 5);
    CHECK(phases.front() == TimeSpan{window.begin, all[10].end});
    for (std::size_t i = 1; i < 4; ++i) CHECK(phases[i] == all[10 + i]);
    CHECK(phases.back() == TimeSpan{all[14].begin, window.end});
}

}  // namespace skein::comm_phases_test
