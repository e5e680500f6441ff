// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/data/session_anomalies.h"

#include "algorithms/anomaly/call_verdicts.h"
#include "algorithms/anomaly/cause_trail.h"
#include "algorithms/anomaly/hand_over_causes.h"
#include "core/base/parallel_for.h"
#include "core/base/units.h"
#include "core/select/translate.h"
#include "core/session/session_clock.h"
#include "views/common/scene/data/said_of_calls.h"

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

/// Normal calls of one location that the dice keep.
struct NormalPoints {
    std::vector<AnomalyPoint> points;
    std::uint64_t calls = 0;  ///< also those that it does not keep
};

/// `strange`: calls that are not normal, ascending.
NormalPoints normalPointsOf(const SessionAnomalies& anomalies, std::uint32_t experiment, LocationId location,
                            const std::vector<std::uint32_t>& strange, const Task& task)
{
    NormalPoints normal;
    const FoundAnomalies& found = *anomalies.found[experiment];
    const auto most = static_cast<std::uint64_t>(anomalies.keptShare * 4294967296.0);
    const CallIntervals& calls =
        anomalies.session->experiments[experiment]->trace->locations[location.index()].intervals;
    CallWalk walk(calls, *found.functionsOfCalls, 0);
    walk.run(
        [&](const MeasuredCall& measured) {
            if (std::binary_search(strange.begin(), strange.end(), measured.call)) return;
            ++normal.calls;
            const IntervalRef ref{experiment, location, measured.call};
            if (diceOf(ref) >= most) return;
            JudgedCall call;
            call.location = ref.location;
            call.call = measured.call;
            call.function = measured.function;
            call.begin = calls.begin[measured.call];
            call.durationNs = measured.durationNs;
            call.ownNs = measured.ownNs;
            const TailBreak& usual =
                measured.blocks ? found.models->duration(call.function) : found.models->own(call.function);
            const TimeNs judged = measured.blocks ? measured.durationNs : measured.ownNs;
            call.score = usual.score(static_cast<double>(judged));
            call.severityNs = std::max<TimeNs>(0, judged - static_cast<TimeNs>(usual.median));
            normal.points.push_back(pointOfCall(experiment, call));
        },
        [&] { return !task.stopRequested(); });
    return normal;
}

void addStrangePointsOf(SessionAnomalies& anomalies, std::uint32_t experiment)
{
    const FoundAnomalies& found = *anomalies.found[experiment];
    for (std::uint32_t i = 0; i < found.calls.size(); ++i) {
        anomalies.points.push_back(pointOfCall(experiment, found.calls[i]));
        anomalies.points.back().place = i;
    }
}

/// What is not normal, and then normal calls by location.
bool addPointsOf(SessionAnomalies& anomalies, std::uint32_t experiment, const Task& task)
{
    const FoundAnomalies& found = *anomalies.found[experiment];
    addStrangePointsOf(anomalies, experiment);
    std::vector<std::vector<std::uint32_t>> strange(
        anomalies.session->experiments[experiment]->trace->locations.size());
    for (const JudgedCall& call : found.calls) strange[call.location.index()].push_back(call.call);
    std::vector<NormalPoints> normal(strange.size());
    parallelFor(strange.size(), task, [&](std::size_t location) {
        std::sort(strange[location].begin(), strange[location].end());
        normal[location] =
            normalPointsOf(anomalies, experiment, LocationId(location), strange[location], task);
    });
    if (task.stopRequested()) return false;
    for (const NormalPoints& each : normal) {
        anomalies.points.insert(anomalies.points.end(), each.points.begin(), each.points.end());
        anomalies.normalCalls += each.calls;
    }
    return true;
}

/// Of the traces before `experiment` everything, of that one what was found so far.
SessionAnomaliesPtr earlyAnomalies(const SessionAnomalies& before, std::uint32_t experiment,
                                   std::shared_ptr<const FoundAnomalies> found)
{
    auto early = std::make_shared<SessionAnomalies>();
    early->session = before.session;
    early->found = before.found;
    early->points = before.points;
    early->normalCalls = before.normalCalls;
    early->keptShare = before.keptShare;
    early->share = (experiment + found->share) / static_cast<double>(before.found.size());
    early->found[experiment] = std::move(found);
    addStrangePointsOf(*early, experiment);
    return early;
}

