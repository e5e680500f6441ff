// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/comm/comm_matrix_of.h"

#include <algorithm>
#include <fmt/format.h>
#include <unordered_map>

namespace skein {
namespace {

constexpr std::size_t kMessagesBetweenStopChecks = 1u << 16;
/// Matrices keep an offset a rank: a rank beyond this is garbage from a broken archive and gets none.
constexpr std::int64_t kMostRanks = std::int64_t{1} << 26;

/// Sums messages by (sender, receiver) as they come; so millions of messages need the room of their pairs
/// only.
class PairSums {
public:
    void add(std::uint32_t sender, std::uint32_t receiver, std::uint64_t bytes)
    {
        Amount& amount = amounts_[std::uint64_t{sender} << 32 | receiver];
        ++amount.messages;
        amount.bytes += bytes;
    }

    CommMatrix matrix(std::uint32_t ranks) const
    {
        std::vector<CommMatrix::Entry> entries;
        entries.reserve(amounts_.size());
        for (const auto& [pair, amount] : amounts_)
            entries.push_back({static_cast<std::uint32_t>(pair >> 32), static_cast<std::uint32_t>(pair),
                               amount.messages, amount.bytes});
        return CommMatrix(ranks, std::move(entries));
    }

private:
    struct Amount {
        std::uint64_t messages = 0;
        std::uint64_t bytes = 0;
    };
    std::unordered_map<std::uint64_t, Amount> amounts_;
};

std::uint32_t rankCount(const std::vector<std::int64_t>& ranks)
{
    std::int64_t highest = -1;
    for (const std::int64_t rank : ranks) highest = std::max(highest, rank);
    return static_cast<std::uint32_t>(highest + 1);
}

Unexpected noMessages(const Experiment& experiment, bool windowWanted)
{
    if (windowWanted && experiment.commMatrix)
        return fail(
            ErrorCode::InvalidArgument,
            fmt::format(
                "{} has communication sums over the whole run and no times, so no window can be cut from "
                "it. Open a trace, or leave the window out.",
                experiment.name));
    return fail(
        ErrorCode::NotRecorded,
        fmt::format(
            "{} holds no communication: neither messages nor a communication matrix. TAU profiles have one "
            "when they are measured with TAU_COMM_MATRIX=1.",
            experiment.name));
}

Unexpected noSingleMessages(const Experiment& experiment)
{
    return fail(ErrorCode::InvalidArgument,
                fmt::format("{} holds no single messages, which could be told apart by what they are like. "
                            "Open a trace, or leave the conditions out.",
                            experiment.name));
}

/// Calls back with (message, sender's rank, receiver's rank) for every send within the span; false when
/// stopped.
template <typename Function>
bool forEachSend(const Experiment& experiment, const std::optional<TimeSpan>& span, const Task& task,
                 Function function)
{
    const std::vector<std::int64_t> ranks = ranksOfLocations(experiment.definitions);
    const auto rankOf = [&](LocationId location) {
        return location.index() < ranks.size() ? ranks[location.index()] : -1;
    };
    const Column<Message>& messages = experiment.trace->messages;
    for (std::size_t i = 0; i < messages.size(); ++i) {
        if (i % kMessagesBetweenStopChecks == 0 && task.stopRequested()) return false;
        const Message& message = messages[i];
        if (span && !span->contains(message.sendTime)) continue;
        const std::int64_t sender = rankOf(message.sender), receiver = rankOf(message.receiver);
        if (sender >= 0 && receiver >= 0)
            function(message, static_cast<std::uint32_t>(sender), static_cast<std::uint32_t>(receiver));
    }
    return true;
}

}  // namespace

std::vector<std::int64_t> ranksOfLocations(const Definitions& definitions)
{
    std::vector<std::int64_t> ranks;
    for (const Location& location : definitions.locations)
        ranks.push_back(location.rank < kMostRanks ? location.rank : -1);
    const bool none = std::all_of(ranks.begin(), ranks.end(), [](std::int64_t rank) { return rank < 0; });
    for (std::size_t i = 0; none && i < ranks.size(); ++i) ranks[i] = static_cast<std::int64_t>(i);
    return ranks;
}

bool tellsCommunication(const Experiment& experiment) { return experiment.trace || experiment.commMatrix; }

Result<std::shared_ptr<const CommMatrix>> commMatrixOf(const Experiment& experiment,
                                                       const std::optional<TimeSpan>& window,
                                                       const Task& task)
{
    return commMatrixOf(experiment, window, MessageFilter(), task);
}

Result<std::shared_ptr<const CommMatrix>> commMatrixOf(const Experiment& experiment,
                                                       const std::optional<TimeSpan>& window,
                                                       const MessageFilter& filter, const Task& task)
{
    if (experiment.commMatrix && !window && filter.all()) return experiment.commMatrix;
    if (!experiment.trace)
        return filter.all() ? noMessages(experiment, window.has_value()) : noSingleMessages(experiment);
    PairSums sums;
    const bool complete = forEachSend(
        experiment, window, task, [&](const Message& message, std::uint32_t sender, std::uint32_t receiver) {
            if (filter.passes(message)) sums.add(sender, receiver, message.bytes);
        });
    if (!complete) return cancelled();
    return std::make_shared<const CommMatrix>(
        sums.matrix(rankCount(ranksOfLocations(experiment.definitions))));
}

Result<std::vector<CommMatrix>> commMatrixBins(const Experiment& experiment, TimeSpan span, std::size_t bins,
                                               const Task& task)
{
    if (!experiment.trace) return noMessages(experiment, true);
    if (bins == 0 || span.empty())
        return fail(ErrorCode::InvalidArgument,
                    "Time can only be cut into parts where there is some, and into at least one.");
    std::vector<PairSums> sums(bins);
    const auto length = static_cast<unsigned __int128>(span.lengthNs());
    const auto binOf = [&](TimeNs time) {
        // The inverse of begin + ⌊i·length/bins⌋: the last part whose begin is not after the time.
        const auto offset = static_cast<unsigned __int128>(time - span.begin);
        return static_cast<std::size_t>(((offset + 1) * bins - 1) / length);
    };
    const bool complete = forEachSend(
        experiment, span, task, [&](const Message& message, std::uint32_t sender, std::uint32_t receiver) {
            sums[binOf(message.sendTime)].add(sender, receiver, message.bytes);
        });
    if (!complete) return cancelled();
    const std::uint32_t ranks = rankCount(ranksOfLocations(experiment.definitions));
    std::vector<CommMatrix> matrices;
    for (const PairSums& part : sums) matrices.push_back(part.matrix(ranks));
    return matrices;
}

Result<void> forEachPhase(const Experiment& experiment, const std::vector<TimeSpan>& phases,
                          const CountedMessages& counted,
                          const std::function<Result<void>(std::size_t, const CommMatrix&)>& use,
                          const Task& task)
{
    if (!experiment.trace) return noMessages(experiment, true);
    if (phases.empty()) return {};
    std::vector<PairSums> sums(phases.size());
    const auto phaseOf = [&](TimeNs time) {
        const auto after = std::ranges::upper_bound(phases, time, {}, &TimeSpan::begin);
        return static_cast<std::size_t>(after - phases.begin()) - 1;
    };
    const bool complete =
        forEachSend(experiment, TimeSpan{phases.front().begin, phases.back().end}, task,
                    [&](const Message& message, std::uint32_t sender, std::uint32_t receiver) {
                        if (counted.count(message.sender.index(), message.receiver.index())
                            && counted.like.passes(message))
                            sums[phaseOf(message.sendTime)].add(sender, receiver, message.bytes);
                    });
    if (!complete) return cancelled();
    const std::uint32_t ranks = rankCount(ranksOfLocations(experiment.definitions));
    for (std::size_t phase = 0; phase < phases.size(); ++phase) {
        if (task.stopRequested()) return cancelled();
        const auto used = use(phase, sums[phase].matrix(ranks));
        if (!used) return used;
        sums[phase] = {};
    }
    return {};
}

}  // namespace skein
