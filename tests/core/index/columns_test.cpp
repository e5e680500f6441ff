// SPDX-License-Identifier: GPL-3.0-or-later
// What decides for columns, beside adding up every stretch of time in every column.
#include "core/index/column_tally.h"
#include "core/index/column_votes.h"
#include "tests/support/catch.h"

#include <algorithm>
#include <map>
#include <random>

using namespace skein;

namespace {

constexpr std::uint32_t kPaths = 9;
constexpr std::uint32_t kRegions = 5;
constexpr std::uint32_t kColumns = 60;

struct Stretch {
    std::uint32_t callPath;
    double from;
    double to;
    double weight;
};

CallPathRegions somePaths()
{
    CallTreeBuilder builder;
    CallPathId caller;
    for (std::uint32_t path = 0; path < kPaths; ++path) caller = builder.child(caller, RegionId(path % kRegions));
    return CallPathRegions(std::move(builder).finish());
}

std::map<std::uint32_t, double> timesIn(const std::vector<Stretch>& stretches, const CallPathRegions& paths, double from, double to)
{
    std::map<std::uint32_t, double> times;
    for (const Stretch& stretch : stretches) {
        const double time = std::min(to, stretch.to) - std::max(from, stretch.from);
        if (time > 0) times[paths.region[stretch.callPath]] += time * stretch.weight;
    }
    return times;
}

void checkColumns(const std::vector<ColumnSample>& columns, const ColumnGrid& grid, const std::vector<Stretch>& stretches, const CallPathRegions& paths)
{
    for (std::uint32_t c = 0; c < grid.count; ++c) {
        const double from = grid.begin + c * grid.nsPerColumn;
        const auto times = timesIn(stretches, paths, from, from + grid.nsPerColumn);
        double most = 0;
        for (const auto& [region, time] : times) most = std::max(most, time);
        INFO("column " << c);
        if (most < 1e-6) continue;
        REQUIRE(columns[c].callPath != CallPathId::kNone);
        const auto shown = times.find(paths.region[columns[c].callPath]);
        REQUIRE(shown != times.end());
        // A part of 256 may be lost of each stretch that fills a column.
        REQUIRE(shown->second >= most - grid.nsPerColumn * 0.01 * static_cast<double>(stretches.size()) / 30);
        REQUIRE(columns[c].timeNs == Approx(shown->second).margin(grid.nsPerColumn * 0.02));
    }
}

}  // namespace

TEST_CASE("stretches in the order of time: columns show the region that took most of them")
{
    const CallPathRegions paths = somePaths();
    for (unsigned seed = 1; seed <= 40; ++seed) {
        std::minstd_rand random(seed);
        const ColumnGrid grid{17, 13.7, kColumns};
        ColumnTally tally(paths.region);
        std::vector<ColumnSample> columns(grid.count);
        tally.start(grid, columns);
        std::vector<Stretch> stretches;
        for (double time = -20; time < grid.end() + 30;) {
            const double length = 0.5 + static_cast<double>(random() % (seed % 2 ? 100 : 9));
            stretches.push_back({static_cast<std::uint32_t>(random() % kPaths), time, time + length, 0.25 + static_cast<double>(random() % 4) / 4});
            tally.addSpan(stretches.back().callPath, time, time + length, stretches.back().weight);
            time += length + static_cast<double>(random() % 3);
        }
        tally.finish();
        INFO("seed " << seed);
        checkColumns(columns, grid, stretches, paths);
    }
}

TEST_CASE("stretches in any order that overlap: columns show the region that took most of them together")
{
    const CallPathRegions paths = somePaths();
    ColumnVotes votes(paths);
    for (unsigned seed = 1; seed <= 40; ++seed) {
        std::minstd_rand random(seed);
        const ColumnGrid grid{5, 11.3, kColumns};
        votes.start(grid);
        std::vector<Stretch> stretches;
        for (int number = 0; number < 30; ++number) {
            const double from = static_cast<double>(random() % 900) - 100;
            stretches.push_back({static_cast<std::uint32_t>(random() % kPaths), from, from + 1 + static_cast<double>(random() % (seed % 2 ? 300 : 20)), 1});
            votes.addSpan(stretches.back().callPath, from, stretches.back().to, 1);
        }
        // An amount within a column counts as a stretch there.
        votes.add(grid.begin + 7.5 * grid.nsPerColumn, 3, 4);
        stretches.push_back({3, grid.begin + 7.1 * grid.nsPerColumn, grid.begin + 7.1 * grid.nsPerColumn + 4, 1});
        std::vector<ColumnSample> columns(grid.count);
        votes.decide(columns);
        INFO("seed " << seed);
        checkColumns(columns, grid, stretches, paths);
    }
}
