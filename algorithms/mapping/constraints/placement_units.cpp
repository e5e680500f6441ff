// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/constraints/placement_units.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <utility>

namespace skein {
namespace {

Unexpected contradiction(std::string message) { return fail(ErrorCode::InvalidArgument, std::move(message)); }

/// Makes units out of groups, then sites out of nodes.
class UnitMaker {
public:
    UnitMaker(const MappingProblem& problem, std::span<const std::uint8_t> usable)
        : problem_(problem),
          usable_(usable),
          unitOf_(problem.flow.ranks, kNoRank),
          pinned_(problem.flow.ranks, 0)
    {
        for (const std::uint32_t rank : problem.constraints.pinned) pinned_[rank] = 1;
    }

    Result<PlacementUnits> run()
    {
        makeUnits();
        for (std::uint32_t group = 0; group < problem_.constraints.apart.size(); ++group) {
            if (const auto fine = keepApart(group); !fine) return Unexpected(fine.error());
        }
        for (PlacementUnit& unit : made_.units) {
            if (const auto fine = hold(unit); !fine) return Unexpected(fine.error());
        }
        made_.groups = static_cast<std::uint32_t>(problem_.constraints.apart.size());
        makeSites();
        if (const auto fine = checkRoom(); !fine) return Unexpected(fine.error());
        return std::move(made_);
    }

private:
    std::uint32_t nodeOf(std::uint32_t rank) const { return problem_.current[rank] / problem_.ranksPerNode; }

    void makeUnits()
    {
        for (auto& group : joinedGroups(problem_.constraints.together, problem_.flow.ranks)) {
            if (group.size() > 1) addUnit(std::move(group));
        }
        for (const auto& group : problem_.constraints.apart) {
            for (const std::uint32_t rank : group) {
                if (unitOf_[rank] == kNoRank) addUnit({rank});
            }
        }
    }
    void addUnit(std::vector<std::uint32_t> ranks)
    {
        for (const std::uint32_t rank : ranks) unitOf_[rank] = static_cast<std::uint32_t>(made_.units.size());
        made_.units.push_back({std::move(ranks), {}, kNoRank});
    }
    Result<void> keepApart(std::uint32_t group)
    {
        std::vector<std::uint32_t> ranks = problem_.constraints.apart[group];
        std::sort(ranks.begin(), ranks.end());
        ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
        for (const std::uint32_t rank : ranks) {
            PlacementUnit& unit = made_.units[unitOf_[rank]];
            if (!unit.apart.empty() && unit.apart.back() == group)
                return contradiction(fmt::format(
                    "Rank {} shall be both on the node of another rank and on another node.", rank));
            unit.apart.push_back(group);
        }
        return {};
    }
    Result<void> hold(PlacementUnit& unit) const
    {
        for (const std::uint32_t rank : unit.ranks) {
            if (!pinned_[rank]) continue;
            if (unit.node != kNoRank && unit.node != nodeOf(rank))
                return contradiction(fmt::format(
                    "Rank {} shall stay together with a rank that is pinned to another node.", rank));
            unit.node = nodeOf(rank);
        }
        return {};
    }

