// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/definitions/location_attributes.h"

#include "core/base/text_pattern.h"
#include "tests/support/catch.h"

#include <algorithm>
#include <random>
#include <string>

namespace skein::location_attributes_test {

namespace {

/// Two racks of a node each; on the first a process with a thread and a stream of its accelerator.
Definitions twoRacks()
{
    Definitions definitions;
    definitions.systemTree = {{"r1", "rack", {}, {}},
                              {"n1", "node", SystemTreeNodeId(0), {{"memory", "64 GB"}}},
                              {"r2", "rack", {}, {}},
                              {"n2", "node", SystemTreeNodeId(2), {}}};
    for (std::size_t i = 0; i < 2; ++i) {
        LocationGroup group;
        group.name = "process " + std::to_string(i);
        group.kind = LocationGroupKind::Process;
        group.node = SystemTreeNodeId(2 * i + 1);
        group.rank = static_cast<std::int64_t>(i);
        definitions.locationGroups.push_back(group);
    }
    for (const auto& [group, kind] : {std::pair(0, LocationKind::CpuThread),
                                      {0, LocationKind::AcceleratorStream},
                                      {1, LocationKind::CpuThread}}) {
        Location location;
        location.name = "location";
        location.kind = kind;
        location.group = LocationGroupId(static_cast<std::size_t>(group));
        location.rank = group;
        location.thread = kind == LocationKind::CpuThread ? 0 : 1;
        definitions.locations.push_back(location);
    }
    definitions.locations[2].properties = {{"colour", "red"}};
    return definitions;
}

std::vector<std::size_t> like(const Definitions& definitions, const char* conditions)
{
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < definitions.locations.size(); ++i)
        if (isLike(definitions, LocationId(i), *parseAttributeConditions(conditions))) found.push_back(i);
    return found;
}

using Places = std::vector<std::size_t>;

}  // namespace

TEST_CASE("locations are told apart by kind, rank, process, levels of the tree and properties")
{
    const Definitions definitions = twoRacks();
    CHECK(like(definitions, "kind=cpu*") == Places{0, 2});
    CHECK(like(definitions, "Rack=r1") == Places{0, 1});
    CHECK(like(definitions, "node=n2") == Places{2});
    CHECK(like(definitions, "memory=64*") == Places{0, 1});
    CHECK(like(definitions, "colour=red") == Places{2});
    CHECK(like(definitions, "rank<1; kind=accelerator*") == Places{1});
    CHECK(like(definitions, "process kind=process; process!=process 1") == Places{0, 1});
    CHECK(like(definitions, "name=Rank 1") == Places{2});
    CHECK(like(definitions, "galaxy=*").empty());
    CHECK(like(definitions, "") == Places{0, 1, 2});
}

TEST_CASE("names of attributes are listed once, and a tree that is a circle ends")
{
    Definitions definitions = twoRacks();
    const auto names = locationAttributeNames(definitions);
    for (const char* name :
         {"name", "kind", "rank", "thread", "process", "process kind", "rack", "node", "memory", "colour"}) {
        INFO(name);
        CHECK(std::count(names.begin(), names.end(), name) == 1);
    }
    definitions.systemTree[0].parent = SystemTreeNodeId(1);
    CHECK(like(definitions, "rack=r1") == Places{0, 1});
    definitions.locations[0].group = LocationGroupId(77);
    CHECK(like(definitions, "rack=r1") == Places{1});
}

TEST_CASE("names of attributes are those of all locations, in the order in which they first come")
{
    std::minstd_rand random(5);
    const auto maybe = [&](const std::string& text) { return random() % 3 == 0 ? std::string() : text; };
    const auto properties = [&] {
        std::vector<Property> some;
        for (auto left = random() % 3; left > 0; --left)
            some.push_back({"p" + std::to_string(random() % 12), std::to_string(random() % 3)});
        return some;
    };
    for (int round = 0; round < 200; ++round) {
        Definitions definitions;
        for (std::uint32_t i = 0; i < 1 + random() % 6; ++i) {
            SystemTreeNode node;
            node.name = maybe("n" + std::to_string(i));
            node.className = maybe("Level" + std::to_string(random() % 4));
            node.properties = properties();
            if (random() % 4 != 0) node.parent = SystemTreeNodeId(std::uint32_t(random() % (i + 2)));
            definitions.systemTree.push_back(node);
        }
        for (std::uint32_t i = 0; i < random() % 4; ++i) {
            LocationGroup process;
            process.name = maybe("process");
            process.node = SystemTreeNodeId(std::uint32_t(random() % 8));
            process.properties = properties();
            definitions.locationGroups.push_back(process);
        }
        for (std::uint32_t i = 0; i < 1 + random() % 6; ++i) {
            Location location;
            location.rank = static_cast<std::int64_t>(random() % 3) - 1;
            location.group = LocationGroupId(std::uint32_t(random() % 5));
            location.properties = properties();
            definitions.locations.push_back(location);
        }
        std::vector<std::string> expected;
        for (std::uint32_t i = 0; i < definitions.locations.size(); ++i)
            for (const Property& attribute : locationAttributes(definitions, LocationId(i)))
                if (std::ranges::none_of(expected, [&](const std::string& known) {
                        return sameInAnyCase(known, attribute.name);
                    }))
                    expected.push_back(attribute.name);
        REQUIRE(locationAttributeNames(definitions) == expected);
    }
}

}  // namespace skein::location_attributes_test
