// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/cube/cube_rows.h"

#include "core/base/parallel_for.h"

#include <algorithm>

namespace skein::cube {
namespace {

constexpr std::size_t kNodesBetweenStops = 256;

/// The distinct regions of a location's call paths, sorted.
std::vector<std::uint32_t> regionsOf(std::span<const std::uint32_t> paths, const CallTree& tree)
{
    std::vector<std::uint32_t> regions;
    regions.reserve(paths.size());
    for (const std::uint32_t path : paths) regions.push_back(tree.regions()[path]);
    std::sort(regions.begin(), regions.end());
    regions.erase(std::unique(regions.begin(), regions.end()), regions.end());
    return regions;
}

}  // namespace

void PresenceBits::spreadUpwards(const CallTree& tree)
{
    for (std::size_t node = rows_.size(); node-- > 0;) {
        const std::uint32_t parent = tree.parents()[node];
        if (rows_[node].empty() || parent == CallPathId::kNone) continue;
        if (rows_[parent].empty()) rows_[parent].resize(words_);
        for (std::size_t word = 0; word < words_; ++word) rows_[parent][word] |= rows_[node][word];
    }
}

std::optional<CubeRows> makeCubeRows(const PresenceBits& presence, const CallTree& tree,
                                     std::size_t locations, BlockStorage& storage, const Task& task)
{
    const StoredArray<std::uint64_t> offsets = storage.allocate<std::uint64_t>(locations + 1);
    std::fill(offsets.values.begin(), offsets.values.end(), 0);
    for (std::size_t node = 0; node < tree.size(); ++node) {
        if (node % kNodesBetweenStops == 0 && task.stopRequested()) return std::nullopt;
        presence.forEach(node, [&](std::size_t location) { ++offsets.values[location + 1]; });
    }
    for (std::size_t location = 0; location < locations; ++location)
        offsets.values[location + 1] += offsets.values[location];
    const StoredArray<std::uint32_t> paths = storage.allocate<std::uint32_t>(offsets.values.back());
    std::vector<std::uint64_t> next(offsets.values.begin(), offsets.values.end() - 1);
    for (std::size_t node = 0; node < tree.size(); ++node) {
        if (node % kNodesBetweenStops == 0 && task.stopRequested()) return std::nullopt;
        presence.forEach(node, [&](std::size_t location) {
            paths.values[next[location]++] = static_cast<std::uint32_t>(node);
        });
    }
    std::vector<std::vector<std::uint32_t>> regions(locations);
    const bool all = parallelFor(locations, task, [&](std::size_t location) {
        regions[location] =
            regionsOf(paths.values.subspan(offsets.values[location],
                                           offsets.values[location + 1] - offsets.values[location]),
                      tree);
    });
    if (!all) return std::nullopt;
    const StoredArray<std::uint64_t> regionOffsets = storage.allocate<std::uint64_t>(locations + 1);
    regionOffsets.values[0] = 0;
    for (std::size_t location = 0; location < locations; ++location)
        regionOffsets.values[location + 1] = regionOffsets.values[location] + regions[location].size();
    const StoredArray<std::uint32_t> regionItems =
        storage.allocate<std::uint32_t>(regionOffsets.values.back());
    for (std::size_t location = 0; location < locations; ++location)
        std::copy(regions[location].begin(), regions[location].end(),
                  regionItems.values.begin() + static_cast<std::ptrdiff_t>(regionOffsets.values[location]));
    return CubeRows{offsets.column(), regionOffsets.column(), paths.column(), regionItems.column()};
}

}  // namespace skein::cube
