// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/annealing/rank_groups.h"

#include "algorithms/mapping/base/random.h"
#include "algorithms/mapping/problem/swap_rules.h"
#include "core/base/bucket_sort.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace skein {
namespace {

constexpr int kExchangePasses = 10;
/// Ranks or edges between two looks at the task: some milliseconds of work.
constexpr std::size_t kRanksBetweenLooks = 4096;

bool stopsAt(std::size_t index, const Task& task)
{
    return index % kRanksBetweenLooks == 0 && task.stopRequested();
}

struct Edge {
    double key = 0.0;
    std::uint32_t a = 0;
    std::uint32_t b = 0;
};

/// Empty where the task was stopped.
std::vector<Edge> edgesByWeight(const FlowGraph& flow, Random& random, const Task& task)
{
    std::vector<double> total(flow.ranks, 1.0);
    for (std::uint32_t rank = 0; rank < flow.ranks; ++rank) {
        for (std::uint32_t entry = flow.first[rank]; entry < flow.first[rank + 1]; ++entry)
            total[rank] += static_cast<double>(flow.both(entry));
    }
    std::vector<Edge> edges;
    for (std::uint32_t rank = 0; rank < flow.ranks; ++rank) {
        if (stopsAt(rank, task)) return {};
        for (std::uint32_t entry = flow.first[rank]; entry < flow.first[rank + 1]; ++entry) {
            const std::uint32_t peer = flow.peer[entry];
            if (peer < rank) continue;
            const double weight =
                static_cast<double>(flow.both(entry)) / std::sqrt(total[rank] * total[peer]);
            edges.push_back({weight * (1.0 + 0.02 * random.unit()), rank, peer});
        }
    }
    const auto heavier = [](const Edge& x, const Edge& y) {
        return x.key != y.key ? x.key > y.key : (x.a != y.a ? x.a < y.a : x.b < y.b);
    };
    if (!sortInBlocks(edges, heavier, task)) edges.clear();
    return edges;
}

/// Exchanges partners of two pairs wherever that joins more. Returns whether any did.
bool exchangePartners(const FlowGraph& flow, std::vector<std::uint32_t>& partner, const Task& task)
{
    bool changed = false;
    for (std::uint32_t rank = 0; rank < flow.ranks; ++rank) {
        if (stopsAt(rank, task)) return false;
        for (std::uint32_t entry = flow.first[rank]; entry < flow.first[rank + 1]; ++entry) {
            const std::uint32_t peer = flow.peer[entry];
            const std::uint32_t mine = partner[rank];
            const std::uint32_t theirs = partner[peer];
            if (peer == mine) continue;
            const std::int64_t gain = flow.both(entry) + flow.between(mine, theirs) - flow.between(rank, mine)
                - flow.between(peer, theirs);
            if (gain <= 0) continue;
            partner[rank] = peer;
            partner[peer] = rank;
            partner[mine] = theirs;
            partner[theirs] = mine;
            changed = true;
        }
    }
    return changed;
}

/// Groups of a size above two: grown along heavy edges, filled up, then improved by exchanging members.
class GrowingGroups {
public:
    GrowingGroups(const FlowGraph& flow, std::uint32_t size, const Task& task)
        : flow_(flow), size_(size), task_(task), groupOf_(flow.ranks)
    {
        for (std::uint32_t rank = 0; rank < flow.ranks; ++rank) {
            groupOf_[rank] = rank;
            members_.push_back({rank});
        }
    }

