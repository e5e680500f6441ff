// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/annealing/general_annealer.h"

#include "algorithms/mapping/base/thermostat.h"
#include "algorithms/mapping/problem/hop_bytes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>
#include <utility>

namespace skein {
namespace {

constexpr std::uint32_t kNearbyPerNode = 8;
/// Nodes that are looked at around each node: fewer on large machines, where there are many to look from.
constexpr std::size_t kLargestWindow = 512;
constexpr std::size_t kSmallestWindow = 64;
constexpr std::size_t kWindowWork = std::size_t{1} << 23;
/// A round lasts some milliseconds: so many tries, fewer where ranks have many peers.
constexpr std::size_t kTriesPerRound = 4096;
constexpr std::size_t kPeersPerRound = std::size_t{1} << 17;
/// Of so many tries of ranks one is the way home, where moves have a price.
constexpr std::uint32_t kTriesPerReturn = 8;
/// Part of the time at the end, at temperature zero.
constexpr double kFrozenShare = 0.05;

/// Open nodes near a node, among those with numbers nearby: machines number their nodes by neighbourhood.
/// Looked for when a node is first asked for. Not thread-safe.
class NearbyNodes {
public:
    NearbyNodes(const MappingProblem& problem, const SwapRules& rules)
        : distances_(problem.distances),
          window_(
              std::clamp(kWindowWork / std::max<std::size_t>(1, problem.distances.nodes() + std::size_t{1}),
                         kSmallestWindow, kLargestWindow))
    {
        for (std::uint32_t node = 0; node < problem.distances.nodes(); ++node) {
            bool any = false;
            for (std::uint32_t core = 0; core < problem.ranksPerNode && !any; ++core)
                any = !rules.fixed(node * problem.ranksPerNode + core);
            if (any) open_.push_back(node);
        }
    }
    std::uint32_t pick(std::uint32_t node, Random& random)
    {
        auto [found, added] = near_.try_emplace(node);
        if (added) found->second = nearest(node);
        const Nearest& near = found->second;
        return near.count == 0 ? node : near.nodes[random.below(near.count)];
    }

private:
    struct Nearest {
        std::uint32_t count = 0;
        std::array<std::uint32_t, kNearbyPerNode> nodes{};
    };

    Nearest nearest(std::uint32_t node) const
    {
        const auto index =
            static_cast<std::size_t>(std::lower_bound(open_.begin(), open_.end(), node) - open_.begin());
        const std::size_t begin = index < window_ / 2 ? 0 : index - window_ / 2;
        const std::size_t end = std::min(open_.size(), begin + window_);
        std::vector<std::pair<std::uint32_t, std::uint32_t>> ways;
        distances_.visit([&](const auto& hops) {
            for (std::size_t i = begin; i < end; ++i)
                ways.emplace_back(hops.between(node, open_[i]), open_[i]);
        });
        Nearest near;
        near.count = static_cast<std::uint32_t>(std::min<std::size_t>(kNearbyPerNode, ways.size()));
        std::partial_sort(ways.begin(), ways.begin() + near.count, ways.end());
        for (std::uint32_t i = 0; i < near.count; ++i) near.nodes[i] = ways[i].second;
        return near;
    }

    const Distances& distances_;
    const std::size_t window_;
    std::vector<std::uint32_t> open_;
    std::unordered_map<std::uint32_t, Nearest> near_;
};

class GeneralAnnealer {
public:
    GeneralAnnealer(const MappingProblem& problem, const SwapRules& rules, std::vector<std::uint32_t> start,
                    std::uint64_t seed)
        : problem_(problem),
          rules_(rules),
          slotOf_(std::move(start)),
          rankAt_(ranksOfSlots(slotOf_, problem.slots())),
          nearby_(problem, rules),
          random_(seed),
          moved_(rules.away(slotOf_))
    {
        for (std::uint32_t rank = 0; rank < problem.flow.ranks; ++rank) {
            if (!rules_.fixed(slotOf_[rank]) && problem.flow.degree(rank) > 0) movable_.push_back(rank);
        }
        const std::int64_t total = 2 * problem.flow.totalSent();
        const std::size_t degree =
            std::max<std::size_t>(1, problem.flow.entries() / std::max(1u, problem.flow.ranks));
        triesPerRound_ =
            static_cast<std::uint32_t>(std::clamp<std::size_t>(kPeersPerRound / degree, 32, kTriesPerRound));
        meanFlow_ = std::max(1.0,
                             static_cast<double>(total)
                                 / static_cast<double>(std::max<std::size_t>(1, problem.flow.entries())));
    }

