// SPDX-License-Identifier: GPL-3.0-or-later
// Columns of rows of one location and of many, by trees of one and of several, beside what adding up every
// call gives.
#include "core/index/row_sampler.h"

#include "tests/support/catch.h"
#include "tests/support/many_locations.h"
#include "tests/support/time_trees.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace skein::row_sampler_test {

namespace {

constexpr std::size_t kMembers = 9;
constexpr std::size_t kBundled = 6;  ///< the first ones have a tree in common

using Times = std::map<std::uint32_t, double>;

/// A row by one tree of all locations, by the tree of each, and by some of either.
struct Fixture : test::ManyLocations {
    BundleTree all = treeOfFirst(kMembers);
    BundleTree some = treeOfFirst(kBundled);
    std::vector<RowSource> together{RowSource(all, kMembers, members)};
    std::vector<RowSource> apart = sources();
    std::vector<RowSource> mixed = sources(kBundled);

    Fixture(std::uint32_t seed, std::size_t calls) : ManyLocations(seed, calls, kMembers)
    {
        mixed.insert(mixed.begin(), RowSource(some, kBundled, {members.begin(), members.begin() + kBundled}));
    }

    std::vector<ColumnSample> columnsOf(std::span<const RowSource> row, const ColumnGrid& grid,
                                        std::uint32_t callsPerColumn = RowSampler::kFewCalls) const
    {
        std::vector<ColumnSample> columns(grid.count);
        RowSampler(paths.region).sample(row, grid, callsPerColumn, columns);
        return columns;
    }

    /// How many calls begin in the grid.
    std::size_t callsIn(const ColumnGrid& grid) const
    {
        std::size_t calls = 0;
        for (const CallIntervals* of : intervals)
            for (const TimeNs begin : of->begin)
                calls += begin >= std::floor(grid.begin) && begin < std::ceil(grid.end());
        return calls;
    }

    /// Brute force: the own time of each region in every column, over all members.
    std::vector<Times> timesOf(const ColumnGrid& grid, std::size_t locations = kMembers) const
    {
        std::vector<Times> columns(grid.count);
        for (const RowSource::Member& member : std::span(members).first(locations))
            for (std::uint32_t call = 0; call < member.calls->size(); ++call) {
                add(columns, grid, *member.calls, call, call, 1);
                for (std::uint32_t below = call + 1;
                     below < member.calls->size() && member.calls->depth[below] > member.calls->depth[call];
                     ++below)
                    if (member.calls->depth[below] == member.calls->depth[call] + 1)
                        add(columns, grid, *member.calls, below, call, -1);
            }
        for (Times& times : columns)
            std::erase_if(times, [](const auto& entry) { return entry.second < 1e-6; });
        return columns;
    }

private:
    void add(std::vector<Times>& columns, const ColumnGrid& grid, const CallIntervals& calls,
             std::uint32_t span, std::uint32_t call, double sign) const
    {
        const auto begin = static_cast<double>(calls.begin[span]);
        const auto end = static_cast<double>(calls.end[span]);
        const auto first = static_cast<std::uint32_t>(
            std::clamp((begin - grid.begin) / grid.nsPerColumn, 0.0, grid.count - 1.0));
        for (std::uint32_t column = first; column < grid.count; ++column) {
            const double left = grid.begin + column * grid.nsPerColumn;
            if (left >= end) break;
            const double overlap = std::min(end, left + grid.nsPerColumn) - std::max(begin, left);
            if (overlap > 0) columns[column][paths.region[calls.callPath[call]]] += sign * overlap;
        }
    }
};

double timeOf(const Times& times, std::uint32_t region)
{
    const auto found = times.find(region);
    return found == times.end() ? 0 : found->second;
}

}  // namespace

