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

/// What drawing a trace needs so that the cost of a picture depends on its pixels and not on the events.
/// Built once after import. Immutable; safe to read from several threads.
struct TimelineIndex {
    static constexpr std::uint32_t kBundle = 64;  ///< locations that may be drawn as one row
    static constexpr std::uint32_t kFewestToBundle =
        512;  ///< with fewer locations rows are at least a pixel high

    struct Location {
        TimeTree tree;
        IntervalSkip skip;
        CallSums sums;
        Column<Outlier> outliers;  ///< calls much longer than usual for their region, see findOutliers()
    };
    std::vector<Location> locations;  ///< index = LocationId
    std::vector<BundleTree>
        bundles;  ///< b: locations [b · kBundle, (b + 1) · kBundle); empty if there are few locations
    MessageSkip messages;
    std::uint32_t maximumDepth = 0;  ///< depth of the deepest call + 1

    std::size_t bytes() const;
};

using TimelineIndexPtr = std::shared_ptr<const TimelineIndex>;

/// Indexes the locations in parallel; the same bits for any number of threads. O(calls). With `firstOfName`,
/// trees and outliers count regions of the same name as one, see firstOfName(). Errors: Cancelled only.
Result<TimelineIndex> buildTimelineIndex(const Trace& trace, const CallTree& callTree,
                                         const std::vector<std::uint32_t>& firstOfName, const Task& task);
Result<TimelineIndex> buildTimelineIndex(const Trace& trace, const CallTree& callTree, const Task& task);

}  // namespace skein
