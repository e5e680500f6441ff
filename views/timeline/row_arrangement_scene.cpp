// SPDX-License-Identifier: GPL-3.0-or-later
// What a user's arrangement makes of the rows of the system tree.
#include "core/session/experiment_titles.h"
#include "views/timeline/timeline_rows_scene.h"

#include <algorithm>
#include <map>

namespace skein {
namespace {

using RowsByLocation = std::map<LocationRef, const TimelineRow*>;

RowsByLocation locationRows(const std::vector<TimelineRow>& rows)
{
    RowsByLocation found;
    for (const TimelineRow& row : rows)
        if (row.kind == TimelineRowKind::Location) found.emplace(row.location, &row);
    return found;
}

/// A location's row away from its headers.
TimelineRow alone(const TimelineRow& row, const std::vector<std::string>& titles)
{
    TimelineRow copy = row;
    copy.label = titles.size() > 1 ? titles[row.location.experiment] + " " + row.fullLabel : row.fullLabel;
    return copy;
}

std::vector<TimelineRow> ordered(const std::vector<TimelineRow>& rows, const std::vector<LocationRef>& order,
                                 const std::vector<std::string>& titles)
{
    RowsByLocation left = locationRows(rows);
    std::vector<TimelineRow> result;
    for (const LocationRef& location : order) {
        const auto found = left.find(location);
        if (found == left.end()) continue;
        result.push_back(alone(*found->second, titles));
        left.erase(found);
    }
    for (const TimelineRow& row : rows)
        if (left.contains(row.location) && row.kind == TimelineRowKind::Location)
            result.push_back(alone(row, titles));
    return result;
}

/// A header that is collapsed takes the place of all that stands below it.
std::vector<TimelineRow> withCollapsed(const std::vector<TimelineRow>& rows,
                                       const std::vector<RowGroup>& collapsed)
{
    std::vector<TimelineRow> result;
    for (std::size_t at = 0; at < rows.size();) {
        const TimelineRow& row = rows[at++];
        result.push_back(row);
        if (row.kind == TimelineRowKind::Location
            || !std::binary_search(collapsed.begin(), collapsed.end(), row.group))
            continue;
        for (; at < rows.size() && rows[at].kind > row.kind; ++at)
            if (rows[at].kind == TimelineRowKind::Location) result.back().folded.push_back(rows[at].location);
        // Beside the bars there is room for the name alone.
        result.back().label = row.fullLabel;
    }
    return result;
}

}  // namespace

bool isHeader(const TimelineRow& row) { return row.kind != TimelineRowKind::Location && row.folded.empty(); }

std::vector<TimelineRow> arrangedRows(const TimelineData& data, const std::vector<Filter>& filters,
                                      const RowArrangement& arrangement)
{
    std::vector<TimelineRow> rows = timelineRows(data, filters);
    // There may be thousands, for every picture.
    if (arrangement.pinned.empty() && arrangement.order.empty() && arrangement.collapsed.empty()) return rows;
    const std::vector<std::string> titles = experimentTitles(data.session);
    std::vector<TimelineRow> result;
    const RowsByLocation known = locationRows(rows);
    for (const LocationRef& location : arrangement.pinned) {
        const auto found = known.find(location);
        if (found == known.end()) continue;
        result.push_back(alone(*found->second, titles));
        result.back().pinned = true;
    }
    const std::vector<TimelineRow> rest = arrangement.order.empty()
        ? withCollapsed(rows, arrangement.collapsed)
        : ordered(rows, arrangement.order, titles);
    for (const TimelineRow& row : rest)
        if (row.kind != TimelineRowKind::Location
            || std::find(arrangement.pinned.begin(), arrangement.pinned.end(), row.location)
                == arrangement.pinned.end())
            result.push_back(row);
    return result;
}

}  // namespace skein
