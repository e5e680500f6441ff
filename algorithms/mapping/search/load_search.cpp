// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/search/load_search.h"

#include "algorithms/mapping/problem/hop_bytes.h"

#include <algorithm>
#include <cmath>

namespace skein {
namespace {

/// Tries between two lists of the ranks on hot links: as much work as making such a list.
constexpr std::size_t kTriesPerStage = 256;
constexpr std::size_t kEntriesPerTry = 64;
/// Links that count as most loaded: those above this share of the maximum.
constexpr double kHotLoadShare = 0.9;
/// Where most tries go: beside a peer, else anywhere.
constexpr std::uint32_t kAnywhereOf = 4;
/// Ranks whose messages are routed between two looks at the task: some milliseconds on large machines.
constexpr std::uint32_t kRoutedRanksPerLook = 256;

double power8(double value)
{
    const double square = value * value;
    const double fourth = square * square;
    return fourth * fourth;
}

class LoadSearch {
public:
    LoadSearch(const MappingProblem& problem, const PreparedMapping& prepared, const RouteOfNodes& route,
               std::uint32_t links, double hopShare, std::vector<std::uint32_t> start, std::uint64_t seed,
               const Task& task)
        : problem_(problem),
          rules_(prepared.rules),
          route_(route),
          hopShare_(hopShare),
          slotOf_(std::move(start)),
          rankAt_(ranksOfSlots(slotOf_, problem.slots())),
          loads_(problem, route, links, slotOf_, task),
          random_(seed),
          moved_(prepared.rules.away(slotOf_))
    {
        hopBytes_ = hopBytes(problem.flow, problem.distances, slotOf_, problem.ranksPerNode);
        firstHopBytes_ = std::max(1.0, static_cast<double>(hopBytes_));
        unit_ = std::max(1.0, static_cast<double>(loads_.maximum()));
        for (const std::int64_t load : loads_.loads()) sum_ += power8(static_cast<double>(load) / unit_);
    }

    LoadSearchOutcome run(const SearchClock& clock, const Task& task)
    {
        const std::size_t tries = std::max(kTriesPerStage, problem_.flow.entries() / kEntriesPerTry);
        while (clock.spent(tried_) < 1.0 && !task.stopRequested()) {
            const std::vector<std::uint32_t> hot = hotRanks(task);
            if (hot.empty() || task.stopRequested()) break;
            for (std::size_t i = 0; i < tries && clock.spent(tried_) < 1.0 && !task.stopRequested(); ++i)
                trySwap(hot[random_.below(static_cast<std::uint32_t>(hot.size()))]);
        }
        return {std::move(slotOf_), tried_, loads_.maximum(), hopBytes_};
    }

private:
    double objective() const
    {
        return (1.0 - hopShare_) * std::pow(sum_, 0.125)
            + hopShare_ * static_cast<double>(hopBytes_) / firstHopBytes_;
    }

    /// Ranks with a message over one of the most loaded links.
    std::vector<std::uint32_t> hotRanks(const Task& task)
    {
        const double limit = kHotLoadShare * static_cast<double>(loads_.maximum());
        std::vector<std::uint32_t> ranks;
        for (std::uint32_t rank = 0; rank < problem_.flow.ranks; ++rank) {
            if (rank % kRoutedRanksPerLook == 0 && task.stopRequested()) break;
            if (!rules_.fixed(slotOf_[rank]) && crossesAbove(rank, limit)) ranks.push_back(rank);
        }
        return ranks;
    }
    bool crossesAbove(std::uint32_t rank, double limit)
    {
        for (std::uint32_t entry = problem_.flow.first[rank]; entry < problem_.flow.first[rank + 1];
             ++entry) {
            path_.clear();
            route_(slotOf_[rank] / problem_.ranksPerNode,
                   slotOf_[problem_.flow.peer[entry]] / problem_.ranksPerNode, path_);
            for (const std::uint32_t link : path_) {
                if (static_cast<double>(loads_.loads()[link]) >= limit) return problem_.flow.sent[entry] > 0;
            }
        }
        return false;
    }

    std::uint32_t target(std::uint32_t rank)
    {
        const std::uint32_t degree = problem_.flow.degree(rank);
        if (degree == 0 || random_.below(kAnywhereOf) == 0) return random_.below(problem_.slots());
        const std::uint32_t peer = problem_.flow.peer[problem_.flow.first[rank] + random_.below(degree)];
        const std::uint32_t second =
            problem_.flow.peer[problem_.flow.first[peer] + random_.below(problem_.flow.degree(peer))];
        return slotOf_[second];
    }

