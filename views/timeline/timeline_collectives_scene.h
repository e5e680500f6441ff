// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/scene/drawing/draw_list.h"
#include "views/timeline/timeline_layout_scene.h"

#include <cstdint>
#include <string>
#include <vector>

namespace skein {

/// One member of a collective operation on the picture.
struct PlacedMember {
    double begin = 0;  ///< x at which it came
    double end = 0;    ///< and left
    double top = 0;    ///< of its row
    double bottom = 0;
};

struct PlacedCollective {
    std::uint32_t experiment = 0;
    std::uint64_t operation = 0;  ///< index into Trace::collectives, or the operations that were inferred
    bool inferred = false;
    std::vector<PlacedMember> members;  ///< from top to bottom, at least two
};

struct VisibleCollectives {
    std::vector<PlacedCollective> drawn;
    bool thinned = false;  ///< some stand for their neighbours, for want of room
    std::uint64_t total =
        0;  ///< operations that begin in the span, and long ones that began shortly before it
};

/// Collective operations, those of the traces and `inferred` ones (as in TimelineOptions), with members in at
/// least two visible rows. Where there are more than 200, the longest of a few
/// of each group of neighbours stands for its group; groups do not change when the view is moved.
/// O(members of 200 operations), whatever their number.
VisibleCollectives visibleCollectives(const TimelineData& data, const TimelineLayout& layout,
                                      const std::vector<CollectiveTablePtr>& inferred = {});

/// The drawn collective whose band is at a point; null where there is none. The one of fewest pixels wins.
const PlacedCollective* collectiveAt(const VisibleCollectives& collectives, Point point);

/// Two short lines: "allreduce of 8: 1.2 ms, 64 KiB sent", or "reduce of 8, root Rank 0: 1.2 ms"; who came
/// last, how much later than the first. "inferred" are those that the trace did not record: they were found
/// by their calls.
std::vector<std::string> collectiveTooltip(const TimelineData& data, const PlacedCollective& collective,
                                           const std::vector<CollectiveTablePtr>& inferred);

/// Appends a band for each, from where its members came to where they left: who came last is where its left
/// edge bulges. Where colours are amounts the bands are outlines: their fill would tint what is to be
/// compared with a scale.
void drawCollectives(DrawList& list, const VisibleCollectives& collectives, const TimelineLayout& layout,
                     const TimelineOptions& options, ColorMode colors);

}  // namespace skein
