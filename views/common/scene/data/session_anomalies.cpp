// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/data/session_anomalies.h"

#include "algorithms/anomaly/cause_trail.h"
#include "core/base/units.h"
#include "core/select/translate.h"

#include <algorithm>
#include <fmt/format.h>

namespace skein {
namespace {

std::uint32_t diceOf(const IntervalRef& call)
{
    const std::uint64_t where = (std::uint64_t{call.location.value()} << 32) | call.index;
    return static_cast<std::uint32_t>(mixedLabel(where ^ mixedLabel(call.experiment)) >> 32);
}

AnomalyPoint pointOfCall(std::uint32_t experiment, const JudgedCall& call)
{
    AnomalyPoint point;
    point.call = {experiment, call.location, call.call};
    point.function = call.function;
    point.begin = call.begin;
    point.durationNs = call.durationNs;
    point.ownNs = call.ownNs;
    point.severityNs = call.severityNs;
    point.score = call.score;
    point.label = call.label;
    point.reason = call.reason;
    point.dice = diceOf(point.call);
    return point;
}

std::uint64_t recordedCallsOf(const Session& session)
{
    std::uint64_t calls = 0;
    for (const ExperimentPtr& experiment : session.experiments)
        if (experiment->trace) calls += experiment->trace->intervalCount();
    return calls;
}

/// Normal calls that the dice keep, and all others.
bool addPointsOf(SessionAnomalies& anomalies, std::uint32_t experiment, const Task& task)
{
    const FoundAnomalies& found = *anomalies.found[experiment];
    for (std::uint32_t i = 0; i < found.calls.size(); ++i) {
        anomalies.points.push_back(pointOfCall(experiment, found.calls[i]));
        anomalies.points.back().place = i;
    }
    const auto most = static_cast<std::uint64_t>(anomalies.keptShare * 4294967296.0);
    const Experiment& of = *anomalies.session->experiments[experiment];
    const FunctionsOfCalls& functions = *found.functionsOfCalls;
    std::vector<std::vector<std::uint32_t>> strange(of.trace->locations.size());
    for (const JudgedCall& call : found.calls) strange[call.location.index()].push_back(call.call);
    for (std::size_t location = 0; location < strange.size(); ++location) {
        std::sort(strange[location].begin(), strange[location].end());
        const CallIntervals& calls = of.trace->locations[location].intervals;
        CallWalk walk(calls, functions, 0);
        const bool complete = walk.run(
            [&](const MeasuredCall& measured) {
                const bool odd =
                    std::binary_search(strange[location].begin(), strange[location].end(), measured.call);
                if (odd) return;
                ++anomalies.normalCalls;
                const IntervalRef ref{experiment, LocationId(location), measured.call};
                if (diceOf(ref) >= most) return;
                JudgedCall call;
                call.location = ref.location;
                call.call = measured.call;
                call.function = measured.function;
                call.begin = calls.begin[measured.call];
                call.durationNs = measured.durationNs;
                call.ownNs = measured.ownNs;
                const TailBreak& usual = measured.blocks ? found.models->duration(call.function)
                                                         : found.models->own(call.function);
                const TimeNs judged = measured.blocks ? measured.durationNs : measured.ownNs;
                call.score = usual.score(static_cast<double>(judged));
                call.severityNs = std::max<TimeNs>(0, judged - static_cast<TimeNs>(usual.median));
                anomalies.points.push_back(pointOfCall(experiment, call));
            },
            [&] { return !task.stopRequested(); });
        if (!complete) return false;
    }
    return true;
}

std::string functionText(const Experiment& experiment, std::uint32_t function)
{
    const auto& regions = experiment.definitions.regions;
    return function < regions.size() ? displayName(regions[function]) : std::string("not defined");
}

}  // namespace

Result<SessionAnomaliesPtr> makeSessionAnomalies(const SessionPtr& session, const AnomalyParams& params,
                                                 const Task& task)
{
    auto anomalies = std::make_shared<SessionAnomalies>();
    anomalies->session = session;
    anomalies->found.resize(session->experiments.size());
    const std::uint64_t calls = recordedCallsOf(*session);
    if (calls > SessionAnomalies::kMostNormal)
        anomalies->keptShare =
            static_cast<double>(SessionAnomalies::kMostNormal) / static_cast<double>(calls);
    bool any = false;
    for (std::uint32_t i = 0; i < session->experiments.size(); ++i) {
        if (!session->experiments[i]->trace) continue;
        auto found = findAnomalies(*session->experiments[i], params, task);
        if (!found) return tl::make_unexpected(found.error());
        anomalies->found[i] = std::make_shared<const FoundAnomalies>(std::move(*found));
        if (!addPointsOf(*anomalies, i, task)) return cancelled();
        any = true;
    }
    if (!any) return fail(ErrorCode::NotRecorded, "Anomalous calls need a trace.");
    return SessionAnomaliesPtr(std::move(anomalies));
}

AnomalyLabel labelOf(const AnomalyPoint& point, const std::vector<CallVerdict>& verdicts)
{
    if (verdicts.empty()) return point.label;
    const auto said =
        std::lower_bound(verdicts.begin(), verdicts.end(), point.call,
                         [](const CallVerdict& each, const IntervalRef& call) { return each.call < call; });
    if (said == verdicts.end() || said->call != point.call) return point.label;
    return said->kind == CallVerdict::Kind::Anomaly ? AnomalyLabel::Anomaly : AnomalyLabel::Normal;
}

std::vector<LabelledCall> labelledCalls(const SessionAnomalies& anomalies, std::uint32_t experiment,
                                        const std::vector<CallVerdict>& verdicts)
{
    std::vector<LabelledCall> labelled;
    for (const AnomalyPoint& point : anomalies.points) {
        if (point.call.experiment != experiment || point.label == AnomalyLabel::Normal) continue;
        const AnomalyLabel label = labelOf(point, verdicts);
        if (label != AnomalyLabel::Normal) labelled.push_back({point.call, label});
    }
    for (const CallVerdict& said : verdicts)
        if (said.call.experiment == experiment && said.kind == CallVerdict::Kind::Anomaly)
            labelled.push_back({said.call, AnomalyLabel::Anomaly});
    const auto byCall = [](const LabelledCall& a, const LabelledCall& b) { return a.call < b.call; };
    std::stable_sort(labelled.begin(), labelled.end(), byCall);
    const auto same = [](const LabelledCall& a, const LabelledCall& b) { return a.call == b.call; };
    labelled.erase(std::unique(labelled.begin(), labelled.end(), same), labelled.end());
    return labelled;
}

AnomalyLabel labelOf(const std::vector<LabelledCall>& labelled, const IntervalRef& call)
{
    const auto found =
        std::lower_bound(labelled.begin(), labelled.end(), call,
                         [](const LabelledCall& each, const IntervalRef& of) { return each.call < of; });
    return found != labelled.end() && found->call == call ? found->label : AnomalyLabel::Normal;
}

std::vector<IntervalRef> executionsToShow(const SessionAnomalies& anomalies, const Selection& selected,
                                          std::size_t most)
{
    std::vector<IntervalRef> shown;
    for (const IntervalRef& call : selected.intervals)
        if (shown.size() < most && exists(*anomalies.session, call) && anomalies.found[call.experiment])
            shown.push_back(call);
    if (!shown.empty()) return shown;
    const AnomalyPoint* worst = nullptr;
    for (const AnomalyPoint& point : anomalies.points)
        if (point.label == AnomalyLabel::Anomaly && (!worst || point.severityNs > worst->severityNs))
            worst = &point;
    if (worst && most > 0) shown.push_back(worst->call);
    return shown;
}

CauseLinks causeLinksOf(const SessionAnomalies& anomalies, const IntervalRef& call, CauseDirection direction)
{
    if (!exists(*anomalies.session, call) || !anomalies.found[call.experiment]) return {};
    const FoundAnomalies& found = *anomalies.found[call.experiment];
    const CallOfLocation of{call.location, call.index};
    const CauseTrail trail =
        shortened(direction == CauseDirection::Back
                      ? trailBack(*anomalies.session->experiments[call.experiment], found, of)
                      : trailForward(found, of),
                  kMostCauseLinks);
    CauseLinks causes{call, direction, {}, trail.lostNs, trail.restNs, trail.contradiction};
    for (const TrailLink& link : trail.links) {
        CauseLink shown;
        shown.waiting = {call.experiment, link.waiting.location, link.waiting.call};
        shown.causeLocation = {call.experiment, link.causeLocation};
        if (link.causeCall) shown.cause = {call.experiment, link.causeLocation, *link.causeCall};
        shown.span = link.span;
        shown.throughNs = link.throughNs;
        shown.attributedNs = link.attributedNs;
        causes.links.push_back(shown);
    }
    return causes;
}

std::string callTitle(const Session& session, const IntervalRef& call)
{
    const Experiment& of = *session.experiments[call.experiment];
    const CallIntervals& calls = of.trace->locations[call.location.index()].intervals;
    const RegionId region = of.callTree->region(CallPathId(calls.callPath[call.index]));
    return fmt::format("{} · {}", displayName(of.definitions, call.location),
                       region.valid() ? functionText(of, region.value()) : "not defined");
}

std::string anomalyName(const SessionAnomalies& anomalies, std::uint32_t experiment, const JudgedCall& call)
{
    const Experiment& of = *anomalies.session->experiments[experiment];
    return fmt::format("{} · {}, call {}", displayName(of.definitions, call.location),
                       functionText(of, call.function), call.callIndex);
}

std::vector<std::string> anomalyTooltip(const SessionAnomalies& anomalies, const AnomalyPoint& point)
{
    const Experiment& of = *anomalies.session->experiments[point.call.experiment];
    const auto time = [](TimeNs ns) { return formatDuration(static_cast<double>(ns)); };
    std::vector<std::string> lines{
        fmt::format("{} · {}", functionText(of, point.function),
                    displayName(of.definitions, point.call.location)),
        fmt::format("{} long, {} of its own, from {}", time(point.durationNs), time(point.ownNs),
                    time(point.begin)),
        fmt::format("{} · {} lost · score {:.1f}", name(point.label), time(point.severityNs), point.score)};
    if (point.label == AnomalyLabel::Normal) return lines;
    const FoundAnomalies& found = *anomalies.found[point.call.experiment];
    const JudgedCall& call = found.calls[point.place];
    lines.push_back(fmt::format("Why: {}", name(point.reason)));
    if (call.cause != kNoCause)
        lines.push_back("Because of "
                        + anomalyName(anomalies, point.call.experiment, found.calls[call.cause]));
    if (call.costNs > 0) lines.push_back(fmt::format("Others waited {} for it", time(call.costNs)));
    return lines;
}

}  // namespace skein
