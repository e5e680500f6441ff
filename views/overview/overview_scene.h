// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"
#include "core/select/view_state.h"
#include "views/common/scene/axes/time_axis.h"
#include "views/common/scene/axes/time_window.h"
#include "views/common/scene/data/timeline_data.h"
#include "views/common/scene/drawing/draw_list.h"
#include "views/common/scene/drawing/scene_style.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace skein {

/// The rows of one experiment: each stands for one location; where there are more locations than pixels for a
/// process, a node, or a run of neighbours.
struct OverviewBlock {
    std::uint32_t experiment = 0;
    std::string title;
    Rect rect;  ///< of its rows
    std::vector<std::vector<LocationId>> rows;
    std::vector<int> tops;  ///< of each row, and the bottom of the last one
};

enum class OverviewContent : std::uint8_t {
    Groups,  ///< how the time of each row divides among the groups of regions
    Depth,   ///< how deep its call stacks are
};

/// What an overview shows, apart from the data.
struct OverviewOptions {
    OverviewContent content = OverviewContent::Groups;
    RegionGrouping grouping = RegionGrouping::Role;
    std::vector<Filter> filters = {};

    bool operator==(const OverviewOptions&) const = default;
};

/// Where everything of an overview is. Device pixels.
struct OverviewLayout {
    Rect caption, header, labels, histogram, body,
        ruler;        ///< `histogram` is empty where there are no messages
    TimeScale scale;  ///< all session time over `body`
    std::vector<OverviewBlock> blocks;
};

/// Locations that filters hide have no rows.
OverviewLayout overviewLayout(const TimelineData& data, const Canvas& canvas,
                              const std::vector<Filter>& filters = {});

/// The whole execution: sent and received messages over time, below them what every location did, by group or
/// as the depth of its calls, without what filters hide. Pure; the cost depends on pixels, locations and
/// messages. Stops early when told to.
DrawList overviewScene(const TimelineData& data, const OverviewOptions& options, const Canvas& canvas,
                       const Task& task);

/// The visible window as a frame, the brushed span, and a window that is being drawn.
DrawList overviewOverlay(const TimelineData& data, const ViewState& state, const OverviewLayout& layout,
                         const std::optional<TimeSpan>& drawnWindow, const Canvas& canvas);

/// What a drag that begins at the point takes along: an edge within 5 logical pixels, the frame, or a new
/// window. A frame around everything is not moved but replaced. Nothing outside the time.
std::optional<WindowGrip> overviewGrip(const TimelineData& data, const ViewState& state,
                                       const OverviewLayout& layout, const Canvas& canvas, Point point);

/// The location whose row is there; invalid where there is none, or where a row stands for several.
LocationRef overviewLocation(const OverviewLayout& layout, Point point);

/// Time, rows and messages at a point, in at most four lines.
std::vector<std::string> overviewTooltip(const TimelineData& data, const OverviewLayout& layout, Point point);

}  // namespace skein
