// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/mapping/constraints/placement_units.h"

#include <cstdint>
#include <vector>

namespace skein {

/// Which unit is on which node, with what that means for room, for ranks that are kept apart and for ranks
/// that move. Of interchangeable nodes as many are looked at as there are units: no more are ever needed.
/// Not thread-safe.
class UnitAssignment {
public:
    UnitAssignment(const MappingProblem& problem, const PlacementUnits& units);
    /// Two bytes each are kept: nodes that are looked at × groups.
    static std::uint64_t entries(const PlacementUnits& units);

    std::uint32_t nodes() const { return static_cast<std::uint32_t>(nodes_.size()); }
    std::uint32_t units() const { return static_cast<std::uint32_t>(units_.units.size()); }
    const PlacementUnit& unit(std::uint32_t index) const { return units_.units[index]; }
    /// The machine's number of a node.
    std::uint32_t numberOf(std::uint32_t node) const { return nodes_[node].number; }
    /// Nodes of one kind differ in nothing while no unit is on them.
    std::uint32_t kindOf(std::uint32_t node) const { return nodes_[node].site; }
    std::uint32_t roomOf(std::uint32_t node) const { return nodes_[node].room; }
    /// Ranks of units on a node.
    std::uint32_t loadOf(std::uint32_t node) const { return nodes_[node].load; }
    /// Ranks beyond the room of a node.
    std::uint32_t excessOf(std::uint32_t node) const
    {
        return nodes_[node].load > nodes_[node].room ? nodes_[node].load - nodes_[node].room : 0;
    }
    /// The node of a unit; kNoRank while it has none.
    std::uint32_t nodeOf(std::uint32_t unit) const { return nodeOfUnit_[unit]; }
    /// The node that is the home of the most ranks of a unit.
    std::uint32_t homeOf(std::uint32_t unit) const { return homeOfUnit_[unit]; }
    /// Ranks of a unit that are at most at home together.
    std::uint32_t mostAtHome(std::uint32_t unit) const { return mostAtHome_[unit]; }
    /// Units on a node that a unit must not be with, itself left out.
    std::uint32_t conflicts(std::uint32_t unit, std::uint32_t node) const;
    bool fits(std::uint32_t unit, std::uint32_t node) const
    {
        return nodes_[node].load + this->unit(unit).size() <= nodes_[node].room && conflicts(unit, node) == 0;
    }
    /// Ranks that can stay where they are now, of all of the problem, while units without node are left out.
    std::uint32_t atHome() const { return atHome_; }
    /// What atHome() would be.
    std::uint32_t atHomeWith(std::uint32_t unit, std::uint32_t node);

    void put(std::uint32_t unit, std::uint32_t node);
    void take(std::uint32_t unit);

    /// The machine's node of each unit.
    std::vector<std::uint32_t> result() const;
    /// The node with this number; kNoRank where it is not looked at.
    std::uint32_t find(std::uint32_t number) const;

private:
    struct Node {
        std::uint32_t number = 0;
        std::uint32_t site = 0;
        std::uint32_t room = 0;
        std::uint32_t load = 0;
        std::vector<std::uint32_t> stays;  ///< ranks of units at home, by place
    };
    std::uint32_t staysOn(const Node& node) const;
    void count(std::uint32_t unit, std::uint32_t node, int by);

    const MappingProblem& problem_;
    const PlacementUnits& units_;
    std::vector<Node> nodes_;
    std::vector<std::uint32_t> nodeOfUnit_;
    std::vector<std::uint32_t> homeOfUnit_;
    std::vector<std::uint32_t> mostAtHome_;
    std::vector<std::uint16_t> present_;  ///< node × group: units of the group
    std::unordered_map<std::uint32_t, std::uint32_t> indexOf_;
    std::uint32_t atHome_ = 0;
};

}  // namespace skein
