// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/cube/cube_definitions.h"

#include "core/base/utf8.h"
#include "core/io/cube/score_p_names.h"

#include <algorithm>
#include <cstdlib>
#include <cxxabi.h>
#include <fmt/format.h>
#include <map>
#include <memory>
#include <numeric>
#include <unordered_map>

namespace skein::cube {
namespace {

constexpr std::int64_t kLargestLine = 0x7FFFFFFF;

std::uint32_t lineOf(std::int64_t line)
{
    return line > 0 && line < kLargestLine ? static_cast<std::uint32_t>(line) : 0;
}

/// The "module" of a region is its file, or what stands for one: "MPI", "THREADS".
bool isSourceFile(const std::string& module, std::int64_t line)
{
    return !module.empty() && (line > 0 || module.find_first_of("/.") != std::string::npos);
}

std::string demangled(const std::string& name)
{
    if (!name.starts_with("_Z")) return name;
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> text(
        abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), std::free);
    return status == 0 && text ? toValidUtf8(text.get()) : name;
}

/// Lists names for a finding: all of some, the first of many.
std::string listed(const std::vector<std::string>& names)
{
    constexpr std::size_t kMostListed = 40;
    std::string text;
    for (std::size_t at = 0; at < std::min(names.size(), kMostListed); ++at)
        text += (at == 0 ? "" : ", ") + names[at];
    if (names.size() > kMostListed) text += fmt::format(" and {} more", names.size() - kMostListed);
    return text;
}

class CubeDefiner {
public:
    CubeDefiner(Anchor& anchor, std::string_view file, ImportReport& report)
        : anchor_(anchor), file_(file), report_(report)
    {
    }

    CubeDefinitions run()
    {
        out_.properties = std::move(anchor_.properties);
        defineSystem();
        defineLocations();
        orderColumns();
        defineRegions();
        defineNodes();
        defineMetrics();
        defineTopologies();
        return std::move(result_);
    }

private:
    void tell(IssueKind kind, std::string detail, std::uint64_t count = 1)
    {
        report_.add(kind, file_, "", std::move(detail), -1, count);
    }

    void defineSystem()
    {
        for (AnchorPlace& from : anchor_.systemTree)
            out_.systemTree.push_back({std::move(from.name), std::move(from.className),
                                       SystemTreeNodeId(from.parent), std::move(from.properties)});
        for (AnchorGroup& from : anchor_.groups) {
            LocationGroup& to = out_.locationGroups.emplace_back();
            to.name = std::move(from.name);
            to.kind = groupKindOf(from.className);
            to.node = SystemTreeNodeId(from.parent);
            to.creator = LocationGroupId(from.creator);
            if (to.kind == LocationGroupKind::Process) to.rank = from.rank;
            to.properties = std::move(from.properties);
        }
    }

    /// Of the group, or of the process that it belongs to.
    std::int64_t rankOf(LocationGroupId group) const
    {
        while (group.valid() && out_.locationGroups[group.index()].rank < 0)
            group = out_.locationGroups[group.index()].creator;
        return group.valid() ? out_.locationGroups[group.index()].rank : -1;
    }

    void defineLocations()
    {
        for (AnchorPlace& from : anchor_.locations) {
            Location& to = out_.locations.emplace_back();
            to.name = std::move(from.name);
            to.kind = locationKindOf(from.className);
            to.group = LocationGroupId(from.parent);
            to.rank = rankOf(to.group);
            to.originalId = from.id;
            to.properties = std::move(from.properties);
        }
        numberThreads();
    }

