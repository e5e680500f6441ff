// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/anomaly/find_anomalies.h"

#include "algorithms/anomaly/anomaly_reasons.h"
#include "algorithms/anomaly/stream_anomalies.h"
#include "algorithms/timeline/waits_at_end.h"
#include "core/base/parallel_for.h"
#include "core/trace/nested_calls.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>

namespace skein {
namespace {

/// How much of the work is done when the models are learned, every call is judged, waits are found.
constexpr double kModelsShare = 0.3, kJudgedShare = 0.5, kWaitsShare = 0.9;

/// What calls inside a call explain of its length.
struct Explained {
    TimeNs ns = 0;
    TimeNs greatestNs = 0;
    std::uint32_t cause = kNoCause;  ///< of the greatest
    AnomalyReason reason = AnomalyReason::Callee;
};

/// Says of one location's calls what they are the consequence of.
class ConsequenceFinder {
public:
    ConsequenceFinder(const CallIntervals& calls, const FunctionsOfCalls& functions, const CallModels& models)
        : calls_(calls), functions_(functions), models_(models)
    {
    }

    struct Inside {
        std::uint32_t call = 0;
        TimeNs lostNs = 0;
        std::uint32_t cause = kNoCause;
        AnomalyReason reason = AnomalyReason::Callee;
    };

    /// `inside`: by call. What the callers of each have to explain.
    std::map<std::uint32_t, Explained> callersOf(const std::vector<Inside>& inside) const
    {
        std::map<std::uint32_t, Explained> callers;
        std::vector<std::uint32_t> open;
        std::size_t next = 0;
        for (std::uint32_t call = 0; call < calls_.size() && next < inside.size(); ++call) {
            while (!open.empty() && calls_.depth[open.back()] >= calls_.depth[call]) open.pop_back();
            for (; next < inside.size() && inside[next].call == call; ++next)
                for (const std::uint32_t caller : open) add(callers[caller], inside[next]);
            open.push_back(call);
        }
        return callers;
    }

    /// Whether half of what it explains shows in the length of the call.
    bool isLong(std::uint32_t call, TimeNs explainedNs) const
    {
        const TailBreak& usual = models_.duration(functions_.of(calls_.callPath[call]));
        const double excess = static_cast<double>(calls_.end[call] - calls_.begin[call]) - usual.median;
        return excess > 0.0 && 2.0 * excess >= static_cast<double>(explainedNs)
            && excess > models_.params().sigma * usual.deviation;
    }

private:
    static void add(Explained& explained, const Inside& inside)
    {
        explained.ns += inside.lostNs;
        if (inside.lostNs <= explained.greatestNs) return;
        explained.greatestNs = inside.lostNs;
        explained.cause = inside.cause;
        explained.reason = inside.reason;
    }

    const CallIntervals& calls_;
    const FunctionsOfCalls& functions_;
    const CallModels& models_;
};

class AnomalyFinder {
public:
    AnomalyFinder(const Experiment& experiment, const AnomalyParams& params, const EarlyAnomalies& hear)
        : experiment_(experiment), trace_(*experiment.trace), params_(params), hear_(hear)
    {
    }

    Result<FoundAnomalies> run(const Task& task)
    {
        if (const auto learned = learnModels(JudgingOrder::WholeArchive, task); !learned)
            return tl::make_unexpected(learned.error());
        std::vector<AnomalyCandidate> candidates = findCandidates(task.part(kModelsShare, kJudgedShare));
        if (task.stopRequested()) return cancelled();
        forgetWhatAllDo(candidates, *found_.models, task);
        if (task.stopRequested()) return cancelled();
        roots_ = rootCallsOf(trace_, candidates, *found_.models, found_.places);
        if (task.stopRequested()) return cancelled();
        listRoots();
        tellEarly();
        if (const auto waits = findWaits(task); !waits) return tl::make_unexpected(waits.error());
        if (const auto followed = followDelays(task); !followed) return tl::make_unexpected(followed.error());
        listConsequences();
        sortConsequences();
        countIndices();
        listFunctions();
        return std::move(found_);
    }

