// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/anomaly/call_verdicts.h"

#include <algorithm>

namespace skein {
namespace {

TimeNs ownTimeOfCall(const CallIntervals& calls, std::uint32_t call)
{
    TimeNs own = calls.end[call] - calls.begin[call];
    for (std::uint32_t below = call + 1; below < calls.size() && calls.depth[below] > calls.depth[call];
         ++below)
        if (calls.depth[below] == calls.depth[call] + 1) own -= calls.end[below] - calls.begin[below];
    return own;
}

}  // namespace

CallVerdicts::CallVerdicts(const Experiment& experiment, const FoundAnomalies& found,
                           std::span<const SaidOfCall> said, Teaching teaching)
{
    const FunctionsOfCalls& functions = *found.functionsOfCalls;
    for (const SaidOfCall& each : said) {
        const auto& locations = experiment.trace->locations;
        if (!each.location.valid() || each.location.index() >= locations.size()
            || each.call >= locations[each.location.index()].intervals.size()) {
            ++unknown_;
            continue;
        }
        said_[{each.location, each.call}] = each.label;
        const CallIntervals& calls = locations[each.location.index()].intervals;
        const std::uint32_t function = functions.of(calls.callPath[each.call]);
        if (teaching == Teaching::None || functions.blocks(function) || !found.models->model(function))
            continue;
        const TimeNs own = ownTimeOfCall(calls, each.call);
        if (static_cast<double>(own) <= found.models->own(function).median) continue;
        Limits& limits = limits_[function];
        if (each.label == AnomalyLabel::Anomaly)
            limits.anomalyFrom = std::min(own, limits.anomalyFrom.value_or(own));
        else limits.normalTo = std::max(own, limits.normalTo.value_or(own));
    }
    std::erase_if(limits_, [](const auto& each) {
        const Limits& limits = each.second;
        return limits.normalTo && limits.anomalyFrom && *limits.normalTo >= *limits.anomalyFrom;
    });
}

std::optional<AnomalyLabel> CallVerdicts::saidOf(LocationId location, std::uint32_t call) const
{
    const auto known = said_.find({location, call});
    return known == said_.end() ? std::nullopt : std::optional(known->second);
}

AnomalyLabel CallVerdicts::labelOf(const FoundAnomalies& found, const JudgedCall& call) const
{
    if (const auto said = saidOf(call.location, call.call)) return *said;
    if (const auto known = limits_.find(call.function); known != limits_.end()) {
        const Limits& limits = known->second;
        if (limits.anomalyFrom && call.ownNs >= *limits.anomalyFrom) return AnomalyLabel::Anomaly;
        const bool tooLong = call.label == AnomalyLabel::Anomaly && call.reason == AnomalyReason::OwnTime;
        if (tooLong && limits.normalTo && call.ownNs <= *limits.normalTo) return AnomalyLabel::Normal;
    }
    const bool follows = call.label == AnomalyLabel::Consequence && call.cause != kNoCause;
    if (follows && labelOf(found, found.calls[call.cause]) == AnomalyLabel::Normal)
        return AnomalyLabel::Normal;
    return call.label;
}

}  // namespace skein