    /// In the order of the ranks that Cube gives them, without gaps: these need not begin at 0 in a process.
    void numberThreads()
    {
        std::vector<std::uint32_t> order(out_.locations.size());
        std::iota(order.begin(), order.end(), 0u);
        std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
            return std::pair(anchor_.locations[a].rank, anchor_.locations[a].id)
                < std::pair(anchor_.locations[b].rank, anchor_.locations[b].id);
        });
        std::vector<std::int32_t> next(out_.locationGroups.size(), 0);
        for (const std::uint32_t number : order) {
            Location& location = out_.locations[number];
            if (location.group.valid() && location.kind == LocationKind::CpuThread)
                location.thread = next[location.group.index()]++;
        }
    }

    /// Rows of the data go by ascending id.
    void orderColumns()
    {
        result_.columns.resize(out_.locations.size());
        std::iota(result_.columns.begin(), result_.columns.end(), 0u);
        const auto idOf = [&](std::uint32_t location) { return out_.locations[location].originalId; };
        std::stable_sort(result_.columns.begin(), result_.columns.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return idOf(a) < idOf(b); });
        const auto twice =
            std::adjacent_find(result_.columns.begin(), result_.columns.end(),
                               [&](std::uint32_t a, std::uint32_t b) { return idOf(a) == idOf(b); });
        if (twice != result_.columns.end())
            tell(IssueKind::DuplicateDefinition, fmt::format("location {}", idOf(*twice)));
    }

    void defineRegions()
    {
        for (AnchorRegion& from : anchor_.regions) {
            Region& to = out_.regions.emplace_back();
            to.name = demangled(from.name.empty() ? from.mangledName : from.name);
            to.canonicalName = std::move(from.mangledName);
            if (to.canonicalName.empty()) to.canonicalName = from.name;
            if (to.canonicalName == to.name) to.canonicalName.clear();
            to.description = std::move(from.description);
            to.beginLine = lineOf(from.beginLine);
            to.endLine = lineOf(from.endLine);
            if (isSourceFile(from.module, from.beginLine)) to.sourceFile = std::move(from.module);
            to.role = roleOf(from.role);
            to.paradigm = paradigmOf(from.paradigm);
            const auto number = static_cast<std::uint32_t>(out_.regions.size() - 1);
            if (!regionOfId_.try_emplace(from.id, number).second)
                tell(IssueKind::DuplicateDefinition, fmt::format("region {}", from.id));
        }
    }

    std::uint32_t regionOf(std::uint64_t id)
    {
        const auto [found, isNew] =
            regionOfId_.try_emplace(id, static_cast<std::uint32_t>(out_.regions.size()));
        if (!isNew) return found->second;
        tell(IssueKind::UndefinedReference, fmt::format("region {}", id));
        out_.regions.emplace_back().name = fmt::format("region {}", id);
        return found->second;
    }

    /// A call with other values of parameters is told apart by a region of its own: its name has them.
    std::uint32_t regionOf(const AnchorNode& node)
    {
        const std::uint32_t plain = regionOf(node.region);
        if (node.parameters.empty()) return plain;
        std::string values;
        for (const AnchorParameter& parameter : node.parameters)
            values += (values.empty() ? " (" : ", ") + parameter.name + "=" + parameter.value;
        values += ')';
        const auto [found, isNew] =
            regionWithValues_.try_emplace({plain, values}, static_cast<std::uint32_t>(out_.regions.size()));
        if (isNew) {
            Region region = out_.regions[plain];
            region.name += values;
            out_.regions.push_back(std::move(region));
        }
        return found->second;
    }

    std::uint32_t callSiteOf(const AnchorNode& node)
    {
        const std::uint32_t line = lineOf(node.line);
        if (line == 0 || node.module.empty()) return CallSiteId::kNone;
        const auto [found, isNew] =
            callSites_.try_emplace({node.module, line}, static_cast<std::uint32_t>(out_.callSites.size()));
        if (isNew) out_.callSites.push_back({node.module, line, {}, {}});
        return found->second;
    }

    void defineNodes()
    {
        std::vector<std::uint32_t> parents, regions, callSites;
        for (const AnchorNode& node : anchor_.nodes) {
            parents.push_back(node.parent);
            regions.push_back(regionOf(node));
            callSites.push_back(callSiteOf(node));
            for (const AnchorParameter& parameter : node.parameters) nameParameter(parameter.name);
        }
        result_.tree =
            CallTree(Column<std::uint32_t>(std::move(parents)), Column<std::uint32_t>(std::move(regions)),
                     Column<std::uint32_t>(std::move(callSites)));
    }

    void nameParameter(const std::string& name)
    {
        const auto same = [&](const Parameter& parameter) { return parameter.name == name; };
        if (std::none_of(out_.parameters.begin(), out_.parameters.end(), same))
            out_.parameters.push_back({name, MetricValueType::Int64, false});
    }

    void defineMetrics()
    {
        std::vector<MetricId> ids;
        std::vector<std::string> derived, unshown;
        for (std::uint32_t number = 0; number < anchor_.metrics.size(); ++number) {
            const AnchorMetric& from = anchor_.metrics[number];
            Metric metric = metricOf(from);
            if (from.parent != kNoEntry) metric.parent = ids[from.parent];
            ids.emplace_back(out_.metrics.size());
            const auto format = valueFormat(from.dataType);
            if (from.stored == StoredAmount::None) derived.push_back(metric.name);
            else if (!format) unshown.push_back(fmt::format("{} ({})", metric.name, from.dataType));
            else if (format->shape == ValueShape::Minimum) metric.aggregation = MetricAggregation::Minimum;
            else if (format->shape == ValueShape::Maximum) metric.aggregation = MetricAggregation::Maximum;
            out_.metrics.push_back(std::move(metric));
            if (format && from.stored != StoredAmount::None) storeParts(number, *format, ids.back());
        }
        if (!derived.empty())
            tell(IssueKind::UnsupportedRecord,
                 "derived metrics, whose CubePL expressions are not computed: " + listed(derived),
                 derived.size());
        if (!unshown.empty())
            tell(IssueKind::UnsupportedRecord, "metrics of types that are not shown: " + listed(unshown),
                 unshown.size());
    }

    Metric metricOf(const AnchorMetric& from)
    {
        Metric metric;
        metric.name = from.uniqueName.empty() ? from.displayName : from.uniqueName;
        if (metric.name.empty()) metric.name = fmt::format("metric {}", from.id);
        metric.description = from.description;
        if (!from.displayName.empty() && from.displayName != metric.name)
            metric.description = from.displayName + (from.description.empty() ? "" : ": " + from.description);
        metric.unit = isTimeUnit(from.unit) ? "ns" : from.unit;
        metric.kind = metricKindOf(metric.name);
        metric.formula = from.expression;
        if (from.stored == StoredAmount::None && metric.formula.empty()) metric.formula = "CubePL";
        return metric;
    }

    void storeParts(std::uint32_t number, const ValueFormat& format, MetricId whole)
    {
        const double scale = nanosecondsIn(anchor_.metrics[number].unit).value_or(1.0);
        if (format.parts == 1 || format.shape == ValueShape::Atomic) {
            result_.stored.push_back({number, 0, whole, format, scale});
            return;
        }
        for (std::uint32_t part = 0; part < format.parts; ++part) {
            Metric metric = out_.metrics[whole.index()];
            metric.name += format.suffix(part);
            metric.parent = whole;
            result_.stored.push_back({number, part, MetricId(out_.metrics.size()), format, scale});
            out_.metrics.push_back(std::move(metric));
        }
    }

    /// Each has a communicator of its own, whose ranks are the locations in the order of their coordinates.
    void defineTopologies()
    {
        std::unordered_map<std::uint64_t, std::uint32_t> locationOfId, locationOfGroup;
        for (std::uint32_t number = 0; number < anchor_.locations.size(); ++number) {
            const AnchorPlace& location = anchor_.locations[number];
            locationOfId.try_emplace(location.id, number);
            if (location.parent != kNoEntry)
                locationOfGroup.try_emplace(anchor_.groups[location.parent].id, number);
        }
        for (AnchorTopology& from : anchor_.topologies) {
            CartesianTopology topology{std::move(from.name),
                                       CommunicatorId(out_.communicators.size()),
                                       std::move(from.dimensions),
                                       {}};
            Communicator communicator;
            communicator.name = topology.name;
            for (auto& coordinates : from.coordinates) {
                const auto& known = coordinates.ofGroup ? locationOfGroup : locationOfId;
                const auto found = known.find(coordinates.id);
                if (found == known.end()) {
                    tell(IssueKind::UndefinedReference,
                         fmt::format("coordinates of location {}", coordinates.id));
                    continue;
                }
                topology.coordinates.push_back({static_cast<std::uint32_t>(communicator.members.size()),
                                                std::move(coordinates.position)});
                communicator.members.emplace_back(found->second);
            }
            out_.communicators.push_back(std::move(communicator));
            out_.topologies.push_back(std::move(topology));
        }
    }

    Anchor& anchor_;
    std::string_view file_;
    ImportReport& report_;
    CubeDefinitions result_;
    Definitions& out_ = result_.definitions;
    std::unordered_map<std::uint64_t, std::uint32_t> regionOfId_;
    std::map<std::pair<std::uint32_t, std::string>, std::uint32_t> regionWithValues_;
    std::map<std::pair<std::string, std::uint32_t>, std::uint32_t> callSites_;
};

}  // namespace

CubeDefinitions defineCube(Anchor& anchor, std::string_view file, ImportReport& report)
{
    return CubeDefiner(anchor, file, report).run();
}

std::vector<std::uint32_t> numberedNodes(const std::vector<AnchorNode>& nodes, StoredAmount stored)
{
    std::vector<std::uint32_t> numbered(nodes.size());
    std::iota(numbered.begin(), numbered.end(), 0u);
    if (stored != StoredAmount::Inclusive) return numbered;
    std::vector<std::vector<std::uint32_t>> children(nodes.size());
    for (std::uint32_t node = 0; node < nodes.size(); ++node)
        if (nodes[node].parent != kNoEntry) children[nodes[node].parent].push_back(node);
    numbered.clear();
    for (std::uint32_t node = 0; node < nodes.size(); ++node) {
        if (nodes[node].parent == kNoEntry) numbered.push_back(node);
        numbered.insert(numbered.end(), children[node].begin(), children[node].end());
    }
    return numbered;
}

}  // namespace skein::cube
