// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/timeline_rows_scene.h"

#include "core/session/experiment_titles.h"
#include "core/session/global_ranks.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <tuple>

namespace skein {
namespace {

struct Process {
    LocationGroupId group;
    std::vector<LocationId> locations;
    std::int64_t order = 0;
};

struct Node {
    SystemTreeNodeId node;
    std::vector<Process> processes;
    std::int64_t order = 0;
};

/// Processes without a rank stand after those with one, in the order of their definitions.
std::int64_t processOrder(const Definitions& definitions, LocationGroupId group)
{
    constexpr std::int64_t kAfterRanks = std::int64_t{1} << 40;
    if (!group.valid() || group.index() >= definitions.locationGroups.size()) return 2 * kAfterRanks;
    const LocationGroup& found = definitions.locationGroups[group.index()];
    if (found.rank >= 0) return found.rank;
    if (found.creator.valid() && found.creator != group
        && found.creator.index() < definitions.locationGroups.size()
        && definitions.locationGroups[found.creator.index()].rank >= 0)
        return definitions.locationGroups[found.creator.index()].rank;
    return kAfterRanks + static_cast<std::int64_t>(group.index());
}

bool recordedCalls(const Experiment& experiment, LocationId location)
{
    return location.index() < experiment.trace->locations.size()
        && experiment.trace->locations[location.index()].events > 0
        && !(experiment.definitions.location(location).kind == LocationKind::Metric
             && experiment.trace->locations[location.index()].intervals.size() == 0);
}

std::vector<Process> shownProcesses(const Experiment& experiment, std::uint32_t number,
                                    const std::vector<Filter>& filters)
{
    std::map<LocationGroupId, Process> processes;
    const Definitions& definitions = experiment.definitions;
    for (std::uint32_t index = 0; index < definitions.locations.size(); ++index) {
        const LocationId id(index);
        if (!recordedCalls(experiment, id) || !passes(filters, LocationRef{number, id})) continue;
        Process& process = processes[definitions.locations[index].group];
        process.group = definitions.locations[index].group;
        process.order = processOrder(definitions, process.group);
        process.locations.push_back(id);
    }
    std::vector<Process> sorted;
    for (auto& [group, process] : processes) {
        std::stable_sort(process.locations.begin(), process.locations.end(), [&](LocationId a, LocationId b) {
            return definitions.location(a).thread < definitions.location(b).thread;
        });
        sorted.push_back(std::move(process));
    }
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const Process& a, const Process& b) { return a.order < b.order; });
    return sorted;
}

SystemTreeNodeId nodeOf(const Definitions& definitions, LocationGroupId group)
{
    if (!group.valid() || group.index() >= definitions.locationGroups.size()) return {};
    return definitions.locationGroups[group.index()].node;
}

std::vector<Node> nodesOf(const Experiment& experiment, std::vector<Process> processes)
{
    std::vector<Node> nodes;
    for (Process& process : processes) {
        const SystemTreeNodeId id = nodeOf(experiment.definitions, process.group);
        auto found =
            std::find_if(nodes.begin(), nodes.end(), [&](const Node& node) { return node.node == id; });
        if (found == nodes.end()) found = nodes.insert(nodes.end(), Node{id, {}, process.order});
        found->processes.push_back(std::move(process));
    }
    return nodes;
}

std::string nodeLabel(const Definitions& definitions, SystemTreeNodeId node)
{
    if (!node.valid() || node.index() >= definitions.systemTree.size()) return "other locations";
    return definitions.systemTree[node.index()].name;
}

std::string processLabel(const Definitions& definitions, const Process& process)
{
    if (!process.group.valid() || process.group.index() >= definitions.locationGroups.size())
        return "other locations";
    const LocationGroup& group = definitions.locationGroups[process.group.index()];
    if (group.kind == LocationGroupKind::Accelerator || group.rank < 0) return group.name;
    return fmt::format("Rank {}", group.rank);
}

std::string threadLabel(const Definitions& definitions, LocationId id)
{
    const Location& location = definitions.location(id);
    if (location.kind == LocationKind::CpuThread && location.rank >= 0)
        return fmt::format("Thread {}", location.thread);
    return location.name.empty() ? displayName(definitions, id) : location.name;
}

