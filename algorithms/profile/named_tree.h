// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/definitions/definitions.h"
#include "core/profile/call_tree.h"

#include <cstdint>
#include <vector>

namespace skein {

/// Numbers names in the order in which they are met: equal names, equal numbers. One entry a region.
std::vector<std::uint32_t> nameNumbers(const std::vector<Region>& regions);

/// Call paths merged by the names of their regions: a tree of its own, parents before children.
struct NamedTree {
    std::vector<std::uint32_t> nodeOf;   ///< [call path]
    std::vector<std::uint32_t> parents;  ///< CallPathId::kNone for roots
    std::vector<std::uint32_t> names;    ///< as nameNumbers() has them
    std::vector<RegionId> regions;       ///< one of that name

    /// True when a call of the same name is above the node. O(depth).
    bool isRecursive(std::uint32_t node) const;
};

/// O(call paths).
NamedTree mergeByName(const CallTree& tree, const std::vector<Region>& regions);

}  // namespace skein
