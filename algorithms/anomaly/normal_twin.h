// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/anomaly/execution_tree.h"
#include "core/base/result.h"
#include "core/base/task.h"

#include <cstdint>
#include <optional>
#include <span>

namespace skein {

struct TwinParams {
    std::size_t executions = 64;                   ///< that are compared, at most; ≥ 1
    std::uint64_t calls = std::uint64_t{1} << 21;  ///< in all of them together, at most, but for the first
    std::size_t height = 3;                        ///< of the subtrees that are compared
};

/// The most typical execution of a function: the medoid, that is, the one whose distances to the others add
/// up to the least. The distance is that of the bags of subtrees weighted by their durations
/// (subtree_labels.h), so both what is called and how long it lasts count. Of many executions a part is
/// compared, chosen by the calls' numbers alone. `strange` (sorted) are those that are not normal; nullopt
/// where there are no others. Errors: Cancelled. O(calls + executions² · kinds of subtrees).
Result<std::optional<CallOfLocation>> normalTwin(const Trace& trace, const FunctionsOfCalls& functions,
                                                 std::uint32_t function,
                                                 std::span<const CallOfLocation> strange,
                                                 const TwinParams& params, const Task& task);

}  // namespace skein
