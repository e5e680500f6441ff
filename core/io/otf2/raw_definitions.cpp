// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/otf2/raw_definitions.h"

#include "core/base/utf8.h"
#include "core/io/otf2/guarded_callback.h"
#include "core/io/otf2/library.h"

#include <fmt/format.h>

namespace skein::otf2 {
namespace {

using Raw = RawDefinitions;

void duplicate(Raw& raw, const char* what, std::uint64_t id)
{
    raw.report.add(IssueKind::DuplicateDefinition, {}, {}, fmt::format("{} {}", what, id));
}

template <typename T>
void define(Raw& raw, RefTable<T>& table, const char* what, std::uint64_t id, T value)
{
    if (!table.add(id, std::move(value))) duplicate(raw, what, id);
}

/// Counts a definition, or a part of one, that the model has no place for.
void unsupported(Raw& raw, const char* what) { raw.report.add(IssueKind::UnsupportedRecord, {}, {}, what); }

void onClock(Raw& raw, std::uint64_t resolution, std::uint64_t offset, std::uint64_t length,
             std::uint64_t realtime)
{
    raw.clock.present = true;
    raw.clock.ticksPerSecond = resolution;
    raw.clock.globalOffsetTicks = offset;
    raw.clock.lengthTicks = length;
    raw.clock.realtimeNs = realtime == OTF2_UNDEFINED_TIMESTAMP ? 0 : static_cast<std::int64_t>(realtime);
}

void onString(Raw& raw, OTF2_StringRef self, const char* text)
{
    std::string valid = text ? text : "";
    if (!isValidUtf8(valid)) {
        valid = toValidUtf8(valid);
        raw.report.add(IssueKind::BadText, {}, {}, valid.substr(0, 80));
    }
    define(raw, raw.strings, "string", self, std::move(valid));
}

void onSystemTreeNode(Raw& raw, OTF2_SystemTreeNodeRef self, OTF2_StringRef name, OTF2_StringRef className,
                      OTF2_SystemTreeNodeRef parent)
{
    define(raw, raw.systemTree, "system tree node", self, RawSystemTreeNode{name, className, parent});
}

void onLocationGroup(Raw& raw, OTF2_LocationGroupRef self, OTF2_StringRef name, OTF2_LocationGroupType type,
                     OTF2_SystemTreeNodeRef node, OTF2_LocationGroupRef creator)
{
    define(raw, raw.locationGroups, "location group", self, RawLocationGroup{name, type, node, creator});
}

void onLocation(Raw& raw, OTF2_LocationRef self, OTF2_StringRef name, OTF2_LocationType type,
                std::uint64_t events, OTF2_LocationGroupRef group)
{
    if (self != OTF2_UNDEFINED_LOCATION)
        define(raw, raw.locations, "location", self, RawLocation{name, type, events, group});
}

void onRegion(Raw& raw, OTF2_RegionRef self, OTF2_StringRef name, OTF2_StringRef canonical,
              OTF2_StringRef description, OTF2_RegionRole role, OTF2_Paradigm paradigm, OTF2_RegionFlag flags,
              OTF2_StringRef file, std::uint32_t begin, std::uint32_t end)
{
    if (flags != OTF2_REGION_FLAG_NONE) unsupported(raw, "flags of regions");
    define(raw, raw.regions, "region", self,
           RawRegion{name, canonical, description, file, role, paradigm, begin, end});
}

void onGroup(Raw& raw, OTF2_GroupRef self, OTF2_StringRef name, OTF2_GroupType type, OTF2_Paradigm paradigm,
             OTF2_GroupFlag flags, std::uint32_t count, const std::uint64_t* members)
{
    RawGroup group{name, type, paradigm, flags, {}};
    if (members) group.members.assign(members, members + count);
    if (type == OTF2_GROUP_TYPE_COMM_LOCATIONS) raw.locationLists.push_back(group);
    define(raw, raw.groups, "group", self, std::move(group));
}

void onComm(Raw& raw, OTF2_CommRef self, OTF2_StringRef name, OTF2_GroupRef group, OTF2_CommRef parent,
            OTF2_CommFlag flags)
{
    if (flags != OTF2_COMM_FLAG_NONE) unsupported(raw, "flags of communicators");
    define(raw, raw.communicators, "communicator", self,
           RawCommunicator{name, group, OTF2_UNDEFINED_GROUP, parent});
}

void onInterComm(Raw& raw, OTF2_CommRef self, OTF2_StringRef name, OTF2_GroupRef groupA, OTF2_GroupRef groupB,
                 OTF2_CommRef common, OTF2_CommFlag flags)
{
    if (flags != OTF2_COMM_FLAG_NONE) unsupported(raw, "flags of communicators");
    define(raw, raw.communicators, "communicator", self, RawCommunicator{name, groupA, groupB, common});
}

void onMetricMember(Raw& raw, OTF2_MetricMemberRef self, OTF2_StringRef name, OTF2_StringRef description,
                    OTF2_MetricType type, OTF2_MetricMode mode, OTF2_Type valueType, OTF2_Base base,
                    std::int64_t exponent, OTF2_StringRef unit)
{
    define(raw, raw.metricMembers, "metric member", self,
           RawMetricMember{name, description, unit, type, mode, valueType, base, exponent});
}

void onMetricClass(Raw& raw, OTF2_MetricRef self, std::uint8_t count, const OTF2_MetricMemberRef* members,
                   OTF2_MetricOccurrence occurrence, OTF2_RecorderKind)
{
    RawMetricClass metrics{occurrence, {}};
    if (members) metrics.members.assign(members, members + count);
    define(raw, raw.metricClasses, "metric class", self, std::move(metrics));
}

void onMetricInstance(Raw& raw, OTF2_MetricRef self, OTF2_MetricRef metricClass, OTF2_LocationRef recorder,
                      OTF2_MetricScope scope, std::uint64_t scopeId)
{
    define(raw, raw.metricInstances, "metric instance", self,
           RawMetricInstance{metricClass, recorder, scope, scopeId});
}

void onParameter(Raw& raw, OTF2_ParameterRef self, OTF2_StringRef name, OTF2_ParameterType type)
{
    define(raw, raw.parameters, "parameter", self, RawParameter{name, type});
}

void onCallSite(Raw& raw, OTF2_CallsiteRef self, OTF2_StringRef file, std::uint32_t line,
                OTF2_RegionRef entered, OTF2_RegionRef left)
{
    define(raw, raw.callSites, "call site", self, RawCallSite{file, line, entered, left});
}

void onSourceLocation(Raw& raw, OTF2_SourceCodeLocationRef self, OTF2_StringRef file, std::uint32_t line)
{
    define(raw, raw.sourceLocations, "source code location", self, RawSourceLocation{file, line});
}

void onCallingContext(Raw& raw, OTF2_CallingContextRef self, OTF2_RegionRef region,
                      OTF2_SourceCodeLocationRef source, OTF2_CallingContextRef parent)
{
    define(raw, raw.callingContexts, "calling context", self, RawCallingContext{region, source, parent});
}

void onRmaWindow(Raw& raw, OTF2_RmaWinRef self, OTF2_StringRef name, OTF2_CommRef communicator,
                 OTF2_RmaWinFlag flags)
{
    if (name != OTF2_UNDEFINED_STRING) unsupported(raw, "names of RMA windows");
    if (flags != OTF2_RMA_WIN_FLAG_NONE) unsupported(raw, "flags of RMA windows");
    define(raw, raw.rmaWindows, "RMA window", self, communicator);
}

void onIoParadigm(Raw& raw, OTF2_IoParadigmRef self, OTF2_StringRef, OTF2_StringRef name,
                  OTF2_IoParadigmClass, OTF2_IoParadigmFlag, std::uint8_t, const OTF2_IoParadigmProperty*,
                  const OTF2_Type*, const OTF2_AttributeValue*)
{
    define(raw, raw.ioParadigms, "I/O paradigm", self, name);
}

void onParadigm(Raw& raw, OTF2_Paradigm self, OTF2_StringRef name, OTF2_ParadigmClass)
{
    define(raw, raw.paradigms, "paradigm", self, name);
}

void onIoFile(Raw& raw, OTF2_IoFileRef self, OTF2_StringRef name, OTF2_SystemTreeNodeRef scope)
{
    define(raw, raw.ioFiles, "I/O file", self, RawIoFile{name, scope});
}

void onIoHandle(Raw& raw, OTF2_IoHandleRef self, OTF2_StringRef name, OTF2_IoFileRef file,
                OTF2_IoParadigmRef paradigm, OTF2_IoHandleFlag flags, OTF2_CommRef communicator,
                OTF2_IoHandleRef parent)
{
    if (flags != OTF2_IO_HANDLE_FLAG_NONE) unsupported(raw, "flags of I/O handles");
    if (parent != OTF2_UNDEFINED_IO_HANDLE) unsupported(raw, "parents of I/O handles");
    define(raw, raw.ioHandles, "I/O handle", self, RawIoHandle{name, file, paradigm, communicator});
}

void onDimension(Raw& raw, OTF2_CartDimensionRef self, OTF2_StringRef name, std::uint32_t size,
                 OTF2_CartPeriodicity periodicity)
{
    define(raw, raw.dimensions, "Cartesian dimension", self,
           RawDimension{name, size, periodicity == OTF2_CART_PERIODIC_TRUE});
}

void onTopology(Raw& raw, OTF2_CartTopologyRef self, OTF2_StringRef name, OTF2_CommRef communicator,
                std::uint8_t count, const OTF2_CartDimensionRef* dimensions)
{
    RawTopology topology{name, communicator, {}};
    if (dimensions) topology.dimensions.assign(dimensions, dimensions + count);
    define(raw, raw.topologies, "Cartesian topology", self, std::move(topology));
}

void onCoordinates(Raw& raw, OTF2_CartTopologyRef topology, std::uint32_t rank, std::uint8_t count,
                   const std::uint32_t* position)
{
    RawCoordinates coordinates{topology, rank, {}};
    if (position) coordinates.position.assign(position, position + count);
    raw.coordinates.push_back(std::move(coordinates));
}

std::string propertyText(OTF2_Type type, const OTF2_AttributeValue& value)
{
    switch (type) {
    case OTF2_TYPE_UINT8: return fmt::format("{}", value.uint8);
    case OTF2_TYPE_UINT16: return fmt::format("{}", value.uint16);
    case OTF2_TYPE_UINT32: return fmt::format("{}", value.uint32);
    case OTF2_TYPE_INT8: return fmt::format("{}", value.int8);
    case OTF2_TYPE_INT16: return fmt::format("{}", value.int16);
    case OTF2_TYPE_INT32: return fmt::format("{}", value.int32);
    case OTF2_TYPE_INT64: return fmt::format("{}", value.int64);
    case OTF2_TYPE_FLOAT: return fmt::format("{}", value.float32);
    case OTF2_TYPE_DOUBLE: return fmt::format("{}", value.float64);
    default: return fmt::format("{}", value.uint64);
    }
}

RawProperty property(std::uint64_t owner, OTF2_StringRef name, OTF2_Type type,
                     const OTF2_AttributeValue& value)
{
    if (type == OTF2_TYPE_STRING) return {owner, name, value.stringRef, {}};
    return {owner, name, OTF2_UNDEFINED_STRING, propertyText(type, value)};
}

void onNodeProperty(Raw& raw, OTF2_SystemTreeNodeRef owner, OTF2_StringRef name, OTF2_Type type,
                    OTF2_AttributeValue value)
{
    raw.systemTreeProperties.push_back(property(owner, name, type, value));
}

void onNodeDomain(Raw& raw, OTF2_SystemTreeNodeRef owner, OTF2_SystemTreeDomain domain)
{
    static constexpr const char* kNames[] = {
        "machine",          "shared memory", "NUMA", "socket", "cache", "core", "PU", "accelerator device",
        "networking device"};
    if (domain < std::size(kNames))
        raw.systemTreeProperties.push_back(
            {owner, OTF2_UNDEFINED_STRING, OTF2_UNDEFINED_STRING, kNames[domain]});
}

void onGroupProperty(Raw& raw, OTF2_LocationGroupRef owner, OTF2_StringRef name, OTF2_Type type,
                     OTF2_AttributeValue value)
{
    raw.locationGroupProperties.push_back(property(owner, name, type, value));
}

void onLocationProperty(Raw& raw, OTF2_LocationRef owner, OTF2_StringRef name, OTF2_Type type,
                        OTF2_AttributeValue value)
{
    raw.locationProperties.push_back(property(owner, name, type, value));
}

void onInterruptGenerator(Raw& raw, OTF2_InterruptGeneratorRef self, OTF2_StringRef name,
                          OTF2_InterruptGeneratorMode mode, OTF2_Base base, std::int64_t exponent,
                          std::uint64_t period)
{
    define(raw, raw.interruptGenerators, "interrupt generator", self,
           RawInterruptGenerator{name, mode, base, exponent, period});
}

void onAttribute(Raw& raw, OTF2_AttributeRef self, OTF2_StringRef name, OTF2_StringRef description,
                 OTF2_Type type)
{
    define(raw, raw.attributes, "attribute", self, RawAttribute{name, description, type});
}

void onCallpath(Raw& raw, OTF2_CallpathRef, OTF2_CallpathRef, OTF2_RegionRef)
{
    unsupported(raw, "definitions Callpath");
}

void onCallpathParameter(Raw& raw, OTF2_CallpathRef, OTF2_ParameterRef, OTF2_Type, OTF2_AttributeValue)
{
    unsupported(raw, "definitions CallpathParameter");
}

void onContextProperty(Raw& raw, OTF2_CallingContextRef, OTF2_StringRef, OTF2_Type, OTF2_AttributeValue)
{
    unsupported(raw, "definitions CallingContextProperty");
}

void onFileProperty(Raw& raw, OTF2_IoFileRef, OTF2_StringRef, OTF2_Type, OTF2_AttributeValue)
{
    unsupported(raw, "definitions IoFileProperty");
}

void onHandleState(Raw& raw, OTF2_IoHandleRef, OTF2_IoAccessMode, OTF2_IoStatusFlag)
{
    unsupported(raw, "definitions IoPreCreatedHandleState");
}

void onClassRecorder(Raw& raw, OTF2_MetricRef, OTF2_LocationRef)
{
    unsupported(raw, "definitions MetricClassRecorder");
}

void onParadigmProperty(Raw& raw, OTF2_Paradigm, OTF2_ParadigmProperty, OTF2_Type, OTF2_AttributeValue)
{
    unsupported(raw, "definitions ParadigmProperty");
}

void onUnknownDefinition(Raw& raw) { unsupported(raw, "definitions unknown to this version of libotf2"); }

using Callbacks = OTF2_GlobalDefReaderCallbacks;

void setCounted(Callbacks* set)
{
    OTF2_GlobalDefReaderCallbacks_SetAttributeCallback(set, &DefinitionCallback<onAttribute>::call);
    OTF2_GlobalDefReaderCallbacks_SetCallpathCallback(set, &DefinitionCallback<onCallpath>::call);
    OTF2_GlobalDefReaderCallbacks_SetCallpathParameterCallback(
        set, &DefinitionCallback<onCallpathParameter>::call);
    OTF2_GlobalDefReaderCallbacks_SetCallingContextPropertyCallback(
        set, &DefinitionCallback<onContextProperty>::call);
    OTF2_GlobalDefReaderCallbacks_SetIoFilePropertyCallback(set, &DefinitionCallback<onFileProperty>::call);
    OTF2_GlobalDefReaderCallbacks_SetIoPreCreatedHandleStateCallback(
        set, &DefinitionCallback<onHandleState>::call);
    OTF2_GlobalDefReaderCallbacks_SetMetricClassRecorderCallback(set,
                                                                 &DefinitionCallback<onClassRecorder>::call);
    OTF2_GlobalDefReaderCallbacks_SetParadigmPropertyCallback(set,
                                                              &DefinitionCallback<onParadigmProperty>::call);
    OTF2_GlobalDefReaderCallbacks_SetUnknownCallback(set, &DefinitionCallback<onUnknownDefinition>::call);
}

void setPlaces(Callbacks* set)
{
    OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(set, &DefinitionCallback<onClock>::call);
    OTF2_GlobalDefReaderCallbacks_SetStringCallback(set, &DefinitionCallback<onString>::call);
    OTF2_GlobalDefReaderCallbacks_SetSystemTreeNodeCallback(set, &DefinitionCallback<onSystemTreeNode>::call);
    OTF2_GlobalDefReaderCallbacks_SetLocationGroupCallback(set, &DefinitionCallback<onLocationGroup>::call);
    OTF2_GlobalDefReaderCallbacks_SetLocationCallback(set, &DefinitionCallback<onLocation>::call);
    OTF2_GlobalDefReaderCallbacks_SetSystemTreeNodePropertyCallback(
        set, &DefinitionCallback<onNodeProperty>::call);
    OTF2_GlobalDefReaderCallbacks_SetSystemTreeNodeDomainCallback(set,
                                                                  &DefinitionCallback<onNodeDomain>::call);
    OTF2_GlobalDefReaderCallbacks_SetLocationGroupPropertyCallback(
        set, &DefinitionCallback<onGroupProperty>::call);
    OTF2_GlobalDefReaderCallbacks_SetLocationPropertyCallback(set,
                                                              &DefinitionCallback<onLocationProperty>::call);
    OTF2_GlobalDefReaderCallbacks_SetGroupCallback(set, &DefinitionCallback<onGroup>::call);
    OTF2_GlobalDefReaderCallbacks_SetCommCallback(set, &DefinitionCallback<onComm>::call);
    OTF2_GlobalDefReaderCallbacks_SetInterCommCallback(set, &DefinitionCallback<onInterComm>::call);
    OTF2_GlobalDefReaderCallbacks_SetRmaWinCallback(set, &DefinitionCallback<onRmaWindow>::call);
    OTF2_GlobalDefReaderCallbacks_SetCartDimensionCallback(set, &DefinitionCallback<onDimension>::call);
    OTF2_GlobalDefReaderCallbacks_SetCartTopologyCallback(set, &DefinitionCallback<onTopology>::call);
    OTF2_GlobalDefReaderCallbacks_SetCartCoordinateCallback(set, &DefinitionCallback<onCoordinates>::call);
}

void setCode(Callbacks* set)
{
    OTF2_GlobalDefReaderCallbacks_SetRegionCallback(set, &DefinitionCallback<onRegion>::call);
    OTF2_GlobalDefReaderCallbacks_SetMetricMemberCallback(set, &DefinitionCallback<onMetricMember>::call);
    OTF2_GlobalDefReaderCallbacks_SetMetricClassCallback(set, &DefinitionCallback<onMetricClass>::call);
    OTF2_GlobalDefReaderCallbacks_SetMetricInstanceCallback(set, &DefinitionCallback<onMetricInstance>::call);
    OTF2_GlobalDefReaderCallbacks_SetInterruptGeneratorCallback(
        set, &DefinitionCallback<onInterruptGenerator>::call);
    OTF2_GlobalDefReaderCallbacks_SetParameterCallback(set, &DefinitionCallback<onParameter>::call);
    OTF2_GlobalDefReaderCallbacks_SetCallsiteCallback(set, &DefinitionCallback<onCallSite>::call);
    OTF2_GlobalDefReaderCallbacks_SetSourceCodeLocationCallback(set,
                                                                &DefinitionCallback<onSourceLocation>::call);
    OTF2_GlobalDefReaderCallbacks_SetCallingContextCallback(set, &DefinitionCallback<onCallingContext>::call);
    OTF2_GlobalDefReaderCallbacks_SetParadigmCallback(set, &DefinitionCallback<onParadigm>::call);
    OTF2_GlobalDefReaderCallbacks_SetIoParadigmCallback(set, &DefinitionCallback<onIoParadigm>::call);
    OTF2_GlobalDefReaderCallbacks_SetIoRegularFileCallback(set, &DefinitionCallback<onIoFile>::call);
    OTF2_GlobalDefReaderCallbacks_SetIoDirectoryCallback(set, &DefinitionCallback<onIoFile>::call);
    OTF2_GlobalDefReaderCallbacks_SetIoHandleCallback(set, &DefinitionCallback<onIoHandle>::call);
}

/// Reads until the end or an error. False when it was stopped.
bool readAll(OTF2_Reader* reader, OTF2_GlobalDefReader* definitions, Raw& raw, const std::string& file,
             const Task& task)
{
    constexpr std::uint64_t kBatch = 4096;
    for (;;) {
        if (task.stopRequested()) return false;
        std::uint64_t read = 0;
        const OTF2_ErrorCode status = OTF2_Reader_ReadGlobalDefinitions(reader, definitions, kBatch, &read);
        if (raw.outOfMemory || (status == OTF2_SUCCESS && read < kBatch)) return true;
        if (status == OTF2_SUCCESS) continue;
        raw.report.add(IssueKind::CorruptRecord, file, {}, OTF2_Error_GetDescription(status));
        return true;
    }
}

}  // namespace

Result<RawDefinitions> readGlobalDefinitions(OTF2_Reader* reader, const std::string& file, const Task& task)
{
    Raw raw;
    ErrorCapture errors;
    OTF2_GlobalDefReader* definitions = OTF2_Reader_GetGlobalDefReader(reader);
    if (!definitions) {
        raw.report.add(IssueKind::CorruptRecord, file, {}, errors.first());
        return raw;
    }
    Callbacks* callbacks = OTF2_GlobalDefReaderCallbacks_New();
    if (!callbacks)
        return fail(ErrorCode::OutOfMemory, "There is not enough memory to read the definitions.");
    setPlaces(callbacks);
    setCode(callbacks);
    setCounted(callbacks);
    OTF2_Reader_RegisterGlobalDefCallbacks(reader, definitions, callbacks, &raw);
    OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
    const bool finished = readAll(reader, definitions, raw, file, task);
    OTF2_Reader_CloseGlobalDefReader(reader, definitions);
    errors.moveTo(raw.report, file, {});
    if (!finished) return cancelled();
    if (raw.outOfMemory)
        return fail(ErrorCode::OutOfMemory, "There is not enough memory for the definitions.");
    return raw;
}

}  // namespace skein::otf2
