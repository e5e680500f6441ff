// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/scene/data/session_behavior.h"
#include "views/timeline/timeline_layout_scene.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace skein {

/// A mark of a cluster: beside a row, or in the key. Device pixels.
struct PlacedCluster {
    std::uint32_t cluster = 0;
    Rect mark;
};

/// Marks at the left of the names of the rows in sight. A row that stands for several locations has a part
/// for each cluster of them, by their numbers; locations that are of none take none of it. Of rows lower than
/// a pixel one of a pixel tells. Empty where all behave alike. O(locations + rows).
std::vector<PlacedCluster> placedClusters(const SessionBehavior& behavior, const TimelineLayout& layout,
                                          const Canvas& canvas);

/// The numbers of the clusters in their colours, above the names, as far as there is room.
std::vector<PlacedCluster> clusterKey(const SessionBehavior& behavior, const TimelineLayout& layout,
                                      const Canvas& canvas);

/// Both, laid out once for as long as rows, window and behaviour stay what they are.
struct TimelineClusters {
    std::vector<PlacedCluster> marks, key;
};

TimelineClusters layOutClusters(const SessionBehavior& behavior, const TimelineLayout& layout,
                                const Canvas& canvas);

/// Marks and key in the colours that Behaviour has; those of selected clusters are wider. O(marks).
void drawTimelineClusters(DrawList& list, const TimelineClusters& clusters, const SessionBehavior& behavior,
                          const ViewState& state, const TimelineLayout& layout, const Canvas& canvas);

/// The one whose mark or number is at a point. O(marks).
std::optional<std::uint32_t> timelineClusterAt(const TimelineClusters& clusters, const TimelineLayout& layout,
                                               const Canvas& canvas, Point point);

/// Its number, how many there are of it, and what it is of.
std::vector<std::string> clusterText(const SessionBehavior& behavior, std::uint32_t cluster);

}  // namespace skein
