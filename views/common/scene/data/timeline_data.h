// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/index/group_trees.h"
#include "core/index/timeline_index.h"
#include "core/select/view_state.h"
#include "core/session/experiment.h"
#include "core/session/experiment_titles.h"
#include "core/session/session_clock.h"
#include "views/common/scene/calls/buffer_flushes.h"
#include "views/common/scene/calls/location_message_lists.h"
#include "views/common/scene/data/memo.h"
#include "views/common/scene/data/message_filters.h"
#include "views/common/scene/data/metric_tracks.h"
#include "views/common/scene/regions/region_durations.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace skein {

struct TimelineRow;
using TimelineRowsMemo = Memo<std::vector<Filter>, std::vector<TimelineRow>>;

/// What views of time draw: the open experiments, their indexes and their common clock. Immutable, may cross
/// threads.
struct TimelineData {
    Session session;
    std::vector<TimelineIndexPtr> indexes;  ///< one an experiment; null where there is no trace
    SessionClock clock;
    std::string longestLabel;  ///< of the names of rows the one of most letters
    std::shared_ptr<RegionDurations> durations = std::make_shared<RegionDurations>();
    /// The rows of the last filters: every picture asks for them, and with thousands of locations they take a
    /// while.
    std::shared_ptr<TimelineRowsMemo> rows;
    std::shared_ptr<MetricTracks> metrics = std::make_shared<MetricTracks>();
    std::shared_ptr<GroupTrees> groups = std::make_shared<GroupTrees>();
    std::shared_ptr<LocationMessageLists> messages = std::make_shared<LocationMessageLists>();
    std::shared_ptr<BufferFlushes> flushes = std::make_shared<BufferFlushes>();
    std::shared_ptr<MessageFiltersMemo> messageFilters = std::make_shared<MessageFiltersMemo>();
};

using TimelineDataPtr = std::shared_ptr<const TimelineData>;

/// False where all that is open are profiles, which have no times of events.
inline bool anyTrace(const Session& session)
{
    return std::any_of(session.experiments.begin(), session.experiments.end(),
                       [](const ExperimentPtr& experiment) { return experiment->trace != nullptr; });
}

/// O(locations). Where several experiments are open, one of them may be collapsed to a row of its name.
inline std::string longestLocationName(const Session& session)
{
    std::string longest;
    if (session.experiments.size() > 1)
        for (const std::string& title : experimentTitles(session))
            if (title.size() + 5 > longest.size()) longest = title + " (00)";
    for (const ExperimentPtr& experiment : session.experiments)
        for (std::uint32_t id = 0; experiment->trace && id < experiment->definitions.locations.size(); ++id)
            if (std::string name = displayName(experiment->definitions, LocationId(id));
                name.size() > longest.size())
                longest = std::move(name);
    return longest;
}

/// `clockShiftsNs` as in ViewState.
inline TimelineDataPtr makeTimelineData(Session session, std::vector<TimelineIndexPtr> indexes,
                                        const std::vector<TimeNs>& clockShiftsNs = {})
{
    indexes.resize(session.experiments.size());
    SessionClock clock = sessionClock(session, clockShiftsNs);
    std::string longest = longestLocationName(session);
    return std::make_shared<const TimelineData>(
        TimelineData{std::move(session), std::move(indexes), std::move(clock), std::move(longest),
                     std::make_shared<RegionDurations>(), std::make_shared<TimelineRowsMemo>(),
                     std::make_shared<MetricTracks>(), std::make_shared<GroupTrees>(),
                     std::make_shared<LocationMessageLists>(), std::make_shared<BufferFlushes>()});
}

/// The same data with its clocks shifted as the state says; the data itself where that changes nothing.
/// Cheap.
inline TimelineDataPtr withClockOf(const TimelineDataPtr& data, const ViewState& state)
{
    if (!data) return data;
    SessionClock clock = sessionClock(data->session, state.clockShiftsNs);
    if (clock == data->clock) return data;
    return std::make_shared<const TimelineData>(TimelineData{
        data->session, data->indexes, std::move(clock), data->longestLabel, data->durations, data->rows,
        data->metrics, data->groups, data->messages, data->flushes, data->messageFilters});
}

/// The span that is to be seen: the state's, or everything; never shorter than 10 ns.
inline TimeSpan visibleSpan(const TimelineData& data, const ViewState& state)
{
    constexpr TimeNs kShortestSpan = 10;
    TimeSpan span = state.visible.value_or(data.clock.extent);
    if (span.lengthNs() < kShortestSpan) span.end = span.begin + kShortestSpan;
    return span;
}

}  // namespace skein
