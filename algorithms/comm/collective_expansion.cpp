// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/comm/collective_expansion.h"

#include "algorithms/comm/comm_matrix_of.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <numeric>
#include <unordered_map>

namespace skein {
namespace {

constexpr std::uint64_t kMaximumMessages = std::uint64_t{1} << 26;

std::uint64_t largestOfMembers(std::span<const CollectiveMember> members,
                               std::uint64_t CollectiveMember::*field)
{
    std::uint64_t value = 0;
    for (const CollectiveMember& member : members) value = std::max(value, member.*field);
    return value;
}

/// The smaller of what members sent and received, where both are told.
std::uint64_t sharedVector(std::span<const CollectiveMember> members)
{
    const std::uint64_t sent = largestOfMembers(members, &CollectiveMember::bytesSent);
    const std::uint64_t received = largestOfMembers(members, &CollectiveMember::bytesReceived);
    return sent == 0 || received == 0 ? std::max(sent, received) : std::min(sent, received);
}

std::vector<std::uint64_t> byRank(std::span<const CollectiveMember> members,
                                  std::span<const std::uint32_t> ranks,
                                  std::uint64_t CollectiveMember::*field)
{
    std::vector<std::uint64_t> values(members.size(), 0);
    for (std::size_t i = 0; i < members.size(); ++i) values[ranks[i]] = members[i].*field;
    return values;
}

/// Contributions in the proportion of what was sent, of which each member received all.
std::vector<std::uint64_t> contributions(std::span<const CollectiveMember> members,
                                         std::span<const std::uint32_t> ranks)
{
    auto sent = byRank(members, ranks, &CollectiveMember::bytesSent);
    const std::uint64_t received = largestOfMembers(members, &CollectiveMember::bytesReceived);
    const std::uint64_t sum = std::accumulate(sent.begin(), sent.end(), std::uint64_t{0});
    if (received == 0 || sum == received) return sent;
    for (std::uint64_t& bytes : sent)
        bytes = sum == 0
            ? received / members.size()
            : static_cast<std::uint64_t>(static_cast<long double>(bytes) / static_cast<long double>(sum)
                                         * static_cast<long double>(received));
    return sent;
}

bool messagesArePairs(CollectiveKind kind)
{
    return kind == CollectiveKind::AllGather || kind == CollectiveKind::AllGatherV
        || kind == CollectiveKind::AllToAll || kind == CollectiveKind::AllToAllV
        || kind == CollectiveKind::AllToAllW || kind == CollectiveKind::ReduceScatter
        || kind == CollectiveKind::ReduceScatterBlock || kind == CollectiveKind::AllReduce
        || kind == CollectiveKind::Broadcast;
}

/// Calls of one form among the same ranks.
struct Form {
    std::vector<std::uint32_t> worldRanks;  ///< by rank in the communicator
    CollectiveCall call;
    auto operator<=>(const Form&) const = default;
};

class Expander {
public:
    Expander(const Experiment& experiment, CollectiveAlgorithm algorithm)
        : experiment_(experiment), algorithm_(algorithm), ranks_(ranksOfLocations(experiment.definitions))
    {
    }

    void count(const CollectiveOperation& operation, std::span<const CollectiveMember> members)
    {
        const auto order = ranksIn(operation, members);
        if (order.empty()) return;
        std::vector<std::uint32_t> position(members.size());
        std::uint32_t root = 0;
        Form form;
        for (std::uint32_t rank = 0; rank < order.size(); ++rank) {
            position[order[rank]] = rank;
            if (members[order[rank]].location == operation.root) root = rank;
            form.worldRanks.push_back(worldRank(members[order[rank]].location));
        }
        form.call = callOf(operation, members, position, root);
        ++forms_[std::move(form)];
    }

    Result<CommMatrix> matrix(const Task& task) const
    {
        std::unordered_map<std::uint64_t, CommMatrix::Entry> sums;
        std::uint32_t ranks = 0;
        for (const auto& [counted, times] : forms_) {
            const Form& form = counted;
            if (task.stopRequested()) return cancelled();
            if (messagesArePairs(form.call.kind)
                && std::uint64_t{form.call.ranks} * form.call.ranks > kMaximumMessages)
                return fail(ErrorCode::OutOfMemory,
                            fmt::format("A collective operation of {} ranks is too many messages to expand.",
                                        form.call.ranks));
            expandCollective(form.call, algorithm_,
                             [&, count = times](std::uint32_t from, std::uint32_t to, std::uint64_t bytes) {
                                 const std::uint32_t sender = form.worldRanks[from];
                                 const std::uint32_t receiver = form.worldRanks[to];
                                 CommMatrix::Entry& entry = sums[std::uint64_t{sender} << 32 | receiver];
                                 entry.sender = sender;
                                 entry.receiver = receiver;
                                 entry.messages += count;
                                 entry.bytes += bytes * count;
                                 ranks = std::max({ranks, sender + 1, receiver + 1});
                             });
        }
        std::vector<CommMatrix::Entry> entries;
        for (const auto& [pair, entry] : sums) entries.push_back(entry);
        return CommMatrix(ranks, std::move(entries));
    }

private:
    std::uint32_t worldRank(LocationId location) const
    {
        return static_cast<std::uint32_t>(ranks_[location.index()]);
    }

