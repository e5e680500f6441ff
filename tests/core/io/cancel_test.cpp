// SPDX-License-Identifier: GPL-3.0-or-later
// Imports that are stopped at any moment end as cancelled or, where the request came too late, whole.
#include "core/io/importer.h"
#include "core/io/otf2/definition_resolver.h"
#include "core/profile/call_tree.h"
#include "core/trace/collective_grouping.h"
#include "tests/bench/archive_generator/archive_writer.h"
#include "tests/support/catch.h"
#include "tests/support/paths.h"

#include <atomic>
#include <chrono>
#include <random>
#include <thread>

namespace skein::cancel_test {

namespace {

using namespace std::chrono_literals;

std::uint64_t eventsOf(const Experiment& experiment)
{
    return experiment.trace ? experiment.trace->eventCount() : 0;
}

/// What is told of an import that was asked to stop at some moment.
void checkEnd(const Result<ExperimentPtr>& opened, std::uint64_t events)
{
    if (opened) CHECK(eventsOf(**opened) == events);
    else CHECK(opened.error().cancelled());
}

/// Stops at the n-th report of progress, for growing n until the import comes to its end before.
void stopAtReports(const std::filesystem::path& path, std::uint64_t events)
{
    bool stopped = true;
    for (int wanted = 1; stopped && wanted < 10'000; wanted += 1 + wanted / 3) {
        std::stop_source stop;
        std::atomic<int> reports{0};
        const Task task(
            stop.get_token(),
            [&](double, std::string_view) {
                if (++reports == wanted) stop.request_stop();
            },
            2);
        checkEnd(openExperiment(path, task), events);
        stopped = stop.stop_requested();
    }
    CHECK_FALSE(stopped);
}

/// Stops from another thread after a random time of at most `longest`.
void stopAtRandomMoments(const std::filesystem::path& path, std::uint64_t events,
                         std::chrono::microseconds longest)
{
    std::mt19937 random(7);
    for (int turn = 0; turn < 20; ++turn) {
        const std::chrono::microseconds delay(
            std::uniform_int_distribution<std::int64_t>(0, longest.count())(random));
        std::stop_source stop;
        const std::jthread asker([&] {
            std::this_thread::sleep_for(delay);
            stop.request_stop();
        });
        checkEnd(openExperiment(path, Task(stop.get_token(), {}, 2)), events);
    }
}

void stopAnywhere(const std::filesystem::path& path)
{
    INFO(path.string());
    const auto begin = std::chrono::steady_clock::now();
    const auto whole = openExperiment(path, Task());
    REQUIRE(whole);
    const auto took =
        std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - begin);
    stopAtReports(path, eventsOf(**whole));
    stopAtRandomMoments(path, eventsOf(**whole), std::min(took, std::chrono::microseconds(200ms)));
}

Task stoppedTask()
{
    std::stop_source stop;
    stop.request_stop();
    return Task(stop.get_token());
}

}  // namespace

TEST_CASE("An OTF2 import stops at any moment", "[io]")
{
    test::TemporaryFolder folder;
    generator::Options options;
    options.ranks = 6;
    options.steps = 4;
    options.metrics = true;
    REQUIRE(generator::writeArchive(folder.path() / "halo", options));
    stopAnywhere(folder.path() / "halo");
}

TEST_CASE("Imports of TAU profiles and traces stop at any moment", "[io]")
{
    stopAnywhere(test::sourcePath("examples/lulesh-8/profile-callpath"));
    stopAnywhere(test::sourcePath("examples/lulesh-8/trace-tau"));
}

TEST_CASE("The long steps of an import do nothing once somebody asked for a stop", "[io]")
{
    const Task stopped = stoppedTask();
    CallTreeBuilder tree;
    CallTreeBuilder other;
    other.child({}, RegionId(0));
    CHECK_FALSE(tree.merge(other, stopped));
    const std::vector<CollectiveRecord> records(
        3, CollectiveRecord{0, 10, 0, 0, CommunicatorId(0), {}, kNoInterval, CollectiveKind::Barrier});
    const std::vector<std::span<const CollectiveRecord>> ofLocations{records};
    const std::vector<std::uint32_t> processes{0};
    CHECK_FALSE(groupCollectives(ofLocations, processes, {}, stopped));
    CHECK(groupCollectives(ofLocations, processes, {}, Task())->operations.size() == 3);
    otf2::RawDefinitions raw;
    raw.strings.add(0, "text");
    const auto resolved = otf2::resolve(raw, stopped);
    REQUIRE_FALSE(resolved);
    CHECK(resolved.error().cancelled());
}

}  // namespace skein::cancel_test
