// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/otf2/event_tables.h"
#include "core/trace/location_trace_builder.h"

#include <otf2/otf2.h>
#include <string>
#include <unordered_map>
#include <vector>

namespace skein::otf2 {

/// Takes the events of one location from libotf2's callbacks, or from decoded records, and tells them to the
/// location's trace builder. The callbacks are free functions by subject, see event_handlers.h. Not
/// thread-safe; one a location.
class LocationEvents {
public:
    LocationEvents(const EventTables& tables, LocationTraceBuilder& builder)
        : hasAttributes(tables.hasAttributes),
          tables_(tables),
          builder_(builder),
          location_(builder.location()),
          process_(tables.processes[builder.location().index()])
    {
    }

    Tick record(OTF2_TimeStamp time) { return builder_.record(time); }
    LocationTraceBuilder& builder() { return builder_; }
    const EventTables& tables() const { return tables_; }
    LocationId location() const { return location_; }

    /// The region's number; a made-up one from tables().regionCount on where it is not defined.
    RegionId region(OTF2_RegionRef ref)
    {
        const std::uint32_t index = tables_.regions.find(ref);
        return index != IdIndex::kNone ? RegionId(index) : undefinedRegion(ref);
    }
    CommunicatorId communicator(OTF2_CommRef ref);
    CommunicatorId windowCommunicator(OTF2_RmaWinRef ref);
    /// Whom a rank of the communicator means, as this location names it; invalid where that is unknown.
    LocationId partner(CommunicatorId communicator, std::uint32_t rank);
    LocationId root(CommunicatorId communicator, std::uint32_t root);
    IoHandleId ioHandle(OTF2_IoHandleRef ref);
    IoFileId fileOf(IoHandleId handle) const;
    /// Index into Definitions::strings; kNone where it is not defined.
    std::uint32_t string(OTF2_StringRef ref);
    /// The number of the location's stream for a metric class or instance; kNone where that is not defined.
    std::uint32_t stream(OTF2_MetricRef ref);
    const MetricSource* source(OTF2_MetricRef ref) const;
    void beginCollective(Tick now) { openCollectives_.push_back(builder_.beginCollective(now)); }
    /// Takes the row of the innermost collective that has begun; one that begins now where none has.
    std::uint32_t takeOpenCollective(Tick now);

    /// Counts something that names what is not defined (`kind` UndefinedReference) or cannot be shown.
    void note(IssueKind kind, const char* what, std::uint64_t id = 0) { note(kind, what, id, 1); }
    /// Counts `count` records, or parts of records, that the model has no place for.
    void noteUnsupported(const char* what, std::uint64_t count = 1)
    {
        note(IssueKind::UnsupportedRecord, what, 0, count);
    }
    /// Takes the attributes of a record whose kind is told next.
    void attach(const OTF2_AttributeList* attributes);
    void keepAttributes(Tick now) { builder_.keepAttributes(now); }
    /// Adds what was counted, and the names of made-up regions, to a report.
    void reportTo(ImportReport& report, const std::string& file, const std::string& location) const;

    /// The archive's ids of the made-up regions, in the order of their numbers.
    const std::vector<std::uint64_t>& undefinedRegions() const { return undefinedRegions_; }

    PendingTable pendingCollectives, pendingRma, pendingIo;  ///< rows by request or matching id
    std::vector<std::uint32_t> openContexts;                 ///< calling contexts entered, innermost last
    bool outOfMemory = false;
    const bool hasAttributes;  ///< records may carry attributes

private:
    RegionId undefinedRegion(OTF2_RegionRef ref);
    std::uint64_t bitsOf(OTF2_Type type, const OTF2_AttributeValue& value);
    void note(IssueKind kind, const char* what, std::uint64_t id, std::uint64_t count);

    struct Note {
        IssueKind kind;
        const char* what;
        std::uint64_t firstId;
        std::uint64_t count;
    };

    const EventTables& tables_;
    LocationTraceBuilder& builder_;
    LocationId location_;
    std::uint32_t process_;
    std::vector<std::uint32_t> openCollectives_;  ///< rows, innermost last
    std::unordered_map<std::uint64_t, std::uint32_t> undefinedNumbers_;
    std::vector<std::uint64_t> undefinedRegions_;
    std::unordered_map<OTF2_MetricRef, std::uint32_t> streams_;
    OTF2_MetricRef lastMetric_ = OTF2_UNDEFINED_METRIC;
    std::uint32_t lastStream_ = IdIndex::kNone;
    std::vector<Note> notes_;
    std::vector<RecordedAttribute> attributes_;  ///< of the record that is being read
};

}  // namespace skein::otf2
