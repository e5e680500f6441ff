// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/import_report.h"
#include "core/base/result.h"
#include "core/base/task.h"
#include "core/definitions/definitions.h"
#include "core/io/otf2/id_index.h"

#include <otf2/otf2.h>
#include <string>
#include <vector>

/// The global definitions of an OTF2 archive as they stand in the file: references are the archive's ids, and
/// may point forward or nowhere. See definition_resolver.h for what becomes of them.
namespace skein::otf2 {

struct RawProperty {
    std::uint64_t owner = 0;
    OTF2_StringRef name = OTF2_UNDEFINED_STRING;
    OTF2_StringRef text = OTF2_UNDEFINED_STRING;  ///< where the value is a string
    std::string value;                            ///< where it is not
};
struct RawSystemTreeNode {
    OTF2_StringRef name, className;
    OTF2_SystemTreeNodeRef parent;
};
struct RawLocationGroup {
    OTF2_StringRef name;
    OTF2_LocationGroupType type;
    OTF2_SystemTreeNodeRef node;
    OTF2_LocationGroupRef creator;
};
struct RawLocation {
    OTF2_StringRef name;
    OTF2_LocationType type;
    std::uint64_t events;
    OTF2_LocationGroupRef group;
};
struct RawRegion {
    OTF2_StringRef name, canonicalName, description, sourceFile;
    OTF2_RegionRole role;
    OTF2_Paradigm paradigm;
    std::uint32_t beginLine, endLine;
};
struct RawGroup {
    OTF2_StringRef name;
    OTF2_GroupType type;
    OTF2_Paradigm paradigm;
    OTF2_GroupFlag flags;
    std::vector<std::uint64_t> members;
};
struct RawCommunicator {
    OTF2_StringRef name;
    OTF2_GroupRef group;
    OTF2_GroupRef remoteGroup;  ///< of an inter-communicator, else undefined
    OTF2_CommRef parent;
};
struct RawMetricMember {
    OTF2_StringRef name, description, unit;
    OTF2_MetricType type;
    OTF2_MetricMode mode;
    OTF2_Type valueType;
    OTF2_Base base;
    std::int64_t exponent;
};
struct RawMetricClass {
    OTF2_MetricOccurrence occurrence;
    std::vector<OTF2_MetricMemberRef> members;
};
struct RawMetricInstance {
    OTF2_MetricRef metricClass;
    OTF2_LocationRef recorder;
    OTF2_MetricScope scope;
    std::uint64_t scopeId;
};
struct RawInterruptGenerator {
    OTF2_StringRef name;
    OTF2_InterruptGeneratorMode mode;
    OTF2_Base base;
    std::int64_t exponent;
    std::uint64_t period;
};
struct RawParameter {
    OTF2_StringRef name;
    OTF2_ParameterType type;
};
struct RawAttribute {
    OTF2_StringRef name, description;
    OTF2_Type type;
};
struct RawCallSite {
    OTF2_StringRef file;
    std::uint32_t line;
    OTF2_RegionRef entered, left;
};
struct RawSourceLocation {
    OTF2_StringRef file;
    std::uint32_t line;
};
struct RawCallingContext {
    OTF2_RegionRef region;
    OTF2_SourceCodeLocationRef source;
    OTF2_CallingContextRef parent;
};
struct RawIoFile {
    OTF2_StringRef name;
    OTF2_SystemTreeNodeRef scope;
};
struct RawIoHandle {
    OTF2_StringRef name;
    OTF2_IoFileRef file;
    OTF2_IoParadigmRef paradigm;
    OTF2_CommRef communicator;
};
struct RawDimension {
    OTF2_StringRef name;
    std::uint32_t size;
    bool periodic;
};
struct RawTopology {
    OTF2_StringRef name;
    OTF2_CommRef communicator;
    std::vector<OTF2_CartDimensionRef> dimensions;
};
struct RawCoordinates {
    OTF2_CartTopologyRef topology;
    std::uint32_t rank;
    std::vector<std::uint32_t> position;
};

struct RawDefinitions {
    RefTable<std::string> strings;
    RefTable<RawSystemTreeNode> systemTree;
    RefTable<RawLocationGroup> locationGroups;
    RefTable<RawLocation> locations;
    RefTable<RawRegion> regions;
    RefTable<RawGroup> groups;
    std::vector<RawGroup> locationLists;  ///< COMM_LOCATIONS groups, also those whose id was taken
    RefTable<RawCommunicator> communicators;
    RefTable<RawMetricMember> metricMembers;
    RefTable<RawMetricClass> metricClasses;
    RefTable<RawMetricInstance> metricInstances;
    RefTable<RawInterruptGenerator> interruptGenerators;
    RefTable<RawParameter> parameters;
    RefTable<RawAttribute> attributes;
    RefTable<RawCallSite> callSites;
    RefTable<RawSourceLocation> sourceLocations;
    RefTable<RawCallingContext> callingContexts;
    RefTable<OTF2_CommRef> rmaWindows;
    RefTable<OTF2_StringRef> ioParadigms;
    RefTable<OTF2_StringRef> paradigms;
    RefTable<RawIoFile> ioFiles;
    RefTable<RawIoHandle> ioHandles;
    RefTable<RawDimension> dimensions;
    RefTable<RawTopology> topologies;
    std::vector<RawCoordinates> coordinates;
    std::vector<RawProperty> systemTreeProperties, locationGroupProperties, locationProperties;
    ClockProperties clock;

    ImportReport report;       ///< of what was odd while reading
    bool outOfMemory = false;  ///< reading was given up
};

/// Reads the global definitions; what can be read before an error is kept, and the error is reported.
/// Errors: Cancelled, OutOfMemory.
Result<RawDefinitions> readGlobalDefinitions(OTF2_Reader* reader, const std::string& file, const Task& task);

}  // namespace skein::otf2
