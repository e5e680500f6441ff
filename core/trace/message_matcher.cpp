// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/message_matcher.h"

#include "core/base/parallel_for.h"

#include <algorithm>

namespace skein {
namespace {

constexpr std::uint32_t kUnset = 0xFFFFFFFFu;

struct RowRef {
    std::uint32_t location = 0;
    std::uint32_t row = 0;
};

/// What of a send the matching looks at, and then what it tells it. Whole rows would be fetched from memory
/// one by one: those that a process receives lie apart from each other, at every sender. One place serves
/// both, as memory that is touched for the first time costs more than all else here.
class SendSlot {
public:
    SendSlot() = default;
    SendSlot(const Message& send, std::uint32_t row)
        : value_(std::uint64_t{send.communicator.value()} << 32 | send.tag), number_(row)
    {
    }
    void match(const PostedReceive& receive, std::uint32_t location)
    {
        value_ = static_cast<std::uint64_t>(receive.completed);
        number_ = receive.interval;
        location_ = location;
    }

    bool matched() const { return location_ != kUnset; }
    /// As long as it is not matched.
    std::uint32_t communicator() const { return static_cast<std::uint32_t>(value_ >> 32); }
    std::uint32_t tag() const { return static_cast<std::uint32_t>(value_); }
    std::uint32_t row() const { return number_; }
    /// Once it is.
    TimeNs receiveTime() const { return static_cast<TimeNs>(value_); }
    std::uint32_t interval() const { return number_; }
    LocationId receiver() const { return LocationId(location_); }

private:
    std::uint64_t value_ = 0;
    std::uint32_t number_ = 0;
    std::uint32_t location_ = kUnset;
};

/// Sends of one location to one process: [begin, end) of the location's SendIndex.
struct Slice {
    std::uint32_t location = 0;
    std::uint32_t process = 0;
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
};

/// The sends of one location grouped by the process that receives them, in the order of the calls.
struct SendIndex {
    std::vector<SendSlot> slots;
    std::vector<Slice> slices;
};

/// Messages between two processes with one communicator and tag, as a queue through the bucket's rows.
struct Channel {
    std::uint32_t communicator = 0;
    std::uint32_t sender = 0;
    std::uint32_t tag = 0;
    std::uint32_t head = kUnset;
    std::uint32_t tail = kUnset;
};

/// Channels by key; open addressing.
class ChannelTable {
public:
    /// The channel; made when it is new.
    Channel& at(std::uint32_t communicator, std::uint32_t sender, std::uint32_t tag)
    {
        if ((channels_.size() + 1) * 2 > slots_.size()) grow();
        const std::size_t slot = find(communicator, sender, tag);
        if (slots_[slot] == kUnset) {
            slots_[slot] = static_cast<std::uint32_t>(channels_.size());
            channels_.push_back({communicator, sender, tag, kUnset, kUnset});
        }
        return channels_[slots_[slot]];
    }

private:
    std::size_t find(std::uint32_t communicator, std::uint32_t sender, std::uint32_t tag) const
    {
        const std::size_t mask = slots_.size() - 1;
        std::uint64_t hash = (std::uint64_t{sender} << 32 | tag) * 0x9E3779B97F4A7C15ull;
        hash = (hash ^ hash >> 31 ^ communicator) * 0xBF58476D1CE4E5B9ull;
        for (std::size_t slot = hash >> 33 & mask;; slot = (slot + 1) & mask) {
            if (slots_[slot] == kUnset) return slot;
            const Channel& channel = channels_[slots_[slot]];
            if (channel.communicator == communicator && channel.sender == sender && channel.tag == tag)
                return slot;
        }
    }
    void grow()
    {
        slots_.assign(slots_.empty() ? 64 : slots_.size() * 2, kUnset);
        for (std::size_t index = 0; index < channels_.size(); ++index) {
            const Channel& channel = channels_[index];
            slots_[find(channel.communicator, channel.sender, channel.tag)] =
                static_cast<std::uint32_t>(index);
        }
    }

