// SPDX-License-Identifier: GPL-3.0-or-later
// Amounts in columns, beside adding up every stretch of time in every column.
#include "core/index/column_amounts.h"

#include "core/index/call_sums.h"
#include "tests/support/catch.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

namespace skein::column_amounts_test {

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
    for (std::uint32_t path = 0; path < kPaths; ++path)
        caller = builder.child(caller, RegionId(path % kRegions));
    return CallPathRegions(std::move(builder).finish());
}

std::map<std::uint32_t, double> timesIn(const std::vector<Stretch>& stretches, const CallPathRegions& paths,
                                        double from, double to)
{
    std::map<std::uint32_t, double> times;
    for (const Stretch& stretch : stretches) {
        const double time = std::min(to, stretch.to) - std::max(from, stretch.from);
        if (time > 0) times[paths.region[stretch.callPath]] += time * stretch.weight;
    }
    return times;
}

void checkColumns(const std::vector<ColumnSample>& columns, const ColumnGrid& grid,
                  const std::vector<Stretch>& stretches, const CallPathRegions& paths)
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
        REQUIRE(shown->second >= most - grid.nsPerColumn * 1e-5);
        REQUIRE(columns[c].timeNs == Approx(shown->second).margin(grid.nsPerColumn * 1e-4));
    }
}

}  // namespace

TEST_CASE("stretches in the order of time: columns show the region that took most of them")
{
    const CallPathRegions paths = somePaths();
    for (unsigned seed = 1; seed <= 40; ++seed) {
        std::minstd_rand random(seed);
        const ColumnGrid grid{17, 13.7, kColumns};
        ColumnAmounts amounts(paths.region);
        std::vector<ColumnSample> columns(grid.count);
        amounts.start(grid, columns, 1 + seed % 3, 1);
        std::vector<Stretch> stretches;
        for (double time = -20; time < grid.end() + 30;) {
            const double length = 0.5 + static_cast<double>(random() % (seed % 2 ? 100 : 9));
            stretches.push_back({static_cast<std::uint32_t>(random() % kPaths), time, time + length,
                                 0.25 + static_cast<double>(random() % 4) / 4});
            amounts.addSpan(stretches.back().callPath, time, time + length, stretches.back().weight);
            time += length + static_cast<double>(random() % 3);
        }
        amounts.finish();
        INFO("seed " << seed);
        checkColumns(columns, grid, stretches, paths);
    }
}

TEST_CASE("stretches in any order that overlap: columns show the region that took most of them together")
{
    const CallPathRegions paths = somePaths();
    ColumnAmounts amounts(paths.region);  // nothing of one row is left in the next
    for (unsigned seed = 1; seed <= 40; ++seed) {
        std::minstd_rand random(seed);
        const ColumnGrid grid{5, 11.3, kColumns};
        std::vector<ColumnSample> columns(grid.count);
        amounts.start(grid, columns, 30, 1);
        std::vector<Stretch> stretches;
        for (int number = 0; number < 30; ++number) {
            const double from = static_cast<double>(random() % 900) - 100;
            stretches.push_back({static_cast<std::uint32_t>(random() % kPaths), from,
                                 from + 1 + static_cast<double>(random() % (seed % 2 ? 300 : 20)), 1});
            amounts.addSpan(stretches.back().callPath, from, stretches.back().to, 1);
            amounts.endPass();
        }
        amounts.finish();
        INFO("seed " << seed);
        checkColumns(columns, grid, stretches, paths);
    }
}

TEST_CASE("cells told in rows: columns show what the cells with their middles in them took, beside spans "
          "before and behind")
{
    const CallPathRegions paths = somePaths();
    for (unsigned seed = 1; seed <= 60; ++seed) {
        std::minstd_rand random(seed);
        const TimeNs cellNs = TimeNs{1} << random() % 5;
        const double perCell =
            1.0 + static_cast<double>(random() % 1000) / 1000;  // at most two cells a column
        const ColumnGrid grid{1000.25 + static_cast<double>(random() % 50),
                              static_cast<double>(cellNs) * (seed % 7 == 0 ? 1 : std::min(perCell, 1.999)),
                              kColumns};
        const auto count = static_cast<std::size_t>(1 + random() % 150);
        const TimeNs begin = (900 + static_cast<TimeNs>(random() % 200)) / cellNs * cellNs;
        std::vector<std::uint32_t> callPaths;
        std::vector<std::uint8_t> shares;
        const std::vector<OtherRegions> others(200);
        std::vector<std::map<std::uint32_t, double>> wanted(kColumns);
        const auto addTo = [&](double time, std::uint32_t callPath, double amount) {
            const double column = std::floor((time - grid.begin) / grid.nsPerColumn);
            if (column >= 0 && column < kColumns)
                wanted[static_cast<std::size_t>(column)][paths.region[callPath]] += amount;
        };
        for (std::size_t cell = 0; cell < count; ++cell) {
            const bool idle = random() % 4 == 0;
            callPaths.push_back(idle ? CallPathId::kNone : static_cast<std::uint32_t>(random() % kPaths));
            shares.push_back(idle ? TimeTree::kUniform : static_cast<std::uint8_t>(1 + random() % 255));
            const double middle =
                static_cast<double>(begin) + (static_cast<double>(cell) + 0.5) * static_cast<double>(cellNs);
            if (!idle)
                addTo(middle, callPaths[cell],
                      std::min<int>(shares[cell], 254) / 254.0 * static_cast<double>(cellNs));
        }
        const auto from = static_cast<double>(begin);
        const double to = from + static_cast<double>(cellNs) * static_cast<double>(count);
        const double little = 0.3 * grid.nsPerColumn;
        ColumnAmounts amounts(paths.region);
        std::vector<ColumnSample> columns(grid.count);
        amounts.start(grid, columns, 1 + seed % 2, 1);
        const auto addSpan = [&](std::uint32_t callPath, double at) {
            const double column = std::floor((at - grid.begin) / grid.nsPerColumn);
            const double right = grid.begin + (column + 1) * grid.nsPerColumn;
            const double end = std::min(at + little, right);
            amounts.addSpan(callPath, at, end, 1);
            addTo(at, callPath, end - at);
        };
        addSpan(2, from - little);
        amounts.addCells({begin, cellNs, callPaths, shares, others.data()}, 1);
        addSpan(4, to + little);
        amounts.finish();
        for (std::uint32_t c = 0; c < kColumns; ++c) {
            INFO("seed " << seed << " column " << c);
            double most = 0;
            for (const auto& [region, time] : wanted[c]) most = std::max(most, time);
            REQUIRE((columns[c].callPath != CallPathId::kNone) == !wanted[c].empty());
            if (wanted[c].empty()) continue;
            const auto shown = wanted[c].find(paths.region[columns[c].callPath]);
            REQUIRE(shown != wanted[c].end());
            REQUIRE(shown->second == Approx(most).margin(1e-4 * grid.nsPerColumn));
            REQUIRE(columns[c].timeNs == Approx(most).margin(1e-4 * grid.nsPerColumn));
        }
    }
}

}  // namespace skein::column_amounts_test
