// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/data/session_behavior.h"

#include "algorithms/timeline/metric_steps.h"
#include "core/base/units.h"
#include "core/select/translate.h"
#include "views/common/scene/axes/value_axis.h"
#include "views/common/scene/data/message_filters.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace skein {
namespace {

constexpr std::uint32_t kMostProposedClusters = 8;
constexpr std::size_t kSilhouetteSample = 1000;
constexpr std::size_t kMovedShown = 5;
constexpr std::size_t kMovedReach = 1000;
constexpr std::uint64_t kBehaviorSeed = 1;

/// The part of the trace that is asked for, in the experiment's time.
TimeSpan spanAsked(const Experiment& experiment, const BehaviorRequest& request, const SessionClock& clock)
{
    TimeSpan span = experiment.trace->extent;
    const auto cut = [&](const std::optional<TimeSpan>& to) {
        if (!to) return;
        const TimeSpan own = clock.toExperiment(request.experiment, *to);
        span = {std::max(span.begin, own.begin), std::min(span.end, own.end)};
    };
    cut(request.span);
    cut(keptSpan(request.filters));
    return span;
}

Result<std::vector<TimeNs>> edgesAsked(const Experiment& experiment, const BehaviorRequest& request,
                                       TimeSpan span)
{
    if (request.byRegion.empty()) return equalBins(span, std::max<std::size_t>(1, request.bins));
    auto all = binsByRegion(experiment, request.byRegion);
    if (!all) return all;
    std::vector<TimeNs> edges;
    for (const TimeNs edge : *all)
        if (edge >= span.begin && edge <= span.end + 1) edges.push_back(edge);
    return edges;
}

std::vector<bool> hiddenLocations(const Experiment& experiment, const BehaviorRequest& request)
{
    std::vector<bool> hidden(experiment.definitions.locations.size());
    for (std::size_t i = 0; i < hidden.size(); ++i)
        hidden[i] = !passes(request.filters, LocationRef{request.experiment, LocationId(i)});
    if (request.within.empty()) return hidden;
    std::vector<bool> outside(hidden.size(), true);
    for (const LocationId id : request.within)
        if (id.index() < outside.size()) outside[id.index()] = hidden[id.index()];
    return outside;
}

std::vector<double> meanOfRows(const SeriesTable& table)
{
    std::vector<double> mean(table.rows());
    for (std::size_t row = 0; row < table.rows(); ++row) {
        double sum = 0;
        std::size_t known = 0;
        for (const double value : table.row(row)) {
            if (!std::isfinite(value)) continue;
            sum += value;
            ++known;
        }
        mean[row] = known > 0 ? sum / static_cast<double>(known) : std::nan("");
    }
    return mean;
}

Result<void> findClusters(SessionBehavior& behavior, PointRows points, const SessionBehavior* before,
                          const Task& task)
{
    KMeansParams params;
    params.seed = kBehaviorSeed;
    const auto entities = static_cast<std::uint32_t>(std::min<std::size_t>(points.count(), 1024));
    if (behavior.request.clusters > 0) params.clusters = std::min(behavior.request.clusters, entities);
    else {
        const auto proposed = proposeClusters(points, kMostProposedClusters, params.seed, task);
        if (!proposed) return Unexpected(proposed.error());
        params.clusters = *proposed;
    }
    auto found = clusterExactly(points, params, task);
    if (!found) return Unexpected(found.error());
    behavior.clusters = std::move(*found);
    if (before) keepClusterNames(behavior.clusters, before->clusters);
    behavior.silhouette = meanSilhouette(points, behavior.clusters.labels, kSilhouetteSample, kBehaviorSeed);
    behavior.clusterSizes.assign(behavior.clusters.clusters, 0);
    for (const std::uint32_t label : behavior.clusters.labels) ++behavior.clusterSizes[label];
    return {};
}

double bandQuantile(const std::vector<double>& sorted, double part)
{
    return sorted[static_cast<std::size_t>(std::lround(part * static_cast<double>(sorted.size() - 1)))];
}

/// As it looks in hindsight.
void showReviewed(SessionBehavior& behavior, ChangePoints called, const ChangeParams& params)
{
    const std::vector<ReviewedChange> reviewed = reviewedChanges(behavior.table, called, params);
    behavior.called = std::move(called.changes);
    behavior.changes = std::move(called);
    behavior.changes.changes.clear();
    behavior.lasting.clear();
    behavior.calledAt.clear();
    for (const ReviewedChange& change : reviewed) {
        if (change.lasts) behavior.lasting.push_back(behavior.changes.changes.size());
        behavior.changes.changes.push_back(change.row);
        behavior.calledAt.push_back(change.called);
    }
}

Result<void> analyse(SessionBehavior& behavior, const SessionBehavior* before, const Task& task)
{
    const ChangeParams params = behavior.request.changeParams();
    auto changes = findChanges(behavior.table, params, task.part(0.5, 0.6));
    if (!changes) return Unexpected(changes.error());
    showReviewed(behavior, std::move(*changes), params);
    const std::vector<double> values = entityMajor(behavior.table);
    const PointRows points{values, behavior.table.rows()};
    if (const auto done = findClusters(behavior, points, before, task.part(0.6, 0.9)); !done) return done;
    behavior.bands = clusterBands(behavior, 0);
    ProjectionParams projection;
    if (before) projection.previous = before->projection.places;
    auto places = projectExactly(points, projection, task.part(0.9, 1.0));
    if (!places) return Unexpected(places.error());
    behavior.projection = std::move(*places);
    return {};
}

bool startsWith(const std::string& text, std::string_view word)
{
    return text == word || (text.starts_with(word) && text.size() > word.size() && text[word.size()] == ':');
}

}  // namespace

