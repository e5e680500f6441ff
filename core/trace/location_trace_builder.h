// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/import_report.h"
#include "core/profile/call_tree.h"
#include "core/trace/call_attributes.h"
#include "core/trace/collective_grouping.h"
#include "core/trace/location_tables.h"
#include "core/trace/pending_table.h"
#include "core/trace/repeated_paths.h"
#include "core/trace/tick_converter.h"
#include "core/trace/trace_storage.h"

#include <memory>
#include <span>
#include <vector>

namespace skein {

/// What becomes of a leave that names no open call and that no attribute gives to one: it is dropped, or ends
/// the innermost call unless attributes deny it, which is right where every enter has its leave.
enum class UnknownLeaves { Drop, EndInnermost };

/// Collects what one location recorded, in the order of its records, and repairs its call stack:
/// * a time before its predecessor is moved to its predecessor, and so is one more than the longest pause
///   after it, unless the next record is of that time as well;
/// * a leave of a region that lies deeper in the stack ends all calls above it; if one of those is left later
///   and nothing happened in between, both end there (crossing regions);
/// * a leave of a region that is not open ends the call that has the attributes which it brings (see
///   CallAttributes): the call was renamed while it ran, and keeps the name of its enter. The same goes for a
///   region that is open, where only calls of other regions have them;
/// * a leave of a region that is not open and that nothing gives to a call: see UnknownLeaves;
/// * calls that are still open at the end, end with the last record.
/// Every repair is counted for the ImportReport. Usage: `const Tick now = builder.record(tick)` once a
/// record, then what the record says, with `now`. Not thread-safe; different locations may be filled at the
/// same time.
class LocationTraceBuilder {
public:
    static constexpr Tick kAnyPause = ~Tick{0} >> 1;

    /// `storage` must live until the builder is closed. `longestPause`: ticks that may lie between two
    /// records.
    LocationTraceBuilder(LocationId location, TraceStorage& storage, Tick longestPause = kAnyPause);

    /// Counts a record of the location; gives the tick to use for it.
    Tick record(Tick tick)
    {
        if (events_++ == 0) [[unlikely]]
            begin(tick);
        if (tick < last_ || tick - last_ > longestPause_) [[unlikely]]
            noteOddTime(tick);
        else last_ = tick;
        return last_;
    }

    void enter(Tick now, RegionId region, CallSiteId callSite = {});
    void leave(Tick now, RegionId region);

    /// The attributes that the record brings; to be told after record() and before what the record says.
    void attach(std::span<const RecordedAttribute> attributes);
    /// Keeps attributes of a record that was neither enter nor leave.
    void keepAttributes(Tick now)
    {
        if (attributes_) attributes_->other(now, currentInterval());
    }

    void setUnknownLeaves(UnknownLeaves what) { unknownLeaves_ = what; }
    /// Leaves that were dropped while calls were open.
    std::uint64_t droppedLeaves() const { return droppedLeaves_; }
    /// Whether every enter has its leave: there were as many of both, and at no time more leaves than enters.
    bool balances() const { return balance_ == 0 && !leftTooOften_; }
    /// Forgets all records, for reading once more.
    void restart();
    /// The node of this location's own call tree for a call of `region` from `parent`, for samples.
    CallPathId callPath(CallPathId parent, RegionId region, CallSiteId callSite = {})
    {
        return callTree_.child(parent, region, callSite);
    }

    /// `receiver` is the location that stands for the partner's rank; invalid where it is unknown.
    void send(Tick now, LocationId receiver, CommunicatorId communicator, std::uint32_t tag,
              std::uint64_t bytes);
    /// A send that completeSend() ends.
    void startSend(Tick now, std::uint64_t request, LocationId receiver, CommunicatorId communicator,
                   std::uint32_t tag, std::uint64_t bytes);
    /// The end of the send of that request; false where the request is none.
    bool completeSend(Tick now, std::uint64_t request);
    /// A receive that posts and completes at once.
    void receive(Tick now, LocationId sender, CommunicatorId communicator, std::uint32_t tag,
                 std::uint64_t bytes);
    void postReceive(Tick now, std::uint64_t request);
    /// Completes the receive of that request; one that was never posted counts as posted now.
    void completeReceive(Tick now, std::uint64_t request, LocationId sender, CommunicatorId communicator,
                         std::uint32_t tag, std::uint64_t bytes);
    /// Takes a posted receive back; false where the request is none.
    bool cancelReceive(std::uint64_t request);

