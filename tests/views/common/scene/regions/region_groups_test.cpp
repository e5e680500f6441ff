// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/regions/region_groups.h"

#include "tests/support/catch.h"
#include "tests/support/small_session.h"
#include "views/common/scene/color/color_bands.h"
#include "views/common/scene/color/lane_table.h"

#include <cmath>
#include <set>

namespace skein::region_groups_test {

namespace {

ExperimentPtr tauExperiment()
{
    return test::ExperimentBuilder("run")
        .process("n0",
                 {{0, 900, ".TAU application", 0},
                  {5, 800, "solve", 1},
                  {10, 20, "MPI_Send", 2},
                  {30, 40, "fwrite", 2},
                  {50, 60, "odd", 2}})
        .paradigm("MPI_Send", Paradigm::Mpi)
        .group(".TAU application", "TAU_UTILITY")
        .group("solve", "TAU_DEFAULT")
        .group("MPI_Send", "MPI")
        .group("fwrite", "TAU_IO")
        .finish();
}

std::string namesOf(const RegionGroups& groups)
{
    std::string names;
    for (const ShownGroup& group : groups.list()) names += (names.empty() ? "" : " ") + group.name;
    return names;
}

const ShownGroup& groupNamed(const RegionGroups& groups, const std::string& name)
{
    return *std::find_if(groups.list().begin(), groups.list().end(),
                         [&](const ShownGroup& group) { return group.name == name; });
}

double distance(Color left, Color right)
{
    const auto [l, c, h] = toLch(left);
    const auto [l2, c2, h2] = toLch(right);
    const double radians = std::acos(-1.0) / 180;
    return std::hypot(l - l2, c * std::cos(h * radians) - c2 * std::cos(h2 * radians),
                      c * std::sin(h * radians) - c2 * std::sin(h2 * radians));
}

/// A trace of one region for each of the groups.
Session sessionOfGroups(const std::vector<std::string>& groups)
{
    std::vector<test::Call> calls;
    for (const std::string& group : groups) {
        const auto begin = static_cast<TimeNs>(calls.size()) * 10;
        calls.push_back({begin, begin + 5, "region of " + group, 0});
    }
    test::ExperimentBuilder builder("run");
    builder.process("n0", calls);
    for (const std::string& group : groups) builder.group("region of " + group, group);
    return {{builder.finish()}};
}

}  // namespace

TEST_CASE("groups are listed as the archive recorded them, those of no group last")
{
    const Session session{{tauExperiment()}};
    const RegionGroups groups(session, RegionGrouping::Recorded);
    CHECK(namesOf(groups) == "MPI TAU_DEFAULT TAU_IO TAU_UTILITY Others");
    CHECK(groups.list()[groups.of({0, RegionId(1)})].name == "TAU_DEFAULT");
    CHECK(groups.list()[groups.of({0, RegionId(4)})].name == "Others");
    CHECK(regionsOfGroup(groups, groups.of({0, RegionId(2)})) == std::vector<RegionRef>{{0, RegionId(2)}});
}

TEST_CASE("where no archive recorded groups they go by role, whatever is chosen")
{
    const Session session{{test::ExperimentBuilder("run").process("n0", {{0, 900, "main", 0}}).finish()}};
    CHECK(RegionGroups(session, RegionGrouping::Recorded).list()
          == RegionGroups(session, RegionGrouping::Role).list());
}

TEST_CASE("a recorded group called Others and the regions of no group are one group")
{
    const Session session{{test::ExperimentBuilder("run")
                               .process("n0", {{0, 9, "a", 0}, {10, 19, "b", 0}, {20, 29, "c", 0}})
                               .group("a", "Others")
                               .group("b", "Z")
                               .finish()}};
    const RegionGroups groups(session, RegionGrouping::Recorded);
    CHECK(namesOf(groups) == "Others Z");
    CHECK(groups.of({0, RegionId(2)}) == groups.of({0, RegionId(0)}));
}

TEST_CASE("well-known recorded groups have the colours of their roles")
{
    const Session session = sessionOfGroups({"MPI", "OPENMP", "TAU_IO", "PTHREAD", "TAU_UTILITY"});
    const Session threads = sessionOfGroups({"PTHREAD"});
    for (const Theme& theme : {lightTheme(), darkTheme()}) {
        const RegionGroups groups(session, RegionGrouping::Recorded);
        CHECK(groupColor(groupNamed(groups, "MPI"), theme) == groupColor(PaletteGroup::Mpi, theme));
        CHECK(groupColor(groupNamed(groups, "OPENMP"), theme) == groupColor(PaletteGroup::Threading, theme));
        CHECK(groupColor(groupNamed(groups, "TAU_IO"), theme) == groupColor(PaletteGroup::Io, theme));
        CHECK(groupColor(groupNamed(groups, "TAU_UTILITY"), theme)
              == groupColor(PaletteGroup::Measurement, theme));
        // Two groups of one archive are told apart even where they have one role.
        CHECK_FALSE(groupColor(groupNamed(groups, "PTHREAD"), theme)
                    == groupColor(PaletteGroup::Threading, theme));
        CHECK(groupColor(RegionGroups(threads, RegionGrouping::Recorded).list().front(), theme)
              == groupColor(PaletteGroup::Threading, theme));
    }
}

TEST_CASE("recorded groups have colours that differ, and that depend on their names alone")
{
    const std::vector<std::string> names{"FLUSH",  "Forces",      "HIP_API",   "HIP_KERNEL", "HIP_MALLOC",
                                         "MPI",    "Neighbours",  "OPENMP",    "PTHREAD",    "TAU_DEFAULT",
                                         "TAU_IO", "TAU_MESSAGE", "TAU_PHASE", "TAU_USER",   "TAU_UTILITY"};
    const Session session = sessionOfGroups(names);
    const RegionGroups groups(session, RegionGrouping::Recorded);
    REQUIRE(groups.list().size() == names.size() + 1);
    for (const Theme& theme : {lightTheme(), darkTheme()})
        for (const ShownGroup& one : groups.list()) {
            CHECK(contrast(groupColor(one, theme), textColorOn(groupColor(one, theme))) >= 3.9);
            for (const ShownGroup& other : groups.list()) {
                INFO(one.name << " " << other.name);
                CHECK((one.name == other.name
                       || distance(groupColor(one, theme), groupColor(other, theme)) >= 10));
            }
        }
    for (const char* name : {"Forces", "TAU_PHASE", "TAU_USER", "FLUSH"}) {
        const Session alone = sessionOfGroups({name, "MPI"});
        CHECK(groupNamed(RegionGroups(alone, RegionGrouping::Recorded), name).band
              == groupNamed(groups, name).band);
    }
}

TEST_CASE("more recorded groups than there are bands share them")
{
    std::vector<std::string> names;
    for (int number = 0; number < 60; ++number) names.push_back("group " + std::to_string(number));
    std::sort(names.begin(), names.end());
    const auto bands = bandsOf(names);
    REQUIRE(bands.size() == names.size());
    CHECK(std::set<std::uint32_t>(bands.begin(), bands.end()).size() == 11);
}

TEST_CASE("a colour that the user has chosen for a recorded group counts for that name; that of a role for "
          "its groups")
{
    const Session session = sessionOfGroups({"MPI", "TAU_DEFAULT"});
    const RegionGroups groups(session, RegionGrouping::Recorded);
    Theme theme = lightTheme();
    const Color green{20, 140, 90}, blue{20, 60, 200};
    theme.chosenGroups[static_cast<std::size_t>(PaletteGroup::Mpi)] = green;
    CHECK(groupColor(groupNamed(groups, "MPI"), theme) == green);
    CHECK_FALSE(hasChosenColor(groupNamed(groups, "MPI"), theme));
    theme.chosenRecorded["MPI"] = blue;
    CHECK(groupColor(groupNamed(groups, "MPI"), theme) == blue);
    CHECK(hasChosenColor(groupNamed(groups, "MPI"), theme));
    CHECK(groupColor(PaletteGroup::Mpi, theme) == green);
    CHECK(groupColor(groupNamed(groups, "TAU_DEFAULT"), theme)
          == groupColor(groupNamed(groups, "TAU_DEFAULT"), lightTheme()));
}

TEST_CASE("calls have the colour of their recorded group, or a shade of it, where these are chosen")
{
    const Session session{{tauExperiment()}};
    const Experiment& experiment = *session.experiments.front();
    const RegionGroups groups(session, RegionGrouping::Recorded);
    for (const Theme& theme : {lightTheme(), darkTheme()}) {
        const RegionPalette palette = regionPalette(groups, 0, theme);
        ViewState state;
        state.grouping = RegionGrouping::Recorded;
        for (std::uint32_t id = 0; id < experiment.definitions.regions.size(); ++id) {
            const ShownGroup& group = groups.list()[groups.of({0, RegionId(id)})];
            CHECK(palette.colorOfGroup(RegionId(id)) == groupColor(group, theme));
            CHECK(palette.color(RegionId(id))
                  == regionColor(experiment.definitions.regions[id].name, group, theme));
            // MPI is dark, the application light, whatever the shade.
            CHECK(std::abs(lightness(palette.color(RegionId(id))) - lightness(groupColor(group, theme)))
                  < 27);
        }
        state.colors = ColorMode::Group;
        const LaneTable table(experiment, 0, state, palette, theme.background, 3);
        CHECK(fromArgb(table.colors(1)[1]) == groupColor(groupNamed(groups, "TAU_DEFAULT"), theme));
        CHECK(fromArgb(table.colors(4)[2]) == groupColor(groupNamed(groups, "Others"), theme));
    }
}

}  // namespace skein::region_groups_test
