// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/routing/phase_replay.h"

#include "algorithms/comm/collective_expansion.h"
#include "algorithms/comm/comm_matrix_of.h"
#include "algorithms/comm/comm_phases.h"

#include <algorithm>
#include <map>

namespace skein {
namespace {

/// Replays matrices on one machine; those that were seen before are known.
class PhaseReplayer {
public:
    PhaseReplayer(const ReplayMachine& machine, const ReplayParams& params, const Task& task)
        : machine_(machine), params_(params), task_(task)
    {
    }

    Result<void> add(const CommMatrix& matrix, std::optional<TimeSpan> span)
    {
        const auto replay = replayed(matrix);
        if (!replay) return Unexpected(replay.error());
        phases_.push_back({span, matrix.totalMessages(), matrix.totalBytes(), *replay});
        return {};
    }
    std::vector<PhaseReplay> take() { return std::move(phases_); }

private:
    struct Amounts {
        std::uint32_t sender;
        std::uint32_t receiver;
        std::uint64_t bytes;
        auto operator<=>(const Amounts&) const = default;
    };
    static constexpr std::size_t kMostKnown = 256;

    Result<Replay> replayed(const CommMatrix& matrix)
    {
        std::vector<Amounts> key;
        for (const CommMatrix::Entry& entry : matrix.entries())
            key.push_back({entry.sender, entry.receiver, entry.bytes});
        if (const auto known = known_.find(key); known != known_.end()) return known->second;
        const auto result = replayMatrix(machine_.topology, machine_.placement, machine_.model,
                                         machine_.measured, matrix, params_, task_);
        if (result && known_.size() < kMostKnown) known_.emplace(std::move(key), *result);
        return result;
    }

    const ReplayMachine& machine_;
    const ReplayParams& params_;
    const Task& task_;
    std::map<std::vector<Amounts>, Replay> known_;
    std::vector<PhaseReplay> phases_;
};

}  // namespace

Result<std::vector<PhaseReplay>> replayPhases(const ReplayedRun& run, const ReplayMachine& machine,
                                              const ReplayParams& params, const Task& task)
{
    PhaseReplayer replayer(machine, params, task);
    if (!run.experiment.trace) {
        const auto added = replayer.add(run.whole, std::nullopt);
        if (!added) return Unexpected(added.error());
        return replayer.take();
    }
    const auto phases = commPhases(run.experiment, run.window, task);
    if (!phases) return Unexpected(phases.error());
    const std::vector<TimeSpan>& spans = *phases;
    // What collective operations are made of is like no message that was recorded.
    const bool expanded = !run.collectives.empty() && run.collectives != "none" && run.counted.like.all();
    const auto algorithm = expanded ? parseCollectiveAlgorithm(run.collectives) : CollectiveAlgorithm{};
    if (!algorithm) return Unexpected(algorithm.error());
    const auto known = expanded ? knownCollectives(run.experiment, task) : Result<KnownCollectives>();
    if (!known) return Unexpected(known.error());
    const auto add = [&](std::size_t phase, const CommMatrix& sends) -> Result<void> {
        task.report(static_cast<double>(phase) / static_cast<double>(spans.size()), "Replaying messages");
        if (!expanded) return replayer.add(sends, spans[phase]);
        const auto operations = expandCollectives(run.experiment, *known, spans[phase], *algorithm, task);
        if (!operations) return Unexpected(operations.error());
        const CountedMessages ofRanks =
            countedByRank(run.counted, run.experiment.definitions, operations->ranks());
        return replayer.add(sumOf(sends, countedPart(*operations, ofRanks, task)), spans[phase]);
    };
    const auto added = forEachPhase(run.experiment, spans, run.counted, add, task);
    if (!added) return Unexpected(added.error());
    return replayer.take();
}

}  // namespace skein