    /// Starts a collective and gives its row; what it was is told by endCollective.
    std::uint32_t beginCollective(Tick now);
    void endCollective(std::uint32_t row, Tick now, CollectiveKind kind, CommunicatorId communicator,
                       LocationId root, std::uint64_t bytesSent, std::uint64_t bytesReceived);

    /// A new stream of samples; the description's columns are ignored. Gives its number for sample().
    std::uint32_t addStream(MetricStream description);
    /// `values` has one entry a metric of the stream.
    void sample(std::uint32_t stream, Tick now, std::span<const std::uint64_t> values);

    LocationTables& tables() { return tables_; }

    LocationId location() const { return location_; }
    std::uint64_t events() const { return events_; }
    /// The innermost open call as an index into the intervals; kNoInterval outside all calls.
    std::uint32_t currentInterval() const { return stack_.empty() ? kNoInterval : stack_.back().interval; }
    /// The call path of the innermost open call in this location's own call tree.
    CallPathId currentCallPath() const { return stack_.empty() ? CallPathId() : stack_.back().callPath; }
    std::size_t stackDepth() const { return stack_.size(); }

    /// Gives the regions from number `first` on other numbers, which must differ from each other: for regions
    /// that got numbers of this location's own because nothing defines them. To be called after close().
    void renumberRegions(RegionId first, std::span<const RegionId> numbers);

    /// Ends what is still open and gives spare memory back. To be called when all records have been read;
    /// nothing may be added afterwards. Closing again does nothing.
    void close();

private:
    friend class TraceFinisher;

    struct Frame {
        RegionId region;
        CallPathId callPath;
        std::uint32_t interval = 0;
    };
    /// Calls that an out-of-order leave ended: the call that was left, then those above it, innermost last.
    struct ForcedEnd {
        std::vector<Frame> frames;
        std::size_t stackDepth = 0;
        std::size_t intervals = 0;
    };
    struct Finding {
        std::uint64_t count = 0;
        RegionId region;
        Tick time = 0;
        RegionId other;  ///< the name that a renamed call was left under
    };

    void begin(Tick tick);
    void noteOddTime(Tick tick);
    void note(IssueKind kind, RegionId region, Tick time, RegionId other = {});
    void storeAttributes();
    void popFrame(Tick now);
    void storeCalls();
    void leaveTop(Tick now);
    bool leaveByAttributes(Tick now, RegionId region);
    bool mayEndInnermost() const;
    void leaveOutOfOrder(Tick now, std::uint32_t interval);
    std::uint32_t openIntervalOf(RegionId region) const;
    bool leaveLate(Tick now, RegionId region);
    bool isOpen(RegionId region) const;
    bool wasSeen(RegionId region) const
    {
        return region.index() < openCalls_.size() && openCalls_[region.index()] > 0;
    }

    LocationId location_;
    std::uint64_t events_ = 0;
    Tick first_ = 0;
    Tick last_ = 0;
    Tick longestPause_;
    Tick leap_ = 0;  ///< where record number leapEvent_ (0: none) leapt to
    std::uint64_t leapEvent_ = 0;

    std::vector<Frame> stack_;
    std::vector<std::uint32_t> openCalls_;  ///< by region: 0 = never entered, else open calls + 1
    ForcedEnd forced_;
    CallTreeBuilder callTree_;
    RepeatedPaths repeated_;
    std::unique_ptr<CallAttributes> attributes_;  ///< null until a record brings some
    UnknownLeaves unknownLeaves_ = UnknownLeaves::Drop;
    std::uint64_t droppedLeaves_ = 0;
    std::int64_t balance_ = 0;  ///< enters less leaves
    bool leftTooOften_ = false;

    TraceStorage* storage_;
    std::unique_ptr<LocationScratch> scratch_;  ///< from the first record until it is closed
    StoredArray<TimeNs> begin_, end_;           ///< from here on: when it is closed
    StoredArray<std::uint32_t> callPath_;
    StoredArray<std::uint16_t> depth_;
    StoredArray<Message> sends_;
    StoredArray<PostedReceive> receives_;
    StoredArray<EventAttribute> attributeRows_;

    ColumnBuilder<CollectiveRecord> collectives_;
    LocationTables tables_;
    std::vector<MetricStreamBuilder> streams_;
    PendingTable pendingReceives_, pendingSends_;
    std::vector<std::pair<IssueKind, Finding>> findings_;
};

}  // namespace skein
