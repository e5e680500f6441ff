// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/timeline/message_histogram.h"

#include <algorithm>

namespace skein {
namespace {

constexpr std::int64_t kMostBins = 1 << 24;
constexpr std::size_t kCountedBetweenStopChecks = 1u << 18;

TimeNs floorTo(TimeNs time, TimeNs step)
{
    const TimeNs rest = time % step;
    return rest < 0 ? time - rest - step : time - rest;
}

/// Counts times of one experiment, moved by its offset.
class Counter {
public:
    Counter(MessageHistogram& histogram, TimeSpan span, TimeNs offset)
        : histogram_(histogram), span_(span), offset_(offset)
    {
    }

    void count(const Message& message)
    {
        count(message.sendTime, histogram_.sent);
        count(message.receiveTime, histogram_.received);
    }

    /// A block whose times lie in one bin is not looked into.
    void count(const MessageSkip::Block& block, const Column<Message>& messages, std::size_t from)
    {
        const std::size_t to = std::min(from + MessageSkip::kBlock, messages.size());
        if (!countAlike(block.firstSend, block.lastSend, to - from, histogram_.sent))
            for (std::size_t at = from; at < to; ++at) count(messages[at].sendTime, histogram_.sent);
        if (block.received > 0
            && !countAlike(block.earliestReceive, block.latestReceive, block.received, histogram_.received))
            for (std::size_t at = from; at < to; ++at) count(messages[at].receiveTime, histogram_.received);
    }

private:
    std::size_t binOf(TimeNs time) const
    {
        return static_cast<std::size_t>((time + offset_ - histogram_.begin) / histogram_.binNs);
    }

    void count(TimeNs time, std::vector<std::uint64_t>& bins) const
    {
        if (time != kNoTime && span_.contains(time + offset_)) ++bins[binOf(time)];
    }

    /// False where the times are not all in one bin, nor all outside the span.
    bool countAlike(TimeNs first, TimeNs last, std::uint64_t number, std::vector<std::uint64_t>& bins) const
    {
        if (last + offset_ < span_.begin || first + offset_ >= span_.end) return true;
        if (!span_.contains(first + offset_) || !span_.contains(last + offset_)
            || binOf(first) != binOf(last))
            return false;
        bins[binOf(first)] += number;
        return true;
    }

    MessageHistogram& histogram_;
    TimeSpan span_;
    TimeNs offset_;
};

/// False when it was told to stop.
bool countAll(const Column<Message>& messages, const MessageFilter& filter, Counter& counter,
              const Task& task)
{
    for (std::size_t i = 0; i < messages.size(); ++i) {
        if (i % kCountedBetweenStopChecks == 0 && task.stopRequested()) return false;
        if (filter.passes(messages[i])) counter.count(messages[i]);
    }
    return true;
}

/// False when it was told to stop.
bool countBlocks(const Column<Message>& messages, const MessageSkip& skip, Counter& counter, const Task& task)
{
    const Column<MessageSkip::Block>& blocks = skip.blocks();
    for (std::size_t block = 0; block < blocks.size(); ++block) {
        if (block % (kCountedBetweenStopChecks / MessageSkip::kBlock) == 0 && task.stopRequested())
            return false;
        counter.count(blocks[block], messages, block * MessageSkip::kBlock);
    }
    return true;
}

}  // namespace

std::uint64_t MessageHistogram::greatest() const
{
    std::uint64_t most = 0;
    for (const auto* bins : {&sent, &received})
        for (const std::uint64_t count : *bins) most = std::max(most, count);
    return most;
}

TimeNs roundBinNs(TimeSpan span, std::uint32_t mostBins)
{
    const TimeNs least = span.lengthNs() / std::max<TimeNs>(1, mostBins);
    TimeNs power = 1;
    while (power * 10 <= least) power *= 10;
    for (const TimeNs bin : {power, 2 * power, 5 * power, 10 * power, 20 * power})
        if (floorTo(span.end - 1, bin) / bin - floorTo(span.begin, bin) / bin + 1
            <= static_cast<TimeNs>(mostBins))
            return bin;
    return 50 * power;
}

Result<MessageHistogram> messageHistogram(const Session& session, const SessionClock& clock, TimeSpan span,
                                          TimeNs binNs, std::span<const TimelineIndexPtr> indexes,
                                          std::span<const MessageFilter> filters, const Task& task)
{
    if (binNs < 1 || span.lengthNs() / std::max<TimeNs>(1, binNs) >= kMostBins)
        return fail(ErrorCode::InvalidArgument,
                    "Messages are counted in at most 16 million bins of at least 1 ns.");
    MessageHistogram histogram{floorTo(span.begin, binNs), binNs, {}, {}};
    const auto bins =
        span.empty() ? 0 : static_cast<std::size_t>((span.end - 1 - histogram.begin) / binNs + 1);
    histogram.sent.assign(bins, 0);
    histogram.received.assign(bins, 0);
    for (std::uint32_t number = 0; number < session.experiments.size() && bins > 0; ++number) {
        const auto& trace = session.experiments[number]->trace;
        if (!trace) continue;
        Counter counter(histogram, span, clock.offsetsNs[number]);
        const TimelineIndex* index = number < indexes.size() ? indexes[number].get() : nullptr;
        const MessageFilter filter = number < filters.size() ? filters[number] : MessageFilter();
        const bool counted = index && filter.all()
            ? countBlocks(trace->messages, index->messages, counter, task)
            : countAll(trace->messages, filter, counter, task);
        if (!counted || !countAll(trace->unmatchedReceives, filter, counter, task)) return cancelled();
    }
    return histogram;
}

}  // namespace skein