    /// `age` as in StreamParams.
    Result<FoundAnomalies> runAsCallsEnd(TimeNs ageNs, const HearNormalCalls& hearNormal, const Task& task)
    {
        if (const auto learned = learnModels(JudgingOrder::AsCallsEnd, task); !learned)
            return tl::make_unexpected(learned.error());
        auto calls =
            streamAnomalies(experiment_, functions(), {params_, ageNs}, task.part(kModelsShare, kJudgedShare),
                            found_.features.get(), hearNormal);
        if (!calls) return tl::make_unexpected(calls.error());
        for (const JudgedCall& call : *calls) roots_.push_back(rootOfStreamed(call));
        listRoots();
        tellEarly();
        if (const auto waits = findWaits(task); !waits) return tl::make_unexpected(waits.error());
        if (const auto followed = followDelays(task); !followed) return tl::make_unexpected(followed.error());
        listFunctions();
        return std::move(found_);
    }

private:
    Result<bool> learnModels(JudgingOrder order, const Task& task)
    {
        found_.places = placesOf(experiment_.definitions);
        found_.functionsOfCalls = std::make_shared<const FunctionsOfCalls>(experiment_);
        const std::uint64_t ticks = experiment_.definitions.clock.ticksPerSecond;
        const double tickNs = ticks == 0 ? 1.0 : 1e9 / static_cast<double>(ticks);
        if (const auto counted = countFeatures(order, task); !counted) return counted;
        auto models = CallModels::build(trace_, functions(), params_, tickNs, task.part(0.0, kModelsShare),
                                        found_.features);
        if (!models) return tl::make_unexpected(models.error());
        found_.models = std::make_shared<const CallModels>(std::move(*models));
        return true;
    }

    static RootCall rootOfStreamed(const JudgedCall& call)
    {
        RootCall root;
        root.candidate.location = call.location;
        root.candidate.measured.call = call.call;
        root.candidate.measured.function = call.function;
        root.candidate.measured.ownNs = call.ownNs;
        root.candidate.callIndex = call.callIndex;
        root.candidate.span = {call.begin, call.begin + call.durationNs};
        root.reason = call.reason;
        root.feature = call.feature;
        root.score = call.score;
        root.severityNs = call.severityNs;
        root.overAt = call.begin + call.durationNs;
        return root;
    }

    const FunctionsOfCalls& functions() const { return *found_.functionsOfCalls; }

    Result<bool> findWaits(const Task& task)
    {
        if (found_.waits) return true;
        auto waits = findWaitStates(experiment_, task.part(kJudgedShare, kWaitsShare));
        if (!waits) return tl::make_unexpected(waits.error());
        found_.waits = std::make_shared<const WaitStates>(std::move(*waits));
        return true;
    }

    /// As calls end only some of their waits are known.
    Result<bool> countFeatures(JudgingOrder order, const Task& task)
    {
        if (params_.chosen.empty()) return true;
        if (order == JudgingOrder::WholeArchive) {
            if (const auto waits = findWaits(task); !waits) return waits;
            return countFeatures(*found_.waits, task);
        }
        const auto known = findWaitsKnownAtEnd(experiment_, task);
        if (!known) return tl::make_unexpected(known.error());
        return countFeatures(*known, task);
    }

    Result<bool> countFeatures(const WaitStates& waits, const Task& task)
    {
        auto features = CallFeatureIndex::build(trace_, functions(), waits, task);
        if (!features) return tl::make_unexpected(features.error());
        found_.features = std::make_shared<const CallFeatureIndex>(std::move(*features));
        return true;
    }

    std::vector<AnomalyCandidate> findCandidates(const Task& task)
    {
        std::vector<std::vector<AnomalyCandidate>> lists(trace_.locations.size());
        task.report(0.0, "Looking for anomalous calls");
        parallelFor(lists.size(), task, [&](std::size_t location) {
            lists[location] = candidatesOf(trace_, LocationId(location), functions(), *found_.models, task);
        });
        std::vector<AnomalyCandidate> all;
        for (auto& list : lists) all.insert(all.end(), list.begin(), list.end());
        return all;
    }

    /// The anomalies with all that is known of them without the waits.
    void tellEarly() const
    {
        if (!hear_) return;
        AnomalyFinder early(experiment_, params_, {});
        early.found_ = found_;
        early.found_.waits = std::make_shared<const WaitStates>();
        early.found_.share = kJudgedShare;
        for (const RootCall& root : roots_)
            if (root.label == AnomalyLabel::Consequence) early.found_.calls.push_back(judgedRoot(root));
        early.sortConsequences();
        early.listFunctions();
        hear_(std::make_shared<const FoundAnomalies>(std::move(early.found_)));
    }

