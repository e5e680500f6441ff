// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/clocks/clock_offsets.h"

#include "core/base/parallel_for.h"
#include "core/clocks/clock_bounds.h"
#include "core/clocks/clock_constraints.h"
#include "core/clocks/skewed_collectives.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace skein::clocks {
namespace {

constexpr std::size_t kWindowsForDrift = 16;
constexpr int kRoundsForDrift = 4;
constexpr std::size_t kFactsOfWindow = std::size_t{1} << 15;
constexpr std::size_t kFactsOfPair = 64;

/// Offsets of zero, which are right where they violate nothing; how wrong they may be.
std::vector<ClockOffset> zeroOffsets(const Constraints& constraints, const std::vector<bool>& alone,
                                     const Task& task)
{
    std::vector<ClockOffset> offsets(constraints.clocks());
    const auto bounds = boundsOf(constraints, alone, 0, task);
    for (std::size_t clock = 0; bounds && clock < offsets.size(); ++clock)
        offsets[clock].errorNs = bounds->error(clock, 0);
    return offsets;
}

/// Zeros where zero is possible for all such clocks together, the middle of the bounds elsewhere.
std::vector<ClockOffset> constantOffsets(const Constraints& constraints, LocationGroupId reference,
                                         const Task& task)
{
    const std::vector<bool> alone = onlyReference(constraints.clocks(), reference);
    const TimeNs worst = constraints.violations().worstNs;
    if (worst == 0) return zeroOffsets(constraints, alone, task);
    const TimeNs slack = leastSlack(constraints, alone, worst, task);
    const auto bounds = boundsOf(constraints, alone, slack, task);
    std::vector<ClockOffset> offsets(constraints.clocks());
    if (!bounds) return offsets;
    std::vector<bool> zeros(constraints.clocks());
    for (std::size_t clock = 0; clock < zeros.size(); ++clock) zeros[clock] = bounds->containsZero(clock);
    const auto together = boundsOf(constraints, zeros, slack, task);
    for (std::size_t clock = 0; clock < zeros.size(); ++clock) {
        const bool zero = together && zeros[clock];
        const TimeNs estimate = zero ? 0 : (together ? *together : *bounds).middle(clock);
        offsets[clock] = {static_cast<double>(estimate), 0.0, bounds->error(clock, estimate)};
    }
    offsets[reference.index()].errorNs = 0.0;
    return offsets;
}

struct Estimate {
    double timeNs = 0.0;
    double offsetNs = 0.0;
    double errorNs = 0.0;
};

/// The line through estimates by weighted least squares (weights 1/error²), and how far off it is at most.
ClockOffset fittedLine(const std::vector<Estimate>& estimates)
{
    double weights = 0, t = 0, o = 0, tt = 0, to = 0;
    for (const Estimate& e : estimates) {
        const double weight = 1.0 / ((e.errorNs + 1.0) * (e.errorNs + 1.0));
        weights += weight;
        t += weight * e.timeNs;
        o += weight * e.offsetNs;
        tt += weight * e.timeNs * e.timeNs;
        to += weight * e.timeNs * e.offsetNs;
    }
    const double spread = weights * tt - t * t;
    ClockOffset line;
    line.drift = estimates.size() > 1 && spread > 0.0 ? (weights * to - t * o) / spread : 0.0;
    line.offsetNs = (o - line.drift * t) / weights;
    for (const Estimate& e : estimates)
        line.errorNs =
            std::max(line.errorNs, std::fabs(line.offsetNs + line.drift * e.timeNs - e.offsetNs) + e.errorNs);
    return line;
}

/// What is left of a correction after which clocks are still off by `residual`.
ClockOffset composed(const ClockOffset& first, const ClockOffset& residual)
{
    return {first.offsetNs + residual.offsetNs - residual.drift * first.offsetNs,
            first.drift + residual.drift * (1.0 - first.drift), residual.errorNs};
}

class Estimation {
public:
    Estimation(const Experiment& experiment, std::vector<std::uint32_t> clocks, LocationGroupId reference,
               const Task& task)
        : experiment_(experiment), clocks_(std::move(clocks)), reference_(reference), task_(task)
    {
    }

