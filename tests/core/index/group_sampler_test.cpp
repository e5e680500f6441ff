// SPDX-License-Identifier: GPL-3.0-or-later
// Any number of locations in one row: columns beside what adding up every call gives.
#include "core/index/group_sampler.h"
#include "tests/support/catch.h"
#include "tests/support/many_locations.h"
#include "tests/support/time_trees.h"

#include <map>

namespace skein::group_sampler_test {

namespace {

constexpr std::size_t kMembers = 9;
constexpr std::size_t kBundled = 6;  ///< the first ones have a tree in common

using Times = std::map<std::uint32_t, double>;

struct Fixture : test::ManyLocations {
    BundleTree bundle = treeOfFirst(kBundled);
    std::vector<GroupSampler::Group> groups;

    Fixture(std::uint32_t seed, std::size_t calls) : ManyLocations(seed, calls, kMembers)
    {
        groups.push_back({std::span(members).first(kBundled), &bundle.tree, &bundle.leads, kBundled});
        for (std::size_t alone = kBundled; alone < kMembers; ++alone)
            groups.push_back(
                {std::span(members).subspan(alone, 1), &index.locations[alone].tree, nullptr, 1});
    }

    /// Brute force: the own time of each region in every column, over all members.
    std::vector<Times> timesOf(const ColumnGrid& grid) const
    {
        std::vector<Times> columns(grid.count);
        for (const BundleSampler::Member& member : members)
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

TEST_CASE(
    "where all stretches of a group are looked into, its columns show exactly the region that took most time")
{
    std::size_t compared = 0;
    for (std::uint32_t seed = 1; seed <= 6; ++seed) {
        const Fixture fixture(seed, 40);
        GroupSampler sampler(fixture.paths);
        const double end = static_cast<double>(fixture.experiment->trace->extent.end);
        // A few calls fill the grid.
        const ColumnGrid grid{end * 0.4, end * 0.02 / 500, 500};
        std::vector<ColumnSample> columns(grid.count);
        sampler.sample(fixture.groups, grid, columns, Task());
        const auto times = fixture.timesOf(grid);
        std::size_t right = 0, called = 0;
        for (std::uint32_t c = 0; c < grid.count; ++c) {
            if (times[c].empty()) continue;
            ++called;
            INFO("seed " << seed << " column " << c);
            REQUIRE(columns[c].callPath != CallPathId::kNone);
            right += timeOf(times[c], fixture.paths.region[columns[c].callPath])
                >= test::longestOf(times[c]) * 0.999;
        }
        CHECK(right >= called * 98 / 100);
        compared += called;
    }
    CHECK(compared > 500);
}

TEST_CASE("at any zoom a column of a group shows a region that took much time there, and none with calls "
          "stays empty")
{
    std::size_t compared = 0, near = 0;
    for (std::uint32_t seed = 1; seed <= 6; ++seed) {
        const Fixture fixture(seed, 300);
        GroupSampler sampler(fixture.paths);
        const double end = static_cast<double>(fixture.experiment->trace->extent.end);
        for (const std::uint32_t count : {5u, 40u, 250u}) {
            const ColumnGrid grid{0, end / count, count};
            std::vector<ColumnSample> columns(count);
            sampler.sample(fixture.groups, grid, columns, Task());
            const auto times = fixture.timesOf(grid);
            for (std::uint32_t c = 0; c < count; ++c) {
                if (times[c].empty()) continue;
                INFO("seed " << seed << " count " << count << " column " << c);
                double sum = 0, most = 0, shownNs = 0;
                for (const auto& [region, time] : times[c]) sum += time;
                if (sum > grid.nsPerColumn * 0.51 * kMembers)
                    REQUIRE(columns[c].callPath != CallPathId::kNone);
                if (columns[c].callPath == CallPathId::kNone || columns[c].timeNs == 0) continue;
                const std::uint32_t shown = fixture.paths.region[columns[c].callPath];
                // Cells may reach a column beyond theirs to either side.
                for (std::uint32_t beside = c == 0 ? 0 : c - 1; beside <= std::min(c + 1, count - 1);
                     ++beside) {
                    shownNs += timeOf(times[beside], shown);
                    most = std::max(most, test::longestOf(times[beside]));
                }
                REQUIRE(shownNs > 0);
                REQUIRE(columns[c].timeNs <= static_cast<float>(shownNs * 1.01 + 1));
                near += shownNs >= most / 2;
                ++compared;
            }
        }
    }
    CHECK(compared > 1000);
    CHECK(near >= compared * 98 / 100);
}

TEST_CASE("a group that is stopped leaves its columns without what was not looked at")
{
    const Fixture fixture(1, 100);
    GroupSampler sampler(fixture.paths);
    std::stop_source stop;
    stop.request_stop();
    std::vector<ColumnSample> columns(50);
    sampler.sample(fixture.groups, {0, static_cast<double>(fixture.experiment->trace->extent.end) / 50, 50},
                   columns, Task(stop.get_token()));
    CHECK(std::all_of(columns.begin(), columns.end(),
                      [](const ColumnSample& column) { return column.callPath == CallPathId::kNone; }));
}

}  // namespace skein::group_sampler_test
