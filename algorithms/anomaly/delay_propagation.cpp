// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/anomaly/delay_propagation.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace skein {
namespace {

/// By how much a delay makes a location late now.
struct Lateness {
    std::uint32_t delay = 0;
    std::uint32_t via = kNoWait;
    TimeNs lengthNs = 0;
};

std::uint64_t locationPair(LocationId a, LocationId b)
{
    const auto [low, high] = std::minmax({a.value(), b.value()});
    return (std::uint64_t{low} << 32) | high;
}

TimeNs lengthOf(const std::vector<Lateness>& list, std::uint32_t delay)
{
    for (const Lateness& each : list)
        if (each.delay == delay) return each.lengthNs;
    return 0;
}

/// Takes `parts`, whose sum is greater than `whole`, down to it; what rounding leaves goes to the first.
void scaleTo(std::vector<DelayShare>& parts, TimeNs sum, TimeNs whole)
{
    TimeNs given = 0;
    for (DelayShare& part : parts) {
        part.lengthNs =
            static_cast<TimeNs>(static_cast<long double>(part.lengthNs) * static_cast<long double>(whole)
                                / static_cast<long double>(sum));
        given += part.lengthNs;
    }
    if (!parts.empty()) parts.front().lengthNs += whole - given;
}

class DelayFollower {
public:
    DelayFollower(const Trace& trace, const WaitStates& waits, std::span<const Delay> delays)
        : waits_(waits), delays_(delays), late_(trace.locations.size())
    {
    }

    Result<std::vector<std::vector<DelayShare>>> run(const Task& task)
    {
        std::vector<std::vector<DelayShare>> shares(waits_.states.size());
        std::vector<std::uint32_t> waitOrder(waits_.states.size()), delayOrder(delays_.size());
        std::iota(waitOrder.begin(), waitOrder.end(), 0U);
        std::iota(delayOrder.begin(), delayOrder.end(), 0U);
        std::stable_sort(waitOrder.begin(), waitOrder.end(), [this](std::uint32_t a, std::uint32_t b) {
            return waits_.states[a].end < waits_.states[b].end;
        });
        std::stable_sort(delayOrder.begin(), delayOrder.end(), [this](std::uint32_t a, std::uint32_t b) {
            return delays_[a].end < delays_[b].end;
        });
        std::size_t next = 0;
        for (std::size_t i = 0; i < waitOrder.size(); ++i) {
            if (i % kRowsBetweenQuestions == 0 && task.stopRequested()) return cancelled();
            const WaitState& wait = waits_.states[waitOrder[i]];
            for (; next < delayOrder.size() && delays_[delayOrder[next]].end <= wait.end; ++next)
                begin(delayOrder[next]);
            if (wait.cause.valid() && wait.cause != wait.location)
                shares[waitOrder[i]] = follow(wait, waitOrder[i]);
        }
        return shares;
    }

private:
    void begin(std::uint32_t delay)
    {
        auto& list = late_[delays_[delay].location.index()];
        list.push_back({delay, kNoWait, delays_[delay].lengthNs});
        if (list.size() > kMostDelaysOfLocation) list.erase(list.begin());
    }

    std::vector<DelayShare> follow(const WaitState& wait, std::uint32_t number)
    {
        std::vector<DelayShare> parts;
        auto& mine = late_[wait.location.index()];
        const auto& theirs = late_[wait.cause.index()];
        TimeNs sum = 0;
        for (const Lateness& each : theirs) {
            const TimeNs more = each.lengthNs - lengthOf(mine, each.delay);
            if (more <= 0) continue;
            parts.push_back({each.delay, each.via, more});
            sum += more;
        }
        if (sum > wait.lengthNs()) scaleTo(parts, sum, wait.lengthNs());
        std::erase_if(parts, [](const DelayShare& part) { return part.lengthNs <= 0; });
        takeOver(mine, theirs, number);
        return parts;
    }

    /// What the other brings is new by this wait, unless it was known before.
    static void takeOver(std::vector<Lateness>& mine, const std::vector<Lateness>& theirs,
                         std::uint32_t number)
    {
        std::vector<Lateness> next = theirs;
        for (Lateness& each : next) {
            const auto known = std::find_if(mine.begin(), mine.end(), [&](const Lateness& old) {
                return old.delay == each.delay && old.lengthNs >= each.lengthNs;
            });
            each.via = known != mine.end() ? known->via : number;
        }
        mine = std::move(next);
    }

    const WaitStates& waits_;
    std::span<const Delay> delays_;
    std::vector<std::vector<Lateness>> late_;  ///< by location, in the order in which they came
};

std::vector<std::uint64_t> contradictingPairs(const Trace& trace)
{
    std::vector<std::uint64_t> pairs;
    for (const Message& message : trace.messages)
        if (message.matched() && message.receiveTime < message.sendTime && message.sender != message.receiver)
            pairs.push_back(locationPair(message.sender, message.receiver));
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    return pairs;
}

}  // namespace

TimeNs DelayPropagation::blamedNs(std::uint32_t wait) const
{
    TimeNs sum = 0;
    for (const DelayShare& share : sharesOf(wait)) sum += share.lengthNs;
    return sum;
}

const DelayShare* DelayPropagation::mainShare(std::uint32_t wait) const
{
    const auto shares = sharesOf(wait);
    const auto greatest =
        std::max_element(shares.begin(), shares.end(), [](const DelayShare& a, const DelayShare& b) {
            return std::tuple(a.lengthNs, -static_cast<std::int64_t>(a.delay))
                < std::tuple(b.lengthNs, -static_cast<std::int64_t>(b.delay));
        });
    return greatest == shares.end() ? nullptr : &*greatest;
}

bool DelayPropagation::contradicts(LocationId a, LocationId b) const
{
    return std::binary_search(contradicting_.begin(), contradicting_.end(), locationPair(a, b));
}

CauseChain DelayPropagation::chain(const WaitStates& waits, std::uint32_t wait, std::uint32_t delay) const
{
    CauseChain result;
    result.delay = delay;
    while (wait != kNoWait) {
        const auto shares = sharesOf(wait);
        const auto share = std::find_if(shares.begin(), shares.end(),
                                        [&](const DelayShare& each) { return each.delay == delay; });
        result.links.push_back({wait, share == shares.end() ? 0 : share->lengthNs});
        if (share == shares.end()) break;
        const WaitState& state = waits.states[wait];
        const bool later = share->via != kNoWait && waits.states[share->via].end > state.end;
        if (later || contradicts(state.location, state.cause)) {
            result.end = ChainEnd::Contradiction;
            break;
        }
        wait = share->via;
    }
    return result;
}

Result<DelayPropagation> propagateDelays(const Trace& trace, const WaitStates& waits,
                                         std::span<const Delay> delays, const Task& task)
{
    const auto shares = DelayFollower(trace, waits, delays).run(task);
    if (!shares) return tl::make_unexpected(shares.error());
    DelayPropagation result;
    result.costs_.assign(delays.size(), 0);
    for (const auto& list : *shares) {
        for (const DelayShare& share : list) result.costs_[share.delay] += share.lengthNs;
        result.shares_.insert(result.shares_.end(), list.begin(), list.end());
        result.first_.push_back(result.shares_.size());
    }
    result.contradicting_ = contradictingPairs(trace);
    return result;
}

}  // namespace skein
