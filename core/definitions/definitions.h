// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/id.h"
#include "core/base/time_span.h"
#include "core/definitions/enums.h"

#include <cstdint>
#include <string>
#include <vector>

/// What an archive defines before anything happens, in the words of the OTF2/Score-P glossary.
/// An Id is the index into the vector of its table; the archive's own ids are kept where a user may want to
/// see them.
namespace skein {

struct Property {
    std::string name;
    std::string value;
};

struct SystemTreeNode {
    std::string name;
    std::string className;  ///< "machine", "node", "rack" …
    SystemTreeNodeId parent;
    std::vector<Property> properties;
};

/// A process, or the context of an accelerator.
struct LocationGroup {
    std::string name;
    LocationGroupKind kind = LocationGroupKind::Unknown;
    SystemTreeNodeId node;
    LocationGroupId creator;
    std::int64_t rank = -1;  ///< rank in MPI_COMM_WORLD; -1 when it has none
    std::vector<Property> properties;
};

/// Where events happen: a thread, a GPU stream, a source of metrics.
struct Location {
    std::string name;
    LocationKind kind = LocationKind::Unknown;
    LocationGroupId group;
    std::int64_t rank = -1;   ///< rank of its process; -1 when it has none
    std::int32_t thread = 0;  ///< number of the location within its group
    std::uint64_t originalId = 0;
    std::vector<Property> properties;
};

struct RegionGroup {
    std::string name;  ///< "MPI", "TAU_USER", "OPENMP" …
};

/// A function, loop, or other piece of code that is entered and left.
struct Region {
    std::string name;           ///< as the measurement gave it; TAU appends " [{file} {line,column}]"
    std::string canonicalName;  ///< mangled name, may be empty
    std::string description;
    std::string sourceFile;
    std::uint32_t beginLine = 0;  ///< 0 = unknown
    std::uint32_t endLine = 0;
    RegionRole role = RegionRole::Unknown;
    Paradigm paradigm = Paradigm::Unknown;
    std::vector<RegionGroupId> groups;
};

struct Metric {
    std::string name;
    std::string description;
    std::string unit;  ///< of the stored value, after base and exponent; "ns" for times
    MetricKind kind = MetricKind::Other;
    MetricMode mode = MetricMode::AbsolutePoint;
    MetricValueType valueType = MetricValueType::Double;
    bool binaryBase = false;    ///< base 2 instead of 10
    std::int64_t exponent = 0;  ///< a stored value means value × base^exponent units
    MetricAggregation aggregation = MetricAggregation::Sum;
    MetricId parent;      ///< what it is a part of, where the archive orders its metrics so
    std::string formula;  ///< of a metric that is worked out of others instead of measured; empty otherwise
};

/// Members in the order of their ranks. A rank whose location is unknown is an invalid id.
struct Communicator {
    std::string name;
    CommunicatorId parent;
    std::vector<LocationId> members;
    bool self = false;  ///< MPI_COMM_SELF and the like: every process is alone in its own, members is empty
    std::uint64_t originalId = 0;
};

struct CallSite {
    std::string sourceFile;
    std::uint32_t line = 0;
    RegionId enteredRegion;
    RegionId leftRegion;
};

struct Parameter {
    std::string name;
    MetricValueType valueType = MetricValueType::Int64;
    bool isString = false;  ///< values are indices into Definitions::strings
};

/// Something that events may be told beside what they record: the number of a task, that of its parent …
struct Attribute {
    std::string name;
    std::string description;
    AttributeType type = AttributeType::Unsigned;
};

struct IoFile {
    std::string name;
    SystemTreeNodeId scope;
};

struct IoHandle {
    std::string name;
    IoFileId file;
    std::string paradigm;  ///< "POSIX", "MPI-IO" …
    CommunicatorId communicator;
};

/// A Cartesian arrangement of processes, as from MPI_Cart_create or the machine's own coordinates.
struct CartesianTopology {
    struct Dimension {
        std::string name;
        std::uint32_t size = 0;
        bool periodic = false;
    };
    struct Coordinates {
        std::uint32_t rank = 0;  ///< in the communicator
        std::vector<std::uint32_t> position;
    };
    std::string name;
    CommunicatorId communicator;
    std::vector<Dimension> dimensions;
    std::vector<Coordinates> coordinates;
};

struct ClockProperties {
    bool present = false;  ///< false: the archive says nothing, 1 ns ticks are assumed
    std::uint64_t ticksPerSecond = 1'000'000'000;
    std::uint64_t globalOffsetTicks = 0;
    std::uint64_t lengthTicks = 0;
    std::int64_t realtimeNs = 0;    ///< Unix time of globalOffsetTicks in nanoseconds; 0 = unknown
    std::uint64_t originTicks = 0;  ///< the tick that is time 0; after a correction of clocks modulo 2^64
};

/// A correction of one location's clock that the archive itself brings.
struct RecordedClockOffset {
    LocationId location;
    std::uint64_t timeTicks = 0;
    std::int64_t offsetTicks = 0;
    double standardDeviation = 0.0;
};

struct Definitions {
    std::vector<SystemTreeNode> systemTree;
    std::vector<LocationGroup> locationGroups;
    std::vector<Location> locations;
    std::vector<RegionGroup> regionGroups;
    std::vector<Region> regions;
    std::vector<Metric> metrics;
    std::vector<Communicator> communicators;
    std::vector<CallSite> callSites;
    std::vector<Parameter> parameters;
    std::vector<Attribute> attributes;
    std::vector<IoFile> ioFiles;
    std::vector<IoHandle> ioHandles;
    std::vector<CartesianTopology> topologies;
    std::vector<RecordedClockOffset> clockOffsets;
    std::vector<Property> properties;  ///< of the archive: machine, creator, trace and TAU metadata
    std::vector<std::string> strings;  ///< texts that events refer to (string parameters, markers)
    ClockProperties clock;

    const Region& region(RegionId id) const { return regions[id.index()]; }
    const Location& location(LocationId id) const { return locations[id.index()]; }
    const Metric& metric(MetricId id) const { return metrics[id.index()]; }
};

/// An operation of MPI, or what a tool measured inside of one.
bool isMpi(const Region& region);

/// The region's name for a narrow place: without TAU's source position and without blanks at the ends.
std::string displayName(const Region& region);

/// How a user calls the location: "Rank 3", "Rank 3 Thread 1", or its own name where it has no rank.
std::string displayName(const Definitions& definitions, LocationId location);

/// For every region the first one of its name, by which they count as one: EZTrace defines every region once
/// a rank, and so does TAU at times. One without a name stands for itself. O(regions).
std::vector<std::uint32_t> firstOfName(const Definitions& definitions);

}  // namespace skein