    /// The members in the order of their ranks in the communicator: as it lists them, else by world rank.
    /// Empty where a member has no rank.
    std::vector<std::uint32_t> ranksIn(const CollectiveOperation& operation,
                                       std::span<const CollectiveMember> members) const
    {
        const auto placed = [&](const CollectiveMember& member) {
            return member.location.valid() && member.location.index() < ranks_.size()
                && ranks_[member.location.index()] >= 0;
        };
        if (!std::ranges::all_of(members, placed)) return {};
        std::unordered_map<LocationId, std::size_t> listed;
        const auto& communicators = experiment_.definitions.communicators;
        if (operation.communicator.valid() && operation.communicator.index() < communicators.size())
            for (const LocationId location : communicators[operation.communicator.index()].members)
                listed.emplace(location, listed.size());
        const auto key = [&](std::uint32_t member) {
            const auto found = listed.find(members[member].location);
            return std::pair(found == listed.end() ? listed.size() : found->second,
                             worldRank(members[member].location));
        };
        std::vector<std::uint32_t> order(members.size());
        std::iota(order.begin(), order.end(), 0u);
        std::ranges::sort(order, {}, key);
        return order;
    }

    const Experiment& experiment_;
    CollectiveAlgorithm algorithm_;
    std::vector<std::int64_t> ranks_;
    std::map<Form, std::uint64_t> forms_;
};

}  // namespace

CollectiveCall callOf(const CollectiveOperation& operation, std::span<const CollectiveMember> members,
                      std::span<const std::uint32_t> ranks, std::uint32_t root)
{
    CollectiveCall call{operation.kind, static_cast<std::uint32_t>(members.size()), root, {}};
    switch (operation.kind) {
    case CollectiveKind::Gather:
    case CollectiveKind::GatherV: call.bytes = byRank(members, ranks, &CollectiveMember::bytesSent); break;
    case CollectiveKind::Scatter:
    case CollectiveKind::ScatterV:
        call.bytes = byRank(members, ranks, &CollectiveMember::bytesReceived);
        break;
    case CollectiveKind::AllGather:
    case CollectiveKind::AllGatherV: call.bytes = contributions(members, ranks); break;
    case CollectiveKind::AllToAll:
    case CollectiveKind::AllToAllV:
    case CollectiveKind::AllToAllW:
        call.bytes = byRank(members, ranks, &CollectiveMember::bytesSent);
        for (std::uint64_t& bytes : call.bytes) bytes /= members.size();
        if (operation.kind != CollectiveKind::AllToAll)
            call.received = byRank(members, ranks, &CollectiveMember::bytesReceived);
        break;
    case CollectiveKind::Broadcast:
    case CollectiveKind::Reduce:
    case CollectiveKind::AllReduce:
    case CollectiveKind::ReduceScatter:
    case CollectiveKind::ReduceScatterBlock:
    case CollectiveKind::Scan:
    case CollectiveKind::ExScan: call.bytes = {sharedVector(members)}; break;
    case CollectiveKind::Barrier:
    case CollectiveKind::CreateHandle:
    case CollectiveKind::DestroyHandle:
    case CollectiveKind::Other: break;
    }
    return call;
}

Result<CommMatrix> expandCollectives(const Experiment& experiment, const KnownCollectives& known,
                                     const std::optional<TimeSpan>& window, CollectiveAlgorithm algorithm,
                                     const Task& task)
{
    Expander expander(experiment, algorithm);
    std::size_t seen = 0;
    for (const CollectiveOperation& operation : known.operations()) {
        if (++seen % 1024 == 0 && task.stopRequested()) return cancelled();
        if (!window || window->contains(operation.begin))
            expander.count(operation, known.membersOf(operation));
    }
    return expander.matrix(task);
}

Result<CommMatrix> expandCollectives(const Experiment& experiment, const std::optional<TimeSpan>& window,
                                     CollectiveAlgorithm algorithm, const Task& task)
{
    const auto known = knownCollectives(experiment, task);
    if (!known) return Unexpected(known.error());
    return expandCollectives(experiment, *known, window, algorithm, task);
}

CommMatrix sumOf(const CommMatrix& a, const CommMatrix& b)
{
    std::vector<CommMatrix::Entry> entries(a.entries().begin(), a.entries().end());
    entries.insert(entries.end(), b.entries().begin(), b.entries().end());
    return CommMatrix(std::max(a.ranks(), b.ranks()), std::move(entries));
}

}  // namespace skein
