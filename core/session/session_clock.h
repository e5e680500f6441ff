// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/time_span.h"
#include "core/session/experiment.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace skein {

/// Unix time in ns at which the experiment's time 0 lies. From the archive's realtime stamp, or from its
/// ticks where they themselves are a plausible Unix time (TAU counts microseconds since 1970); nullopt where
/// neither is known.
std::optional<std::int64_t> startUnixNs(const Definitions& definitions);

/// The clock that all experiments of a session share: session time = experiment's time + offset; its zero is
/// the start of the earliest experiment.
struct SessionClock {
    std::vector<TimeNs> offsetsNs;  ///< per experiment; ≥ 0 but for shifts
    TimeSpan extent;                ///< everything that happened, in session time
    bool absolute = false;          ///< false: the starts are aligned

    TimeNs toSession(std::uint32_t experiment, TimeNs time) const { return time + offsetsNs[experiment]; }
    TimeSpan toSession(std::uint32_t experiment, TimeSpan span) const
    {
        return {span.begin + offsetsNs[experiment], span.end + offsetsNs[experiment]};
    }
    TimeNs toExperiment(std::uint32_t experiment, TimeNs time) const { return time - offsetsNs[experiment]; }
    TimeSpan toExperiment(std::uint32_t experiment, TimeSpan span) const
    {
        return {span.begin - offsetsNs[experiment], span.end - offsetsNs[experiment]};
    }
    bool operator==(const SessionClock&) const = default;
};

/// Absolute times are used when all traces have them and no pause between two of them is longer than all of
/// them together (and a second): such experiments are components of one workflow. Otherwise they are runs to
/// compare, and their starts are aligned.
/// `shiftsNs` are what the user adds to each experiment's offset; missing ones are 0. They do not move the
/// zero, so that times of experiments that were not shifted stay the same: the extent may begin before 0.
/// O(number of experiments).
SessionClock sessionClock(const Session& session, const std::vector<TimeNs>& shiftsNs = {});

}  // namespace skein
