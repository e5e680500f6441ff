// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/data/session_replay.h"

#include <algorithm>
#include <cmath>

namespace skein {
namespace {

constexpr std::size_t kReplaySilhouetteSample = 200;
constexpr std::uint64_t kReplaySeed = 1;

template <typename Value>
std::vector<Value> firstOf(const std::vector<Value>& values, std::size_t count)
{
    return {values.begin(), values.begin() + static_cast<std::ptrdiff_t>(std::min(count, values.size()))};
}

/// All but the changes.
ChangePoints findingsUntil(const ChangePoints& whole, std::size_t rows)
{
    ChangePoints found;
    found.representative = firstOf(whole.representative, rows);
    found.pValues = firstOf(whole.pValues, rows);
    for (const BlindZone& zone : whole.blind)
        if (zone.first < rows) found.blind.push_back({zone.first, std::min(zone.last, rows)});
    return found;
}

/// What the detector had called by then, which knew nothing of hindsight.
ChangePoints calledUntil(const SessionBehavior& whole, std::size_t rows)
{
    ChangePoints found = findingsUntil(whole.changes, rows);
    for (const std::size_t row : whole.called)
        if (row < rows) found.changes.push_back(row);
    return found;
}

void showChangesOf(SessionBehavior& part, const SessionBehavior& leader, std::size_t rows)
{
    part.changes = findingsUntil(leader.changes, rows);
    for (std::size_t i = 0; i < leader.changes.changes.size() && leader.changes.changes[i] < rows; ++i) {
        part.changes.changes.push_back(leader.changes.changes[i]);
        part.calledAt.push_back(leader.calledAt[i]);
    }
    for (const std::size_t row : leader.called)
        if (row < rows) part.called.push_back(row);
    part.lasting = leader.lasting;
    std::erase_if(part.lasting, [&](std::size_t place) { return place >= part.changes.changes.size(); });
}

std::shared_ptr<SessionBehavior> beginOf(const SessionBehavior& whole, std::size_t rows)
{
    auto part = std::make_shared<SessionBehavior>();
    part->request = whole.request;
    part->table.metric = whole.table.metric;
    part->table.columns = whole.table.columns;
    part->table.times = firstOf(whole.table.times, rows);
    part->table.values = firstOf(whole.table.values, rows * whole.table.columns.size());
    part->table.notes = whole.table.notes;
    part->locations = whole.locations;
    part->edges = firstOf(whole.edges, rows + 1);
    part->mean = firstOf(whole.mean, rows);
    part->wholeEnd = whole.wholeEnd;
    return part;
}

/// The last rows, an entity after the other.
std::vector<double> lastRows(const SeriesTable& table, std::size_t most, std::size_t& rows)
{
    rows = std::min(most, table.rows());
    SeriesTable window;
    window.columns = table.columns;
    window.times.assign(table.times.end() - static_cast<std::ptrdiff_t>(rows), table.times.end());
    window.values.assign(table.values.end() - static_cast<std::ptrdiff_t>(rows * table.columns.size()),
                         table.values.end());
    return entityMajor(window);
}

LatencyBudget budgetOf(const BehaviorReplayParams& params, double seconds)
{
    return params.clock ? LatencyBudget(seconds, params.clock) : LatencyBudget(seconds);
}

Result<void> clusterReplayed(SessionBehavior& part, const SessionBehavior& whole,
                             const SessionBehaviorPtr& previous, PointRows points,
                             const BehaviorReplayParams& params, const Task& task)
{
    const Clustering& before = previous ? previous->clusters : whole.clusters;
    KMeansParams means;
    means.seed = kReplaySeed;
    means.clusters = whole.clusters.clusters;
    if (previous && before.clusters == means.clusters) means.previous = before.labels;
    LatencyBudget budget = budgetOf(params, params.clusterSeconds);
    auto found = clusterProgressively(points, means, budget, task);
    if (!found) return Unexpected(found.error());
    part.clusters = std::move(*found);
    keepClusterNames(part.clusters, before);
    part.clusterShare = static_cast<double>(part.clusters.processed) / static_cast<double>(points.count());
    part.silhouette = meanSilhouette(points, part.clusters.labels, kReplaySilhouetteSample, kReplaySeed);
    return {};
}

/// Bands of rows that the previous part had are kept where the clusters are the same.
void bandReplayed(SessionBehavior& part, const SessionBehaviorPtr& previous)
{
    part.clusterSizes.assign(part.clusters.clusters, 0);
    for (const std::uint32_t label : part.clusters.labels) ++part.clusterSizes[label];
    const bool same = previous && previous->clusters.labels == part.clusters.labels
        && previous->table.rows() <= part.table.rows() && previous->bands.size() == part.clusters.clusters;
    if (!same) {
        part.bands = clusterBands(part, 0);
        return;
    }
    part.bands = previous->bands;
    const auto more = clusterBands(part, previous->table.rows());
    for (std::size_t cluster = 0; cluster < more.size(); ++cluster)
        part.bands[cluster].insert(part.bands[cluster].end(), more[cluster].begin(), more[cluster].end());
}

}  // namespace

std::size_t rowsUntil(const SessionBehavior& whole, TimeNs time)
{
    const auto over = std::upper_bound(whole.edges.begin(), whole.edges.end(), time) - whole.edges.begin();
    const auto rows = static_cast<std::size_t>(std::max<std::ptrdiff_t>(over - 1, 2));
    return std::min(rows, whole.table.rows());
}

bool mayLead(const SessionBehavior& leader, const SessionBehavior& behavior)
{
    return leader.request.experiment == behavior.request.experiment
        && leader.table.columns == behavior.table.columns && leader.edges.size() >= 3
        && std::equal(leader.edges.begin(),
                      leader.edges.begin()
                          + static_cast<std::ptrdiff_t>(std::min(leader.edges.size(), behavior.edges.size())),
                      behavior.edges.begin());
}

Result<SessionBehaviorPtr> behaviorUntil(const SessionBehavior& whole, std::size_t rows,
                                         const SessionBehaviorPtr& previous, const SessionBehaviorPtr& leader,
                                         const BehaviorReplayParams& params, const Task& task)
{
    auto part = beginOf(whole, rows);
    const SessionBehaviorPtr before =
        previous && previous->table.columns == part->table.columns ? previous : nullptr;
    std::size_t windowRows = 0;
    const std::vector<double> values = lastRows(part->table, params.windowRows, windowRows);
    const PointRows points{values, windowRows};
    if (leader) {
        showChangesOf(*part, *leader, rows);
        part->clusters = leader->clusters;
        part->clusterShare = leader->clusterShare;
        part->silhouette = leader->silhouette;
        part->findingsOf = leader->request.metric;
    } else {
        if (rows == whole.table.rows()) showChangesOf(*part, whole, rows);
        else showSoFar(*part, calledUntil(whole, rows), whole.request.changeParams());
        if (const auto done = clusterReplayed(*part, whole, before, points, params, task); !done)
            return Unexpected(done.error());
    }
    bandReplayed(*part, before);
    ProjectionParams projection;
    projection.seed = kReplaySeed;
    projection.labels = part->clusters.labels;
    projection.previous = before ? before->projection.places : whole.projection.places;
    LatencyBudget budget = budgetOf(params, params.placeSeconds);
    auto places = projectProgressively(points, projection, budget, task);
    if (!places) return Unexpected(places.error());
    part->projection = std::move(*places);
    part->placeShare = static_cast<double>(part->projection.processed) / static_cast<double>(points.count());
    return SessionBehaviorPtr(std::move(part));
}

}  // namespace skein
