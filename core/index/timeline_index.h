// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/task.h"
#include "core/index/call_sums.h"
#include "core/index/interval_skip.h"
#include "core/index/message_skip.h"
#include "core/index/outliers.h"
#include "core/index/time_tree.h"
#include "core/profile/call_tree.h"
#include "core/trace/trace.h"

#include <memory>
#include <vector>

namespace skein {

/// What drawing a trace needs so that a picture costs its pixels and not its events. Built once after import.
/// Immutable; reading from several threads is safe.
struct TimelineIndex {
    static constexpr std::uint32_t kBundle = 64;           ///< locations that may be drawn as one row
    static constexpr std::uint32_t kFewestToBundle = 512;  ///< with fewer locations rows are high enough

    struct Location {
        TimeTree tree;
        IntervalSkip skip;
        CallSums sums;
        Column<Outlier>
            outliers;  ///< calls that are much longer than their region's usual, see findOutliers()
    };
    std::vector<Location> locations;  ///< index = LocationId
    std::vector<BundleTree>
        bundles;  ///< b: of locations [b · kBundle, (b + 1) · kBundle); empty where there are few
    MessageSkip messages;
    std::uint32_t maximumDepth = 0;  ///< depth of the deepest call + 1

    std::size_t bytes() const;
};

using TimelineIndexPtr = std::shared_ptr<const TimelineIndex>;

/// Locations are worked on in parallel; the same bits for any number of threads. O(calls). Trees and outliers
/// count regions of one name as one where these are told, see firstOfName(). Errors: Cancelled only.
Result<TimelineIndex> buildTimelineIndex(const Trace& trace, const CallTree& callTree,
                                         const std::vector<std::uint32_t>& firstOfName, const Task& task);
Result<TimelineIndex> buildTimelineIndex(const Trace& trace, const CallTree& callTree, const Task& task);

}  // namespace skein
