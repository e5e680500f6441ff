// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/mapping/problem/flow_graph.h"
#include "core/base/result.h"
#include "core/base/task.h"
#include "core/machine/distances.h"

#include <cstdint>
#include <optional>
#include <span>

namespace skein {

/// Σ bytes(i → j) · hops(node of i → node of j), exactly (equation 3 of Fujiwara et al. 2017).
/// `slotOfRank[i] / ranksPerNode` is the node of rank i. O(entries).
std::int64_t hopBytes(const FlowGraph& flow, const Distances& distances,
                      std::span<const std::uint32_t> slotOfRank, std::uint32_t ranksPerNode);

/// The same on the task's threads; nullopt where it was stopped. O(entries). Below about a million flows the
/// one above is as fast.
std::optional<std::int64_t> hopBytes(const FlowGraph& flow, const Distances& distances,
                                     std::span<const std::uint32_t> slotOfRank, std::uint32_t ranksPerNode,
                                     const Task& task);

/// What swapping the ranks of two slots adds to hopBytes, exactly. `rankAt[slot]` may be kNoRank. Handles
/// asymmetric flows and distances. O(degree of both).
std::int64_t hopBytesChange(const FlowGraph& flow, const Distances& distances,
                            std::span<const std::uint32_t> slotOfRank, std::span<const std::uint32_t> rankAt,
                            std::uint32_t ranksPerNode, std::uint32_t slot, std::uint32_t other);

/// Fails with Unsupported where bytes × the largest distance could pass 2^62, so that sums in 64 bits stay
/// exact.
Result<void> checkRange(const FlowGraph& flow, const Distances& distances);

}  // namespace skein