TEST_CASE("where few calls begin, columns of locations by trees of their own show exactly the region that "
          "took most "
          "time")
{
    std::size_t compared = 0;
    for (std::uint32_t seed = 1; seed <= 6; ++seed) {
        const Fixture fixture(seed, 100);
        const double end = static_cast<double>(fixture.experiment->trace->extent.end);
        for (const double part : {1.0, 0.31, 0.043}) {
            const std::uint32_t count = seed % 2 ? 3600 : 900;
            const ColumnGrid grid{end * (1 - part) * 0.7, end * part / count, count};
            const auto times = fixture.timesOf(grid);
            for (const auto* row : {&fixture.apart, &fixture.mixed}) {
                const auto columns = fixture.columnsOf(*row, grid);
                for (std::uint32_t c = 0; c < grid.count; ++c) {
                    if (times[c].empty()) continue;
                    INFO("seed " << seed << " part " << part << " column " << c);
                    REQUIRE(columns[c].callPath != CallPathId::kNone);
                    REQUIRE(timeOf(times[c], fixture.paths.region[columns[c].callPath])
                            >= test::longestOf(times[c]) * (1 - 1e-4) - 1e-6);
                    ++compared;
                }
            }
        }
    }
    CHECK(compared > 5000);
}

TEST_CASE("columns of any row are decided exactly by as many calls as are asked for, and by trees where "
          "there are more")
{
    std::size_t others = 0;
    for (std::uint32_t seed = 1; seed <= 4; ++seed) {
        const Fixture fixture(seed, 100);
        const double end = static_cast<double>(fixture.experiment->trace->extent.end);
        const ColumnGrid grid{end * 0.1, end * 0.7 / 40, 40};
        const auto needed = static_cast<std::uint32_t>((fixture.callsIn(grid) + grid.count - 1) / grid.count);
        REQUIRE(needed > RowSampler::kFewCalls + 1);
        const auto times = fixture.timesOf(grid);
        for (const auto* row : {&fixture.together, &fixture.apart, &fixture.mixed}) {
            const auto columns = fixture.columnsOf(*row, grid, needed);
            const auto byTrees = fixture.columnsOf(*row, grid, needed - 1);
            for (std::uint32_t c = 0; c < grid.count; ++c) {
                INFO("seed " << seed << " column " << c);
                REQUIRE(!times[c].empty());
                REQUIRE(columns[c].callPath != CallPathId::kNone);
                REQUIRE(timeOf(times[c], fixture.paths.region[columns[c].callPath])
                        >= test::longestOf(times[c]) * (1 - 1e-4));
                REQUIRE(columns[c].timeNs == Approx(test::longestOf(times[c])).epsilon(1e-3));
                others += byTrees[c].timeNs < columns[c].timeNs * 0.999F;
            }
        }
    }
    CHECK(others > 20);
}

TEST_CASE("a bundle's columns in which one region leads show the one that took most time, others one that "
          "took much")
{
    std::size_t exact = 0, shared = 0;
    for (std::uint32_t seed = 1; seed <= 8; ++seed) {
        const Fixture fixture(seed, 100);
        const double end = static_cast<double>(fixture.experiment->trace->extent.end);
        // Narrower than all nodes: columns are those of leads.
        const double part = 0.006 * seed;
        const ColumnGrid grid{end * 0.4, end * part / 300, 300};
        const auto columns = fixture.columnsOf(fixture.together, grid);
        const auto allTimes = fixture.timesOf(grid);
        const Leads& leads = fixture.all.leads;
        for (std::uint32_t c = 0; c < grid.count; ++c) {
            const double from = grid.begin + c * grid.nsPerColumn;
            const Times& times = allTimes[c];
            if (times.empty()) continue;
            std::size_t leading = 0;
            for (std::size_t lead = 0; lead < leads.size(); ++lead)
                leading += static_cast<double>(leads[lead].span.end) > from
                    && static_cast<double>(leads[lead].span.begin) < from + grid.nsPerColumn;
            INFO("seed " << seed << " column " << c);
            REQUIRE(columns[c].callPath != CallPathId::kNone);
            const auto shown = times.find(fixture.paths.region[columns[c].callPath]);
            REQUIRE(shown != times.end());
            REQUIRE(shown->second
                    >= test::longestOf(times) / static_cast<double>(leading) - grid.nsPerColumn * 0.01);
            (leading == 1 ? exact : shared) += 1;
        }
    }
    CHECK(exact > 500);
    CHECK(shared > 20);
}

