// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/scene/data/session_behavior.h"
#include "views/timeline/timeline_layout_scene.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace skein {

/// A change of behaviour over the timeline. Device pixels.
struct PlacedChange {
    std::size_t change = 0;  ///< a place in changes.changes
    double x = 0;
    Rect flag;  ///< of its number; empty where it would cover the one before
};

/// Those in sight of the changes that last, or of all where none does, and the selected ones; by time.
/// O(changes).
std::vector<PlacedChange> placedChanges(const SessionBehavior& behavior, const ViewState& state,
                                        const TimelineLayout& layout, const Canvas& canvas);

/// Lines of changes that were found for something else than what is asked for by now, as long as that is
/// worked out: faint, without numbers.
void drawOutdatedChanges(DrawList& list, const SessionBehavior& behavior, const ViewState& state,
                         const TimelineLayout& layout, const Canvas& canvas);

/// Lines through ruler and rows with numbers below the ruler, as the panel Behaviour has them; those of
/// selected ones are thicker.
void drawTimelineChanges(DrawList& list, const SessionBehavior& behavior, const ViewState& state,
                         const TimelineLayout& layout, const Canvas& canvas);

/// The one whose number is at a point, or whose line is within 4 logical pixels of a point of the ruler.
std::optional<std::size_t> timelineChangeAt(const std::vector<PlacedChange>& placed,
                                            const TimelineLayout& layout, Point point, double scale);

}  // namespace skein
