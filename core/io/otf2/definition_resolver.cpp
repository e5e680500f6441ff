// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/otf2/definition_resolver.h"

#include "core/io/otf2/communicator_resolver.h"
#include "core/io/otf2/enum_map.h"
#include "core/io/otf2/region_traits.h"
#include "core/trace/message_matcher.h"

#include <array>
#include <fmt/format.h>

namespace skein::otf2 {
namespace {

/// A step is only begun while nobody wants the work to stop, so that it finds what the steps before it made
/// complete.
class Resolver {
public:
    Resolver(RawDefinitions& raw, const Task& task) : raw_(raw), task_(task), out_(result_.definitions) {}

    Result<ResolvedDefinitions> run()
    {
        using Step = void (Resolver::*)();
        constexpr std::array<Step, 21> kSteps{&Resolver::resolveSystemTree,
                                              &Resolver::breakCycles,
                                              &Resolver::resolveLocationGroups,
                                              &Resolver::resolveLocations,
                                              &Resolver::resolveRegions,
                                              &Resolver::resolveRegionGroups,
                                              &Resolver::resolveCallSites,
                                              &Resolver::resolveContexts,
                                              &Resolver::resolveMetrics,
                                              &Resolver::resolveMetricClasses,
                                              &Resolver::resolveMetricInstances,
                                              &Resolver::resolveParameters,
                                              &Resolver::resolveAttributes,
                                              &Resolver::resolveRanks,
                                              &Resolver::resolveIoFiles,
                                              &Resolver::resolveIoHandles,
                                              &Resolver::resolveTopologies,
                                              &Resolver::resolveCoordinates,
                                              &Resolver::resolveProperties,
                                              &Resolver::resolveInterruptGenerators,
                                              &Resolver::takeTables};
        for (const Step step : kSteps) {
            if (task_.stopRequested()) return cancelled();
            (this->*step)();
        }
        return std::move(result_);
    }

private:
    std::string text(OTF2_StringRef ref)
    {
        if (ref == OTF2_UNDEFINED_STRING) return {};
        if (const std::string* found = raw_.strings.find(ref)) return *found;
        undefined("string", ref);
        return {};
    }

    void undefined(const char* what, std::uint64_t ref)
    {
        result_.report.add(IssueKind::UndefinedReference, {}, {}, fmt::format("{} {}", what, ref));
    }

    /// The index of a definition as an id; invalid, and reported unless `ref` says "none", where there is
    /// none.
    template <typename IdType, typename T>
    IdType idOf(const RefTable<T>& table, const char* what, std::uint64_t ref, std::uint64_t none)
    {
        const std::uint32_t index = table.indexOf(ref);
        if (index != IdIndex::kNone) return IdType(index);
        if (ref != none) undefined(what, ref);
        return IdType();
    }
    RegionId region(OTF2_RegionRef ref)
    {
        return idOf<RegionId>(raw_.regions, "region", ref, OTF2_UNDEFINED_REGION);
    }
    SystemTreeNodeId node(OTF2_SystemTreeNodeRef ref)
    {
        return idOf<SystemTreeNodeId>(raw_.systemTree, "system tree node", ref,
                                      OTF2_UNDEFINED_SYSTEM_TREE_NODE);
    }
    LocationGroupId group(OTF2_LocationGroupRef ref)
    {
        return idOf<LocationGroupId>(raw_.locationGroups, "location group", ref,
                                     OTF2_UNDEFINED_LOCATION_GROUP);
    }
    CommunicatorId communicator(OTF2_CommRef ref)
    {
        return idOf<CommunicatorId>(raw_.communicators, "communicator", ref, OTF2_UNDEFINED_COMM);
    }

    /// Calls body(row) for each row until the work is to stop.
    template <typename Row, typename Body>
    void forEach(const std::vector<Row>& rows, Body&& body)
    {
        constexpr std::size_t kAskEvery = 1u << 12;
        for (std::size_t at = 0; at < rows.size(); ++at) {
            if (at % kAskEvery == 0 && task_.stopRequested()) return;
            body(rows[at]);
        }
    }

    void resolveSystemTree()
    {
        forEach(raw_.systemTree.rows(), [&](const RawSystemTreeNode& from) {
            out_.systemTree.push_back({text(from.name), text(from.className), node(from.parent), {}});
        });
    }

