// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/clocks/skewed_collectives.h"

#include "core/clocks/clock_bounds.h"
#include "core/clocks/inferred_collectives.h"

#include <algorithm>

namespace skein::clocks {
namespace {

constexpr std::size_t kConvincingOperations =
    4;  ///< so many operations are not explained by constant offsets by chance

using Operations = std::vector<InferredCollective>;

CollectiveMember inferredMember(const Trace& trace, const InferredCall& call)
{
    const TimeSpan span = trace.locations[call.location.index()].intervals.span(call.interval);
    CollectiveMember member;
    member.begin = span.begin;
    member.end = span.end;
    member.location = call.location;
    member.interval = call.interval;
    return member;
}

Experiment withCollectives(const Experiment& experiment, const Operations& operations)
{
    std::vector<CollectiveOperation> rows;
    std::vector<CollectiveMember> members;
    for (const InferredCollective& operation : operations) {
        CollectiveOperation row;
        row.kind = operation.kind;
        row.firstMember = members.size();
        for (const InferredCall& call : operation.calls) {
            members.push_back(inferredMember(*experiment.trace, call));
            row.begin =
                row.memberCount == 0 ? members.back().begin : std::min(row.begin, members.back().begin);
            row.end = row.memberCount == 0 ? members.back().end : std::max(row.end, members.back().end);
            ++row.memberCount;
        }
        rows.push_back(row);
    }
    std::stable_sort(
        rows.begin(), rows.end(),
        [](const CollectiveOperation& a, const CollectiveOperation& b) { return a.begin < b.begin; });
    auto trace = std::make_shared<Trace>(*experiment.trace);
    trace->collectives = Column<CollectiveOperation>(std::move(rows));
    trace->collectiveMembers = Column<CollectiveMember>(std::move(members));
    Experiment result = experiment;
    result.trace = std::move(trace);
    return result;
}

/// Decides about one name after the other.
class Choice {
public:
    Choice(const Experiment& experiment, const MessageFacts& messages, LocationGroupId reference,
           const Task& task)
        : experiment_(experiment),
          messages_(messages),
          clocks_(clocksOfLocations(experiment.definitions)),
          zeros_(onlyReference(experiment.definitions.locationGroups.size(), reference)),
          task_(task)
    {
        const std::uint64_t ticks = experiment.definitions.clock.ticksPerSecond;
        constexpr std::uint64_t second = 1'000'000'000;
        tickNs_ = ticks > 0 && ticks < second ? static_cast<TimeNs>(second / ticks) : 1;
    }

    void take(const Operations& operations)
    {
        taken_.insert(taken_.end(), operations.begin(), operations.end());
    }

    /// Takes the operations where constant offsets explain them beside what was taken. Whole ticks may be off
    /// by one.
    void takeIfExplained(const Operations& operations)
    {
        const TimeNs worst = messages_.violations.worstNs;
        if (operations.size() < kConvincingOperations && worst == 0) return;
        const TimeNs slack = leastSlack(factsWith(taken_), zeros_, worst, task_) + tickNs_;
        Operations all = taken_;
        all.insert(all.end(), operations.begin(), operations.end());
        if (boundsOf(factsWith(all), zeros_, slack, task_)) taken_ = std::move(all);
    }

    const Operations& taken() const { return taken_; }

private:
    Constraints factsWith(const Operations& operations) const
    {
        Constraints facts(zeros_.size(), messages_);
        facts.addCollectives(*withCollectives(experiment_, operations).trace, clocks_, {});
        return facts;
    }

    const Experiment& experiment_;
    const MessageFacts& messages_;
    std::vector<std::uint32_t> clocks_;
    std::vector<bool> zeros_;
    const Task& task_;
    TimeNs tickNs_ = 1;
    Operations taken_;
};

}  // namespace

InferredFacts withInferredCollectives(const Experiment& experiment, const MessageFacts& messages,
                                      LocationGroupId reference, const Task& task)
{
    const auto candidates = collectiveCandidates(experiment, task);
    if (candidates.empty()) return {experiment, 0};
    Choice choice(experiment, messages, reference, task);
    for (const CollectiveCandidates& name : candidates)
        if (name.overlap) choice.take(name.operations);
    for (const CollectiveCandidates& name : candidates)
        if (!name.overlap && !task.stopRequested()) choice.takeIfExplained(name.operations);
    if (choice.taken().empty()) return {experiment, 0};
    return {withCollectives(experiment, choice.taken()), choice.taken().size()};
}

}  // namespace skein::clocks