    std::vector<Channel> channels_;
    std::vector<std::uint32_t> slots_;
};

std::uint32_t receiverOf(const MessageRecords& records, const Message& send)
{
    return send.receiver.index() < records.processes.size() ? records.processes[send.receiver.index()]
                                                            : kUnset;
}

/// Counting sort of one location's sends by receiving process; those to nowhere are left out.
SendIndex indexSends(const MessageRecords& records, std::uint32_t location, std::size_t processCount)
{
    SendIndex index;
    const std::span<const Message> sends = records.sends[location];
    if (sends.empty()) return index;
    std::vector<std::uint32_t> next(processCount + 1);
    for (const Message& send : sends)
        if (const std::uint32_t process = receiverOf(records, send); process != kUnset) ++next[process + 1];
    for (std::uint32_t process = 0; process < processCount; ++process) {
        if (next[process + 1] > 0)
            index.slices.push_back({location, process, next[process], next[process] + next[process + 1]});
        next[process + 1] += next[process];
    }
    index.slots.resize(next.back());
    for (std::uint32_t row = 0; row < sends.size(); ++row)
        if (const std::uint32_t process = receiverOf(records, sends[row]); process != kUnset)
            index.slots[next[process]++] = SendSlot(sends[row], row);
    return index;
}

/// Tells the sends of one location what was found, in the order of the calls.
void applyMatches(const MessageRecords& records, std::uint32_t location, const SendIndex& index,
                  std::size_t processCount)
{
    std::vector<std::uint32_t> next(processCount);
    for (const Slice& slice : index.slices) next[slice.process] = slice.begin;
    for (Message& send : records.sends[location]) {
        const std::uint32_t process = receiverOf(records, send);
        if (process == kUnset) continue;
        const SendSlot& slot = index.slots[next[process]++];
        if (!slot.matched()) continue;
        send.receiveTime = slot.receiveTime();
        send.receiveInterval = slot.interval();
        send.receiver = slot.receiver();
    }
}

/// Matches what one process receives.
class ReceiverMatching {
public:
    /// `indices`: one a location; the slots of sends to this process are written, no others are touched.
    ReceiverMatching(const MessageRecords& records, std::vector<SendIndex>& indices,
                     const std::vector<Slice>& slices, bool sendersHaveThreads, const Task& task)
        : records_(records), indices_(indices), task_(task)
    {
        for (const Slice& slice : slices)
            for (std::uint32_t at = slice.begin; at < slice.end; ++at) sends_.push_back({slice.location, at});
        if (sendersHaveThreads)
            std::stable_sort(sends_.begin(), sends_.end(),
                             [&](const RowRef& a, const RowRef& b) { return timeOf(a) < timeOf(b); });
    }

    std::vector<Message> run(const std::vector<std::uint32_t>& locations)
    {
        if (queueSends()) takeReceives(locations);
        return std::move(unmatched_);
    }

private:
    SendSlot& slotOf(const RowRef& ref) const { return indices_[ref.location].slots[ref.row]; }
    TimeNs timeOf(const RowRef& ref) const
    {
        return records_.sends[ref.location][slotOf(ref).row()].sendTime;
    }
    const PostedReceive& receiveOf(const RowRef& ref) const
    {
        return records_.receives[ref.location][ref.row];
    }
    bool stopAt(std::size_t row) const { return row % kRowsBetweenQuestions == 0 && task_.stopRequested(); }

    bool queueSends()
    {
        next_.assign(sends_.size(), kUnset);
        for (std::uint32_t row = 0; row < sends_.size(); ++row) {
            if (stopAt(row)) return false;
            const SendSlot& send = slotOf(sends_[row]);
            Channel& channel =
                channels_.at(send.communicator(), records_.processes[sends_[row].location], send.tag());
            (channel.head == kUnset ? channel.head : next_[channel.tail]) = row;
            channel.tail = row;
        }
        return true;
    }

    void takeReceives(const std::vector<std::uint32_t>& locations)
    {
        if (locations.size() == 1) {
            const auto count = static_cast<std::uint32_t>(records_.receives[locations[0]].size());
            for (std::uint32_t row = 0; row < count && !stopAt(row); ++row) take({locations[0], row});
            return;
        }
        const std::vector<RowRef> posted = inPostedOrder(locations);
        for (std::size_t row = 0; row < posted.size() && !stopAt(row); ++row) take(posted[row]);
    }

