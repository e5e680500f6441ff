// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/anomaly/workflow_causes.h"

#include <algorithm>
#include <map>
#include <utility>

namespace skein {
namespace {

using PlacesOfCalls = std::map<std::pair<LocationId, std::uint32_t>, std::uint32_t>;

/// Of each program the places of its anomalies.
std::vector<PlacesOfCalls> placesOfAnomalies(std::span<const JudgedProgram> programs)
{
    std::vector<PlacesOfCalls> places(programs.size());
    for (std::size_t program = 0; program < programs.size(); ++program) {
        if (!programs[program].found) continue;
        const FoundAnomalies& found = *programs[program].found;
        for (std::uint32_t i = 0; i < found.anomalies; ++i)
            places[program][{found.calls[i].location, found.calls[i].call}] = i;
    }
    return places;
}

/// Whether it may have stood still for another program.
bool mayHaveWaitedForData(const JudgedCall& call)
{
    if (call.severityNs <= 0) return false;
    if (call.label == AnomalyLabel::Anomaly)
        return call.reason == AnomalyReason::OwnTime || call.reason == AnomalyReason::Callees
            || call.reason == AnomalyReason::Feature;
    return call.reason == AnomalyReason::SharedStall && call.cause == kNoCause;
}

/// Own time is explained by data that the call itself waited for, time with callees also by what they did.
std::optional<WorkflowCall> acrossOf(const JudgedCall& judged, const IntervalRef& call,
                                     const std::vector<CauseLink>& links,
                                     const std::vector<PlacesOfCalls>& places)
{
    std::map<std::pair<std::uint32_t, std::uint32_t>, TimeNs> attributed;
    TimeNs sum = 0;
    bool counts = false;
    for (const CauseLink& link : links) {
        if (link.attributedNs == 0) {  // the hand-over that those behind it explain
            counts = judged.reason == AnomalyReason::Callees || link.waiting == call;
            continue;
        }
        const auto& known = places[link.cause.experiment];
        const auto at = known.find({link.cause.location, link.cause.index});
        if (!counts || at == known.end()) continue;
        attributed[{link.cause.experiment, at->second}] += link.attributedNs;
        sum += link.attributedNs;
    }
    if (attributed.empty() || 2 * sum < judged.severityNs) return std::nullopt;
    const auto most = std::max_element(attributed.begin(), attributed.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    return WorkflowCall{most->first.first, most->first.second};
}

}  // namespace

WorkflowCauses::WorkflowCauses(std::span<const JudgedProgram> programs, std::span<const HandOver> handOvers)
    : places_(programs.size())
{
    const std::vector<PlacesOfCalls> anomalies = placesOfAnomalies(programs);
    for (std::uint32_t program = 0; program < programs.size(); ++program) {
        if (!programs[program].found) continue;
        const bool reads = std::any_of(handOvers.begin(), handOvers.end(),
                                       [&](const HandOver& each) { return each.consumer == program; });
        for (const JudgedCall& judged : programs[program].found->calls) {
            Place& place = places_[program].emplace_back(Place{judged.label, judged.cause, {}});
            if (!reads || !mayHaveWaitedForData(judged)) continue;
            const IntervalRef call{program, judged.location, judged.call};
            place.across = acrossOf(judged, call, handOverCauses(programs, handOvers, call), anomalies);
        }
    }
}

const WorkflowCauses::Place* WorkflowCauses::find(const WorkflowCall& call) const
{
    const bool known = call.program < places_.size() && call.place < places_[call.program].size();
    return known ? &places_[call.program][call.place] : nullptr;
}

std::optional<WorkflowCall> WorkflowCauses::causeOf(const WorkflowCall& call) const
{
    std::vector<WorkflowCall> way;
    std::optional<WorkflowCall> next = call;
    while (next && std::find(way.begin(), way.end(), *next) == way.end()) {
        way.push_back(*next);
        const Place* place = find(*next);
        if (!place) return std::nullopt;
        if (place->across) next = place->across;
        else if (place->cause != kNoCause) next = WorkflowCall{next->program, place->cause};
        else if (place->label == AnomalyLabel::Anomaly) return next;
        else return std::nullopt;
    }
    return way.back();
}

AnomalyLabel WorkflowCauses::labelOf(const WorkflowCall& call) const
{
    const Place* place = find(call);
    if (!place) return AnomalyLabel::Normal;
    return place->across ? AnomalyLabel::Consequence : place->label;
}

bool WorkflowCauses::any() const
{
    for (const auto& program : places_)
        if (std::any_of(program.begin(), program.end(), [](const Place& each) { return each.across; }))
            return true;
    return false;
}

}  // namespace skein
