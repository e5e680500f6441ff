// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/profile/named_tree.h"

#include <string_view>
#include <unordered_map>

namespace skein {

std::vector<std::uint32_t> nameNumbers(const std::vector<Region>& regions)
{
    std::unordered_map<std::string_view, std::uint32_t> known;
    std::vector<std::uint32_t> numbers;
    numbers.reserve(regions.size());
    for (const Region& region : regions)
        numbers.push_back(
            known.try_emplace(region.name, static_cast<std::uint32_t>(known.size())).first->second);
    return numbers;
}

bool NamedTree::isRecursive(std::uint32_t node) const
{
    for (std::uint32_t above = parents[node]; above != CallPathId::kNone; above = parents[above])
        if (names[above] == names[node]) return true;
    return false;
}

NamedTree mergeByName(const CallTree& tree, const std::vector<Region>& regions)
{
    const std::vector<std::uint32_t> numbers = nameNumbers(regions);
    NamedTree merged;
    CallTreeBuilder builder;
    for (std::uint32_t path = 0; path < tree.size(); ++path) {
        const CallPathId parent = tree.parent(CallPathId(path));
        const RegionId region = tree.region(CallPathId(path));
        const CallPathId above = parent.valid() ? CallPathId(merged.nodeOf[parent.index()]) : CallPathId();
        const CallPathId node = builder.child(above, RegionId(numbers[region.index()]));
        if (node.index() == merged.parents.size()) {
            merged.parents.push_back(above.value());
            merged.names.push_back(numbers[region.index()]);
            merged.regions.push_back(region);
        }
        merged.nodeOf.push_back(node.value());
    }
    return merged;
}

}  // namespace skein
