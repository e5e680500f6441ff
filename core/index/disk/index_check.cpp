// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/index/disk/index_check.h"

#include "core/index/timeline_index.h"
#include "core/index/trace_summary.h"

#include <algorithm>

namespace skein::disk {
namespace {

template <typename Tag>
bool names(Id<Tag> id, std::size_t count)
{
    return !id.valid() || id.index() < count;
}

template <typename Enum>
bool within(Enum value, Enum last)
{
    return value <= last;
}

bool definitionsHold(const Definitions& d)
{
    const auto groupHolds = [&](const LocationGroup& group) {
        return names(group.node, d.systemTree.size()) && names(group.creator, d.locationGroups.size())
            && within(group.kind, LocationGroupKind::Accelerator);
    };
    const auto locationHolds = [&](const Location& location) {
        return names(location.group, d.locationGroups.size()) && within(location.kind, LocationKind::Metric);
    };
    const auto regionHolds = [&](const Region& region) {
        return within(region.role, RegionRole::Other) && within(region.paradigm, Paradigm::Other)
            && std::all_of(region.groups.begin(), region.groups.end(),
                           [&](RegionGroupId id) { return names(id, d.regionGroups.size()); });
    };
    const auto communicatorHolds = [&](const Communicator& communicator) {
        return names(communicator.parent, d.communicators.size())
            && std::all_of(communicator.members.begin(), communicator.members.end(),
                           [&](LocationId id) { return names(id, d.locations.size()); });
    };
    const auto nodeHolds = [&](const SystemTreeNode& node) {
        return names(node.parent, d.systemTree.size());
    };
    const auto metricHolds = [&](const Metric& metric) {
        return names(metric.parent, d.metrics.size())
            && within(metric.aggregation, MetricAggregation::Maximum);
    };
    const auto attributeHolds = [](const Attribute& attribute) {
        return within(attribute.type, AttributeType::Other);
    };
    return std::all_of(d.systemTree.begin(), d.systemTree.end(), nodeHolds)
        && std::all_of(d.locationGroups.begin(), d.locationGroups.end(), groupHolds)
        && std::all_of(d.locations.begin(), d.locations.end(), locationHolds)
        && std::all_of(d.regions.begin(), d.regions.end(), regionHolds)
        && std::all_of(d.metrics.begin(), d.metrics.end(), metricHolds)
        && std::all_of(d.communicators.begin(), d.communicators.end(), communicatorHolds)
        && std::all_of(d.attributes.begin(), d.attributes.end(), attributeHolds);
}

bool intervalsHold(const CallIntervals& calls)
{
    const std::size_t count = calls.size();
    return calls.end.size() == count && calls.callPath.size() == count && calls.depth.size() == count;
}

bool traceHolds(const Trace& trace, std::size_t locations)
{
    const auto streamHolds = [](const MetricStream& stream) {
        return stream.values.size() == stream.times.size() * stream.metrics.size()
            && within(stream.occurrence, MetricOccurrence::Asynchronous);
    };
    return trace.locations.size() == locations
        && std::all_of(trace.locations.begin(), trace.locations.end(),
                       [](const LocationTrace& location) { return intervalsHold(location.intervals); })
        && std::all_of(trace.metricStreams.begin(), trace.metricStreams.end(), streamHolds);
}

bool cubeHolds(const MetricCube& cube)
{
    const auto full = [&](const auto& column) { return column.size() == cube.rows(); };
    return full(cube.calls) && (cube.subroutines.empty() || full(cube.subroutines))
        && cube.inclusive.size() == cube.metrics.size() && cube.exclusive.size() == cube.metrics.size()
        && std::all_of(cube.inclusive.begin(), cube.inclusive.end(), full)
        && std::all_of(cube.exclusive.begin(), cube.exclusive.end(), full)
        && (cube.durations.empty()
            || ((cube.durations.cut.empty() || full(cube.durations.cut)) && full(cube.durations.sum)
                && full(cube.durations.minimum) && full(cube.durations.maximum)
                && full(cube.durations.squaredDeviations)));
}

bool blocksHold(const MessageSkip& skip, const Trace& trace)
{
    return skip.blocks().size() == (trace.messages.size() + MessageSkip::kBlock - 1) / MessageSkip::kBlock;
}

bool clocksHold(const ClockOffsets& clocks, const Definitions& d)
{
    return clocks.groups.size() == d.locationGroups.size()
        && names(clocks.reference, d.locationGroups.size());
}

}  // namespace

bool formsTree(const Column<std::uint32_t>& parents, const Column<std::uint32_t>& regions,
               const Column<std::uint32_t>& callSites, const Definitions& definitions)
{
    if (regions.size() != parents.size() || callSites.size() != parents.size()) return false;
    for (std::size_t node = 0; node < parents.size(); ++node)
        if ((parents[node] >= node && parents[node] != CallPathId::kNone)
            || !names(RegionId(regions[node]), definitions.regions.size()))
            return false;
    return true;
}

bool isConsistent(const Experiment& experiment)
{
    const std::size_t locations = experiment.definitions.locations.size();
    const Trace* trace = experiment.trace.get();
    const TimelineIndex* timeline = experiment.timelineIndex.get();
    const Profile* profile = experiment.profile.get();
    return definitionsHold(experiment.definitions) && (!trace || traceHolds(*trace, locations))
        && (!timeline
            || (trace && timeline->locations.size() == locations && blocksHold(timeline->messages, *trace)))
        && (!experiment.summary || (trace && clocksHold(experiment.summary->clocks, experiment.definitions)))
        && (!profile || (cubeHolds(profile->callPaths) && cubeHolds(profile->regions)));
}

}  // namespace skein::disk