    void trySwap(std::uint32_t rank)
    {
        ++tried_;
        const std::uint32_t slot = slotOf_[rank];
        const std::uint32_t other = target(rank);
        if (other / problem_.ranksPerNode == slot / problem_.ranksPerNode || rules_.fixed(other)) return;
        if (!rules_.free() && !rules_.allowed(rankAt_, slot, other, moved_)) return;
        const double before = objective();
        const double sumBefore = sum_;
        const std::int64_t change = hopBytesChange(problem_.flow, problem_.distances, slotOf_, rankAt_,
                                                   problem_.ranksPerNode, slot, other);
        exchange(slot, other);
        hopBytes_ += change;
        for (const LinkLoads::Change& changed : loads_.changes()) {
            sum_ += power8(static_cast<double>(loads_.loads()[changed.link]) / unit_)
                - power8(static_cast<double>(changed.before) / unit_);
        }
        loads_.forget();
        if (objective() <= before) return;
        exchange(slot, other);
        loads_.forget();
        hopBytes_ -= change;
        sum_ = sumBefore;
    }

    void exchange(std::uint32_t slot, std::uint32_t other)
    {
        const std::uint32_t rank = rankAt_[slot];
        const std::uint32_t partner = rankAt_[other];
        moved_ =
            static_cast<std::uint32_t>(static_cast<int>(moved_) + rules_.movedChange(rankAt_, slot, other));
        addBoth(rank, partner, -1);
        std::swap(rankAt_[slot], rankAt_[other]);
        if (rankAt_[slot] != kNoRank) slotOf_[rankAt_[slot]] = slot;
        if (rankAt_[other] != kNoRank) slotOf_[rankAt_[other]] = other;
        addBoth(rank, partner, 1);
    }
    void addBoth(std::uint32_t rank, std::uint32_t partner, std::int64_t sign)
    {
        if (rank != kNoRank) loads_.addRank(rank, kNoRank, slotOf_, sign);
        if (partner != kNoRank) loads_.addRank(partner, rank, slotOf_, sign);
    }

    const MappingProblem& problem_;
    const SwapRules& rules_;
    const RouteOfNodes& route_;
    double hopShare_ = 0.0;
    std::vector<std::uint32_t> slotOf_;
    std::vector<std::uint32_t> rankAt_;
    LinkLoads loads_;
    Random random_;
    std::uint32_t moved_ = 0;
    std::int64_t hopBytes_ = 0;
    double firstHopBytes_ = 1.0;
    double unit_ = 1.0;
    double sum_ = 0.0;
    std::uint64_t tried_ = 0;
    std::vector<std::uint32_t> path_;
};

}  // namespace

LinkLoads::LinkLoads(const MappingProblem& problem, const RouteOfNodes& route, std::uint32_t links,
                     std::span<const std::uint32_t> slotOfRank, const Task& task)
    : problem_(problem), route_(route), loads_(links, 0), touched_(links, 0)
{
    using Clock = std::chrono::steady_clock;
    Clock::time_point stopped;
    for (std::uint32_t rank = 0; rank < problem.flow.ranks; ++rank) {
        if (rank % kRoutedRanksPerLook == 0 && task.stopRequested()) {
            if (stopped == Clock::time_point()) stopped = Clock::now();
            complete_ = Clock::now() - stopped < kAfterStop;
            if (!complete_) break;
        }
        for (std::uint32_t entry = problem.flow.first[rank]; entry < problem.flow.first[rank + 1]; ++entry) {
            addRoute(slotOfRank[rank] / problem.ranksPerNode,
                     slotOfRank[problem.flow.peer[entry]] / problem.ranksPerNode, problem.flow.sent[entry]);
        }
    }
    forget();
}

void LinkLoads::forget()
{
    for (const Change& change : changes_) touched_[change.link] = 0;
    changes_.clear();
}

std::int64_t LinkLoads::maximum() const
{
    return loads_.empty() ? 0 : *std::max_element(loads_.begin(), loads_.end());
}

void LinkLoads::addRank(std::uint32_t rank, std::uint32_t partner, std::span<const std::uint32_t> slotOfRank,
                        std::int64_t sign)
{
    const std::uint32_t node = slotOfRank[rank] / problem_.ranksPerNode;
    for (std::uint32_t entry = problem_.flow.first[rank]; entry < problem_.flow.first[rank + 1]; ++entry) {
        const std::uint32_t peer = problem_.flow.peer[entry];
        if (peer == partner) continue;
        const std::uint32_t there = slotOfRank[peer] / problem_.ranksPerNode;
        addRoute(node, there, sign * problem_.flow.sent[entry]);
        addRoute(there, node, sign * problem_.flow.received[entry]);
    }
}

void LinkLoads::addRoute(std::uint32_t from, std::uint32_t to, std::int64_t bytes)
{
    if (from == to || bytes == 0) return;
    path_.clear();
    route_(from, to, path_);
    for (const std::uint32_t link : path_) {
        if (!touched_[link]) {
            touched_[link] = 1;
            changes_.push_back({link, loads_[link]});
        }
        loads_[link] += bytes;
    }
}

LoadSearchOutcome lowerLoads(const MappingProblem& problem, const PreparedMapping& prepared,
                             const RouteOfNodes& route, std::uint32_t links, double hopShare,
                             std::vector<std::uint32_t> start, std::uint64_t seed, const SearchClock& clock,
                             const Task& task)
{
    LoadSearch search(problem, prepared, route, links, hopShare, std::move(start), seed, task);
    if (task.stopRequested()) return {};
    return search.run(clock, task);
}

}  // namespace skein