    /// Anomalies, most severe first; placeOf_ tells where each root went.
    void listRoots()
    {
        std::vector<std::uint32_t> order;
        for (std::uint32_t i = 0; i < roots_.size(); ++i)
            if (roots_[i].label == AnomalyLabel::Anomaly) order.push_back(i);
        std::sort(order.begin(), order.end(), [this](std::uint32_t a, std::uint32_t b) {
            const auto key = [this](std::uint32_t i) {
                const RootCall& root = roots_[i];
                return std::tuple(-root.severityNs, root.candidate.span.begin, root.candidate.location,
                                  root.candidate.measured.call);
            };
            return key(a) < key(b);
        });
        placeOf_.assign(roots_.size(), kNoCause);
        for (const std::uint32_t i : order) {
            placeOf_[i] = static_cast<std::uint32_t>(found_.calls.size());
            found_.calls.push_back(judgedRoot(roots_[i]));
        }
        found_.anomalies = found_.calls.size();
    }

    JudgedCall judgedRoot(const RootCall& root) const
    {
        JudgedCall judged = plainCall(root.candidate.location, root.candidate.measured.call);
        judged.callIndex = root.candidate.callIndex;
        judged.ownNs = root.candidate.measured.ownNs;
        judged.score = root.score;
        judged.severityNs = root.severityNs;
        judged.label = root.label;
        judged.reason = root.reason;
        judged.feature = root.feature;
        if (root.waitedFor != kNoCause) judged.cause = placeOf_[root.waitedFor];
        return judged;
    }

    JudgedCall plainCall(LocationId location, std::uint32_t call) const
    {
        const CallIntervals& calls = trace_.locations[location.index()].intervals;
        JudgedCall judged;
        judged.location = location;
        judged.call = call;
        judged.function = functions().of(calls.callPath[call]);
        judged.begin = calls.begin[call];
        judged.durationNs = calls.end[call] - calls.begin[call];
        return judged;
    }

    Result<bool> followDelays(const Task& task)
    {
        std::vector<Delay> delays;
        for (std::uint32_t i = 0; i < roots_.size(); ++i) {
            const RootCall& root = roots_[i];
            const std::uint32_t anomaly = root.waitedFor != kNoCause ? placeOf_[root.waitedFor] : placeOf_[i];
            if (anomaly == kNoCause || root.severityNs <= 0) continue;
            delays.push_back({root.candidate.location, root.overAt, root.severityNs});
            found_.delayOf.push_back(anomaly);
        }
        auto followed = propagateDelays(trace_, *found_.waits, delays, task.part(kWaitsShare, 0.95));
        if (!followed) return tl::make_unexpected(followed.error());
        found_.delays = std::move(*followed);
        for (std::size_t delay = 0; delay < delays.size(); ++delay)
            found_.calls[found_.delayOf[delay]].costNs += found_.delays.costs()[delay];
        return true;
    }

    using Inside = ConsequenceFinder::Inside;

    /// What each location's callers have to explain: roots, and waits for roots of others.
    std::vector<std::vector<Inside>> insideOf() const
    {
        std::vector<std::vector<Inside>> inside(trace_.locations.size());
        for (std::uint32_t i = 0; i < roots_.size(); ++i) {
            const RootCall& root = roots_[i];
            std::uint32_t cause = placeOf_[i];
            if (cause == kNoCause && root.waitedFor != kNoCause) cause = placeOf_[root.waitedFor];
            inside[root.candidate.location.index()].push_back(
                {root.candidate.measured.call, root.severityNs, cause,
                 root.reason == AnomalyReason::SharedStall ? AnomalyReason::SharedStall
                                                           : AnomalyReason::Callee});
        }
        for (std::uint32_t i = 0; i < found_.waits->states.size(); ++i) {
            const DelayShare* share = found_.delays.mainShare(i);
            const WaitState& wait = found_.waits->states[i];
            if (share && 2 * found_.delays.blamedNs(i) >= wait.lengthNs())
                inside[wait.location.index()].push_back({wait.interval, found_.delays.blamedNs(i),
                                                         found_.delayOf[share->delay], AnomalyReason::Wait});
        }
        for (auto& list : inside)
            std::stable_sort(list.begin(), list.end(),
                             [](const Inside& a, const Inside& b) { return a.call < b.call; });
        return inside;
    }

