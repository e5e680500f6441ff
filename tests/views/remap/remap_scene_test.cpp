// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/remap/remap_scene.h"

#include "algorithms/mapping/problem/mapping_problem.h"
#include "core/io/launcher/launcher_format.h"
#include "tests/support/catch.h"
#include "tests/support/scenes.h"

#include <chrono>
#include <set>
#include <stop_token>
#include <thread>

namespace skein::remap_scene_test {
namespace {

/// A grid of 4 × 4 ranks whose columns exchange more, on a line of 16 nodes.
struct Grid {
    SessionPtr session;
    RemapRequest request;

    Grid()
    {
        std::vector<CommMatrix::Entry> entries;
        for (std::uint32_t row = 0; row < 4; ++row) {
            for (std::uint32_t column = 0; column < 4; ++column) {
                const std::uint32_t rank = 4 * row + column;
                if (column < 3) entries.push_back({rank, rank + 1, 1, 300});
                if (row < 3) entries.push_back({rank, rank + 4, 1, 600});
            }
        }
        Experiment experiment;
        experiment.name = "grid";
        experiment.commMatrix = std::make_shared<const CommMatrix>(16, std::move(entries));
        auto made = std::make_shared<Session>();
        made->experiments.push_back(std::make_shared<const Experiment>(std::move(experiment)));
        session = made;
        ResultStore results;
        CommunicationRequest asked;
        asked.machine = {.topology = "mesh:16", .placement = "block"};
        request.communication = communicationOf(results, session, asked, Task()).value();
        request.seconds = 0;
        request.steps = 200'000;
    }
};

constexpr std::int64_t kAsItIs = 12 * 300 + 12 * 600 * 4;
constexpr std::int64_t kTransposed = 12 * 300 * 4 + 12 * 600;

}  // namespace

TEST_CASE("remap panel: what can be gained is told before, and a search finds it")
{
    Grid grid;
    const RemapWorth worth = remapWorth(grid.request, Task()).value();
    CHECK(worth.before == kAsItIs);
    CHECK(worth.bound <= kTransposed);
    CHECK(worth.seconds.value() > 0);
    std::vector<MappingProgress> told;
    const auto found =
        searchPlacement(
            grid.request, "first", [&](const MappingProgress& of) { told.push_back(of); }, Task(), Task())
            .value();
    CHECK(found->objectiveBefore == kAsItIs);
    CHECK(found->objectiveAfter <= kTransposed);
    CHECK(found->objectiveAfter >= worth.bound);
    CHECK(static_cast<std::int64_t>(found->traffic.hopBytes) == found->objectiveAfter);
    CHECK_FALSE(told.empty());
    CHECK(told.back().objective == found->objectiveAfter);
    CHECK(found->secondsAfter.value() > 0);
    REQUIRE_FALSE(found->front.empty());
    CHECK(found->gainPercent() > 0);
    const auto point = found->front.front();
    const auto fewer = candidateOf(*found, point.slotOfRank, "fewer", Task()).value();
    CHECK(fewer->moved == point.moved);
    CHECK(fewer->objectiveAfter == point.objective);
    grid.request.from = {fewer->placement.slotOfRank().begin(), fewer->placement.slotOfRank().end()};
    const auto on = searchPlacement(grid.request, "on", {}, Task(), Task()).value();
    CHECK(on->objectiveAfter <= fewer->objectiveAfter);
    CHECK(on->objectiveBefore == kAsItIs);
    CHECK(on->moved
          == countMoved(grid.request.communication->machine->placement.slotOfRank(),
                        on->placement.slotOfRank()));
}

TEST_CASE("remap panel: a stop keeps the best until then, and a cancelled job is none")
{
    Grid grid;
    grid.request.steps = 0;
    grid.request.seconds = 600;
    std::stop_source stop;
    const std::jthread stopper([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(30));
        stop.request_stop();
    });
    const auto found = searchPlacement(grid.request, "stopped", {}, Task(stop.get_token()), Task()).value();
    CHECK(found->stopped);
    CHECK(found->objectiveAfter <= kAsItIs);
    std::stop_source cancel;
    cancel.request_stop();
    CHECK(searchPlacement(grid.request, "none", {}, Task(), Task(cancel.get_token())).error().cancelled());
}