    void resolveLocationGroups()
    {
        forEach(raw_.locationGroups.rows(), [&](const RawLocationGroup& from) {
            LocationGroup& to = out_.locationGroups.emplace_back();
            to.name = text(from.name);
            to.kind = locationGroupKind(from.type);
            to.node = node(from.node);
            to.creator = group(from.creator);
        });
    }

    void resolveLocations()
    {
        std::vector<std::int32_t> threads(out_.locationGroups.size());
        forEach(raw_.locations.rows(), [&](const RawLocation& from) {
            const std::size_t row = out_.locations.size();
            Location& to = out_.locations.emplace_back();
            to.name = text(from.name);
            to.kind = locationKind(from.type);
            to.group = group(from.group);
            to.originalId = raw_.locations.id(row);
            if (to.group.valid() && to.kind == LocationKind::CpuThread)
                to.thread = threads[to.group.index()]++;
            result_.declaredEvents.push_back(from.events);
        });
    }

    /// A node that is its own ancestor becomes a root: who walks up the tree must arrive.
    void breakCycles()
    {
        std::vector<std::uint8_t> state(out_.systemTree.size());  // 0 new, 1 on the way, 2 done
        for (std::size_t start = 0; start < state.size(); ++start) {
            std::vector<std::size_t> way;
            std::size_t at = start;
            while (state[at] == 0) {
                state[at] = 1;
                way.push_back(at);
                const SystemTreeNodeId parent = out_.systemTree[at].parent;
                if (!parent.valid()) break;
                if (state[parent.index()] == 1) {
                    undefined("parent of system tree node", at);
                    out_.systemTree[at].parent = {};
                    break;
                }
                at = parent.index();
            }
            for (const std::size_t node : way) state[node] = 2;
        }
    }

    void resolveRegions()
    {
        forEach(raw_.regions.rows(), [&](const RawRegion& from) {
            Region& to = out_.regions.emplace_back();
            to.name = text(from.name);
            to.canonicalName = text(from.canonicalName);
            if (to.canonicalName == to.name) to.canonicalName.clear();
            to.description = text(from.description);
            to.sourceFile = text(from.sourceFile);
            to.beginLine = from.beginLine;
            to.endLine = from.endLine;
            to.role = regionRole(from.role);
            to.paradigm = paradigm(from.paradigm);
            deriveTraits(to);
        });
        result_.tables.regionCount = static_cast<std::uint32_t>(out_.regions.size());
    }

    void resolveRegionGroups()
    {
        for (const RawGroup& from : raw_.groups.rows())
            if (from.type == OTF2_GROUP_TYPE_REGIONS) addRegionGroup(from);
    }

    void addRegionGroup(const RawGroup& from)
    {
        const RegionGroupId id(out_.regionGroups.size());
        out_.regionGroups.push_back({text(from.name)});
        forEach(from.members, [&](std::uint64_t member) {
            if (const RegionId found = region(static_cast<OTF2_RegionRef>(member)); found.valid())
                out_.regions[found.index()].groups.push_back(id);
        });
    }

    void resolveCallSites()
    {
        forEach(raw_.callSites.rows(), [&](const RawCallSite& from) {
            out_.callSites.push_back({text(from.file), from.line, region(from.entered), region(from.left)});
        });
        forEach(raw_.sourceLocations.rows(), [&](const RawSourceLocation& from) {
            out_.callSites.push_back({text(from.file), from.line, {}, {}});
        });
    }

    /// Source locations stand behind the call sites.
    void resolveContexts()
    {
        const std::size_t firstSource = raw_.callSites.size();
        forEach(raw_.callingContexts.rows(), [&](const RawCallingContext& from) {
            CallingContext& to = result_.tables.contexts.emplace_back();
            to.region = region(from.region);
            const std::uint32_t source = raw_.sourceLocations.indexOf(from.source);
            if (source != IdIndex::kNone) to.callSite = CallSiteId(firstSource + source);
            to.parent = raw_.callingContexts.indexOf(from.parent);
        });
    }

