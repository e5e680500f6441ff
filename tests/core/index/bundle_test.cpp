// SPDX-License-Identifier: GPL-3.0-or-later
// Trees of several locations beside what adding up every call gives.
#include "core/index/timeline_index.h"
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
        for (const RowSource::Member& member : members) {
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
