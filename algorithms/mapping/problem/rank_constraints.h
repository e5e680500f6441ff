// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace skein {

/// Groups of ranks that share a node, as the user wrote them: groups with a rank in common become one, and a
/// rank that stands twice counts once. By their first ranks; ranks in order. O(ranks named · log).
std::vector<std::vector<std::uint32_t>> joinedGroups(const std::vector<std::vector<std::uint32_t>>& groups,
                                                     std::uint32_t ranks);

/// Which ranks must be on different nodes: those that share a group. A rank may be in several groups.
class ApartGroups {
public:
    ApartGroups() = default;
    ApartGroups(const std::vector<std::vector<std::uint32_t>>& groups, std::uint32_t ranks);

    bool empty() const { return groups_.empty(); }
    /// Must the two be on different nodes? O(groups of the two). False for a rank and itself.
    bool conflict(std::uint32_t a, std::uint32_t b) const;
    /// Is the rank in any group?
    bool concerns(std::uint32_t rank) const { return !empty() && first_[rank] != first_[rank + 1]; }

private:
    std::span<const std::uint32_t> groupsOf(std::uint32_t rank) const
    {
        return std::span(groups_).subspan(first_[rank], first_[rank + 1] - first_[rank]);
    }

    std::vector<std::uint32_t> first_;
    std::vector<std::uint32_t> groups_;  ///< of each rank, in order
};

}  // namespace skein