    void resolveMetrics()
    {
        forEach(raw_.metricMembers.rows(), [&](const RawMetricMember& from) {
            Metric& to = out_.metrics.emplace_back();
            to.name = text(from.name);
            to.description = text(from.description);
            to.unit = text(from.unit);
            to.kind = metricKind(from.type);
            to.mode = metricMode(from.mode);
            to.valueType = metricValueType(from.valueType);
            to.binaryBase = from.base == OTF2_BASE_BINARY;
            to.exponent = from.exponent;
        });
    }

    void resolveMetricClasses()
    {
        forEach(raw_.metricClasses.rows(),
                [&](const RawMetricClass& from) { result_.tables.classSources.push_back(sourceOf(from)); });
    }

    void resolveMetricInstances()
    {
        EventTables& tables = result_.tables;
        forEach(raw_.metricInstances.rows(), [&](const RawMetricInstance& from) {
            const std::uint32_t metricClass = raw_.metricClasses.indexOf(from.metricClass);
            if (metricClass == IdIndex::kNone) undefined("metric class", from.metricClass);
            MetricSource& to = tables.instanceSources.emplace_back(
                metricClass == IdIndex::kNone ? MetricSource() : tables.classSources[metricClass]);
            setScope(from, to);
            to.recorder =
                idOf<LocationId>(raw_.locations, "location", from.recorder, OTF2_UNDEFINED_LOCATION);
        });
    }

    MetricSource sourceOf(const RawMetricClass& from)
    {
        MetricSource source;
        source.stream.occurrence = metricOccurrence(from.occurrence);
        for (const OTF2_MetricMemberRef ref : from.members) {
            const MetricId id =
                idOf<MetricId>(raw_.metricMembers, "metric member", ref, OTF2_UNDEFINED_METRIC_MEMBER);
            if (!id.valid()) return {};
            source.stream.metrics.push_back(id);
            source.types.push_back(out_.metric(id).valueType);
        }
        return source;
    }

    void setScope(const RawMetricInstance& from, MetricSource& to)
    {
        to.ofRecorder = false;
        if (from.scope == OTF2_SCOPE_LOCATION)
            to.stream.scopeLocation =
                idOf<LocationId>(raw_.locations, "location", from.scopeId, OTF2_UNDEFINED_LOCATION);
        else if (from.scope == OTF2_SCOPE_LOCATION_GROUP)
            to.stream.scopeGroup = group(static_cast<OTF2_LocationGroupRef>(from.scopeId));
        else if (from.scope == OTF2_SCOPE_SYSTEM_TREE_NODE)
            to.stream.scopeNode = node(static_cast<OTF2_SystemTreeNodeRef>(from.scopeId));
        else to.ofRecorder = true;  // a group of locations: the model knows the recorder at least
    }

    void resolveParameters()
    {
        forEach(raw_.parameters.rows(), [&](const RawParameter& from) {
            out_.parameters.push_back(
                {text(from.name),
                 from.type == OTF2_PARAMETER_TYPE_INT64 ? MetricValueType::Int64 : MetricValueType::Uint64,
                 from.type == OTF2_PARAMETER_TYPE_STRING});
        });
    }

    void resolveAttributes()
    {
        forEach(raw_.attributes.rows(), [&](const RawAttribute& from) {
            out_.attributes.push_back({text(from.name), text(from.description), attributeType(from.type)});
        });
        result_.tables.attributeTypes.reserve(out_.attributes.size());
        for (const Attribute& attribute : out_.attributes)
            result_.tables.attributeTypes.push_back(attribute.type);
    }

    void resolveRanks() { resolveCommunicators(raw_, result_, task_); }

    void resolveIoFiles()
    {
        forEach(raw_.ioFiles.rows(), [&](const RawIoFile& from) {
            out_.ioFiles.push_back({text(from.name), node(from.scope)});
        });
    }

    void resolveIoHandles()
    {
        forEach(raw_.ioHandles.rows(), [&](const RawIoHandle& from) {
            const OTF2_StringRef* name = raw_.ioParadigms.find(from.paradigm);
            const auto file = idOf<IoFileId>(raw_.ioFiles, "I/O file", from.file, OTF2_UNDEFINED_IO_FILE);
            out_.ioHandles.push_back(
                {text(from.name), file, name ? text(*name) : std::string(), communicator(from.communicator)});
            result_.tables.handleFiles.push_back(file);
        });
    }

