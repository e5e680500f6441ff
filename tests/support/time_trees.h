// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/index/time_tree.h"

#include <algorithm>
#include <cstdint>
#include <map>

namespace skein::test {

/// The longest of the times of regions; 0 where there are none.
inline double longestOf(const std::map<std::uint32_t, double>& times)
{
    double longest = 0;
    for (const auto& [region, time] : times) longest = std::max(longest, time);
    return longest;
}

/// Visits a node and everything below it, parents first.
template <typename Visit>
void forEachNode(const TimeTree& tree, const TimeTree::Node& node, Visit visit)
{
    visit(node);
    if (node.leaf) return;
    forEachNode(tree, tree.left(node), visit);
    forEachNode(tree, tree.right(node), visit);
}

}  // namespace skein::test
