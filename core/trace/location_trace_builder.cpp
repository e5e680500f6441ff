// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/location_trace_builder.h"

#include <algorithm>
#include <limits>

namespace skein {
namespace {

std::uint16_t saturatedDepth(std::size_t depth)
{
    return static_cast<std::uint16_t>(
        std::min<std::size_t>(depth, std::numeric_limits<std::uint16_t>::max()));
}

}  // namespace

LocationTraceBuilder::LocationTraceBuilder(LocationId location, TraceStorage& storage, Tick longestPause)
    : location_(location), longestPause_(longestPause), storage_(&storage)
{
}

void LocationTraceBuilder::begin(Tick tick)
{
    first_ = last_ = tick;
    scratch_ = storage_->borrow();
}

void LocationTraceBuilder::restart()
{
    if (scratch_) storage_->giveBack(std::move(scratch_));
    const UnknownLeaves unknownLeaves = unknownLeaves_;
    *this = LocationTraceBuilder(location_, *storage_, longestPause_);
    unknownLeaves_ = unknownLeaves;
}

void LocationTraceBuilder::attach(std::span<const RecordedAttribute> attributes)
{
    if (!attributes_ && attributes.empty()) return;
    if (!attributes_) attributes_ = std::make_unique<CallAttributes>(scratch_->attributes);
    attributes_->attach(attributes);
}

void LocationTraceBuilder::note(IssueKind kind, RegionId region, Tick time, RegionId other)
{
    for (auto& [known, finding] : findings_) {
        if (known != kind) continue;
        ++finding.count;
        return;
    }
    findings_.emplace_back(kind, Finding{1, region, time, other});
}

/// A time that cannot follow the last one: of one record it is damage, of two in a row it is what the clock
/// said.
void LocationTraceBuilder::noteOddTime(Tick tick)
{
    if (tick < last_) return note(IssueKind::TimeBackwards, {}, tick);
    if (leapEvent_ + 1 == events_ && leapEvent_ != 0 && tick >= leap_ && tick - leap_ <= longestPause_) {
        last_ = tick;
        return;
    }
    leap_ = tick;
    leapEvent_ = events_;
    note(IssueKind::CorruptRecord, {}, tick);
}

void LocationTraceBuilder::enter(Tick now, RegionId region, CallSiteId callSite)
{
    const CallPathId path = repeated_.enter(callTree_, currentCallPath(), region, callSite);
    if (region.index() >= openCalls_.size()) openCalls_.resize(region.index() + 1);
    std::uint32_t& open = openCalls_[region.index()];
    open = std::max(open, 1u) + 1;
    const auto interval = static_cast<std::uint32_t>(scratch_->calls.size());
    scratch_->calls.push({tickBits(now), tickBits(now), path.value(), saturatedDepth(stack_.size())});
    ++balance_;
    if (attributes_) [[unlikely]]
        attributes_->enter(now, interval);
    stack_.push_back({region, path, interval});
}

bool LocationTraceBuilder::isOpen(RegionId region) const
{
    return region.index() < openCalls_.size() && openCalls_[region.index()] > 1;
}

void LocationTraceBuilder::popFrame(Tick now)
{
    const Frame& frame = stack_.back();
    scratch_->calls[frame.interval].end = tickBits(now);
    repeated_.leave(frame.callPath);
    --openCalls_[frame.region.index()];
    if (attributes_) [[unlikely]]
        attributes_->ended(frame.interval);
    stack_.pop_back();
}

void LocationTraceBuilder::leaveTop(Tick now)
{
    if (attributes_) [[unlikely]]
        attributes_->leaveByName(now, stack_.back().interval);
    popFrame(now);
}

void LocationTraceBuilder::leave(Tick now, RegionId region)
{
    leftTooOften_ = --balance_ < 0 || leftTooOften_;
    if (!stack_.empty() && stack_.back().region == region) [[likely]]
        return leaveTop(now);
    if (attributes_ && leaveByAttributes(now, region)) return;
    if (isOpen(region)) {
        note(IssueKind::LeaveOutOfOrder, region, now);
        return leaveOutOfOrder(now, openIntervalOf(region));
    }
    if (leaveLate(now, region)) return;
    if (unknownLeaves_ == UnknownLeaves::EndInnermost && mayEndInnermost()) {
        note(IssueKind::RenamedCall, stack_.back().region, now, region);
        return leaveOutOfOrder(now, stack_.back().interval);
    }
    droppedLeaves_ += !stack_.empty();
    note(wasSeen(region) ? IssueKind::RepeatedLeave : IssueKind::LeaveWithoutEnter, region, now);
}

bool LocationTraceBuilder::mayEndInnermost() const
{
    return !stack_.empty() && !(attributes_ && attributes_->denies(stack_.back().interval));
}

/// Of calls that agree with the leave's attributes those of its region come first: names and attributes tell
/// the same then. False where no call agrees, or only one that the name alone finds as well.
bool LocationTraceBuilder::leaveByAttributes(Tick now, RegionId region)
{
    if (!attributes_->pending() || !attributes_->anyOpen()) return false;
    const auto frameOf = [&](std::uint32_t interval) {
        return std::lower_bound(stack_.begin(), stack_.end(), interval,
                                [](const Frame& frame, std::uint32_t at) { return frame.interval < at; });
    };
    const std::uint32_t call =
        attributes_->callOfLeave([&](std::uint32_t interval) { return frameOf(interval)->region == region; });
    if (call == kNoInterval) return false;
    const RegionId entered = frameOf(call)->region;
    if (entered != region) note(IssueKind::RenamedCall, entered, now, region);
    if (call != stack_.back().interval) note(IssueKind::LeaveOutOfOrder, entered, now);
    leaveOutOfOrder(now, call);
    return true;
}

/// The innermost call of a region that is open.
std::uint32_t LocationTraceBuilder::openIntervalOf(RegionId region) const
{
    const auto found = std::find_if(stack_.rbegin(), stack_.rend(),
                                    [&](const Frame& frame) { return frame.region == region; });
    return found->interval;
}

/// Ends an open call and all above it.
void LocationTraceBuilder::leaveOutOfOrder(Tick now, std::uint32_t interval)
{
    if (attributes_) attributes_->leave(now, interval);
    if (stack_.back().interval == interval) return popFrame(now);
    forced_.frames.clear();
    for (bool reached = false; !reached;) {
        reached = stack_.back().interval == interval;
        forced_.frames.push_back(stack_.back());
        popFrame(now);
    }
    std::reverse(forced_.frames.begin(), forced_.frames.end());
    forced_.stackDepth = stack_.size();
    forced_.intervals = scratch_->calls.size();
}

/// The late leave of a call that an out-of-order leave ended. Where nothing began or ended since, the call
/// gets its recorded end, and those around it that were left too early end with it.
bool LocationTraceBuilder::leaveLate(Tick now, RegionId region)
{
    const auto isThis = [&](const Frame& frame) { return frame.region == region; };
    const auto found = std::find_if(forced_.frames.rbegin(), forced_.frames.rend(), isThis);
    if (found == forced_.frames.rend()) return false;
    const bool untouched = forced_.stackDepth == stack_.size() && forced_.intervals == scratch_->calls.size();
    if (!untouched) {
        forced_.frames.clear();
        note(IssueKind::LeaveWithoutEnter, region, now);
        return true;
    }
    for (auto frame = found; frame != forced_.frames.rend(); ++frame)
        scratch_->calls[frame->interval].end = tickBits(now);
    if (attributes_) attributes_->leave(now, found->interval);
    found->region = RegionId();
    return true;
}

void LocationTraceBuilder::send(Tick now, LocationId receiver, CommunicatorId communicator, std::uint32_t tag,
                                std::uint64_t bytes)
{
    scratch_->sends.push({tickBits(now), kNoTime, bytes, location_, receiver, communicator, tag,
                          currentInterval(), kNoInterval});
}

void LocationTraceBuilder::startSend(Tick now, std::uint64_t request, LocationId receiver,
                                     CommunicatorId communicator, std::uint32_t tag, std::uint64_t bytes)
{
    pendingSends_.put(request, static_cast<std::uint32_t>(scratch_->sends.size()));
    send(now, receiver, communicator, tag, bytes);
}

bool LocationTraceBuilder::completeSend(Tick now, std::uint64_t request)
{
    const auto row = pendingSends_.take(request);
    if (row) scratch_->sends[*row].sendEnd = tickBits(now);
    return row.has_value();
}

void LocationTraceBuilder::receive(Tick now, LocationId sender, CommunicatorId communicator,
                                   std::uint32_t tag, std::uint64_t bytes)
{
    scratch_->receives.push(
        {tickBits(now), tickBits(now), bytes, sender, communicator, tag, currentInterval()});
}

void LocationTraceBuilder::postReceive(Tick now, std::uint64_t request)
{
    pendingReceives_.put(request, static_cast<std::uint32_t>(scratch_->receives.size()));
    scratch_->receives.push({tickBits(now), kNoTime, 0, {}, {}, 0, currentInterval()});
}

void LocationTraceBuilder::completeReceive(Tick now, std::uint64_t request, LocationId sender,
                                           CommunicatorId communicator, std::uint32_t tag,
                                           std::uint64_t bytes)
{
    const auto row = pendingReceives_.take(request);
    if (!row) return receive(now, sender, communicator, tag, bytes);
    PostedReceive& posted = scratch_->receives[*row];
    posted = {posted.posted, tickBits(now), bytes, sender, communicator, tag, currentInterval()};
}

bool LocationTraceBuilder::cancelReceive(std::uint64_t request)
{
    const auto row = pendingReceives_.take(request);
    if (row) scratch_->receives[*row].posted = kNoTime;
    return row.has_value();
}

std::uint32_t LocationTraceBuilder::beginCollective(Tick now)
{
    CollectiveRecord row;
    row.begin = tickBits(now);
    row.interval = currentInterval();
    collectives_.push(row);
    return static_cast<std::uint32_t>(collectives_.size() - 1);
}

void LocationTraceBuilder::endCollective(std::uint32_t row, Tick now, CollectiveKind kind,
                                         CommunicatorId communicator, LocationId root,
                                         std::uint64_t bytesSent, std::uint64_t bytesReceived)
{
    CollectiveRecord& record = collectives_[row];
    record.end = tickBits(now);
    record.kind = kind;
    record.communicator = communicator;
    record.root = root;
    record.bytesSent = bytesSent;
    record.bytesReceived = bytesReceived;
}

std::uint32_t LocationTraceBuilder::addStream(MetricStream description)
{
    MetricStreamBuilder& stream = streams_.emplace_back();
    stream.description = std::move(description);
    return static_cast<std::uint32_t>(streams_.size() - 1);
}

void LocationTraceBuilder::sample(std::uint32_t stream, Tick now, std::span<const std::uint64_t> values)
{
    streams_[stream].times.push(tickBits(now));
    for (const std::uint64_t value : values) streams_[stream].values.push(value);
}

void LocationTraceBuilder::renumberRegions(RegionId first, std::span<const RegionId> numbers)
{
    const auto renumbered = [&](RegionId region) {
        const bool own = region.valid() && region >= first && region.index() - first.index() < numbers.size();
        return own ? numbers[region.index() - first.index()] : region;
    };
    // Different regions stay different, so every node of the copy gets the number it had.
    CallTreeBuilder copy;
    for (std::size_t node = 0; node < callTree_.size(); ++node) {
        const CallPathId path(node);
        copy.child(callTree_.parent(path), renumbered(callTree_.region(path)), callTree_.callSite(path));
    }
    callTree_ = std::move(copy);
    for (auto& [kind, finding] : findings_) {
        finding.region = renumbered(finding.region);
        finding.other = renumbered(finding.other);
    }
}

/// A leave's attributes come after those of the calls inside; rows stand by call.
void LocationTraceBuilder::storeAttributes()
{
    attributes_ = nullptr;
    const std::span<EventAttribute> rows = scratch_->attributes.span();
    const auto earlierCall = [](const EventAttribute& a, const EventAttribute& b) {
        return a.interval < b.interval;
    };
    if (!std::is_sorted(rows.begin(), rows.end(), earlierCall))
        std::stable_sort(rows.begin(), rows.end(), earlierCall);
    attributeRows_ = storage_->intervals.store<EventAttribute>(rows);
}

void LocationTraceBuilder::storeCalls()
{
    const std::span<const CallRow> calls = scratch_->calls.span();
    begin_ = storage_->intervals.allocate<TimeNs>(calls.size());
    end_ = storage_->intervals.allocate<TimeNs>(calls.size());
    callPath_ = storage_->intervals.allocate<std::uint32_t>(calls.size());
    depth_ = storage_->intervals.allocate<std::uint16_t>(calls.size());
    for (std::size_t row = 0; row < calls.size(); ++row) {
        begin_.values[row] = calls[row].begin;
        end_.values[row] = calls[row].end;
        callPath_.values[row] = calls[row].callPath;
        depth_.values[row] = calls[row].depth;
    }
}

void LocationTraceBuilder::close()
{
    if (!scratch_) return;
    for (; !stack_.empty(); popFrame(last_)) note(IssueKind::EnterWithoutLeave, stack_.back().region, last_);
    stack_ = {};
    repeated_ = {};
    openCalls_ = {};
    forced_ = {};
    pendingReceives_ = {};
    pendingSends_ = {};
    storeCalls();
    sends_ = storage_->partners.store<Message>(scratch_->sends.span());
    receives_ = storage_->partners.store<PostedReceive>(scratch_->receives.span());
    storeAttributes();
    storage_->giveBack(std::move(scratch_));
}

}  // namespace skein