    /// Room and homes of every node; nodes that are home to no unit are told by these alone.
    void makeSites()
    {
        std::vector<std::uint8_t> isHome(problem_.distances.nodes(), 0);
        for (const PlacementUnit& unit : made_.units) {
            for (const std::uint32_t rank : unit.ranks) isHome[nodeOf(rank)] = 1;
        }
        const auto rankAt = ranksOfSlots(problem_.current, problem_.slots());
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> siteOf;
        for (std::uint32_t node = 0; node < problem_.distances.nodes(); ++node) {
            Site site = siteOfNode(node, rankAt);
            const auto index = static_cast<std::uint32_t>(made_.sites.size());
            if (isHome[node]) {
                made_.siteOfHome.emplace(node, index);
                made_.sites.push_back(std::move(site));
                continue;
            }
            const std::uint32_t stays = site.mostFreeStays();
            const auto [found, added] = siteOf.emplace(std::pair(site.room, stays), index);
            site.places = {{site.room, stays}};
            if (added) made_.sites.push_back(std::move(site));
            else made_.sites[found->second].nodes.push_back(node);
        }
    }
    Site siteOfNode(std::uint32_t node, const std::vector<std::uint32_t>& rankAt)
    {
        Site site{{node}, 0, std::vector<SitePlace>(placesOfNode())};
        const std::uint32_t first = node * problem_.ranksPerNode;
        for (std::uint32_t slot = first; slot < first + problem_.ranksPerNode; ++slot) {
            site.room += usable_[slot];
            const std::uint32_t rank = rankAt[slot];
            if (rank == kNoRank || unitOf_[rank] != kNoRank) continue;
            ++(pinned_[rank] ? made_.pinnedFree : made_.freeRanks);
            if (!pinned_[rank]) ++site.places[placeOf(slot)].freeHomes;
        }
        limitPlaces(site, rankAt);
        return site;
    }
    /// Room without the pinned ranks that no other constraint concerns.
    void limitPlaces(Site& site, const std::vector<std::uint32_t>& rankAt) const
    {
        const std::uint32_t first = site.nodes.front() * problem_.ranksPerNode;
        const std::uint32_t nodeRoom = site.room;
        for (std::uint32_t place = 0; place < site.places.size(); ++place) {
            const auto& sockets = problem_.constraints.socketCapacity;
            site.places[place].room = sockets.empty() ? nodeRoom : sockets[problem_.socketOf(first) + place];
        }
        for (std::uint32_t slot = first; slot < first + problem_.ranksPerNode; ++slot) {
            const std::uint32_t rank = rankAt[slot];
            if (rank == kNoRank || unitOf_[rank] != kNoRank || !pinned_[rank]) continue;
            --site.room;
            --site.places[placeOf(slot)].room;
        }
    }
    std::uint32_t placesOfNode() const
    {
        return problem_.constraints.socketCapacity.empty() ? 1 : problem_.socketsPerNode();
    }
    std::uint32_t placeOf(std::uint32_t slot) const
    {
        return problem_.constraints.socketCapacity.empty()
            ? 0
            : problem_.socketOf(slot) % problem_.socketsPerNode();
    }
    Result<void> checkRoom() const
    {
        std::uint64_t room = made_.pinnedFree;
        for (const Site& site : made_.sites) room += std::uint64_t{site.room} * site.nodes.size();
        if (room < problem_.flow.ranks)
            return contradiction(fmt::format("{} ranks have to be placed, but the nodes may hold only {}.",
                                             problem_.flow.ranks, room));
        return {};
    }

    const MappingProblem& problem_;
    std::span<const std::uint8_t> usable_;
    std::vector<std::uint32_t> unitOf_;
    std::vector<std::uint8_t> pinned_;
    PlacementUnits made_;
};

}  // namespace

std::uint32_t Site::mostFreeStays() const
{
    std::uint32_t stays = 0;
    for (const SitePlace& place : places) stays += std::min(place.room, place.freeHomes);
    return std::min(room, stays);
}

std::uint32_t PlacementUnits::ranks() const
{
    std::uint32_t sum = freeRanks + pinnedFree;
    for (const PlacementUnit& unit : units) sum += unit.size();
    return sum;
}

std::uint32_t PlacementUnits::placeOfHome(const MappingProblem& problem, std::uint32_t rank)
{
    if (problem.constraints.socketCapacity.empty()) return 0;
    return problem.socketOf(problem.current[rank]) % problem.socketsPerNode();
}

Result<PlacementUnits> makePlacementUnits(const MappingProblem& problem, std::span<const std::uint8_t> usable)
{
    return UnitMaker(problem, usable).run();
}

}  // namespace skein