ChangeParams BehaviorRequest::changeParams() const
{
    ChangeParams params;
    params.alpha = alpha;
    params.burnIn = burnIn;
    return params;
}

std::vector<LocationRef> SessionBehavior::locationsOf(std::size_t column) const
{
    std::vector<LocationRef> found;
    for (const LocationId id : locations[column]) found.push_back({request.experiment, id});
    return found;
}

std::vector<LocationRef> SessionBehavior::locationsOf(const std::vector<std::size_t>& columns) const
{
    std::vector<LocationRef> found;
    for (const std::size_t column : columns)
        for (const LocationId id : locations[column]) found.push_back({request.experiment, id});
    std::sort(found.begin(), found.end());
    return found;
}

std::vector<LocationRef> SessionBehavior::locationsOfCluster(std::uint32_t cluster) const
{
    std::vector<std::size_t> columns;
    for (std::size_t column = 0; column < clusters.labels.size(); ++column)
        if (clusters.labels[column] == cluster) columns.push_back(column);
    return locationsOf(columns);
}

std::vector<bool> selectedColumns(const SessionBehavior& behavior, const Selection& selected)
{
    std::vector<bool> found(behavior.locations.size());
    if (selected.locations.empty()) return found;
    for (std::size_t column = 0; column < found.size(); ++column)
        found[column] = std::any_of(
            behavior.locations[column].begin(), behavior.locations[column].end(), [&](LocationId id) {
                return std::binary_search(selected.locations.begin(), selected.locations.end(),
                                          LocationRef{behavior.request.experiment, id});
            });
    return found;
}

Result<BehaviorBins> behaviorBins(const Session& session, const BehaviorRequest& request)
{
    if (request.experiment >= session.experiments.size())
        return fail(ErrorCode::NotRecorded, "There is no such experiment.");
    const Experiment& experiment = *session.experiments[request.experiment];
    if (!experiment.trace)
        return fail(ErrorCode::NotRecorded,
                    experiment.name + " holds no trace: behaviour over time is to be seen in traces only.");
    const SessionClock clock = sessionClock(session, request.clockShiftsNs);
    const TimeSpan span = spanAsked(experiment, request, clock);
    if (span.begin >= span.end)
        return fail(ErrorCode::NotRecorded, "Nothing of this trace happened in the scope.");
    auto edges = edgesAsked(experiment, request, span);
    if (!edges) return Unexpected(edges.error());
    if (edges->size() < 3)
        return fail(ErrorCode::NotRecorded,
                    "The scope holds less than two bins of time. Show more of the time, or choose shorter "
                    "bins.");
    BehaviorBins bins{std::move(*edges), {}, hiddenLocations(experiment, request), {}};
    auto entities = seriesEntities(experiment.definitions, request.per, bins.hidden);
    if (!entities) return Unexpected(entities.error());
    bins.locations = std::move(entities->locations);
    if (bins.locations.empty())
        return fail(ErrorCode::NotRecorded, "The filters leave no location. Take one of them away.");
    for (const TimeNs edge : bins.edges)
        bins.sessionEdges.push_back(edge + clock.offsetsNs[request.experiment]);
    return bins;
}