    std::vector<std::uint32_t> run(std::uint64_t seed)
    {
        Random random(seed);
        for (const Edge& edge : edgesByWeight(flow_, random, task_)) join(groupOf_[edge.a], groupOf_[edge.b]);
        if (task_.stopRequested()) return {};
        fillUp();
        for (int pass = 0; pass < kExchangePasses && exchange(); ++pass) {}
        return task_.stopRequested() ? std::vector<std::uint32_t>() : std::move(groupOf_);
    }

private:
    void join(std::uint32_t a, std::uint32_t b)
    {
        if (a == b || members_[a].size() + members_[b].size() > size_) return;
        for (const std::uint32_t rank : members_[b]) groupOf_[rank] = a;
        members_[a].insert(members_[a].end(), members_[b].begin(), members_[b].end());
        members_[b].clear();
    }
    /// Members of the smallest groups fill the largest that lack some; ends with full groups, numbered from
    /// 0.
    void fillUp()
    {
        std::erase_if(members_, [](const auto& group) { return group.empty(); });
        std::stable_sort(members_.begin(), members_.end(),
                         [](const auto& a, const auto& b) { return a.size() > b.size(); });
        for (auto& group : members_) {
            while (!group.empty() && group.size() < size_) {
                auto& last = members_.back();
                group.push_back(last.back());
                last.pop_back();
                if (last.empty()) members_.pop_back();
            }
        }
        for (std::uint32_t group = 0; group < members_.size(); ++group) {
            for (const std::uint32_t rank : members_[group]) groupOf_[rank] = group;
        }
    }
    std::int64_t flowTo(std::uint32_t rank, std::uint32_t group, std::uint32_t without) const
    {
        std::int64_t sum = 0;
        for (const std::uint32_t member : members_[group])
            sum += member == without || member == rank ? 0 : flow_.between(rank, member);
        return sum;
    }
    /// Brings ranks into the groups of their peers wherever that joins more. Returns whether any moved.
    bool exchange()
    {
        bool changed = false;
        for (std::uint32_t rank = 0; rank < flow_.ranks; ++rank) {
            if (stopsAt(rank, task_)) return false;
            for (std::uint32_t entry = flow_.first[rank]; entry < flow_.first[rank + 1]; ++entry) {
                const std::uint32_t there = groupOf_[flow_.peer[entry]];
                if (there != groupOf_[rank]) changed = bringInto(rank, there) || changed;
            }
        }
        return changed;
    }
    bool bringInto(std::uint32_t rank, std::uint32_t there)
    {
        const std::uint32_t here = groupOf_[rank];
        for (std::uint32_t& other : members_[there]) {
            const std::int64_t before = flowTo(rank, here, rank) + flowTo(other, there, other);
            const std::int64_t after = flowTo(rank, there, other) + flowTo(other, here, rank);
            if (after <= before) continue;
            std::replace(members_[here].begin(), members_[here].end(), rank, other);
            groupOf_[rank] = there;
            groupOf_[other] = here;
            other = rank;
            return true;
        }
        return false;
    }

    const FlowGraph& flow_;
    const std::uint32_t size_;
    const Task& task_;
    std::vector<std::uint32_t> groupOf_;
    std::vector<std::vector<std::uint32_t>> members_;
};

}  // namespace

std::vector<std::uint32_t> pairRanks(const FlowGraph& flow, std::uint64_t seed, const Task& task)
{
    Random random(seed);
    std::vector<std::uint32_t> partner(flow.ranks, kNoRank);
    for (const Edge& edge : edgesByWeight(flow, random, task)) {
        if (partner[edge.a] != kNoRank || partner[edge.b] != kNoRank) continue;
        partner[edge.a] = edge.b;
        partner[edge.b] = edge.a;
    }
    std::uint32_t waiting = kNoRank;
    for (std::uint32_t rank = 0; rank < flow.ranks; ++rank) {
        if (partner[rank] != kNoRank) continue;
        if (waiting == kNoRank) {
            waiting = rank;
            continue;
        }
        partner[rank] = waiting;
        partner[waiting] = rank;
        waiting = kNoRank;
    }
    for (int pass = 0; pass < kExchangePasses && exchangePartners(flow, partner, task); ++pass) {}
    return task.stopRequested() ? std::vector<std::uint32_t>() : partner;
}

std::vector<std::uint32_t> groupRanks(const FlowGraph& flow, std::uint32_t size, std::uint64_t seed,
                                      const Task& task)
{
    if (size != 2) return GrowingGroups(flow, size, task).run(seed);
    const std::vector<std::uint32_t> partner = pairRanks(flow, seed, task);
    if (partner.empty()) return {};
    std::vector<std::uint32_t> group(flow.ranks, kNoRank);
    std::uint32_t groups = 0;
    for (std::uint32_t rank = 0; rank < flow.ranks; ++rank) {
        if (group[rank] == kNoRank) group[rank] = group[partner[rank]] = groups++;
    }
    return group;
}

}  // namespace skein
