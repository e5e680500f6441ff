// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/anomaly/hand_over_causes.h"

#include "algorithms/anomaly/anomaly_candidates.h"
#include "core/index/first_call.h"

#include <algorithm>
#include <limits>

namespace skein {
namespace {

/// Something that made a writer late: an anomaly of its own, or one that it waited for.
struct WriterDelay {
    TimeNs lengthNs = 0;
    std::uint32_t anomaly = kNoCause;
    std::uint32_t wait = kNoWait;
};

/// The innermost call that is open at a time; kNoInterval outside of all calls.
std::uint32_t innermostAt(const CallIntervals& calls, TimeNs time)
{
    std::uint32_t at = firstCallFrom(calls, time + 1);
    std::uint32_t depth = std::numeric_limits<std::uint32_t>::max();
    while (at-- > 0 && depth > 0) {
        if (calls.depth[at] >= depth) continue;
        depth = calls.depth[at];
        if (calls.end[at] > time) return at;
    }
    return kNoInterval;
}

class AcrossFinder {
public:
    AcrossFinder(std::span<const JudgedProgram> programs, std::span<const HandOver> handOvers)
        : programs_(programs), handOvers_(handOvers)
    {
    }

    std::vector<CauseLink> run(const IntervalRef& call)
    {
        if (call.experiment >= programs_.size() || !programs_[call.experiment].found) return {};
        const CallIntervals& calls = callsOf(call.experiment, call.location);
        const TimeSpan span = calls.span(call.index);
        const std::uint32_t end = endOfSubtree(calls, call.index);
        for (const HandOver& each : handOvers_) {
            if (each.consumer != call.experiment || each.to != call.location || !canTell(each)) continue;
            if (each.waited.lengthNs() <= 0 || each.waited.begin < span.begin || each.waited.end > span.end)
                continue;
            std::uint32_t waiting = innermostAt(calls, each.waited.begin);
            if (waiting == kNoInterval || waiting < call.index || waiting >= end) waiting = call.index;
            follow(each, {call.experiment, call.location, waiting});
        }
        return std::move(links_);
    }

private:
    const CallIntervals& callsOf(std::uint32_t program, LocationId location) const
    {
        return programs_[program].experiment->trace->locations[location.index()].intervals;
    }

    bool canTell(const HandOver& each) const
    {
        return each.producer < programs_.size() && programs_[each.producer].found && each.from.valid()
            && each.from.index() < programs_[each.producer].experiment->trace->locations.size();
    }

    /// When the same writer had written for the same reader before.
    TimeNs writtenBefore(const HandOver& of) const
    {
        TimeNs before = std::numeric_limits<TimeNs>::min();
        for (const HandOver& each : handOvers_)
            if (each.producer == of.producer && each.consumer == of.consumer && each.from == of.from
                && each.to == of.to && each.written.end < of.written.end)
                before = std::max(before, each.written.end);
        return before;
    }

    /// The longest first.
    std::vector<WriterDelay> delaysOf(const HandOver& of) const
    {
        const FoundAnomalies& found = *programs_[of.producer].found;
        const TimeNs from = writtenBefore(of);
        const auto counts = [&](TimeNs end) { return end > from && end <= of.written.end; };
        std::vector<WriterDelay> delays;
        for (std::uint32_t i = 0; i < found.anomalies; ++i) {
            const JudgedCall& each = found.calls[i];
            if (each.location == of.from && each.severityNs > 0 && counts(each.begin + each.durationNs))
                delays.push_back({each.severityNs, i, kNoWait});
        }
        const auto& states = found.waits->states;
        const auto first = std::lower_bound(
            states.begin(), states.end(), of.from,
            [](const WaitState& wait, LocationId location) { return wait.location < location; });
        for (const WaitState* wait = first; wait != states.end() && wait->location == of.from; ++wait) {
            if (!counts(wait->end)) continue;
            const auto number = static_cast<std::uint32_t>(wait - states.begin());
            for (const DelayShare& share : found.delays.sharesOf(number))
                if (share.lengthNs > 0)
                    delays.push_back({share.lengthNs, found.delayOf[share.delay], number});
        }
        std::stable_sort(delays.begin(), delays.end(),
                         [](const WriterDelay& a, const WriterDelay& b) { return a.lengthNs > b.lengthNs; });
        return delays;
    }

    void follow(const HandOver& handOver, const IntervalRef& waiting)
    {
        const FoundAnomalies& found = *programs_[handOver.producer].found;
        const CallIntervals& calls = callsOf(handOver.producer, handOver.from);
        const std::uint32_t writer = innermostAt(calls, handOver.written.begin);
        if (writer == kNoInterval) return;
        CauseLink across;
        across.waiting = waiting;
        across.causeLocation = {handOver.producer, handOver.from};
        across.cause = {handOver.producer, handOver.from, writer};
        across.span = handOver.waited;
        std::vector<CauseLink> behind;
        TimeNs left = handOver.waited.lengthNs();
        for (const WriterDelay& delay : delaysOf(handOver)) {
            if (left <= 0) break;
            const JudgedCall& anomaly = found.calls[delay.anomaly];
            CauseLink link;
            link.waiting = across.cause;
            link.span = {anomaly.begin, anomaly.begin + anomaly.durationNs};
            if (delay.wait != kNoWait) {
                const WaitState& wait = found.waits->states[delay.wait];
                link.waiting = {handOver.producer, wait.location, wait.interval};
                link.span = {wait.begin, wait.end};
            }
            link.causeLocation = {handOver.producer, anomaly.location};
            link.cause = {handOver.producer, anomaly.location, anomaly.call};
            link.throughNs = link.attributedNs = std::min(left, delay.lengthNs);
            left -= link.attributedNs;
            across.throughNs += link.attributedNs;
            behind.push_back(link);
        }
        if (behind.empty()) return;
        links_.push_back(across);
        links_.insert(links_.end(), behind.begin(), behind.end());
    }

    std::span<const JudgedProgram> programs_;
    std::span<const HandOver> handOvers_;
    std::vector<CauseLink> links_;
};

}  // namespace

std::vector<CauseLink> handOverCauses(std::span<const JudgedProgram> programs,
                                      std::span<const HandOver> handOvers, const IntervalRef& call)
{
    return AcrossFinder(programs, handOvers).run(call);
}

}  // namespace skein