    std::vector<RowRef> inPostedOrder(const std::vector<std::uint32_t>& locations) const
    {
        std::vector<RowRef> rows;
        for (const std::uint32_t location : locations)
            for (std::uint32_t row = 0; row < records_.receives[location].size(); ++row)
                rows.push_back({location, row});
        std::stable_sort(rows.begin(), rows.end(), [&](const RowRef& a, const RowRef& b) {
            return receiveOf(a).posted < receiveOf(b).posted;
        });
        return rows;
    }

    void take(const RowRef& ref)
    {
        const PostedReceive& receive = receiveOf(ref);
        if (receive.posted == kNoTime) return;
        if (receive.completed == kNoTime || receive.sender.index() >= records_.processes.size())
            return keepUnmatched(ref, receive);
        const std::uint32_t sender = records_.processes[receive.sender.index()];
        Channel& channel = channels_.at(receive.communicator.value(), sender, receive.tag);
        if (channel.head == kUnset) return keepUnmatched(ref, receive);
        const RowRef& send = sends_[channel.head];
        channel.head = next_[channel.head];
        slotOf(send).match(receive, ref.location);
    }

    void keepUnmatched(const RowRef& ref, const PostedReceive& receive)
    {
        Message& message = unmatched_.emplace_back();
        message.receiveTime = receive.completed == kNoTime ? receive.posted : receive.completed;
        message.bytes = receive.bytes;
        message.sender = receive.sender;
        message.receiver = LocationId(ref.location);
        message.communicator = receive.communicator;
        message.tag = receive.tag;
        message.receiveInterval = receive.interval;
    }

    const MessageRecords& records_;
    std::vector<SendIndex>& indices_;
    std::vector<RowRef> sends_;  ///< to this process, as places in the indices
    const Task& task_;
    ChannelTable channels_;
    std::vector<std::uint32_t> next_;
    std::vector<Message> unmatched_;
};

bool anyProcessSendsFromThreads(const MessageRecords& records,
                                const std::vector<std::vector<std::uint32_t>>& locations)
{
    return std::any_of(locations.begin(), locations.end(), [&](const std::vector<std::uint32_t>& threads) {
        return std::count_if(threads.begin(), threads.end(),
                             [&](std::uint32_t thread) { return !records.sends[thread].empty(); })
            > 1;
    });
}

}  // namespace

std::vector<std::uint32_t> processesOf(const Definitions& definitions)
{
    std::vector<std::uint32_t> byGroup(definitions.locationGroups.size(), kUnset);
    std::vector<std::uint32_t> processes;
    std::uint32_t count = 0;
    for (const Location& location : definitions.locations) {
        if (location.group.index() >= byGroup.size()) {
            processes.push_back(count++);
            continue;
        }
        std::uint32_t& number = byGroup[location.group.index()];
        if (number == kUnset) number = count++;
        processes.push_back(number);
    }
    return processes;
}

std::optional<std::vector<Message>> matchMessages(const MessageRecords& records, const Task& task)
{
    std::vector<std::vector<std::uint32_t>> locations;
    for (std::uint32_t location = 0; location < records.processes.size(); ++location) {
        const std::uint32_t process = records.processes[location];
        if (process >= locations.size()) locations.resize(process + std::size_t{1});
        locations[process].push_back(location);
    }
    std::vector<SendIndex> indices(records.sends.size());
    const bool indexed = parallelFor(indices.size(), task, [&](std::size_t location) {
        indices[location] = indexSends(records, static_cast<std::uint32_t>(location), locations.size());
    });
    if (!indexed) return std::nullopt;
    std::vector<std::vector<Slice>> slices(locations.size());
    for (const SendIndex& index : indices)
        for (const Slice& slice : index.slices) slices[slice.process].push_back(slice);
    const bool threads = anyProcessSendsFromThreads(records, locations);
    std::vector<std::vector<Message>> unmatched(locations.size());
    const bool finished = parallelFor(locations.size(), task, [&](std::size_t process) {
        unmatched[process] =
            ReceiverMatching(records, indices, slices[process], threads, task).run(locations[process]);
    });
    if (!finished || task.stopRequested()) return std::nullopt;
    parallelFor(indices.size(), task, [&](std::size_t location) {
        applyMatches(records, static_cast<std::uint32_t>(location), indices[location], locations.size());
        indices[location] = {};
    });
    if (task.stopRequested()) return std::nullopt;
    std::vector<Message> all;
    for (const auto& part : unmatched) all.insert(all.end(), part.begin(), part.end());
    return all;
}

}  // namespace skein