    Constraints factsOf(MessageFacts messages, const Correction& corrected) const
    {
        Constraints facts(experiment_.definitions.locationGroups.size(), std::move(messages));
        facts.addCollectives(*experiment_.trace, clocks_, corrected);
        return facts;
    }

    /// What is told by facts as recorded, and what of them does not hold afterwards.
    void constant(const Constraints& facts, ClockOffsets& result) const
    {
        result.groups = constantOffsets(facts, reference_, task_);
        std::vector<TimeNs> shifts;
        for (const ClockOffset& offset : result.groups) shifts.push_back(std::llround(offset.offsetNs));
        result.remainingNs = facts.worstAfter(shifts);
    }

    /// Lines through the constant estimates of parts of the run. What drifts contradicts itself within a
    /// part, too; the better the lines become, the less, so a few rounds sharpen them.
    void linear(std::size_t pairs, ClockOffsets& result) const
    {
        std::vector<ClockOffset> lines(experiment_.definitions.locationGroups.size());
        for (int round = 0; round < kRoundsForDrift && !task_.stopRequested(); ++round)
            lines = sharpened(lines, pairs);
        const std::vector<ClockOffset> moves = constantOffsets(allFacts(lines), reference_, task_);
        for (std::size_t clock = 0; clock < lines.size(); ++clock)
            lines[clock] = composed(lines[clock], moves[clock]);
        result.remainingNs = allFacts(lines).violations().worstNs;
        result.groups = std::move(lines);
    }

private:
    using Estimates = std::vector<std::vector<Estimate>>;  ///< by clock

    Constraints allFacts(const std::vector<ClockOffset>& offsets) const
    {
        const Correction corrected(offsets);
        return factsOf(factsOfAll(experiment_.trace->messages.span(), clocks_, corrected, task_), corrected);
    }

    std::vector<ClockOffset> sharpened(const std::vector<ClockOffset>& first, std::size_t pairs) const
    {
        std::vector<Estimates> windows(kWindowsForDrift, Estimates(first.size()));
        const TimeSpan extent = experiment_.trace->extent;
        const auto edge = [&](std::size_t number) {
            const double part = static_cast<double>(number) / kWindowsForDrift;
            return extent.begin + static_cast<TimeNs>(static_cast<double>(extent.lengthNs() + 1) * part);
        };
        parallelFor(kWindowsForDrift, task_, [&](std::size_t window) {
            estimate({edge(window), edge(window + 1)}, first, pairs, windows[window]);
        });
        std::vector<ClockOffset> offsets = first;
        for (std::size_t clock = 0; clock < offsets.size(); ++clock) {
            std::vector<Estimate> all;
            for (const Estimates& window : windows)
                all.insert(all.end(), window[clock].begin(), window[clock].end());
            if (clock != reference_.index() && !all.empty())
                offsets[clock] = composed(first[clock], fittedLine(all));
        }
        return offsets;
    }

    /// Some facts of a window, by the time of the send or the first enter as recorded.
    Constraints factsOf(TimeSpan window, const Correction& corrected, std::size_t pairs) const
    {
        const Trace& trace = *experiment_.trace;
        const auto sent = [&](TimeNs time) {
            return std::partition_point(trace.messages.begin(), trace.messages.end(),
                                        [&](const Message& message) { return message.sendTime < time; })
                - trace.messages.begin();
        };
        const auto begun = [&](TimeNs time) {
            const auto earlier = [&](const CollectiveOperation& operation) { return operation.begin < time; };
            return static_cast<std::size_t>(
                std::partition_point(trace.collectives.begin(), trace.collectives.end(), earlier)
                - trace.collectives.begin());
        };
        const auto first = static_cast<std::size_t>(sent(window.begin));
        const auto count = static_cast<std::size_t>(sent(window.end)) - first;
        const std::size_t groups = experiment_.definitions.locationGroups.size();
        Constraints facts(groups,
                          factsOfSome(trace.messages.span().subspan(first, count),
                                      std::max(kFactsOfWindow, kFactsOfPair * pairs), clocks_, corrected));
        facts.addCollectives(trace, clocks_, corrected, begun(window.begin), begun(window.end),
                             std::max(kFactsOfWindow, kFactsOfPair * groups));
        return facts;
    }