    bool movable() const { return !movable_.empty(); }
    std::uint64_t tried() const { return tried_; }
    const std::vector<std::uint32_t>& slotOfRank() const { return slotOf_; }

    /// Tries some swaps; returns the share that was done.
    double round(double temperature)
    {
        std::uint32_t done = 0;
        for (std::uint32_t i = 0; i < triesPerRound_; ++i) done += trySwap(temperature * meanFlow_) ? 1 : 0;
        tried_ += triesPerRound_;
        return static_cast<double>(done) / triesPerRound_;
    }

private:
    bool trySwap(double temperature)
    {
        const std::uint32_t rank = movable_[random_.below(static_cast<std::uint32_t>(movable_.size()))];
        const std::uint32_t slot = slotOf_[rank];
        if (rules_.price() > 0.0 && random_.below(kTriesPerReturn) == 0) return tryReturn(rank, temperature);
        const std::uint32_t entry = problem_.flow.first[rank] + random_.below(problem_.flow.degree(rank));
        const std::uint32_t node =
            nearby_.pick(slotOf_[problem_.flow.peer[entry]] / problem_.ranksPerNode, random_);
        const std::uint32_t other = node * problem_.ranksPerNode + random_.below(problem_.ranksPerNode);
        if (node == slot / problem_.ranksPerNode || rules_.fixed(other)) return false;
        return trySwapOf(slot, other, temperature);
    }
    bool trySwapOf(std::uint32_t slot, std::uint32_t other, double temperature)
    {
        const double limit = temperature <= 0.0 ? 0.0 : -std::log(1.0 - random_.unit()) * temperature;
        auto change = static_cast<double>(hopBytesChange(problem_.flow, problem_.distances, slotOf_, rankAt_,
                                                         problem_.ranksPerNode, slot, other));
        if (rules_.price() > 0.0) change += rules_.price() * rules_.movedChange(rankAt_, slot, other);
        if (change >= limit) return false;
        if (!rules_.free() && !rules_.allowed(rankAt_, slot, other, moved_)) return false;
        swap(slot, other);
        return change != 0.0;
    }
    /// Where moves have a price, some tries lead ranks home.
    bool tryReturn(std::uint32_t rank, double temperature)
    {
        const std::uint32_t home = rules_.home(rank);
        return home != slotOf_[rank] && !rules_.fixed(home) && trySwapOf(slotOf_[rank], home, temperature);
    }
    void swap(std::uint32_t slot, std::uint32_t other)
    {
        moved_ =
            static_cast<std::uint32_t>(static_cast<int>(moved_) + rules_.movedChange(rankAt_, slot, other));
        std::swap(rankAt_[slot], rankAt_[other]);
        if (rankAt_[slot] != kNoRank) slotOf_[rankAt_[slot]] = slot;
        if (rankAt_[other] != kNoRank) slotOf_[rankAt_[other]] = other;
    }

    const MappingProblem& problem_;
    const SwapRules& rules_;
    std::vector<std::uint32_t> slotOf_;
    std::vector<std::uint32_t> rankAt_;
    NearbyNodes nearby_;
    Random random_;
    std::uint32_t moved_ = 0;
    std::vector<std::uint32_t> movable_;
    double meanFlow_ = 1.0;
    std::uint32_t triesPerRound_ = kTriesPerRound;
    std::uint64_t tried_ = 0;
};

}  // namespace

AnnealingOutcome annealGenerally(const MappingProblem& problem, const SwapRules& rules,
                                 std::vector<std::uint32_t> start, const AnnealingSchedule& schedule,
                                 std::uint64_t seed, const SearchClock& clock,
                                 const AnnealingObserver& observer, const Task& task)
{
    if (clock.late() || task.stopRequested()) return {std::move(start), 0};
    GeneralAnnealer annealer(problem, rules, std::move(start), seed);
    if (!annealer.movable()) return {annealer.slotOfRank(), 0};
    Thermostat thermostat(startTemperature(
        schedule.firstAcceptance, clock, task,
        [probe = annealer](double temperature) mutable { return probe.round(temperature); }));
    const double ratio = schedule.lastAcceptance / schedule.firstAcceptance;
    const double hotShare = 1.0 - kFrozenShare;
    for (double spent = clock.spent(0); spent < 1.0 && !task.stopRequested();
         spent = clock.spent(annealer.tried())) {
        if (spent >= hotShare) {
            annealer.round(0.0);
            continue;
        }
        thermostat.adjust(annealer.round(thermostat.temperature()),
                          schedule.firstAcceptance * std::pow(ratio, spent / hotShare));
        if (observer) observer(spent, annealer.slotOfRank());
    }
    return {annealer.slotOfRank(), annealer.tried()};
}

}  // namespace skein