TEST_CASE(
    "at any zoom a column of many locations shows a region that took much time there, and none with calls "
    "stays empty")
{
    std::size_t compared = 0, near = 0;
    const auto check = [&](const Fixture& fixture, const ColumnGrid& grid,
                           const std::vector<ColumnSample>& columns) {
        const auto times = fixture.timesOf(grid);
        for (std::uint32_t c = 0; c < grid.count; ++c) {
            if (times[c].empty()) continue;
            INFO("column " << c << " of " << grid.count);
            double sum = 0, most = 0, shownNs = 0;
            for (const auto& [region, time] : times[c]) sum += time;
            if (sum > grid.nsPerColumn * 0.51 * kMembers) REQUIRE(columns[c].callPath != CallPathId::kNone);
            if (columns[c].callPath == CallPathId::kNone || columns[c].timeNs == 0) continue;
            const std::uint32_t shown = fixture.paths.region[columns[c].callPath];
            // Cells may reach a column beyond theirs to either side.
            for (std::uint32_t beside = c == 0 ? 0 : c - 1; beside <= std::min(c + 1, grid.count - 1);
                 ++beside) {
                shownNs += timeOf(times[beside], shown);
                most = std::max(most, test::longestOf(times[beside]));
            }
            REQUIRE(shownNs > 0);
            REQUIRE(columns[c].timeNs <= static_cast<float>(shownNs * 1.01 + 1));
            near += shownNs >= most / 2;
            ++compared;
        }
    };
    for (std::uint32_t seed = 1; seed <= 6; ++seed) {
        const Fixture fixture(seed, 300);
        const double end = static_cast<double>(fixture.experiment->trace->extent.end);
        for (const std::uint32_t count : {5u, 40u, 250u})
            for (const auto* row : {&fixture.together, &fixture.apart, &fixture.mixed}) {
                const ColumnGrid grid{0, end / count, count};
                INFO("seed " << seed << " sources " << row->size());
                check(fixture, grid, fixture.columnsOf(*row, grid));
            }
    }
    CHECK(compared > 3000);
    CHECK(near >= compared * 98 / 100);
}

TEST_CASE("a burst within one column of a quiet run is summed up by the tree, not gone through call by call")
{
    const Fixture fixture(1, 10);
    constexpr TimeNs kEnd = TimeNs{1} << 30;
    constexpr std::uint32_t kBurst = 60'000;
    // One call all the time, and in the middle many short ones that fill less than a column.
    const auto burst = std::make_shared<CallIntervals>();
    ColumnBuilder<TimeNs> begin, end;
    ColumnBuilder<std::uint32_t> callPath;
    ColumnBuilder<std::uint16_t> depth;
    const auto add = [&](TimeNs from, TimeNs to, std::uint32_t path, std::uint16_t level) {
        begin.push(from);
        end.push(to);
        callPath.push(path);
        depth.push(level);
    };
    const std::uint32_t inner = fixture.paths.region[0] == fixture.paths.region[1] ? 2 : 1;
    add(0, kEnd, 0, 0);
    for (std::uint32_t call = 0; call < kBurst; ++call)
        add(kEnd / 2 + 8 * call, kEnd / 2 + 8 * call + 8, inner, 1);
    *burst = {begin.finish(), end.finish(), callPath.finish(), depth.finish()};
    const std::vector<const CallIntervals*> intervals(kMembers, burst.get());
    const BundleTree bundle =
        *buildBundleTree(intervals, fixture.paths.region, fixture.paths.regionCount, Task());
    const IntervalSkip skip(*burst);
    const RowSource source(bundle, kMembers, std::vector(kMembers, RowSource::Member{burst.get(), &skip}));
    const ColumnGrid grid{0, static_cast<double>(kEnd) / 2048, 2048};
    const auto columns = fixture.columnsOf({&source, 1}, grid);
    for (std::uint32_t column = 0; column < grid.count; ++column)
        REQUIRE(columns[column].callPath == (column == grid.count / 2 ? inner : 0));
    // Nobody's calls were walked: a tree knows means, a walk sums.
    CHECK(columns[7].timeNs == Approx(grid.nsPerColumn * kMembers));
}

TEST_CASE("a row that is stopped leaves its columns without what was not looked at")
{
    const Fixture fixture(1, 100);
    std::stop_source stop;
    stop.request_stop();
    std::vector<ColumnSample> columns(50);
    RowSampler(fixture.paths.region)
        .sample(fixture.mixed, {0, static_cast<double>(fixture.experiment->trace->extent.end) / 50, 50},
                RowSampler::kFewCalls, columns, Task(stop.get_token()));
    CHECK(std::all_of(columns.begin(), columns.end(),
                      [](const ColumnSample& column) { return column.callPath == CallPathId::kNone; }));
}

