// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/regions/group_filters.h"

#include "core/select/filters.h"
#include "tests/support/catch.h"
#include "tests/support/small_session.h"

#include <algorithm>

namespace skein::group_filters_test {

namespace {

Session smallSession()
{
    return {{test::ExperimentBuilder("run")
                 .process("n0",
                          {{0, 900, "main", 0},
                           {10, 20, "MPI_Send", 1},
                           {30, 40, "MPI_Recv", 1},
                           {50, 60, "omp_for", 1}})
                 .paradigm("MPI_Send", Paradigm::Mpi)
                 .paradigm("MPI_Recv", Paradigm::Mpi)
                 .paradigm("omp_for", Paradigm::OpenMp)
                 .finish()}};
}

struct Legend {
    Session session = smallSession();
    GroupRegions groups = regionsByGroup(RegionGroups(session, RegionGrouping::Role));
    std::vector<Filter> filters;

    void toggle(PaletteGroup group)
    {
        filters = withGroupToggled(groups, filters, static_cast<std::uint32_t>(group));
    }
    void alone(PaletteGroup group)
    {
        filters = withGroupAlone(groups, filters, static_cast<std::uint32_t>(group));
    }
    bool shows(PaletteGroup group) const
    {
        return shownOf(groups.regions[static_cast<std::size_t>(group)], filters) == Shown::All;
    }
    /// "UMT": user, MPI and threading are shown.
    std::string shown() const
    {
        return std::string(shows(PaletteGroup::User) ? "U" : "") + (shows(PaletteGroup::Mpi) ? "M" : "")
            + (shows(PaletteGroup::Threading) ? "T" : "");
    }
};

}  // namespace

TEST_CASE("a click in the legend hides a group, the next one shows it again and leaves no filter behind")
{
    Legend legend;
    CHECK(legend.shown() == "UMT");
    legend.toggle(PaletteGroup::Mpi);
    CHECK(legend.shown() == "UT");
    REQUIRE(legend.filters.size() == 1);
    CHECK(legend.filters.front().label == "MPI hidden");
    legend.toggle(PaletteGroup::User);
    CHECK(legend.shown() == "T");
    legend.toggle(PaletteGroup::Mpi);
    legend.toggle(PaletteGroup::User);
    CHECK(legend.shown() == "UMT");
    CHECK(legend.filters.empty());
}

TEST_CASE("a group that stands alone gets all others back, or one of them")
{
    Legend legend;
    legend.toggle(PaletteGroup::User);
    legend.alone(PaletteGroup::Mpi);
    CHECK(legend.shown() == "M");
    CHECK(legend.filters.size() == 1);
    legend.toggle(PaletteGroup::Threading);
    CHECK(legend.shown() == "MT");
    CHECK(legend.filters.size() == 1);
    legend.toggle(PaletteGroup::Mpi);
    CHECK(legend.shown() == "T");
    legend.alone(PaletteGroup::Mpi);
    legend.alone(PaletteGroup::Mpi);
    CHECK(legend.shown() == "UMT");
    CHECK(legend.filters.empty());
}

TEST_CASE("the legend leaves filters alone that it did not make")
{
    Legend legend;
    const RegionRef send = regionsMatching(legend.session, "MPI_Send").front();
    legend.filters = withRegionsToggled({}, "MPI_Send", {send});
    CHECK(shownOf(legend.groups.regions[static_cast<std::size_t>(PaletteGroup::Mpi)], legend.filters)
          == Shown::Some);
    const auto before = legend.filters;
    legend.toggle(PaletteGroup::Mpi);
    CHECK(legend.filters.size() == 2);
    legend.toggle(PaletteGroup::Mpi);
    CHECK(legend.filters == before);
    legend.alone(PaletteGroup::User);
    legend.alone(PaletteGroup::User);
    CHECK(legend.filters == before);
    CHECK(withRegionsToggled(legend.filters, "MPI_Send", {send}).empty());
}

TEST_CASE("a group that was hidden by its regions' names or by other groups is excepted from that, and the "
          "label tells so")
{
    Legend legend;
    const auto mpi = static_cast<std::uint32_t>(PaletteGroup::Mpi);
    auto byName = regionsMatching(legend.session, "MPI_*");
    byName.push_back(regionsMatching(legend.session, "omp_for").front());
    std::sort(byName.begin(), byName.end());
    legend.filters = {{"“*_*” hidden", FilterEffect::Hide, byName, {}},
                      locationFilter(FilterEffect::Keep, "Rank 0", {{0, LocationId(0)}})};
    // Whole groups are the legend's own, also in filters that something else made.
    legend.filters.front().regions.push_back({0, RegionId(99)});
    CHECK(legend.shown() == "U");
    legend.toggle(PaletteGroup::Mpi);
    CHECK(legend.shown() == "UM");
    REQUIRE(legend.filters.size() == 2);
    CHECK(legend.filters.front().label == "“*_*” hidden, but for MPI");

    Filter only = regionFilter(FilterEffect::Keep, "main and more", regionsMatching(legend.session, "main"));
    only.regions.push_back({0, RegionId(99)});
    legend.filters = {only};
    legend.toggle(PaletteGroup::Mpi);
    CHECK(legend.filters.front().label == "only main and more, MPI");
    CHECK(shownOf(legend.groups.regions[mpi], legend.filters) == Shown::All);
}

}  // namespace skein::group_filters_test
