// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/definitions/definitions.h"
#include "core/io/otf2/id_index.h"
#include "core/trace/trace.h"

#include <vector>

/// What is looked up while events are read: immutable then, shared by all threads.
namespace skein::otf2 {

/// Who a rank of a communicator is. An inter-communicator has two sides: each talks to the ranks of the
/// other.
struct Ranks {
    std::vector<LocationId> local;
    std::vector<LocationId> remote;             ///< empty for an intra-communicator
    std::vector<std::uint32_t> localProcesses;  ///< of an inter-communicator: processes of `local`, sorted
    bool self = false;

    /// The location that stands for the rank, as `caller` of process `process` names it; invalid where there
    /// is none.
    LocationId partner(std::uint32_t rank, LocationId caller, std::uint32_t process) const;
    /// The location of a rank of the caller's own side.
    LocationId own(std::uint32_t rank, LocationId caller, std::uint32_t process) const;

private:
    bool onLocalSide(std::uint32_t process) const;
};

struct CallingContext {
    RegionId region;
    CallSiteId callSite;
    std::uint32_t parent = IdIndex::kNone;  ///< index of a calling context
};

/// A metric class or instance that events name. `recorder` of the stream is filled in by who reads.
struct MetricSource {
    MetricStream stream;
    std::vector<MetricValueType> types;
    bool ofRecorder = true;  ///< tells about the location that records it
    LocationId recorder;     ///< of an instance: the location that is to record it
};

struct EventTables {
    IdIndex regions, strings, communicators, parameters, ioHandles, ioFiles, callingContexts, rmaWindows;
    IdIndex metricClasses, metricInstances, attributes, locations;
    std::vector<Ranks> ranks;                         ///< by communicator
    std::vector<CommunicatorId> windowCommunicators;  ///< by RMA window
    std::vector<IoFileId> handleFiles;                ///< by I/O handle
    std::vector<CallingContext> contexts;
    std::vector<MetricSource> classSources, instanceSources;
    std::vector<std::uint32_t> processes;  ///< by location, see processesOf
    std::uint32_t regionCount = 0;         ///< defined ones; made-up ones are numbered from here
    std::uint32_t measurementText = 0;     ///< string of the category of markers, then "on" and "off"
    bool hasAttributes = false;            ///< events may carry attributes
    std::vector<AttributeType> attributeTypes;
};

}  // namespace skein::otf2