Result<SeriesTable> behaviorSeries(const Session& session, const BehaviorRequest& request,
                                   const BehaviorBins& bins, const std::string& metric, const Task& task)
{
    TraceSeriesParams series = seriesQuantity(metric);
    series.per = request.per;
    series.edges = bins.edges;
    series.hidden = bins.hidden;
    series.messages = messageRules(request.filters);
    auto table = traceSeries(*session.experiments[request.experiment], series, task);
    if (table) table->metric = metric;
    return table;
}

Result<SessionBehaviorPtr> makeBehavior(const Session& session, const BehaviorRequest& request,
                                        const SessionBehaviorPtr& previous, const Task& task)
{
    if (const auto good = checkChangeParams(request.changeParams()); !good) return Unexpected(good.error());
    auto bins = behaviorBins(session, request);
    if (!bins) return Unexpected(bins.error());
    auto behavior = std::make_shared<SessionBehavior>();
    behavior->request = request;
    auto table = behaviorSeries(session, request, *bins, request.metric, task.part(0.0, 0.5));
    if (!table) return Unexpected(table.error());
    behavior->table = std::move(*table);
    behavior->locations = std::move(bins->locations);
    behavior->edges = std::move(bins->sessionEdges);
    behavior->wholeEnd = behavior->edges.back();
    behavior->mean = meanOfRows(behavior->table);
    const bool same = previous && previous->request.experiment == request.experiment
        && previous->table.columns == behavior->table.columns;
    if (const auto done = analyse(*behavior, same ? previous.get() : nullptr, task); !done)
        return Unexpected(done.error());
    return SessionBehaviorPtr(std::move(behavior));
}

void showSoFar(SessionBehavior& behavior, ChangePoints called, const ChangeParams& params)
{
    if (behavior.table.values.size() <= kMostReviewedValues)
        return showReviewed(behavior, std::move(called), params);
    behavior.lasting = lastingChanges(behavior.table, called, params);
    behavior.called = called.changes;
    behavior.calledAt.assign(called.changes.begin(), called.changes.end());
    behavior.changes = std::move(called);
}

std::vector<std::vector<ClusterBand>> clusterBands(const SessionBehavior& behavior, std::size_t firstRow)
{
    const double none = std::nan("");
    const std::size_t clusters = behavior.clusters.clusters, rows = behavior.table.rows();
    std::vector<std::vector<ClusterBand>> bands(clusters, std::vector<ClusterBand>(rows - firstRow));
    std::vector<std::vector<double>> values(clusters);
    for (std::size_t row = firstRow; row < rows; ++row) {
        for (auto& ofCluster : values) ofCluster.clear();
        for (std::size_t column = 0; column < behavior.table.columns.size(); ++column)
            if (const double value = behavior.table.at(row, column); std::isfinite(value))
                values[behavior.clusters.labels[column]].push_back(value);
        for (std::size_t cluster = 0; cluster < clusters; ++cluster) {
            auto& sorted = values[cluster];
            std::sort(sorted.begin(), sorted.end());
            bands[cluster][row - firstRow] = sorted.empty()
                ? ClusterBand{none, none, none, none, none}
                : ClusterBand{sorted.front(), bandQuantile(sorted, 0.1), bandQuantile(sorted, 0.5),
                              bandQuantile(sorted, 0.9), sorted.back()};
        }
    }
    return bands;
}

namespace {

/// A change among those that its periods reach to.
struct AmongOthers {
    ChangePoints changes;  ///< rows alone
    std::size_t place = 0;
};

AmongOthers amongOthers(const SessionBehavior& behavior, std::size_t change)
{
    const auto lasts = std::find(behavior.lasting.begin(), behavior.lasting.end(), change);
    if (lasts == behavior.lasting.end()) return {{behavior.changes.changes, {}, {}, {}}, change};
    AmongOthers found;
    found.place = static_cast<std::size_t>(lasts - behavior.lasting.begin());
    for (const std::size_t place : behavior.lasting)
        found.changes.changes.push_back(behavior.changes.changes[place]);
    return found;
}

/// How sure it was, and when, where that was not here.
std::string calledText(const SessionBehavior& behavior, std::size_t change)
{
    const std::optional<std::size_t> called = behavior.calledAt[change];
    if (!called) return ", seen in hindsight only";
    std::string text = fmt::format(", p = {:.2g}", behavior.changes.pValues[*called]);
    if (*called != behavior.changes.changes[change])
        text += fmt::format(", called at {}", formatDuration(static_cast<double>(behavior.edges[*called])));
    return text;
}

}  // namespace

