// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/constraints/unit_assignment.h"

#include <algorithm>

namespace skein {
namespace {

constexpr std::size_t kHomesToBeNear = 16;

/// Nodes of a site, those near some homes of units first.
std::vector<std::uint32_t> nearestNodes(const MappingProblem& problem, const PlacementUnits& units,
                                        const Site& site, std::size_t wanted)
{
    if (site.nodes.size() <= wanted) return site.nodes;
    std::vector<std::uint32_t> homes;
    for (const PlacementUnit& unit : units.units) {
        if (homes.size() == kHomesToBeNear) break;
        homes.push_back(problem.current[unit.ranks.front()] / problem.ranksPerNode);
    }
    std::vector<std::pair<std::uint32_t, std::uint32_t>> ways;
    for (const std::uint32_t node : site.nodes) {
        std::uint32_t hops = kNoRank;
        for (const std::uint32_t home : homes) hops = std::min(hops, problem.distances.between(home, node));
        ways.emplace_back(hops, node);
    }
    std::partial_sort(ways.begin(), ways.begin() + static_cast<std::ptrdiff_t>(wanted), ways.end());
    std::vector<std::uint32_t> nearest;
    for (std::size_t i = 0; i < wanted; ++i) nearest.push_back(ways[i].second);
    return nearest;
}

}  // namespace

UnitAssignment::UnitAssignment(const MappingProblem& problem, const PlacementUnits& units)
    : problem_(problem),
      units_(units),
      nodeOfUnit_(units.units.size(), kNoRank),
      homeOfUnit_(units.units.size(), kNoRank),
      mostAtHome_(units.units.size(), 0)
{
    atHome_ = units.pinnedFree;
    for (std::uint32_t site = 0; site < units.sites.size(); ++site) {
        const Site& of = units.sites[site];
        atHome_ += of.mostFreeStays() * static_cast<std::uint32_t>(of.nodes.size());
        for (const std::uint32_t node : nearestNodes(problem, units, of, units.units.size())) {
            indexOf_.emplace(node, static_cast<std::uint32_t>(nodes_.size()));
            nodes_.push_back({node, site, of.room, 0, std::vector<std::uint32_t>(of.places.size(), 0)});
        }
    }
    present_.assign(nodes_.size() * std::max(1u, units.groups), 0);
    for (std::uint32_t unit = 0; unit < units.units.size(); ++unit) {
        std::unordered_map<std::uint32_t, std::uint32_t> held;
        for (const std::uint32_t rank : units.units[unit].ranks) {
            const std::uint32_t node = find(problem.current[rank] / problem.ranksPerNode);
            if (++held[node] <= mostAtHome_[unit]) continue;
            mostAtHome_[unit] = held[node];
            homeOfUnit_[unit] = node;
        }
    }
}

std::uint64_t UnitAssignment::entries(const PlacementUnits& units)
{
    std::uint64_t nodes = 0;
    for (const Site& site : units.sites) nodes += std::min(site.nodes.size(), units.units.size());
    return nodes * std::max(1u, units.groups);
}

std::uint32_t UnitAssignment::conflicts(std::uint32_t unit, std::uint32_t node) const
{
    const std::uint32_t self = nodeOfUnit_[unit] == node ? 1 : 0;
    std::uint32_t sum = 0;
    for (const std::uint32_t group : units_.units[unit].apart)
        sum += present_[std::size_t{node} * units_.groups + group] - self;
    return sum;
}

std::uint32_t UnitAssignment::atHomeWith(std::uint32_t unit, std::uint32_t node)
{
    put(unit, node);
    const std::uint32_t homes = atHome_;
    take(unit);
    return homes;
}

std::uint32_t UnitAssignment::staysOn(const Node& node) const
{
    const Site& site = units_.sites[node.site];
    std::uint32_t stays = 0, free = 0;
    for (std::size_t i = 0; i < site.places.size(); ++i) {
        const std::uint32_t held = std::min(node.stays[i], site.places[i].room);
        stays += held;
        free += std::min(site.places[i].freeHomes, site.places[i].room - held);
    }
    return stays + std::min(free, node.room - std::min(node.room, node.load));
}

void UnitAssignment::count(std::uint32_t unit, std::uint32_t node, int by)
{
    Node& on = nodes_[node];
    atHome_ -= staysOn(on);
    on.load += static_cast<std::uint32_t>(by) * units_.units[unit].size();
    for (const std::uint32_t rank : units_.units[unit].ranks) {
        if (problem_.current[rank] / problem_.ranksPerNode != on.number) continue;
        on.stays[PlacementUnits::placeOfHome(problem_, rank)] += static_cast<std::uint32_t>(by);
    }
    for (const std::uint32_t group : units_.units[unit].apart) {
        std::uint16_t& present = present_[std::size_t{node} * units_.groups + group];
        present = static_cast<std::uint16_t>(present + by);
    }
    atHome_ += staysOn(on);
}

void UnitAssignment::put(std::uint32_t unit, std::uint32_t node)
{
    count(unit, node, 1);
    nodeOfUnit_[unit] = node;
}

void UnitAssignment::take(std::uint32_t unit)
{
    count(unit, nodeOfUnit_[unit], -1);
    nodeOfUnit_[unit] = kNoRank;
}

std::vector<std::uint32_t> UnitAssignment::result() const
{
    std::vector<std::uint32_t> numbers;
    for (const std::uint32_t node : nodeOfUnit_) numbers.push_back(nodes_[node].number);
    return numbers;
}

std::uint32_t UnitAssignment::find(std::uint32_t number) const
{
    const auto found = indexOf_.find(number);
    return found == indexOf_.end() ? kNoRank : found->second;
}

}  // namespace skein