/// Judges a trace with its points; `early` hears of it.
Result<bool> addAsCallsEnd(SessionAnomalies& anomalies, std::uint32_t experiment, const AnomalySearch& search,
                           const Task& task, const EarlyAnomalies& early)
{
    std::vector<AnomalyPoint> normal;
    const auto most = static_cast<std::uint64_t>(anomalies.keptShare * 4294967296.0);
    auto found =
        findAnomaliesAsCallsEnd(*anomalies.session->experiments[experiment], {search.judge, search.ageNs},
                                task, early, [&](const JudgedCall& call) {
                                    ++anomalies.normalCalls;
                                    if (diceOf({experiment, call.location, call.call}) < most)
                                        normal.push_back(pointOfCall(experiment, call));
                                });
    if (!found) return tl::make_unexpected(found.error());
    anomalies.found[experiment] = std::make_shared<const FoundAnomalies>(std::move(*found));
    addStrangePointsOf(anomalies, experiment);
    std::sort(normal.begin(), normal.end(),
              [](const AnomalyPoint& a, const AnomalyPoint& b) { return a.call < b.call; });
    anomalies.points.insert(anomalies.points.end(), normal.begin(), normal.end());
    return true;
}

Result<bool> addKnowingAll(SessionAnomalies& anomalies, std::uint32_t experiment, const AnomalyParams& params,
                           const Task& task, const EarlyAnomalies& early)
{
    auto found = findAnomalies(*anomalies.session->experiments[experiment], params, task, early);
    if (!found) return tl::make_unexpected(found.error());
    anomalies.found[experiment] = std::make_shared<const FoundAnomalies>(std::move(*found));
    if (!addPointsOf(anomalies, experiment, task)) return cancelled();
    return true;
}

std::vector<JudgedProgram> programsOf(const SessionAnomalies& anomalies)
{
    std::vector<JudgedProgram> programs;
    for (std::size_t i = 0; i < anomalies.found.size(); ++i)
        programs.push_back({anomalies.session->experiments[i].get(), anomalies.found[i].get()});
    return programs;
}

/// Calls that waited for another program's anomaly are its consequences.
void askOtherPrograms(SessionAnomalies& anomalies, std::span<const HandOver> handOvers)
{
    anomalies.causes = WorkflowCauses(programsOf(anomalies), handOvers);
    if (!anomalies.causes.any()) return;
    for (AnomalyPoint& point : anomalies.points) {
        if (point.label == AnomalyLabel::Normal) continue;
        const AnomalyLabel known = anomalies.causes.labelOf({point.call.experiment, point.place});
        if (known == point.label) continue;
        point.label = known;
        point.reason = AnomalyReason::Wait;
    }
}

JudgedCall judgedPoint(const SessionAnomalies& anomalies, const AnomalyPoint& point)
{
    if (point.label != AnomalyLabel::Normal)
        return anomalies.found[point.call.experiment]->calls[point.place];
    JudgedCall call;
    call.location = point.call.location;
    call.call = point.call.index;
    call.function = point.function;
    call.durationNs = point.durationNs;
    call.ownNs = point.ownNs;
    return call;
}

/// What was said, and what follows from it for calls of which nothing was said.
std::vector<CallVerdict> learnedVerdicts(const SessionAnomalies& anomalies,
                                         const std::vector<CallVerdict>& said)
{
    std::vector<CallVerdict> learned = said;
    for (std::uint32_t experiment = 0; experiment < anomalies.found.size(); ++experiment) {
        if (!anomalies.found[experiment]) continue;
        const std::vector<SaidOfCall> here = saidOfCalls(said, experiment);
        const FoundAnomalies& found = *anomalies.found[experiment];
        const CallVerdicts verdicts(*anomalies.session->experiments[experiment], found, here,
                                    Teaching::Limits);
        for (const AnomalyPoint& point : anomalies.points) {
            if (point.call.experiment != experiment) continue;
            const JudgedCall judged = judgedPoint(anomalies, point);
            const AnomalyLabel label = verdicts.labelOf(found, judged);
            if (label == judged.label || verdicts.saidOf(point.call.location, point.call.index)) continue;
            learned.push_back(
                {point.call,
                 label == AnomalyLabel::Anomaly ? CallVerdict::Kind::Anomaly : CallVerdict::Kind::Normal});
        }
    }
    std::sort(learned.begin(), learned.end(),
              [](const CallVerdict& a, const CallVerdict& b) { return a.call < b.call; });
    return learned;
}

}  // namespace

Result<SessionAnomaliesPtr> makeSessionAnomalies(const SessionPtr& session, const AnomalySearch& search,
                                                 const Task& task, const HearAnomalies& hear,
                                                 std::span<const HandOver> handOvers)
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
        EarlyAnomalies early;
        if (hear)
            early = [&](std::shared_ptr<const FoundAnomalies> known) {
                hear(earlyAnomalies(*anomalies, i, std::move(known)));
            };
        const auto added = search.order == JudgingOrder::AsCallsEnd
            ? addAsCallsEnd(*anomalies, i, search, task, early)
            : addKnowingAll(*anomalies, i, search.judge, task, early);
        if (!added) return tl::make_unexpected(added.error());
        any = true;
    }
    if (!any) return fail(ErrorCode::NotRecorded, "Anomalous calls need a trace.");
    if (search.order == JudgingOrder::WholeArchive) askOtherPrograms(*anomalies, handOvers);
    return SessionAnomaliesPtr(std::move(anomalies));
}

