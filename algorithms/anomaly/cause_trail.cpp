// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/anomaly/cause_trail.h"

#include "algorithms/anomaly/anomaly_candidates.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

namespace skein {
namespace {

class TrailBuilder {
public:
    explicit TrailBuilder(const FoundAnomalies& found) : found_(found) {}

    /// An anomaly in the call itself.
    void addInside(const CallOfLocation& call, std::uint32_t anomaly)
    {
        const JudgedCall& cause = found_.calls[anomaly];
        TrailLink link;
        link.waiting = call;
        link.causeLocation = cause.location;
        link.causeCall = cause.call;
        link.span = {cause.begin, cause.begin + cause.durationNs};
        link.throughNs = link.attributedNs = cause.severityNs;
        link.anomaly = anomaly;
        trail_.links.push_back(link);
    }

    /// One share of one wait, all the way back.
    void addWay(std::uint32_t wait, const DelayShare& share)
    {
        const CauseChain chain = found_.delays.chain(*found_.waits, wait, share.delay);
        const bool ends = chain.end == ChainEnd::AtDelay;
        trail_.contradiction = trail_.contradiction || !ends;
        std::uint32_t at = kNoTrailLink;
        for (std::size_t i = 0; i < chain.links.size(); ++i) {
            const bool last = i + 1 == chain.links.size();
            at = linkOf(at, chain.links[i].wait, last && ends ? found_.delayOf[share.delay] : kNoCause);
            trail_.links[at].throughNs += share.lengthNs;
            if (last) trail_.links[at].attributedNs += share.lengthNs;
        }
    }

    /// A wait that is a link by itself, behind another one.
    std::uint32_t addWait(std::uint32_t parent, std::uint32_t wait, TimeNs lost, std::uint32_t anomaly)
    {
        const std::uint32_t link = linkOf(parent, wait, anomaly);
        trail_.links[link].attributedNs += lost;
        for (std::uint32_t at = link; at != kNoTrailLink; at = trail_.links[at].parent)
            trail_.links[at].throughNs += lost;
        return link;
    }

    CauseTrail take(TimeNs lost)
    {
        trail_.lostNs = trail_.restNs = lost;
        for (const TrailLink& link : trail_.links) trail_.restNs -= link.attributedNs;
        return std::move(trail_);
    }

private:
    std::uint32_t linkOf(std::uint32_t parent, std::uint32_t wait, std::uint32_t anomaly)
    {
        const auto [at, isNew] = known_.try_emplace(std::tuple(parent, wait, anomaly),
                                                    static_cast<std::uint32_t>(trail_.links.size()));
        if (!isNew) return at->second;
        const WaitState& state = found_.waits->states[wait];
        TrailLink link;
        link.parent = parent;
        link.wait = wait;
        link.waiting = {state.location, state.interval};
        link.causeLocation = state.cause;
        if (state.causeInterval != kNoInterval) link.causeCall = state.causeInterval;
        if (anomaly != kNoCause) {
            link.causeLocation = found_.calls[anomaly].location;
            link.causeCall = found_.calls[anomaly].call;
        }
        link.span = {state.begin, state.end};
        link.anomaly = anomaly;
        trail_.links.push_back(link);
        return at->second;
    }

    const FoundAnomalies& found_;
    CauseTrail trail_;
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::uint32_t> known_;
};

}  // namespace

CauseTrail trailBack(const Experiment& experiment, const FoundAnomalies& found, const CallOfLocation& call)
{
    const CallIntervals& calls = experiment.trace->locations[call.location.index()].intervals;
    const std::uint32_t end = endOfSubtree(calls, call.call);
    TrailBuilder builder(found);
    for (std::uint32_t i = 0; i < found.anomalies; ++i) {
        const JudgedCall& each = found.calls[i];
        if (each.location == call.location && each.call >= call.call && each.call < end
            && each.severityNs > 0)
            builder.addInside(call, i);
    }
    const auto& states = found.waits->states;
    const auto first = std::lower_bound(
        states.begin(), states.end(), std::pair(call.location, calls.begin[call.call]),
        [](const WaitState& each, const auto& from) { return std::pair(each.location, each.begin) < from; });
    for (const WaitState* wait = first;
         wait != states.end() && wait->location == call.location && wait->begin <= calls.end[call.call];
         ++wait) {
        if (wait->interval < call.call || wait->interval >= end) continue;
        const auto number = static_cast<std::uint32_t>(wait - states.begin());
        for (const DelayShare& share : found.delays.sharesOf(number)) builder.addWay(number, share);
    }
    const TailBreak& usual = found.models->duration(found.functionsOfCalls->of(calls.callPath[call.call]));
    return builder.take(calls.end[call.call] - calls.begin[call.call] - static_cast<TimeNs>(usual.median));
}

CauseTrail trailForward(const FoundAnomalies& found, const CallOfLocation& call)
{
    TrailBuilder builder(found);
    const auto here = std::find_if(
        found.calls.begin(), found.calls.begin() + static_cast<std::ptrdiff_t>(found.anomalies),
        [&](const JudgedCall& each) { return each.location == call.location && each.call == call.call; });
    const auto anomaly = static_cast<std::uint32_t>(here - found.calls.begin());
    if (anomaly >= found.anomalies) return builder.take(0);
    struct Blamed {
        std::uint32_t wait;
        DelayShare share;
    };
    std::vector<Blamed> blamed;
    for (std::uint32_t wait = 0; wait < found.waits->states.size(); ++wait)
        for (const DelayShare& share : found.delays.sharesOf(wait))
            if (found.delayOf[share.delay] == anomaly && share.lengthNs > 0) blamed.push_back({wait, share});
    // By end, then by number: in this order delays were propagated, so that a wait by which another one came
    // stands before that one even where both end at the same time.
    std::stable_sort(blamed.begin(), blamed.end(), [&](const Blamed& a, const Blamed& b) {
        return found.waits->states[a.wait].end < found.waits->states[b.wait].end;
    });
    // An anomaly may be several delays, of which each came to a wait by another way.
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> linkOfShare;
    TimeNs cost = 0;
    for (const Blamed& each : blamed) {
        const auto via = linkOfShare.find({each.share.via, each.share.delay});
        const bool direct = each.share.via == kNoWait || via == linkOfShare.end();
        linkOfShare[{each.wait, each.share.delay}] = builder.addWait(
            direct ? kNoTrailLink : via->second, each.wait, each.share.lengthNs, direct ? anomaly : kNoCause);
        cost += each.share.lengthNs;
    }
    return builder.take(cost);
}

CauseTrail shortened(const CauseTrail& trail, std::size_t most)
{
    if (trail.links.size() <= most) return trail;
    // A link has no more through it than its parent has, and a greater number: parents come first.
    std::vector<std::uint32_t> order(trail.links.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return trail.links[a].throughNs > trail.links[b].throughNs;
    });
    order.resize(most);
    std::sort(order.begin(), order.end());
    CauseTrail result{trail.lostNs, trail.lostNs, {}, trail.contradiction};
    std::vector<std::uint32_t> placeOf(trail.links.size(), kNoTrailLink);
    for (const std::uint32_t link : order) {
        placeOf[link] = static_cast<std::uint32_t>(result.links.size());
        result.links.push_back(trail.links[link]);
        TrailLink& kept = result.links.back();
        if (kept.parent != kNoTrailLink) kept.parent = placeOf[kept.parent];
        result.restNs -= kept.attributedNs;
    }
    return result;
}

}  // namespace skein
