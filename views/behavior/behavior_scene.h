// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"
#include "views/common/scene/axes/time_frame.h"
#include "views/common/scene/data/session_behavior.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace skein {

/// A behaviour made ready for drawing. Immutable; may cross threads.
struct BehaviorPicture {
    SessionBehaviorPtr behavior;
    bool asBands = false;  ///< too many entities for a line each
};

using BehaviorPicturePtr = std::shared_ptr<const BehaviorPicture>;

/// Entities up to which each has a line.
inline constexpr std::size_t kMostBehaviorLines = 256;

/// O(1).
BehaviorPicturePtr makeBehaviorPicture(SessionBehaviorPtr behavior);

/// A name of the legend.
struct LegendChip {
    std::uint32_t cluster = 0;
    Rect box;
    std::string text;
};

/// Where the parts are. Device pixels.
struct BehaviorLayout {
    Rect caption, title, legend, history;
    TimeFrame frame;  ///< its body holds the lines
    TimeScale whole;  ///< time over `history`
    std::vector<LegendChip> chips;
    double low = 0;  ///< value at the bottom of the body
    double high = 1;

    double toY(double value) const;
};

/// "exclusive:MPI · by process · bins of 3.6 ms": what the lines show.
std::string behaviorTitle(const SessionBehavior& behavior);

BehaviorLayout behaviorLayout(const TimelineData& data, const BehaviorPicture& picture,
                              const ViewState& state, const Canvas& canvas);

/// A line an entity in the colour of its cluster over the visible time, or bands a cluster where they are
/// many; change points as numbered lines behind which the blind zone is shaded; below them the mean of all
/// entities over the whole time with the visible part in a frame. With selected locations only their entities
/// have a colour. Where there are more bins than pixels a pixel shows all of its bins' extremes. O(pixels +
/// lines · bins).
DrawList behaviorScene(const TimelineData& data, const BehaviorPicture& picture, const ViewState& state,
                       const Canvas& canvas, const Task& task);

struct BehaviorPointers {
    std::optional<std::size_t> chosenChange;
    std::optional<std::size_t> baseRow;  ///< that differences are of
};

/// Time marks, why the chosen change was called, and where the base lies.
DrawList behaviorOverlay(const BehaviorPicture& picture, const ViewState& state, const BehaviorLayout& layout,
                         const BehaviorPointers& pointers, const Canvas& canvas);

/// The change whose line or number is within 5 logical pixels of a point of the body or ruler; a place in
/// ChangePoints::changes.
std::optional<std::size_t> behaviorChangeAt(const BehaviorPicture& picture, const BehaviorLayout& layout,
                                            Point point, double scale);
/// The entity whose line is nearest to a point of the body, within 8 logical pixels. O(entities).
std::optional<std::size_t> behaviorEntityAt(const BehaviorPicture& picture, const BehaviorLayout& layout,
                                            Point point, double scale);
/// What a click chooses: the locations of a name of the legend, or else of the nearest line.
struct BehaviorPick {
    std::vector<LocationRef> locations;  ///< empty: nothing is there
    std::vector<ClusterRef> clusters;    ///< a name of the legend was meant
};
BehaviorPick behaviorPickAt(const BehaviorPicture& picture, const BehaviorLayout& layout, Point point,
                            double scale);
/// The row of a time; nullopt outside of the bins.
std::optional<std::size_t> behaviorRowAt(const SessionBehavior& behavior, TimeNs time);

/// What is at a point: entity and value, the change, or a cluster.
std::vector<std::string> behaviorTooltip(const BehaviorPicture& picture, const BehaviorLayout& layout,
                                         Point point, double scale);

}  // namespace skein
