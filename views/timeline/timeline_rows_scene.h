// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/select/view_state.h"
#include "views/timeline/timeline_data_scene.h"

#include <cstdint>
#include <string>
#include <vector>

namespace skein {

enum class TimelineRowKind : std::uint8_t { Experiment, Node, Process, Location };

/// A row of the timeline, before it has a place.
struct TimelineRow {
    TimelineRowKind kind = TimelineRowKind::Location;
    LocationRef location;       ///< of location rows; of headers the first location below
    std::string label;          ///< what distinguishes it from its siblings: "Thread 1"
    std::string fullLabel;      ///< what names it alone: "Rank 3 Thread 1"
    std::uint32_t members = 1;  ///< location rows below a header
    RowGroup group = {};        ///< what a header stands for
    std::vector<LocationRef> folded =
        {};               ///< of a header that is collapsed: the locations below it; it then is a row of bars
    bool pinned = false;  ///< stays on top
};

/// Calls visit(location) for what a row of bars stands for: its location, or those of a collapsed group; for
/// none of headers.
template <typename Visit>
void forEachLocation(const TimelineRow& row, Visit visit)
{
    if (row.kind == TimelineRowKind::Location) return visit(row.location);
    for (const LocationRef& location : row.folded) visit(location);
}

/// True for rows without bars.
bool isHeader(const TimelineRow& row);

/// Every location that passes the filters and recorded something, grouped by experiment, node and process.
/// Levels that would put a header over each single row are left out, as is the experiment's where only one is
/// open. Within their parents, nodes and processes stand in the order of their ranks, locations in that of
/// their threads.
std::vector<TimelineRow> timelineRows(const TimelineData& data, const std::vector<Filter>& filters);

/// The same rows as the user has arranged them: pinned ones first, then those of groups that are collapsed in
/// one row; in an order of the user's own there are no headers.
std::vector<TimelineRow> arrangedRows(const TimelineData& data, const std::vector<Filter>& filters,
                                      const RowArrangement& arrangement);

/// The same rows without the headers of a kind; locations below are then labelled in full.
std::vector<TimelineRow> withoutHeaders(std::vector<TimelineRow> rows, TimelineRowKind kind);

}  // namespace skein
