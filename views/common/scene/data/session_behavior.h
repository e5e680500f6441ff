// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/behavior/change_points.h"
#include "algorithms/behavior/mini_batch_kmeans.h"
#include "algorithms/behavior/progressive_projection.h"
#include "algorithms/behavior/trace_series.h"
#include "core/select/view_state.h"
#include "core/session/experiment.h"
#include "core/session/session_clock.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

/// How the entities of a trace behave over time: what the behaviour and the similarity view show.
namespace skein {

/// What is asked for.
struct BehaviorRequest {
    std::uint32_t experiment = 0;
    std::string metric = "exclusive";  ///< as skein-cli series --metric
    SeriesGrouping per = SeriesEntity::Process;
    /// The entity that was opened: only these locations count. Empty: nothing was.
    std::vector<LocationId> within = {};
    std::string withinName = {};
    std::size_t bins = 200;
    std::string byRegion = {};   ///< a bin from each call of it to the next one; empty: `bins` of one length
    std::uint32_t clusters = 0;  ///< 0: as many as the silhouette proposes
    double alpha = 0.01;
    std::uint32_t burnIn = 10;
    std::optional<TimeSpan> span = {};  ///< session time; nullopt: the whole run
    std::vector<Filter> filters = {};   ///< hidden locations count nowhere, and nothing outside of kept spans
    std::vector<TimeNs> clockShiftsNs = {};  ///< as in ViewState

    /// How its changes are looked for.
    ChangeParams changeParams() const;

    bool operator==(const BehaviorRequest&) const = default;
};

/// What the entities of a cluster did in a bin: least, greatest, and the values between which eight of ten
/// lie. NaN where none has a value.
struct ClusterBand {
    double least = 0, low = 0, median = 0, high = 0, greatest = 0;
};

/// What was found. Immutable; may cross threads.
struct SessionBehavior {
    BehaviorRequest request;
    SeriesTable table;                               ///< times in ns of the experiment
    std::vector<std::vector<LocationId>> locations;  ///< of each column
    std::vector<TimeNs> edges;                       ///< of the bins, session time; one more than rows
    std::vector<double> mean;                        ///< over the columns, a row; NaN in a gap
    ChangePoints changes;  ///< as they are shown: reviewedChanges(); of a part those that had been called
    std::vector<std::size_t> lasting;                  ///< places in changes.changes
    std::vector<std::size_t> called;                   ///< rows at which the detector called changes
    std::vector<std::optional<std::size_t>> calledAt;  ///< of each change; nullopt: the detector missed it
    Clustering clusters;
    std::vector<std::size_t> clusterSizes;
    std::vector<std::vector<ClusterBand>> bands;  ///< [cluster][row]
    double silhouette = 0;                        ///< mean of a sample, −1…1
    Projection projection;
    double clusterShare = 1;  ///< of the entities that the centres have seen, 0…1
    double placeShare = 1;    ///< of the entities that the components have seen
    TimeNs wholeEnd = 0;      ///< of the whole run, where this is a part of it that was replayed
    /// Columns are entities of a stream: each is a location of its own, which no session knows.
    bool streamed = false;
    std::string findingsOf = {};  ///< the metric that changes and clusters are of; empty: its own

    TimeSpan binSpan(std::size_t row) const { return {edges[row], edges[row + 1]}; }
    /// Those of a column as a session names them.
    std::vector<LocationRef> locationsOf(std::size_t column) const;
    /// Of several columns; sorted.
    std::vector<LocationRef> locationsOf(const std::vector<std::size_t>& columns) const;
    /// Of all columns of a cluster; sorted.
    std::vector<LocationRef> locationsOfCluster(std::uint32_t cluster) const;
};

/// Of each column whether any of its locations is selected. O(columns · log selected).
std::vector<bool> selectedColumns(const SessionBehavior& behavior, const Selection& selected);

using SessionBehaviorPtr = std::shared_ptr<const SessionBehavior>;

/// What all series of a request have in common.
struct BehaviorBins {
    std::vector<TimeNs> edges;                       ///< of the bins, in the experiment's time
    std::vector<TimeNs> sessionEdges;                ///< the same, session time
    std::vector<bool> hidden;                        ///< a location, as in TraceSeriesParams
    std::vector<std::vector<LocationId>> locations;  ///< of each entity
};

/// Errors: NotRecorded (no trace, nothing of it in the scope, fewer than two bins, no location is left),
/// those of binsByRegion().
Result<BehaviorBins> behaviorBins(const Session& session, const BehaviorRequest& request);

/// The series of a metric in these bins; `request.metric` does not count. Errors: those of traceSeries().
Result<SeriesTable> behaviorSeries(const Session& session, const BehaviorRequest& request,
                                   const BehaviorBins& bins, const std::string& metric, const Task& task);

/// Values up to which showSoFar() looks at changes in hindsight.
inline constexpr std::size_t kMostReviewedValues = std::size_t{1} << 18;

/// Shows the changes of what has come so far as a run that ended now would, reviewedChanges(), where that is
/// quick enough for every picture; of more values what was called, where it was, and which of that lasts.
void showSoFar(SessionBehavior& behavior, ChangePoints called, const ChangeParams& params);

/// The series and what skein-cli changes, clusters and project find in it, exactly. With `previous` (may be
/// null) of the same entities clusters keep their numbers where they keep most of their entities, and the
/// places are turned towards those before. Errors: those of traceSeries() and binsByRegion(), NotRecorded
/// (nothing is left of it), Cancelled.
Result<SessionBehaviorPtr> makeBehavior(const Session& session, const BehaviorRequest& request,
                                        const SessionBehaviorPtr& previous, const Task& task);

/// What the entities of each cluster did from a row on, [cluster][row − first].
std::vector<std::vector<ClusterBand>> clusterBands(const SessionBehavior& behavior, std::size_t firstRow);

/// A change as selections name it …
ChangePointRef changeRef(const SessionBehavior& behavior, std::size_t change);
/// … and its place in changes.changes; nullopt where there is no such change.
std::optional<std::size_t> placeOfChange(const SessionBehavior& behavior, const ChangePointRef& change);

/// A cluster with its locations, as a click on it selects it.
Selection selectCluster(const Session& session, const SessionBehavior& behavior, std::uint32_t cluster);

/// Where the period before a change and the one after it lie, in session time.
struct ChangePeriods {
    TimeSpan before;
    TimeSpan after;
};

/// `change` is a place in changes.changes. The periods of one that lasts reach to the next ones that last,
/// those of others to the next ones of any kind.
ChangePeriods periodsAround(const SessionBehavior& behavior, std::size_t change);

/// Why a change was called: its time, p, and the entities that moved farthest, a line each.
std::vector<std::string> changeText(const SessionBehavior& behavior, std::size_t change);

/// How the entities moved that moved farthest at a change.
std::vector<EntityShift> shiftsAt(const SessionBehavior& behavior, std::size_t change);

/// The entities that changeText() names.
std::vector<std::size_t> movedAt(const SessionBehavior& behavior, std::size_t change);

/// "12.5 ms" for times, "3.2 MiB" for bytes, else a number.
std::string behaviorAmount(const BehaviorRequest& request, double value);

/// The metrics to choose from: those of calls, messages and wait states, and the trace's own.
std::vector<std::string> behaviorMetrics(const Experiment& experiment);

}  // namespace skein