std::optional<WorkflowCall> SessionAnomalies::causeOf(const AnomalyPoint& point) const
{
    if (point.label != AnomalyLabel::Consequence) return std::nullopt;
    const WorkflowCall itself{point.call.experiment, point.place};
    if (complete()) {
        const auto cause = causes.causeOf(itself);
        return cause == itself ? std::nullopt : cause;
    }
    if (call(itself).cause == kNoCause) return std::nullopt;
    return WorkflowCall{itself.program, call(itself).cause};
}

const PointFeatures& SessionAnomalies::features() const
{
    std::call_once(once_, [this] {
        features_ = PointFeatures(*this);
        counted_ = true;
    });
    return features_;
}

std::shared_ptr<const std::vector<CallVerdict>> SessionAnomalies::inForce(
    const std::vector<CallVerdict>& said, VerdictUse use) const
{
    if (use == VerdictUse::OfCalls || said.empty())
        return std::make_shared<const std::vector<CallVerdict>>(said);
    return learned_.get(said, [&] { return learnedVerdicts(*this, said); });
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

namespace {

/// What the links explain is no part of the rest any more.
void addAcross(CauseLinks& causes, const SessionAnomalies& anomalies, std::span<const HandOver> handOvers)
{
    for (const CauseLink& link : handOverCauses(programsOf(anomalies), handOvers, causes.about)) {
        if (causes.links.size() >= 2 * kMostCauseLinks) break;
        causes.restNs -= link.attributedNs;
        causes.links.push_back(link);
    }
}

}  // namespace

CauseLinks causeLinksOf(const SessionAnomalies& anomalies, const IntervalRef& call, CauseDirection direction,
                        std::span<const HandOver> handOvers)
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
    if (direction == CauseDirection::Back && !handOvers.empty()) addAcross(causes, anomalies, handOvers);
    return causes;
}

std::string callTitle(const Session& session, const IntervalRef& call)
{
    const Experiment& of = *session.experiments[call.experiment];
    const CallIntervals& calls = of.trace->locations[call.location.index()].intervals;
    const RegionId region = of.callTree->region(CallPathId(calls.callPath[call.index]));
    return fmt::format("{} · {}", displayName(of.definitions, call.location),
                       functionName(of.definitions, region.value()));
}

std::string anomalyName(const SessionAnomalies& anomalies, std::uint32_t experiment, const JudgedCall& call)
{
    const Experiment& of = *anomalies.session->experiments[experiment];
    return fmt::format("{} · {}, call {}", displayName(of.definitions, call.location),
                       functionName(of.definitions, call.function), call.callIndex);
}

std::string nameOfCause(const SessionAnomalies& anomalies, const AnomalyPoint& point,
                        const WorkflowCall& cause)
{
    const std::string name = anomalyName(anomalies, cause.program, anomalies.call(cause));
    if (cause.program == point.call.experiment) return name;
    return fmt::format("{} of {}", name, anomalies.session->experiments[cause.program]->path.string());
}

std::string_view whyOf(const SessionAnomalies& anomalies, const AnomalyPoint& point)
{
    if (point.label == AnomalyLabel::Normal) return {};
    const JudgedCall& call = anomalies.call({point.call.experiment, point.place});
    return call.label == point.label ? whyOf(call) : name(point.reason);
}

std::vector<std::string> anomalyTooltip(const SessionAnomalies& anomalies, const AnomalyPoint& point,
                                        const std::vector<TimeNs>& clockShiftsNs)
{
    const SessionClock clock = sessionClock(*anomalies.session, clockShiftsNs);
    const Experiment& of = *anomalies.session->experiments[point.call.experiment];
    const auto time = [](TimeNs ns) { return formatDuration(static_cast<double>(ns)); };
    std::vector<std::string> lines{
        fmt::format("{} · {}", functionName(of.definitions, point.function),
                    displayName(of.definitions, point.call.location)),
        fmt::format("{} long, {} of its own, from {}", time(point.durationNs), time(point.ownNs),
                    time(clock.toSession(point.call.experiment, point.begin))),
        fmt::format("{} · {} lost · score {:.1f}", name(point.label), time(point.severityNs), point.score)};
    if (point.label == AnomalyLabel::Normal) return lines;
    const JudgedCall& call = anomalies.call({point.call.experiment, point.place});
    lines.push_back(fmt::format("Why: {}", whyOf(anomalies, point)));
    if (const auto cause = anomalies.causeOf(point))
        lines.push_back("Because of " + nameOfCause(anomalies, point, *cause));
    if (call.costNs > 0) lines.push_back(fmt::format("Others waited {} for it", time(call.costNs)));
    return lines;
}

}  // namespace skein