    void resolveTopologies()
    {
        forEach(raw_.topologies.rows(), [&](const RawTopology& from) {
            CartesianTopology& to = out_.topologies.emplace_back();
            to.name = text(from.name);
            to.communicator = communicator(from.communicator);
            for (const OTF2_CartDimensionRef ref : from.dimensions) {
                const RawDimension* dimension = raw_.dimensions.find(ref);
                if (!dimension) undefined("Cartesian dimension", ref);
                to.dimensions.push_back(dimension ? CartesianTopology::Dimension{text(dimension->name),
                                                                                 dimension->size,
                                                                                 dimension->periodic}
                                                  : CartesianTopology::Dimension{});
            }
        });
    }

    void resolveCoordinates()
    {
        forEach(raw_.coordinates, [&](const RawCoordinates& from) {
            const std::uint32_t topology = raw_.topologies.indexOf(from.topology);
            if (topology == IdIndex::kNone) undefined("Cartesian topology", from.topology);
            else out_.topologies[topology].coordinates.push_back({from.rank, from.position});
        });
    }

    Property propertyOf(const RawProperty& from)
    {
        Property to;
        to.name = from.name == OTF2_UNDEFINED_STRING ? "domain" : text(from.name);
        to.value = from.text == OTF2_UNDEFINED_STRING ? from.value : text(from.text);
        return to;
    }

    template <typename T, typename Owner>
    void attach(const std::vector<RawProperty>& properties, const RefTable<T>& table, const char* what,
                std::vector<Owner>& owners)
    {
        forEach(properties, [&](const RawProperty& from) {
            const std::uint32_t owner = table.indexOf(from.owner);
            if (owner == IdIndex::kNone) undefined(what, from.owner);
            else owners[owner].properties.push_back(propertyOf(from));
        });
    }

    void resolveProperties()
    {
        attach(raw_.systemTreeProperties, raw_.systemTree, "system tree node", out_.systemTree);
        attach(raw_.locationGroupProperties, raw_.locationGroups, "location group", out_.locationGroups);
        attach(raw_.locationProperties, raw_.locations, "location", out_.locations);
    }

    /// The model has no place for what made the samples; the archive's properties tell it.
    void resolveInterruptGenerators()
    {
        for (const RawInterruptGenerator& from : raw_.interruptGenerators.rows()) {
            const std::string unit = from.mode == OTF2_INTERRUPT_GENERATOR_MODE_TIME ? "s" : "counts";
            const std::string scale = from.exponent == 0
                ? ""
                : fmt::format(" × {}^{}", from.base == OTF2_BASE_BINARY ? 2 : 10, from.exponent);
            out_.properties.push_back({"interrupt generator " + text(from.name),
                                       fmt::format("every {}{} {}", from.period, scale, unit)});
        }
    }

    void takeTables()
    {
        out_.clock = raw_.clock;
        result_.report.merge(raw_.report);
        out_.strings = raw_.strings.rows();
        EventTables& tables = result_.tables;
        tables.measurementText = static_cast<std::uint32_t>(out_.strings.size());
        for (const char* text : {"measurement", "measurement on", "measurement off"})
            out_.strings.emplace_back(text);
        tables.hasAttributes = !out_.attributes.empty();
        tables.attributes = raw_.attributes.takeIndex();
        tables.locations = raw_.locations.takeIndex();
        tables.regions = raw_.regions.takeIndex();
        tables.strings = raw_.strings.takeIndex();
        tables.communicators = raw_.communicators.takeIndex();
        tables.parameters = raw_.parameters.takeIndex();
        tables.ioHandles = raw_.ioHandles.takeIndex();
        tables.ioFiles = raw_.ioFiles.takeIndex();
        tables.callingContexts = raw_.callingContexts.takeIndex();
        tables.rmaWindows = raw_.rmaWindows.takeIndex();
        tables.metricClasses = raw_.metricClasses.takeIndex();
        tables.metricInstances = raw_.metricInstances.takeIndex();
    }

    RawDefinitions& raw_;
    const Task& task_;
    ResolvedDefinitions result_;
    Definitions& out_;
};

}  // namespace

Result<ResolvedDefinitions> resolve(RawDefinitions raw, const Task& task)
{
    return Resolver(raw, task).run();
}

}  // namespace skein::otf2
