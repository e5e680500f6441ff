// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/block_storage.h"
#include "core/base/column.h"
#include "core/base/task.h"
#include "core/profile/call_tree.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace skein::cube {

/// Which locations have values of which call paths: a bit a location for every call path that has any.
class PresenceBits {
public:
    PresenceBits(std::size_t nodes, std::size_t locations) : words_((locations + 63) / 64), rows_(nodes) {}

    /// Not for one node on several threads.
    void set(std::size_t node, std::size_t location)
    {
        std::vector<std::uint64_t>& row = rows_[node];
        if (row.empty()) row.resize(words_);
        row[location / 64] |= std::uint64_t{1} << (location % 64);
    }
    /// What has values below it has some itself.
    void spreadUpwards(const CallTree& tree);

    template <typename Function>
    void forEach(std::size_t node, Function function) const
    {
        for (std::size_t word = 0; word < rows_[node].size(); ++word)
            for (std::uint64_t bits = rows_[node][word]; bits != 0; bits &= bits - 1)
                function(word * 64 + static_cast<std::size_t>(__builtin_ctzll(bits)));
    }

private:
    std::size_t words_;
    std::vector<std::vector<std::uint64_t>> rows_;
};

/// The rows of both cubes of a profile: of each location one a call path that it has values of, and one a
/// region of these. All columns of the cubes go by them. Immutable.
struct CubeRows {
    Column<std::uint64_t> pathOffsets, regionOffsets;  ///< [location]
    Column<std::uint32_t> paths, regions;              ///< increasing within a location

    std::size_t locations() const { return pathOffsets.size() - 1; }
};

/// nullopt after a stop request. Throws std::bad_alloc. O(nodes + rows log regions).
std::optional<CubeRows> makeCubeRows(const PresenceBits& presence, const CallTree& tree,
                                     std::size_t locations, BlockStorage& storage, const Task& task);

}  // namespace skein::cube
