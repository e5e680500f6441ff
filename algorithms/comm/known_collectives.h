// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/task.h"
#include "core/base/time_span.h"
#include "core/session/experiment.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace skein {

/// The collective operations of a trace of which it is known who took part and how large they were: those
/// that it recorded as such, else those that calls of regions and TAU's samples of their sizes tell. It looks
/// into the trace that it was made of, which must live as long.
class KnownCollectives {
public:
    std::span<const CollectiveOperation> operations() const;
    std::span<const CollectiveMember> membersOf(const CollectiveOperation& operation) const;

    /// The calls were only regions: barriers, allreduce, allgather and all-to-all that all processes call
    /// equally often, none of which anybody leaves before all have come, are taken as operations over all
    /// processes; sizes are the samples within the calls.
    bool fromRegions() const { return fromRegions_; }
    /// Calls of collective regions that belong to no known operation: whose members, root or size nothing
    /// tells. 0 where operations were recorded.
    std::uint64_t leftCalls() const { return leftCalls_; }

private:
    friend Result<KnownCollectives> knownCollectives(const Experiment& experiment, const Task& task);

    const Trace* trace_ = nullptr;
    std::vector<CollectiveOperation> operations_;  ///< of regions, by begin
    std::vector<CollectiveMember> members_;        ///< of regions
    std::uint64_t leftCalls_ = 0;
    bool fromRegions_ = false;
};

/// Errors: NotRecorded without a trace; Cancelled. O(1) where operations were recorded, else O(calls).
Result<KnownCollectives> knownCollectives(const Experiment& experiment, const Task& task);

/// The trace has no collective events but regions that are collective operations. O(regions).
bool collectivesAreRegions(const Experiment& experiment);

/// What becomes of the operations that began in `window` when they are expanded by an algorithm, in the
/// user's words: "12 expanded: ring"; where they were regions what is assumed, and what is left out and why.
std::string tellExpansion(const KnownCollectives& known, const std::optional<TimeSpan>& window,
                          const std::string& algorithm);

}  // namespace skein
