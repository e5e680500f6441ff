// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/recorded_groups.h"

#include "tests/support/catch.h"

namespace skein::recorded_groups_test {

namespace {

struct Defined {
    std::string name;
    std::vector<std::string> groups;
};

ExperimentPtr experimentOf(const std::vector<Defined>& regions)
{
    auto experiment = std::make_shared<Experiment>();
    Definitions& definitions = experiment->definitions;
    for (const Defined& defined : regions) {
        Region region;
        region.name = defined.name;
        for (const std::string& group : defined.groups) {
            // Archives may define a group of one name twice.
            region.groups.emplace_back(definitions.regionGroups.size());
            definitions.regionGroups.push_back({group});
        }
        definitions.regions.push_back(region);
    }
    return experiment;
}

/// "main:TAU_USER MPI_Send:MPI x:-".
std::string recordedGroupsOf(const Session& session)
{
    const RecordedGroups groups = recordedGroups(session);
    std::string text;
    for (std::uint32_t number = 0; number < session.experiments.size(); ++number) {
        const auto& regions = session.experiments[number]->definitions.regions;
        for (std::uint32_t id = 0; id < regions.size(); ++id) {
            const std::uint32_t group = groups.of(number, RegionId(id));
            text += (text.empty() ? "" : " ") + regions[id].name + ":"
                + (group == RecordedGroups::kNone ? "-" : groups.names[group]);
        }
    }
    return text;
}

}  // namespace

TEST_CASE("a region counts to the group that the archive recorded, or to none")
{
    const Session session{{experimentOf({{"main", {"TAU_USER"}}, {"MPI_Send", {"MPI"}}, {"x", {}}})}};
    CHECK(recordedGroupsOf(session) == "main:TAU_USER MPI_Send:MPI x:-");
    CHECK(recordedGroups(session).names == std::vector<std::string>{"MPI", "TAU_USER"});
    CHECK(hasRecordedGroups(session));
}

TEST_CASE(
    "a region of several groups counts to the one of fewest regions, of equal ones to the first by name")
{
    const Session session{{experimentOf({{"a", {"ALL", "FEW"}},
                                         {"b", {"ALL"}},
                                         {"c", {"ALL", "FEW", "PAIR"}},
                                         {"d", {"TWIN", "PAIR"}},
                                         {"e", {"TWIN"}}})}};
    CHECK(recordedGroupsOf(session) == "a:FEW b:ALL c:FEW d:PAIR e:TWIN");
}

TEST_CASE("a group to which no region counts is not listed")
{
    const Session session{{experimentOf({{"a", {"WIDE", "A"}}, {"b", {"WIDE", "B"}}})}};
    CHECK(recordedGroups(session).names == std::vector<std::string>{"A", "B"});
}

TEST_CASE("groups of one name are one group in all experiments, and their regions are counted together")
{
    // In the first experiment alone BIG had as many regions as SMALL.
    const Session session{{experimentOf({{"a", {"BIG", "SMALL"}}}),
                           experimentOf({{"b", {"BIG"}}, {"c", {"SMALL", "BIG", "BIG"}}, {"d", {"BIG"}}})}};
    CHECK(recordedGroupsOf(session) == "a:SMALL b:BIG c:SMALL d:BIG");
    CHECK(recordedGroups(session).names == std::vector<std::string>{"BIG", "SMALL"});
}

TEST_CASE("groups without a name are no groups of regions")
{
    const Session session{{experimentOf({{"a", {"", "TAU_USER"}}, {"b", {"", ""}}, {"c", {""}}})}};
    CHECK(recordedGroupsOf(session) == "a:TAU_USER b:- c:-");
    const Session none{{experimentOf({{"b", {""}}, {"c", {""}}, {"d", {}}})}};
    CHECK_FALSE(hasRecordedGroups(none));
    CHECK(recordedGroups(none).names.empty());
    CHECK_FALSE(hasRecordedGroups({}));
}

}  // namespace skein::recorded_groups_test
