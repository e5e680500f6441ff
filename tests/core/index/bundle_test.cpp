// SPDX-License-Identifier: GPL-3.0-or-later
// Several locations in one row: trees and columns beside what adding up every call gives.
#include "core/index/bundle_sampler.h"
#include "core/index/own_time.h"
#include "tests/support/catch.h"
#include "tests/support/many_locations.h"
#include "tests/support/time_trees.h"

#include <cmath>
#include <map>

namespace skein::bundle_test {

namespace {

constexpr int kMembers = 5;

struct Fixture : test::ManyLocations {
    BundleTree bundle = treeOfFirst(kMembers);

    Fixture(std::uint32_t seed, std::size_t calls) : ManyLocations(seed, calls, kMembers) {}

    /// Brute force: the own time of each region between two points in time, over all members.
    std::map<std::uint32_t, double> times(double from, double to) const
    {
        std::map<std::uint32_t, double> result;
        for (const BundleSampler::Member& member : members) {
            const CallIntervals& calls = *member.calls;
            for (std::uint32_t call = 0; call < calls.size(); ++call) {
                const auto overlap = [&](std::uint32_t which) {
                    return std::max(0.0,
                                    std::min(to, static_cast<double>(calls.end[which]))
                                        - std::max(from, static_cast<double>(calls.begin[which])));
                };
                double own = overlap(call);
                for (std::uint32_t below = call + 1;
                     below < calls.size() && calls.depth[below] > calls.depth[call]; ++below)
                    if (calls.depth[below] == calls.depth[call] + 1) own -= overlap(below);
                if (own > 1e-9) result[paths.region[calls.callPath[call]]] += own;
            }
        }
        return result;
    }
};

}  // namespace

TEST_CASE("every node of a bundle's tree names the region that took most time on all its locations")
{
    for (std::uint32_t seed = 1; seed <= 6; ++seed) {
        const Fixture fixture(seed, 60);
        test::forEachNode(fixture.bundle.tree, fixture.bundle.tree.root(), [&](const TimeTree::Node& node) {
            const auto times =
                fixture.times(static_cast<double>(node.span.begin), static_cast<double>(node.span.end));
            if (times.empty()) return;
            REQUIRE(node.callPath != CallPathId::kNone);
            REQUIRE(times.at(fixture.paths.region[node.callPath]) == Approx(test::longestOf(times)));
            const double whole = static_cast<double>(node.span.lengthNs()) * kMembers;
            REQUIRE(node.share / 254.0 <= std::max(1 / 254.0, test::longestOf(times) / whole + 1e-9));
        });
    }
}

TEST_CASE(
    "where few calls begin, columns of locations without a tree show exactly the region that took most time")
{
    for (std::uint32_t seed = 1; seed <= 8; ++seed) {
        const Fixture fixture(seed, 100);
        BundleSampler sampler(fixture.paths);
        const double end = static_cast<double>(fixture.experiment->trace->extent.end);
        for (const double part : {1.0, 0.31, 0.043}) {
            const std::uint32_t count = seed % 2 ? 3600 : 900;
            const ColumnGrid grid{end * (1 - part) * 0.7, end * part / count, count};
            std::vector<ColumnSample> columns(grid.count);
            sampler.sample(fixture.members, nullptr, grid, columns);
            for (std::uint32_t c = 0; c < grid.count; c += count / 300) {
                const double from = grid.begin + c * grid.nsPerColumn;
                const auto times = fixture.times(from, from + grid.nsPerColumn);
                if (times.empty()) continue;
                INFO("seed " << seed << " part " << part << " column " << c);
                REQUIRE(columns[c].callPath != CallPathId::kNone);
                const auto shown = times.find(fixture.paths.region[columns[c].callPath]);
                REQUIRE(shown != times.end());
                REQUIRE(shown->second >= test::longestOf(times) - grid.nsPerColumn * 1e-4);
            }
        }
    }
}

TEST_CASE("columns of many locations are decided exactly by as many calls as are asked for, and not at all "
          "where there are more")
{
    for (std::uint32_t seed = 1; seed <= 4; ++seed) {
        const Fixture fixture(seed, 100);
        BundleSampler sampler(fixture.paths);
        const double end = static_cast<double>(fixture.experiment->trace->extent.end);
        const ColumnGrid grid{end * 0.1, end * 0.7 / 40, 40};
        std::size_t calls = 0;
        for (const CallIntervals* intervals : fixture.intervals)
            for (const TimeNs begin : intervals->begin)
                calls += begin >= std::floor(grid.begin) && begin < std::ceil(grid.end());
        REQUIRE(calls > 2 * grid.count);
        const ColumnSample untouched{7, -1};
        std::vector<ColumnSample> columns(grid.count, untouched);
        REQUIRE_FALSE(sampler.sampleExactly(fixture.members, grid, columns, calls - 1));
        for (const ColumnSample& column : columns) REQUIRE((column.callPath == 7 && column.timeNs == -1));
        REQUIRE(sampler.sampleExactly(fixture.members, grid, columns, calls));
        for (std::uint32_t c = 0; c < grid.count; ++c) {
            const double from = grid.begin + c * grid.nsPerColumn;
            const auto times = fixture.times(from, from + grid.nsPerColumn);
            INFO("seed " << seed << " column " << c);
            REQUIRE(!times.empty());
            REQUIRE(columns[c].callPath < fixture.paths.region.size());
            REQUIRE(times.at(fixture.paths.region[columns[c].callPath])
                    >= test::longestOf(times) * (1 - 1e-4));
            REQUIRE(columns[c].timeNs == Approx(test::longestOf(times)).epsilon(1e-3));
        }
    }
}

TEST_CASE("a bundle's columns in which one region leads show the one that took most time, others one that "
          "took much")
{
    std::size_t exact = 0, shared = 0;
    for (std::uint32_t seed = 1; seed <= 8; ++seed) {
        const Fixture fixture(seed, 100);
        BundleSampler sampler(fixture.paths);
        const double end = static_cast<double>(fixture.experiment->trace->extent.end);
        // Narrower than all nodes: columns are those of leads.
        const double part = 0.006 * seed;
        const ColumnGrid grid{end * 0.4, end * part / 300, 300};
        std::vector<ColumnSample> columns(grid.count);
        sampler.sample(fixture.members, &fixture.bundle, grid, columns);
        const Leads& leads = fixture.bundle.leads;
        for (std::uint32_t c = 0; c < grid.count; ++c) {
            const double from = grid.begin + c * grid.nsPerColumn;
            const auto times = fixture.times(from, from + grid.nsPerColumn);
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
    "at any zoom a column of a bundle shows a region that ran there, and no column with calls stays empty")
{
    for (std::uint32_t seed = 1; seed <= 6; ++seed) {
        const Fixture fixture(seed, 300);
        BundleSampler sampler(fixture.paths);
        const double end = static_cast<double>(fixture.experiment->trace->extent.end);
        for (const std::uint32_t count : {5u, 40u, 250u})
            for (const BundleTree* bundle : {&fixture.bundle, static_cast<const BundleTree*>(nullptr)}) {
                const ColumnGrid grid{0, end / count, count};
                std::vector<ColumnSample> columns(count);
                sampler.sample(fixture.members, bundle, grid, columns);
                for (std::uint32_t c = 0; c < count; ++c) {
                    // Cells may reach a column beyond theirs to either side.
                    const auto around =
                        fixture.times((c - 1.5) * grid.nsPerColumn, (c + 2.5) * grid.nsPerColumn);
                    const auto within = fixture.times(c * grid.nsPerColumn, (c + 1) * grid.nsPerColumn);
                    double sum = 0;
                    for (const auto& [region, time] : within) sum += time;
                    INFO("seed " << seed << " count " << count << " column " << c << " tree "
                                 << (bundle != nullptr));
                    if (sum > grid.nsPerColumn * 0.51 * kMembers)
                        REQUIRE(columns[c].callPath != CallPathId::kNone);
                    if (columns[c].callPath == CallPathId::kNone || columns[c].timeNs == 0) continue;
                    REQUIRE(around.count(fixture.paths.region[columns[c].callPath]) == 1);
                }
            }
    }
}

TEST_CASE("a burst within one column of a quiet run is summed up by the tree, not gone through call by call")
{
    Fixture fixture(1, 10);
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
    TimelineIndex::Location index;
    index.tree = *buildTimeTree(*burst, fixture.paths.region, fixture.paths.regionCount, Task());
    index.skip = IntervalSkip(*burst);
    const std::vector<BundleSampler::Member> members(kMembers, BundleSampler::Member{burst.get(), &index});
    const ColumnGrid grid{0, static_cast<double>(kEnd) / 2048, 2048};
    std::vector<ColumnSample> columns(grid.count);
    BundleSampler(fixture.paths).sample(members, &bundle, grid, columns);
    for (std::uint32_t column = 0; column < grid.count; ++column)
        REQUIRE(columns[column].callPath == (column == grid.count / 2 ? inner : 0));
    // Nobody's calls were walked: a tree knows means, a walk sums.
    CHECK(columns[7].timeNs == Approx(grid.nsPerColumn));
}

TEST_CASE("many locations get bundles, few do not")
{
    const ExperimentPtr few = test::experimentOfRandomCalls(3, 10, 20);
    CHECK(buildTimelineIndex(*few->trace, *few->callTree, Task())->bundles.empty());
    const ExperimentPtr many =
        test::experimentOfRandomCalls(3, 10, static_cast<int>(TimelineIndex::kFewestToBundle) + 10);
    const TimelineIndex index = *buildTimelineIndex(*many->trace, *many->callTree, Task());
    REQUIRE(index.bundles.size() == TimelineIndex::kFewestToBundle / TimelineIndex::kBundle + 1);
    for (const BundleTree& bundle : index.bundles) CHECK_FALSE(bundle.tree.empty());
}

}  // namespace skein::bundle_test
