// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/index/timeline_index.h"
#include "core/session/experiment.h"
#include "core/session/session_clock.h"

#include <memory>
#include <vector>

namespace skein {

/// What a timeline draws: the open experiments, their indexes and their common clock. Immutable, may cross threads.
struct TimelineData {
    Session session;
    std::vector<TimelineIndexPtr> indexes;  ///< one an experiment; null where there is no trace
    SessionClock clock;
};

using TimelineDataPtr = std::shared_ptr<const TimelineData>;

inline TimelineDataPtr makeTimelineData(Session session, std::vector<TimelineIndexPtr> indexes)
{
    indexes.resize(session.experiments.size());
    SessionClock clock = sessionClock(session);
    return std::make_shared<const TimelineData>(TimelineData{std::move(session), std::move(indexes), std::move(clock)});
}

}  // namespace skein