    void listConsequences()
    {
        for (const RootCall& root : roots_)
            if (root.label == AnomalyLabel::Consequence) found_.calls.push_back(judgedRoot(root));
        const auto inside = insideOf();
        for (std::size_t location = 0; location < inside.size(); ++location)
            if (!inside[location].empty()) listConsequencesOf(LocationId(location), inside[location]);
    }

    void listConsequencesOf(LocationId location, const std::vector<Inside>& inside)
    {
        const ConsequenceFinder finder(trace_.locations[location.index()].intervals, functions(),
                                       *found_.models);
        std::map<std::uint32_t, Explained> explained = finder.callersOf(inside);
        for (const Inside& each : inside)
            if (each.reason == AnomalyReason::Wait && !explained.contains(each.call))
                explained[each.call] = {each.lostNs, each.lostNs, each.cause, AnomalyReason::Wait};
        for (const RootCall& root : roots_)
            if (root.candidate.location == location) explained.erase(root.candidate.measured.call);
        for (const auto& [call, why] : explained) {
            if (why.ns <= 0 || !finder.isLong(call, why.ns)) continue;
            JudgedCall judged = plainCall(location, call);
            const TailBreak& usual = found_.models->duration(judged.function);
            judged.score = usual.score(static_cast<double>(judged.durationNs));
            judged.severityNs = judged.durationNs - static_cast<TimeNs>(usual.median);
            judged.label = AnomalyLabel::Consequence;
            judged.reason = why.reason;
            judged.cause = why.cause;
            found_.calls.push_back(judged);
        }
    }

    void sortConsequences()
    {
        std::sort(found_.calls.begin() + static_cast<std::ptrdiff_t>(found_.anomalies), found_.calls.end(),
                  [](const JudgedCall& a, const JudgedCall& b) {
                      return std::tuple(-a.severityNs, a.begin, a.location, a.call)
                          < std::tuple(-b.severityNs, b.begin, b.location, b.call);
                  });
    }

    void countIndices()
    {
        std::vector<std::vector<JudgedCall*>> byLocation(trace_.locations.size());
        for (JudgedCall& call : found_.calls) byLocation[call.location.index()].push_back(&call);
        for (auto& list : byLocation) {
            if (list.empty()) continue;
            std::sort(list.begin(), list.end(),
                      [](const JudgedCall* a, const JudgedCall* b) { return a->call < b->call; });
            const CallIntervals& calls = trace_.locations[list.front()->location.index()].intervals;
            std::vector<std::uint32_t> before(functions().count(), 0);
            std::size_t next = 0;
            for (std::uint32_t call = 0; next < list.size(); ++call) {
                const std::uint32_t number = before[functions().of(calls.callPath[call])]++;
                for (; next < list.size() && list[next]->call == call; ++next) list[next]->callIndex = number;
            }
        }
    }

    void listFunctions()
    {
        std::map<std::uint32_t, FunctionVerdicts> byFunction;
        const double runNs =
            static_cast<double>(trace_.extent.lengthNs()) * static_cast<double>(trace_.locations.size());
        for (std::uint32_t function = 0; function < functions().count(); ++function) {
            const FunctionModel* model = found_.models->model(function);
            if (!model) continue;
            FunctionVerdicts& verdicts = byFunction[function];
            verdicts.function = function;
            verdicts.calls = model->durations.count();
            verdicts.meanNs = model->durations.mean();
            verdicts.deviationNs = model->durations.standardDeviation();
            verdicts.medianNs = found_.models->duration(function).median;
            // share of time × (σ / mean): the mean cancels out
            if (runNs > 0.0)
                verdicts.interest = static_cast<double>(verdicts.calls) * verdicts.deviationNs / runNs;
        }
        for (const JudgedCall& call : found_.calls) {
            FunctionVerdicts& verdicts = byFunction[call.function];
            verdicts.function = call.function;
            if (call.label == AnomalyLabel::Consequence) ++verdicts.consequences;
            if (call.label != AnomalyLabel::Anomaly) continue;
            ++verdicts.anomalies;
            verdicts.severityNs += call.severityNs;
        }
        for (const auto& [function, verdicts] : byFunction) found_.functions.push_back(verdicts);
        std::stable_sort(
            found_.functions.begin(), found_.functions.end(),
            [](const FunctionVerdicts& a, const FunctionVerdicts& b) { return a.interest > b.interest; });
    }

