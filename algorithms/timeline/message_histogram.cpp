// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/timeline/message_histogram.h"

#include <algorithm>

namespace skein {
namespace {

constexpr std::int64_t kMostBins = 1 << 24;
constexpr std::size_t kBetweenStopChecks = 1u << 18;

TimeNs floorTo(TimeNs time, TimeNs step)
{
    const TimeNs rest = time % step;
    return rest < 0 ? time - rest - step : time - rest;
}

/// Counts the times of one table, moved by an offset.
class Counter {
public:
    Counter(const MessageHistogram& grid, TimeSpan span, TimeNs offset) : begin_(grid.begin), bin_(grid.binNs), span_(span), offset_(offset) {}

    void count(TimeNs time, std::vector<std::uint64_t>& bins) const
    {
        if (time == kNoTime || !span_.contains(time + offset_)) return;
        ++bins[static_cast<std::size_t>((time + offset_ - begin_) / bin_)];
    }

private:
    TimeNs begin_, bin_;
    TimeSpan span_;
    TimeNs offset_;
};

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
        if (floorTo(span.end - 1, bin) / bin - floorTo(span.begin, bin) / bin + 1 <= static_cast<TimeNs>(mostBins)) return bin;
    return 50 * power;
}

Result<MessageHistogram> messageHistogram(const Session& session, const SessionClock& clock, TimeSpan span, TimeNs binNs,
                                          const Task& task)
{
    if (binNs < 1 || span.lengthNs() / std::max<TimeNs>(1, binNs) >= kMostBins)
        return fail(ErrorCode::InvalidArgument, "Messages are counted in at most 16 million bins of at least 1 ns.");
    MessageHistogram histogram{floorTo(span.begin, binNs), binNs, {}, {}};
    const auto bins = span.empty() ? 0 : static_cast<std::size_t>((span.end - 1 - histogram.begin) / binNs + 1);
    histogram.sent.assign(bins, 0);
    histogram.received.assign(bins, 0);
    for (std::uint32_t number = 0; number < session.experiments.size(); ++number) {
        const auto& trace = session.experiments[number]->trace;
        if (!trace) continue;
        const Counter counter(histogram, span, clock.offsetsNs[number]);
        for (const auto* table : {&trace->messages, &trace->unmatchedReceives})
            for (std::size_t i = 0; i < table->size(); ++i) {
                if (i % kBetweenStopChecks == 0 && task.stopRequested()) return cancelled();
                counter.count((*table)[i].sendTime, histogram.sent);
                counter.count((*table)[i].receiveTime, histogram.received);
            }
    }
    return histogram;
}

}  // namespace skein
