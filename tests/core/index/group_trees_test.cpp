// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/index/group_trees.h"

#include "core/index/call_sums.h"
#include "tests/support/catch.h"
#include "tests/support/random_calls.h"
#include "tests/support/time_trees.h"

namespace skein::group_trees_test {

namespace {

std::vector<LocationId> locationsFrom(std::uint32_t first, std::uint32_t count)
{
    std::vector<LocationId> locations;
    for (std::uint32_t id = first; id < first + count; ++id) locations.push_back(LocationId(id));
    return locations;
}

}  // namespace

TEST_CASE("a tree that was asked for is there once it is made, and is that of the locations alone")
{
    const Session session{{test::experimentOfRandomCalls(1, 50, 4), test::experimentOfRandomCalls(2, 80, 6)}};
    GroupTrees groups;
    CHECK_FALSE(groups.anyWanted());
    CHECK_FALSE(groups.find(1, locationsFrom(2, 3)));
    CHECK_FALSE(groups.find(0, locationsFrom(0, 4)));
    CHECK(groups.anyWanted());
    REQUIRE(groups.make(session, Task()));
    CHECK_FALSE(groups.anyWanted());
    const auto made = groups.find(1, locationsFrom(2, 3));
    REQUIRE(made);
    CHECK(groups.find(0, locationsFrom(0, 4)));
    const Experiment& experiment = *session.experiments[1];
    const CallPathRegions paths(*experiment.callTree);
    std::vector<const CallIntervals*> calls;
    for (std::size_t id = 2; id < 5; ++id) calls.push_back(&experiment.trace->locations[id].intervals);
    const BundleTree expected = *buildBundleTree(calls, paths.region, paths.regionCount, Task());
    CHECK(made->tree.size() == expected.tree.size());
    REQUIRE(made->leads.size() == expected.leads.size());
    for (std::size_t lead = 0; lead < expected.leads.size(); ++lead)
        CHECK(made->leads.callPath(lead) == expected.leads.callPath(lead));
    CHECK_FALSE(groups.find(0, locationsFrom(2, 2)));
}

TEST_CASE("a single location, and more than are worth a tree, are not wanted")
{
    GroupTrees groups;
    CHECK_FALSE(groups.find(0, locationsFrom(0, 1)));
    CHECK_FALSE(groups.find(0, {}));
    CHECK_FALSE(groups.find(0, locationsFrom(0, GroupTrees::kMostLocations + 1)));
    CHECK_FALSE(groups.anyWanted());
}

TEST_CASE("what is not made when trees are stopped goes on being wanted")
{
    const Session session{{test::experimentOfRandomCalls(1, 50, 4)}};
    GroupTrees groups;
    groups.find(0, locationsFrom(0, 2));
    std::stop_source stop;
    stop.request_stop();
    CHECK_FALSE(groups.make(session, Task(stop.get_token())));
    CHECK(groups.anyWanted());
    CHECK(groups.make(session, Task()));
    CHECK(groups.find(0, locationsFrom(0, 2)));
}

TEST_CASE("with as many bytes as they may have no more trees are wanted or made")
{
    const Session session{{test::experimentOfRandomCalls(1, 50, 4)}};
    GroupTrees groups(1);
    groups.find(0, locationsFrom(0, 2));
    CHECK(groups.make(session, Task()));
    CHECK(groups.find(0, locationsFrom(0, 2)));
    CHECK_FALSE(groups.find(0, locationsFrom(0, 3)));
    CHECK_FALSE(groups.anyWanted());
}

TEST_CASE("trees of groups take no more than an eighth of a memory limit")
{
    CHECK(GroupTrees::usualMostBytes(std::nullopt) == std::size_t{512} << 20);
    CHECK(GroupTrees::usualMostBytes(std::uint64_t{64} << 30) == std::size_t{512} << 20);
    CHECK(GroupTrees::usualMostBytes(std::uint64_t{2} << 30) == std::size_t{256} << 20);
}

}  // namespace skein::group_trees_test
