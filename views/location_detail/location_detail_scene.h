// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"
#include "core/select/view_state.h"
#include "views/common/scene/time_frame.h"

#include <cstdint>
#include <string>
#include <vector>

namespace skein {

/// Where everything of the picture of one location is. Device pixels.
struct LocationDetailLayout {
    Rect caption;
    TimeFrame frame;
    LocationRef location;         ///< invalid where there is none to show
    std::uint32_t rows = 0;       ///< one a depth of the call stack
    double rowHeight = 0;         ///< with the gap below
    double scroll = 0;            ///< device pixels scrolled out above
    double maximumScroll = 0;

    double top(std::uint32_t row) const { return frame.body.y - scroll + row * rowHeight; }
};

/// The location that is shown: the first selected one that has calls and passes the filters, else the first of all.
LocationRef detailLocation(const TimelineData& data, const ViewState& state);

/// "Rank 3", with the title of its experiment before it where several are open: each may have a rank 3.
std::string detailTitle(const Session& session, LocationRef location);

LocationDetailLayout locationDetailLayout(const TimelineData& data, const ViewState& state, double scroll, const Canvas& canvas);

/// One location, a row a depth of the call stack, none covered by another. Calls of hidden regions are left out, what
/// they called moves up. Calls that are wide enough have an outline and a name. Recursions deeper than 128 levels end in
/// the last row. Pure; the cost depends on the pixels. Stops early when told to.
DrawList locationDetailScene(const TimelineData& data, const ViewState& state, double scroll, const Canvas& canvas, const Task& task);

/// The selected, found and hovered calls, the brushed span and the pointer's time.
DrawList locationDetailOverlay(const TimelineData& data, const ViewState& state, const LocationDetailLayout& layout, const Canvas& canvas);

/// The time, and the call whose bar is there.
Hover locationDetailHit(const TimelineData& data, const ViewState& state, const LocationDetailLayout& layout, Point point);

}  // namespace skein
