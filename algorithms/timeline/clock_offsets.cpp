// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/timeline/clock_offsets.h"

#include "algorithms/timeline/clock_bounds.h"
#include "algorithms/timeline/clock_constraints.h"
#include "algorithms/timeline/skewed_collectives.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace skein {
namespace {

constexpr std::size_t kWindowsForDrift = 16;
constexpr int kRoundsForDrift = 4;

/// Zeros where zero is possible for all such clocks together, the middle of the bounds elsewhere.
std::vector<ClockOffset> constantOffsets(const clocks::Constraints& constraints, LocationGroupId reference,
                                         TimeNs worstViolation)
{
    const std::vector<bool> alone = clocks::onlyReference(constraints.clocks(), reference);
    const TimeNs slack = clocks::leastSlack(constraints, alone, worstViolation);
    const auto bounds = clocks::boundsOf(constraints, alone, slack);
    std::vector<ClockOffset> offsets(constraints.clocks());
    if (!bounds) return offsets;
    std::vector<bool> zeros(constraints.clocks());
    for (std::size_t clock = 0; clock < zeros.size(); ++clock) zeros[clock] = bounds->containsZero(clock);
    const auto together = clocks::boundsOf(constraints, zeros, slack);
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
    Estimation(const Experiment& experiment, LocationGroupId reference, const Task& task)
        : experiment_(experiment),
          clocks_(clocks::clocksOfLocations(experiment.definitions)),
          reference_(reference),
          task_(task)
    {
    }

    clocks::Violations violations(const std::vector<ClockOffset>& offsets) const
    {
        return clocks::violationsOf(experiment_, clocks_, correctionBy(offsets));
    }

    /// Constant offsets of what is left after a first correction.
    std::vector<ClockOffset> constant(const std::vector<ClockOffset>& first) const
    {
        const clocks::Constraints constraints(experiment_, clocks_, {}, correctionBy(first));
        std::vector<ClockOffset> offsets =
            constantOffsets(constraints, reference_, violations(first).worstNs);
        for (std::size_t clock = 0; clock < offsets.size(); ++clock)
            offsets[clock] = composed(first[clock], offsets[clock]);
        return offsets;
    }

    /// Lines through the constant estimates of parts of the run. What drifts contradicts itself within a
    /// part, too; the better the lines become, the less, so a few rounds sharpen them.
    std::vector<ClockOffset> linear() const
    {
        std::vector<ClockOffset> offsets(experiment_.definitions.locationGroups.size());
        for (int round = 0; round < kRoundsForDrift && !task_.stopRequested(); ++round)
            offsets = sharpened(offsets);
        return constant(offsets);
    }

private:
    static clocks::Correction correctionBy(const std::vector<ClockOffset>& offsets)
    {
        return [&offsets](std::uint32_t clock, TimeNs time) {
            const ClockOffset& offset = offsets[clock];
            return time - std::llround(offset.offsetNs + offset.drift * static_cast<double>(time));
        };
    }

    std::vector<ClockOffset> sharpened(const std::vector<ClockOffset>& first) const
    {
        std::vector<std::vector<Estimate>> estimates(first.size());
        const TimeSpan extent = experiment_.trace->extent;
        const TimeNs worst = violations(first).worstNs;
        for (std::size_t window = 0; window < kWindowsForDrift && !task_.stopRequested(); ++window) {
            const auto edge = [&](std::size_t number) {
                const double part = static_cast<double>(number) / kWindowsForDrift;
                return extent.begin + static_cast<TimeNs>(static_cast<double>(extent.lengthNs() + 1) * part);
            };
            addWindow({edge(window), edge(window + 1)}, first, worst, estimates);
        }
        std::vector<ClockOffset> offsets = first;
        for (std::size_t clock = 0; clock < offsets.size(); ++clock)
            if (clock != reference_.index() && !estimates[clock].empty())
                offsets[clock] = composed(first[clock], fittedLine(estimates[clock]));
        return offsets;
    }

    void addWindow(TimeSpan window, const std::vector<ClockOffset>& first, TimeNs worst,
                   std::vector<std::vector<Estimate>>& estimates) const
    {
        const clocks::Constraints constraints(experiment_, clocks_, window, correctionBy(first));
        const std::vector<bool> alone = clocks::onlyReference(constraints.clocks(), reference_);
        const TimeNs slack = clocks::leastSlack(constraints, alone, worst);
        const auto bounds = clocks::boundsOf(constraints, alone, slack);
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

}  // namespace

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
    result.reference = referenceOf(experiment.definitions);
    if (!result.reference.valid()) return result;
    const clocks::InferredFacts facts = clocks::withInferredCollectives(experiment, result.reference, task);
    result.inferredCollectives = facts.collectives;
    const Estimation estimation(facts.experiment, result.reference, task);
    const clocks::Violations before = estimation.violations(result.groups);
    result.violations = before.count;
    result.worstViolationNs = before.worstNs;
    result.groups = estimation.constant(result.groups);
    result.remainingNs = estimation.violations(result.groups).worstNs;
    if (model == ClockModel::Linear || (model == ClockModel::Automatic && result.remainingNs > 0)) {
        std::vector<ClockOffset> linear = estimation.linear();
        const TimeNs remaining = estimation.violations(linear).worstNs;
        if (model == ClockModel::Linear || remaining < result.remainingNs / 2) {
            result.groups = std::move(linear);
            result.remainingNs = remaining;
        }
    }
    for (std::size_t i = 0; i < result.groups.size(); ++i)
        if (i != result.reference.index())
            result.groups[i].errorNs += static_cast<double>(result.remainingNs);
    if (task.stopRequested()) return cancelled();
    return result;
}

}  // namespace skein