ChangePointRef changeRef(const SessionBehavior& behavior, std::size_t change)
{
    return {behavior.request.experiment, behavior.edges[behavior.changes.changes[change]]};
}

std::optional<std::size_t> placeOfChange(const SessionBehavior& behavior, const ChangePointRef& change)
{
    if (change.experiment != behavior.request.experiment) return std::nullopt;
    const auto& rows = behavior.changes.changes;
    const auto found = std::find_if(rows.begin(), rows.end(),
                                    [&](std::size_t row) { return behavior.edges[row] == change.timeNs; });
    if (found == rows.end()) return std::nullopt;
    return static_cast<std::size_t>(found - rows.begin());
}

Selection selectCluster(const Session& session, const SessionBehavior& behavior, std::uint32_t cluster)
{
    Selection chosen = select(session, behavior.locationsOfCluster(cluster));
    chosen.clusters = {{behavior.request.experiment, cluster}};
    return chosen;
}

ChangePeriods periodsAround(const SessionBehavior& behavior, std::size_t change)
{
    const AmongOthers among = amongOthers(behavior, change);
    const std::vector<std::size_t>& rows = among.changes.changes;
    const std::size_t from = among.place == 0 ? 0 : rows[among.place - 1], at = rows[among.place];
    const std::size_t to = among.place + 1 < rows.size() ? rows[among.place + 1] : behavior.table.rows();
    return {{behavior.edges[from], behavior.edges[at]}, {behavior.edges[at], behavior.edges[to]}};
}

std::vector<std::string> changeText(const SessionBehavior& behavior, std::size_t change)
{
    const std::size_t row = behavior.changes.changes[change];
    const bool lasts =
        std::find(behavior.lasting.begin(), behavior.lasting.end(), change) != behavior.lasting.end();
    std::vector<std::string> lines{
        fmt::format("Change {} of {} at {}{}{}", change + 1,
                    behavior.findingsOf.empty() ? behavior.request.metric : behavior.findingsOf,
                    formatDuration(static_cast<double>(behavior.edges[row])), calledText(behavior, change),
                    lasts ? "; the level stayed another" : "; over soon")};
    for (const EntityShift& shift : shiftsAt(behavior, change)) {
        std::string line = fmt::format("{}: {} → {} a bin", behavior.table.columns[shift.entity],
                                       behaviorAmount(behavior.request, shift.before),
                                       behaviorAmount(behavior.request, shift.after));
        line += shift.deviations ? fmt::format(" ({:+.1f} σ)", *shift.deviations) : " (constant before)";
        lines.push_back(std::move(line));
    }
    return lines;
}

std::vector<EntityShift> shiftsAt(const SessionBehavior& behavior, std::size_t change)
{
    const AmongOthers among = amongOthers(behavior, change);
    return explainChange(behavior.table, among.changes, among.place, kMovedShown, kMovedReach);
}

std::vector<std::size_t> movedAt(const SessionBehavior& behavior, std::size_t change)
{
    std::vector<std::size_t> moved;
    for (const EntityShift& shift : shiftsAt(behavior, change)) moved.push_back(shift.entity);
    return moved;
}

std::string behaviorAmount(const BehaviorRequest& request, double value)
{
    if (!std::isfinite(value)) return "no value";
    const std::string& metric = request.metric;
    if (startsWith(metric, "exclusive") || startsWith(metric, "inclusive") || startsWith(metric, "wait"))
        return formatDuration(value);
    return formatAmount(value, metric.ends_with("-bytes") ? "B" : "");
}

std::vector<std::string> behaviorMetrics(const Experiment& experiment)
{
    std::vector<std::string> names{"exclusive",     "exclusive:MPI",     "calls",      "wait",
                                   "sent-messages", "received-messages", "sent-bytes", "received-bytes"};
    if (!experiment.trace) return names;
    const auto& regions = experiment.definitions.regions;
    const auto& groups = experiment.definitions.regionGroups;
    const bool mpi =
        std::any_of(groups.begin(), groups.end(), [](const auto& group) { return group.name == "MPI"; })
        || std::any_of(regions.begin(), regions.end(),
                       [](const auto& region) { return region.name == "MPI"; });
    if (!mpi) names.erase(names.begin() + 1);
    for (std::string& name : laneMetricNames(experiment))
        if (name.find("=>") == std::string::npos) names.push_back(std::move(name));
    return names;
}

}  // namespace skein
