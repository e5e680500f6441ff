// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/row_order_scene.h"

#include "algorithms/timeline/similarity_order.h"
#include "algorithms/timeline/span_statistics.h"
#include "core/base/natural_order.h"
#include "views/timeline/timeline_rows_scene.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace skein {
namespace {

/// Every location that is shown or folded away, by the system tree.
std::vector<LocationRef> locationsByTree(const TimelineData& data, const ViewState& state)
{
    std::vector<LocationRef> locations;
    for (const TimelineRow& row : timelineRows(data, state.filters))
        if (row.kind == TimelineRowKind::Location) locations.push_back(row.location);
    return locations;
}

TimeSpan spanAsked(const TimelineData& data, const ViewState& state)
{
    if (state.brushed) return *state.brushed;
    TimeSpan span = visibleSpan(data, state);
    // Half-open: the last event belongs to the whole run.
    if (!state.visible) ++span.end;
    return span;
}

/// Calls `visit` with every location's statistics of each region.
template <typename Visit>
std::optional<Error> visitStatistics(const TimelineData& data, const ViewState& state, const Task& task,
                                     Visit visit)
{
    const TimeSpan span = spanAsked(data, state);
    for (std::uint32_t number = 0; number < data.session.experiments.size(); ++number) {
        const Experiment& experiment = *data.session.experiments[number];
        if (!experiment.trace || !data.indexes[number]) continue;
        const auto statistics = spanStatistics(experiment, *data.indexes[number],
                                               data.clock.toExperiment(number, span), {}, task);
        if (!statistics) return statistics.error();
        for (std::uint32_t location = 0; location + 1 < statistics->locationOffsets.size(); ++location)
            for (const RegionStatistics& values : statistics->of(LocationId(location)))
                visit(LocationRef{number, LocationId(location)}, values);
    }
    return std::nullopt;
}

}  // namespace

std::vector<LocationRef> orderByName(const TimelineData& data, const ViewState& state)
{
    std::vector<std::pair<std::string, LocationRef>> named;
    for (const LocationRef& location : locationsByTree(data, state)) {
        const Definitions& definitions = data.session.experiments[location.experiment]->definitions;
        const std::string& own = definitions.location(location.id).name;
        named.emplace_back(own.empty() ? displayName(definitions, location.id) : own, location);
    }
    std::stable_sort(named.begin(), named.end(),
                     [](const auto& a, const auto& b) { return NaturalOrder()(a.first, b.first); });
    std::vector<LocationRef> order;
    for (const auto& [name, location] : named) order.push_back(location);
    return order;
}

Result<std::vector<LocationRef>> orderByTime(const TimelineData& data, const ViewState& state,
                                             const std::vector<RegionRef>& regions, const Task& task)
{
    std::map<LocationRef, TimeNs> time;
    const auto error =
        visitStatistics(data, state, task, [&](LocationRef location, const RegionStatistics& values) {
            if (std::binary_search(regions.begin(), regions.end(),
                                   RegionRef{location.experiment, values.region}))
                time[location] += values.inclusiveNs;
        });
    if (error) return tl::make_unexpected(*error);
    std::vector<LocationRef> order = locationsByTree(data, state);
    std::stable_sort(order.begin(), order.end(),
                     [&](const LocationRef& a, const LocationRef& b) { return time[a] > time[b]; });
    return order;
}

Result<std::vector<LocationRef>> orderBySimilarity(const TimelineData& data, const ViewState& state,
                                                   const Task& task)
{
    const std::vector<LocationRef> locations = locationsByTree(data, state);
    std::map<LocationRef, std::size_t> placeOf;
    for (std::size_t place = 0; place < locations.size(); ++place) placeOf[locations[place]] = place;
    std::map<std::string, std::size_t> columnOf;
    for (const ExperimentPtr& experiment : data.session.experiments)
        for (const Region& region : experiment->definitions.regions)
            columnOf.try_emplace(region.name, columnOf.size());
    std::vector<std::vector<double>> rows(locations.size(), std::vector<double>(columnOf.size()));
    const auto error =
        visitStatistics(data, state, task, [&](LocationRef location, const RegionStatistics& values) {
            const auto place = placeOf.find(location);
            if (place == placeOf.end()
                || !passes(state.filters, RegionRef{location.experiment, values.region}))
                return;
            const Region& region =
                data.session.experiments[location.experiment]->definitions.region(values.region);
            rows[place->second][columnOf[region.name]] += static_cast<double>(values.exclusiveNs);
        });
    if (error) return tl::make_unexpected(*error);
    const auto order = similarityOrder(std::move(rows), task);
    if (!order) return tl::make_unexpected(order.error());
    std::vector<LocationRef> ordered;
    for (const std::size_t place : *order) ordered.push_back(locations[place]);
    return ordered;
}

RowArrangement withGroupToggled(RowArrangement rows, const RowGroup& group)
{
    const auto place = std::lower_bound(rows.collapsed.begin(), rows.collapsed.end(), group);
    if (place != rows.collapsed.end() && *place == group) rows.collapsed.erase(place);
    else rows.collapsed.insert(place, group);
    return rows;
}

RowArrangement withPinToggled(RowArrangement rows, LocationRef location)
{
    if (std::erase(rows.pinned, location) == 0) rows.pinned.push_back(location);
    return rows;
}

RowArrangement withRowMoved(RowArrangement rows, const std::vector<LocationRef>& shown, LocationRef moved,
                            LocationRef before)
{
    std::vector<LocationRef> order = rows.order.empty() ? shown : rows.order;
    if (moved == before || std::find(order.begin(), order.end(), moved) == order.end()) return rows;
    std::erase(order, moved);
    order.insert(std::find(order.begin(), order.end(), before), moved);
    rows.order = std::move(order);
    return rows;
}

std::vector<RowGroup> groupsOf(const Session& session, LocationRef location)
{
    const Definitions& definitions = session.experiments[location.experiment]->definitions;
    const LocationGroupId group = definitions.location(location.id).group;
    std::vector<RowGroup> groups;
    if (!group.valid() || group.index() >= definitions.locationGroups.size()) return groups;
    groups.push_back({location.experiment, RowGroupKind::Process, group.value()});
    if (const SystemTreeNodeId node = definitions.locationGroups[group.index()].node; node.valid())
        groups.push_back({location.experiment, RowGroupKind::Node, node.value()});
    return groups;
}

}  // namespace skein
