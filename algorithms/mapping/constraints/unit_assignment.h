// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/mapping/constraints/placement_units.h"

#include <cstdint>
#include <vector>

namespace skein {

/// The node of every unit, with what follows for free slots, for ranks that are kept apart and for ranks that
/// move. Of interchangeable nodes only as many are considered as there are units: no more are ever needed.
/// Not thread-safe.
class UnitAssignment {
public:
    UnitAssignment(const MappingProblem& problem, const PlacementUnits& units);
    /// Nodes considered × groups; two bytes are kept for each.
    static std::uint64_t entries(const PlacementUnits& units);

    std::uint32_t nodes() const { return static_cast<std::uint32_t>(nodes_.size()); }
    std::uint32_t units() const { return static_cast<std::uint32_t>(units_.units.size()); }
    const PlacementUnit& unit(std::uint32_t index) const { return units_.units[index]; }
    /// The machine's number of a node.
    std::uint32_t numberOf(std::uint32_t node) const { return nodes_[node].number; }
    /// Nodes of one kind are interchangeable while they hold no unit.
    std::uint32_t kindOf(std::uint32_t node) const { return nodes_[node].site; }
    std::uint32_t roomOf(std::uint32_t node) const { return nodes_[node].room; }
    /// Ranks of units on a node.
    std::uint32_t loadOf(std::uint32_t node) const { return nodes_[node].load; }
    /// Ranks that a node holds beyond its room.
    std::uint32_t excessOf(std::uint32_t node) const
    {
        return nodes_[node].load > nodes_[node].room ? nodes_[node].load - nodes_[node].room : 0;
    }
    /// The node of a unit; kNoRank while it has none.
    std::uint32_t nodeOf(std::uint32_t unit) const { return nodeOfUnit_[unit]; }
    /// The node on which most ranks of a unit are now.
    std::uint32_t homeOf(std::uint32_t unit) const { return homeOfUnit_[unit]; }
    /// The largest number of ranks of a unit that can be at home together.
    std::uint32_t mostAtHome(std::uint32_t unit) const { return mostAtHome_[unit]; }
    /// Other units on a node that a unit must not share it with.
    std::uint32_t conflicts(std::uint32_t unit, std::uint32_t node) const;
    bool fits(std::uint32_t unit, std::uint32_t node) const
    {
        return nodes_[node].load + this->unit(unit).size() <= nodes_[node].room && conflicts(unit, node) == 0;
    }
    /// How many ranks of the problem can stay where they are now; units without a node do not count.
    std::uint32_t atHome() const { return atHome_; }
    /// What atHome() would be with this unit on this node.
    std::uint32_t atHomeWith(std::uint32_t unit, std::uint32_t node);

    void put(std::uint32_t unit, std::uint32_t node);
    void take(std::uint32_t unit);

    /// The machine's node of each unit.
    std::vector<std::uint32_t> result() const;
    /// The node with this number of the machine; kNoRank if it is not considered.
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