/// Parts of the area of a row by region, and of what is free, as bands by share show it.
std::map<std::uint32_t, double> areasOf(const std::vector<ColumnSample>& columns,
                                        const CallPathRegions& paths)
{
    std::map<std::uint32_t, double> areas;
    const auto add = [&](std::uint32_t callPath, float ns, float whole) {
        if (ns > 0)
            areas[paths.region[callPath]] +=
                static_cast<double>(ns / whole) / static_cast<double>(columns.size());
    };
    for (const ColumnSample& column : columns) {
        REQUIRE(column.timeNs + column.secondNs + column.restNs <= column.wholeNs * 1.01F);
        add(column.callPath, column.timeNs, column.wholeNs);
        add(column.second, column.secondNs, column.wholeNs);
        add(column.rest, column.restNs, column.wholeNs);
    }
    return areas;
}

TEST_CASE("columns of a row that has moved by whole columns are what they were")
{
    const Fixture fixture(3, 4000);
    const double end = static_cast<double>(fixture.experiment->trace->extent.end);
    constexpr std::uint32_t kCount = 300, kMoved = 42;
    const ColumnGrid before{end * 0.2, end * 0.3 / kCount, kCount};
    const ColumnGrid after{before.begin + kMoved * before.nsPerColumn, before.nsPerColumn, kCount};
    for (const std::uint32_t calls : {RowSampler::kFewCalls, 256u})
        for (const std::span<const RowSource> row :
             {std::span<const RowSource>(fixture.apart).first(1),
              std::span<const RowSource>(fixture.together), std::span<const RowSource>(fixture.apart)}) {
            const auto was = fixture.columnsOf(row, before, calls), is = fixture.columnsOf(row, after, calls);
            std::size_t others = 0, rests = 0;
            for (std::uint32_t column = kMoved; column < kCount; ++column) {
                rests += was[column].restNs > 0;
                others += was[column].callPath != is[column - kMoved].callPath
                    || was[column].rest != is[column - kMoved].rest;
            }
            INFO("calls " << calls << " sources " << row.size());
            CHECK(rests > 50);
            // The first columns of a row may count on from what came before them.
            CHECK(others <= 128 - kMoved);
        }
}

TEST_CASE("the area of a region is its part of the time, for one location and for many, at any zoom")
{
    double sum = 0;
    std::size_t compared = 0;
    for (std::uint32_t seed = 1; seed <= 6; ++seed) {
        const Fixture fixture(seed, 4000);
        const double end = static_cast<double>(fixture.experiment->trace->extent.end);
        for (const double part : {1.0, 0.23, 0.013})
            for (const std::uint32_t count : {90u, 400u}) {
                const ColumnGrid grid{end * (1 - part) * 0.6, end * part / count, count};
                const ColumnGrid all{grid.begin, end * part, 1};
                const std::pair<std::span<const RowSource>, std::size_t> rows[] = {
                    {fixture.together, kMembers},
                    {fixture.apart, kMembers},
                    {fixture.mixed, kMembers},
                    {std::span(fixture.apart).first(1), 1}};
                for (const auto& [row, locations] : rows) {
                    // Pictures of less time are decided by all calls once they rest.
                    const auto areas =
                        areasOf(fixture.columnsOf(row, grid, part < 0.1 ? 256 : RowSampler::kFewCalls),
                                fixture.paths);
                    const auto times = locations == 1 ? fixture.timesOf(all, 1)[0] : fixture.timesOf(all)[0];
                    for (const auto& [region, ns] : times) {
                        const double exact = ns / all.nsPerColumn / static_cast<double>(locations);
                        const auto found = areas.find(region);
                        const double area = found == areas.end() ? 0 : found->second;
                        INFO("seed " << seed << " part " << part << " columns " << count << " sources "
                                     << row.size() << " region " << region << " area " << area << " exact "
                                     << exact);
                        CHECK(std::abs(area - exact) < (count > 100 ? 0.02 : 0.05));
                        sum += std::abs(area - exact);
                        ++compared;
                    }
                }
            }
    }
    CHECK(compared > 500);
    CHECK(sum / static_cast<double>(compared) < 0.005);
}

}  // namespace skein::row_sampler_test