TEST_CASE("remap panel: constraints are read as they are typed, and kept")
{
    Grid grid;
    grid.request.constraints = constraintsOf({.pinned = "0,5-6", .maxMoved = 4}, 16).value();
    CHECK(grid.request.constraints.pinned == std::vector<std::uint32_t>{0, 5, 6});
    const auto found = searchPlacement(grid.request, "held", {}, Task(), Task()).value();
    for (const std::uint32_t rank : {0u, 5u, 6u}) CHECK(found->placement.nodeOf(rank) == rank);
    CHECK(found->moved <= 4);
    CHECK_FALSE(constraintsOf({.pinned = "a"}, 16));
    CHECK_FALSE(constraintsOf({.together = "1-"}, 16));
    CHECK(constraintsOf({.capacity = 2}, 3)->nodeCapacity == std::vector<std::uint32_t>{2, 2, 2});
    grid.request.constraints = constraintsOf({.pinned = "99"}, 16).value();
    CHECK(searchPlacement(grid.request, "wrong", {}, Task(), Task()).error().code
          == ErrorCode::InvalidArgument);
}

TEST_CASE("remap panel: without a machine a sentence says what to do")
{
    Grid grid;
    ResultStore results;
    CommunicationRequest asked;
    asked.machine.topology = "none";
    grid.request.communication = communicationOf(results, grid.session, asked, Task()).value();
    CHECK(remapWorth(grid.request, Task()).error().message.starts_with("Ranks are mapped to a machine"));
}

TEST_CASE("remap panel: every launcher's file is shown and checked before it is written")
{
    Grid grid;
    const auto found = searchPlacement(grid.request, "first", {}, Task(), Task()).value();
    for (const LauncherFormat& format : launcherFormats()) {
        const auto preview = previewMap(*grid.session, *found, format, {}, "map.txt");
        if (!preview) {
            CHECK_FALSE(preview.error().message.empty());
            continue;
        }
        CHECK_FALSE(preview->text.empty());
        CHECK(preview->check.starts_with("Read back and compared: 16 ranks on 16 hosts"));
        const auto read = format.read(preview->text, preview->map.hosts, {});
        REQUIRE(read);
        CHECK(sameMap(*read, preview->map, format.detail));
    }
    const auto openMpi = previewMap(*grid.session, *found, *findLauncherFormat("openmpi"), {}, "rankfile");
    REQUIRE(openMpi);
    CHECK(openMpi->text.find("rank 0=node") != std::string::npos);
    CHECK(openMpi->script.find("rankfile") != std::string::npos);
}

TEST_CASE("remap panel: before and after can be read, and a point of the front be picked")
{
    Grid grid;
    RemapPicture picture;
    picture.communication = grid.request.communication;
    const test::PlainCanvas plain(1200, 800);
    CHECK(test::unreadable(remapScene(picture, plain.canvas, Task()), plain.measure) == "");
    CHECK_FALSE(frontPointAt(picture, remapLayout(plain.canvas), plain.canvas, {10, 10}));
    picture.worth = remapWorth(grid.request, Task()).value();
    picture.candidate = searchPlacement(grid.request, "first", {}, Task(), Task()).value();
    picture.curve = picture.candidate->curve;
    CHECK(test::unreadable(remapScene(picture, plain.canvas, Task()), plain.measure) == "");
    const RemapLayout layout = remapLayout(plain.canvas);
    std::set<std::size_t> picked;
    for (double x = layout.front.x; x < layout.front.right(); x += 4) {
        for (double y = layout.front.y; y < layout.front.bottom(); y += 4) {
            if (const auto point = frontPointAt(picture, layout, plain.canvas, {x, y})) picked.insert(*point);
        }
    }
    CHECK_FALSE(picked.empty());
    for (const auto& [width, height] : {std::pair{1000, 200}, {500, 160}, {1400, 120}}) {
        INFO(width << " x " << height);
        const test::PlainCanvas low(width, height);
        CHECK(test::unreadable(remapScene(picture, low.canvas, Task()), low.measure) == "");
        CHECK(remapLayout(low.canvas).front.empty() == (width == 500));
    }
    const auto figures = remapFigures(picture);
    REQUIRE(figures.size() == 8);
    CHECK(figures[0].what == "Hop-bytes");
    CHECK(figures[0].changePercent == Approx(-picture.candidate->gainPercent()));
}

}  // namespace skein::remap_scene_test