/// "ranks 12–15" where the components of a workflow have ranks of their own among those of all; empty for
/// runs to compare.
std::string ranksText(const GlobalRanks& ranks, const SessionClock& clock)
{
    if (!clock.absolute || ranks.count == 0) return {};
    if (ranks.count == 1) return fmt::format(" · global rank {}", ranks.first);
    return fmt::format(" · global ranks {}–{}", ranks.first, ranks.first + ranks.count - 1);
}

class RowWriter {
public:
    RowWriter(const Experiment& experiment, std::uint32_t number) : experiment_(experiment), number_(number)
    {
    }

    void write(const std::vector<Node>& nodes, std::vector<TimelineRow>& rows) const
    {
        const bool nodeHeaders = nodes.size() > 1
            && std::any_of(nodes.begin(), nodes.end(),
                           [](const Node& node) { return node.processes.size() > 1; });
        const bool processHeaders = std::any_of(nodes.begin(), nodes.end(), [](const Node& node) {
            return std::any_of(node.processes.begin(), node.processes.end(),
                               [](const Process& process) { return process.locations.size() > 1; });
        });
        for (const Node& node : nodes) {
            if (nodeHeaders) rows.push_back(nodeHeader(node));
            for (const Process& process : node.processes) writeProcess(process, processHeaders, rows);
        }
    }

private:
    TimelineRow nodeHeader(const Node& node) const
    {
        std::uint32_t members = 0;
        for (const Process& process : node.processes)
            members += static_cast<std::uint32_t>(process.locations.size());
        const std::string label = nodeLabel(experiment_.definitions, node.node);
        return {TimelineRowKind::Node,
                {number_, node.processes.front().locations.front()},
                label,
                label,
                members,
                {number_, RowGroupKind::Node, node.node.value()}};
    }

    void writeProcess(const Process& process, bool header, std::vector<TimelineRow>& rows) const
    {
        const Definitions& definitions = experiment_.definitions;
        if (header) {
            const std::string label = processLabel(definitions, process);
            rows.push_back({TimelineRowKind::Process,
                            {number_, process.locations.front()},
                            label,
                            label,
                            static_cast<std::uint32_t>(process.locations.size()),
                            {number_, RowGroupKind::Process, process.group.value()}});
        }
        for (const LocationId id : process.locations) {
            const std::string full = displayName(definitions, id);
            rows.push_back({TimelineRowKind::Location,
                            {number_, id},
                            header ? threadLabel(definitions, id) : full,
                            full,
                            1,
                            {}});
        }
    }

    const Experiment& experiment_;
    std::uint32_t number_;
};

std::vector<TimelineRow> rowsOf(const TimelineData& data, const std::vector<Filter>& filters)
{
    std::vector<TimelineRow> rows;
    const auto& experiments = data.session.experiments;
    const std::vector<std::string> titles = experimentTitles(data.session);
    const std::vector<GlobalRanks> ranks = globalRanks(data.session);
    for (std::uint32_t number = 0; number < experiments.size(); ++number) {
        const Experiment& experiment = *experiments[number];
        if (!experiment.trace || !data.indexes[number]) continue;
        std::vector<TimelineRow> own;
        RowWriter(experiment, number)
            .write(nodesOf(experiment, shownProcesses(experiment, number, filters)), own);
        if (own.empty()) continue;
        const auto members = std::count_if(own.begin(), own.end(), [](const TimelineRow& row) {
            return row.kind == TimelineRowKind::Location;
        });
        if (experiments.size() > 1)
            rows.push_back({TimelineRowKind::Experiment,
                            own.front().location,
                            titles[number] + ranksText(ranks[number], data.clock),
                            titles[number],
                            static_cast<std::uint32_t>(members),
                            {number, RowGroupKind::Experiment, 0}});
        rows.insert(rows.end(), own.begin(), own.end());
    }
    return rows;
}

}  // namespace

std::vector<TimelineRow> timelineRows(const TimelineData& data, const std::vector<Filter>& filters)
{
    return *data.rows->get(filters, [&] { return rowsOf(data, filters); });
}

std::vector<TimelineRow> withoutHeaders(std::vector<TimelineRow> rows, TimelineRowKind kind)
{
    std::erase_if(rows, [kind](const TimelineRow& row) { return row.kind == kind && isHeader(row); });
    if (kind != TimelineRowKind::Process) return rows;
    // Names that the user's arrangement has made longer stay.
    for (TimelineRow& row : rows)
        if (row.kind == TimelineRowKind::Location && !row.label.ends_with(row.fullLabel))
            row.label = row.fullLabel;
    return rows;
}

}  // namespace skein