    const Experiment& experiment_;
    const Trace& trace_;
    const AnomalyParams params_;
    const EarlyAnomalies hear_;
    FoundAnomalies found_;
    std::vector<RootCall> roots_;
    std::vector<std::uint32_t> placeOf_;  ///< of each root among the anomalies
};

}  // namespace

std::string_view name(AnomalyLabel label)
{
    static constexpr std::array<std::string_view, 3> names{"normal", "consequence", "anomaly"};
    const auto index = static_cast<std::size_t>(label);
    return index < names.size() ? names[index] : std::string_view("invalid");
}

std::string_view name(AnomalyReason reason)
{
    static constexpr std::array<std::string_view, 9> names{
        "", "own time", "callees", "structure", "callee", "other thread", "shared stall", "wait", "feature"};
    const auto index = static_cast<std::size_t>(reason);
    return index < names.size() ? names[index] : std::string_view("invalid");
}

std::string_view whyOf(const JudgedCall& call)
{
    return call.reason == AnomalyReason::Feature ? name(call.feature) : name(call.reason);
}

Result<FoundAnomalies> findAnomalies(const Experiment& experiment, const AnomalyParams& params,
                                     const Task& task, const EarlyAnomalies& hear)
{
    if (!experiment.trace)
        return fail(ErrorCode::NotRecorded, "Anomalous calls need a trace; this archive has none.");
    return AnomalyFinder(experiment, params, hear).run(task);
}

Result<FoundAnomalies> findAnomaliesAsCallsEnd(const Experiment& experiment, const StreamParams& params,
                                               const Task& task, const EarlyAnomalies& hear,
                                               const HearNormalCalls& hearNormal)
{
    if (!experiment.trace)
        return fail(ErrorCode::NotRecorded, "Anomalous calls need a trace; this archive has none.");
    return AnomalyFinder(experiment, params.judge, hear).runAsCallsEnd(params.ageNs, hearNormal, task);
}

bool forEachJudgedCall(const Experiment& experiment, const FoundAnomalies& found,
                       const std::vector<bool>& wanted, const std::function<bool(const JudgedCall&)>& visit,
                       const Task& task)
{
    std::map<std::pair<LocationId, std::uint32_t>, const JudgedCall*> strange;
    for (const JudgedCall& call : found.calls) strange[{call.location, call.call}] = &call;
    const FunctionsOfCalls& functions = *found.functionsOfCalls;
    for (std::size_t location = 0; location < experiment.trace->locations.size(); ++location) {
        const CallIntervals& calls = experiment.trace->locations[location].intervals;
        std::vector<std::uint32_t> before(functions.count(), 0);
        for (std::uint32_t call = 0; call < calls.size(); ++call) {
            if (call % kCallsBetweenQuestions == 0 && task.stopRequested()) return false;
            const std::uint32_t function = functions.of(calls.callPath[call]);
            const std::uint32_t number = before[function]++;
            if (!wanted.empty() && !wanted[function]) continue;
            const auto known = strange.find({LocationId(location), call});
            if (known != strange.end()) {
                if (!visit(*known->second)) return false;
                continue;
            }
            JudgedCall judged;
            judged.location = LocationId(location);
            judged.call = call;
            judged.function = function;
            judged.callIndex = number;
            judged.begin = calls.begin[call];
            judged.durationNs = calls.end[call] - calls.begin[call];
            judged.ownNs = judged.durationNs - timeInCallees(calls, call, calls.size()).value_or(0);
            const TailBreak& usual = found.models->duration(function);
            judged.score = functions.blocks(function) || !found.models->model(function)
                ? usual.score(static_cast<double>(judged.durationNs))
                : found.models->judgeOwn(function, judged.ownNs).score;
            judged.severityNs = std::max<TimeNs>(0, judged.durationNs - static_cast<TimeNs>(usual.median));
            if (!visit(judged)) return false;
        }
    }
    return true;
}

}  // namespace skein
