// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/profile/aggregate.h"
#include "core/base/result.h"
#include "core/base/result_store.h"
#include "core/base/task.h"
#include "core/select/view_state.h"
#include "core/session/experiment.h"
#include "core/session/session_clock.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace skein {

/// The part of a session that is summed up, and by what.
struct ProfileQuery {
    std::optional<TimeSpan> span = {};  ///< session time; nullopt: the whole run, for profiles too
    std::vector<Filter> filters = {};
    MetricRef metric = {};                      ///< as in ViewState
    std::vector<TimeNs> clockShiftsNs = {};     ///< as in ViewState
    std::shared_ptr<ResultStore> results = {};  ///< of the views that may ask for the same; null: asks alone
};

/// What one experiment answers to a query.
struct QueriedProfile {
    std::shared_ptr<const Profile> profile;
    Result<std::size_t> column;    ///< of the metric; an error where the experiment does not have it
    LocationScope locations = {};  ///< over which amounts are divided
    /// The metric of that column, where the time was asked for and a profile has none; else empty.
    std::string insteadOfTime = {};

    /// The cube that tables are made of: by region where there is one.
    const MetricCube& cube() const
    {
        return profile->regions.metrics.empty() ? profile->callPaths : profile->regions;
    }
};

/// The profiles of a session's experiments as a query asks for them. Keeps references to both.
class SessionProfiles {
public:
    SessionProfiles(const Session& session, const ProfileQuery& query);

    /// What the query leaves of the time; nullopt: all of it.
    const std::optional<TimeSpan>& span() const { return span_; }
    /// The same on an experiment's own clock.
    std::optional<TimeSpan> spanOf(std::uint32_t experiment) const;
    /// False for an experiment without calls, and for a profile that is asked for a span.
    bool canTell(std::uint32_t experiment) const;
    /// Sums an experiment up. Errors: those of profileOfPart().
    Result<QueriedProfile> of(std::uint32_t experiment, const Task& task) const;

private:
    const Session& session_;
    const ProfileQuery& query_;
    std::optional<TimeSpan> span_;
    SessionClock clock_;
};

/// Calls `add` for every experiment, with its part of the task, until one fails. Errors: Cancelled, and those
/// of `add`.
Result<void> forEachExperiment(const Session& session, const Task& task,
                               const std::function<std::optional<Error>(std::uint32_t, const Task&)>& add);

}  // namespace skein