    void estimate(TimeSpan window, const std::vector<ClockOffset>& first, std::size_t pairs,
                  Estimates& estimates) const
    {
        const Task alone = task_.withThreads(1);
        const Constraints facts = factsOf(window, Correction(first), pairs);
        const std::vector<bool> zeros = onlyReference(facts.clocks(), reference_);
        const TimeNs slack = leastSlack(facts, zeros, facts.violations().worstNs, alone);
        const auto bounds = boundsOf(facts, zeros, slack, alone);
        if (!bounds) return;
        const double middle = 0.5 * (static_cast<double>(window.begin) + static_cast<double>(window.end));
        for (std::size_t clock = 0; clock < estimates.size(); ++clock) {
            if (!bounds->bounded(clock)) continue;
            const TimeNs estimate = bounds->middle(clock);
            estimates[clock].push_back({middle, static_cast<double>(estimate),
                                        bounds->error(clock, estimate) + static_cast<double>(slack)});
        }
    }

    const Experiment& experiment_;
    std::vector<std::uint32_t> clocks_;
    LocationGroupId reference_;
    const Task& task_;
};

LocationGroupId referenceOf(const Definitions& definitions)
{
    LocationGroupId first;
    for (std::size_t i = 0; i < definitions.locationGroups.size(); ++i) {
        if (definitions.locationGroups[i].rank == 0) return LocationGroupId(i);
        if (!first.valid() && definitions.locationGroups[i].kind != LocationGroupKind::Accelerator)
            first = LocationGroupId(i);
    }
    return first;
}

/// Needs a reference.
void estimateInto(ClockOffsets& result, const Experiment& experiment, ClockModel model, const Task& task)
{
    const std::vector<std::uint32_t> clocks = clocksOfLocations(experiment.definitions);
    const MessageFacts messages = factsOfAll(experiment.trace->messages.span(), clocks, {}, task);
    const InferredFacts inferred = withInferredCollectives(experiment, messages, result.reference, task);
    result.inferredCollectives = inferred.collectives;
    const Estimation estimation(inferred.experiment, clocks, result.reference, task);
    const Constraints facts = estimation.factsOf(messages, {});
    const Violations before = facts.violations();
    result.violations = before.count;
    result.worstViolationNs = before.worstNs;
    estimation.constant(facts, result);
    if (model == ClockModel::Linear || (model == ClockModel::Automatic && result.remainingNs > 0)) {
        ClockOffsets lines = result;
        estimation.linear(messages.shortest.size(), lines);
        if (model == ClockModel::Linear || lines.remainingNs < result.remainingNs / 2)
            result = std::move(lines);
    }
    for (std::size_t i = 0; i < result.groups.size(); ++i)
        if (i != result.reference.index())
            result.groups[i].errorNs += static_cast<double>(result.remainingNs);
}

}  // namespace
}  // namespace skein::clocks

namespace skein {

bool ClockOffsets::needed() const
{
    return std::any_of(groups.begin(), groups.end(),
                       [](const ClockOffset& o) { return o.offsetNs != 0.0 || o.drift != 0.0; });
}

Result<ClockOffsets> estimateClockOffsets(const Experiment& experiment, ClockModel model, const Task& task)
{
    if (!experiment.trace)
        return fail(ErrorCode::NotRecorded,
                    fmt::format("{} is no trace; only traces have clocks to compare.", experiment.name));
    ClockOffsets result;
    result.groups.resize(experiment.definitions.locationGroups.size());
    result.reference = clocks::referenceOf(experiment.definitions);
    if (result.reference.valid()) clocks::estimateInto(result, experiment, model, task);
    if (task.stopRequested()) return cancelled();
    return result;
}

}  // namespace skein
