// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/routing/link_amounts.h"
#include "core/comm/comm_matrix.h"
#include "core/machine/distances.h"
#include "core/machine/topology.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

/// What a new placement changes, pair by pair and link by link.
namespace skein {

struct PairChange {
    std::uint32_t sender = 0;
    std::uint32_t receiver = 0;
    std::uint64_t amount = 0;  ///< bytes, or messages where the matrix knows no bytes
    std::uint32_t hopsBefore = 0;
    std::uint32_t hopsAfter = 0;

    /// Hop-bytes more; negative where the way got shorter.
    std::int64_t change() const
    {
        return static_cast<std::int64_t>(amount)
            * (static_cast<std::int64_t>(hopsAfter) - static_cast<std::int64_t>(hopsBefore));
    }
};

/// The pairs of ranks whose hop-bytes change most, either way, at most `most` of them; by sender and receiver
/// among equals. Slots as in MappingProblem. O(entries log most).
std::vector<PairChange> changedPairs(const CommMatrix& matrix, const Distances& distances,
                                     std::uint32_t ranksPerNode, std::span<const std::uint32_t> before,
                                     std::span<const std::uint32_t> after, std::size_t most);

struct LinkChange {
    LinkIndex link = 0;
    std::uint64_t before = 0;
    std::uint64_t after = 0;
};

/// The links whose load changes most, either way, at most `most` of them; by number among equals.
std::vector<LinkChange> changedLinks(const LinkAmounts& before, const LinkAmounts& after, std::size_t most);

}  // namespace skein
