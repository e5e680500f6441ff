// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/folding/folding.h"

#include "algorithms/mapping/base/luby.h"
#include "algorithms/mapping/base/mixed_radix.h"
#include "algorithms/mapping/folding/sampled_cost.h"
#include "algorithms/mapping/problem/hop_bytes.h"
#include "core/base/parallel_for.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

namespace skein {
namespace {

/// Annealings side by side, whatever the threads.
constexpr std::size_t kChains = 4;
/// Maps that the shortest annealing tries; measured best on MiniMD and MiniAMR.
constexpr std::uint64_t kMapsPerChain = 4000;
/// How the annealings differ: no one way finds all orders.
struct ChainParams {
    double firstHeat = 0.007;  ///< of the cost at the start; on small machines a step is a larger part
    double runs = 0.0;  ///< share of moves that mirror runs of digits: whole dimensions, as a snake does
};
constexpr std::array<ChainParams, kChains> kChainParams{ChainParams{0.007, 0.0}, ChainParams{0.007, 0.0},
                                                        ChainParams{0.007, 0.25}, ChainParams{0.03, 0.1}};
constexpr double kChainEndHeat = 0.0007;
constexpr std::uint64_t kMapsPerLook = 16;
/// With more places than these every map takes so long that a stop is listened for after each, and that
/// annealings which were stopped are not evaluated by all flows.
constexpr std::size_t kPlacesToLookAtOnce = std::size_t{1} << 16;

/// While an annealing cools, its samples grow.
struct Stage {
    double begin = 0.0;  ///< part of the cooling
    std::size_t pairs = 0;
};
constexpr std::array kStages{Stage{0.0, 250}, Stage{0.8, 1000}, Stage{0.95, 4000}};

void shuffle(std::span<std::uint32_t> values, Random& random)
{
    for (std::size_t i = values.size(); i > 1; --i)
        std::swap(values[i - 1], values[random.below(static_cast<std::uint32_t>(i))]);
}

/// Factors of each dimension, of the cores of a node last. The order within a dimension is a matter of luck.
std::vector<std::uint32_t> placeBases(const FoldingGrid& grid, Random& random)
{
    std::vector<std::uint32_t> bases;
    for (const std::uint32_t size : grid.sizes) {
        std::vector<std::uint32_t> factors = primeFactors(size);
        shuffle(factors, random);
        bases.insert(bases.end(), factors.begin(), factors.end());
    }
    return bases;
}

/// Factors of the ranks in any order, after those that ranks do not fill.
std::vector<std::uint32_t> rankBases(std::uint32_t ranks, std::size_t places, Random& random)
{
    std::vector<std::uint32_t> bases = primeFactors(static_cast<std::uint32_t>(places) / ranks);
    std::vector<std::uint32_t> factors = primeFactors(ranks);
    shuffle(factors, random);
    bases.insert(bases.end(), factors.begin(), factors.end());
    return bases;
}

bool treatable(const MappingProblem& problem, const FoldingGrid& grid)
{
    if (problem.flow.ranks == 0 || problem.flow.entries() == 0 || grid.slotAt.empty()) return false;
    const std::vector<std::uint32_t> factors = primeFactors(static_cast<std::uint32_t>(grid.slotAt.size()));
    return factors.size() >= 2 && factors.back() <= MixedRadix::kMaxBase;
}

/// One annealing from the order of the ranks, by moves of digits.
class Chain {
public:
    Chain(std::uint32_t ranks, const FoldingGrid& grid, const SampledCost& sampledCost,
          const ChainParams& params, std::uint64_t seed)
        : sampledCost_(sampledCost),
          params_(params),
          random_(seed),
          placeDigits_(placeBases(grid, random_)),
          rankDigits_(rankBases(ranks, grid.slotAt.size(), random_)),
          placeOf_(grid.slotAt.size())
    {
        std::iota(placeOf_.begin(), placeOf_.end(), 0u);
        best_ = placeOf_;
    }

    void run(std::uint64_t maps, const SearchClock& clock, const Task& task)
    {
        std::size_t stage = 0;
        enter(stage);
        const double unit = cost_;
        const double begin = clock.bySteps() ? 1.0 : std::min(1.0, clock.spent(0));
        double cooled = 0.0;
        const bool large = placeOf_.size() > kPlacesToLookAtOnce;
        for (; steps_ < maps; ++steps_) {
            if (large && task.stopRequested()) break;
            if (steps_ % kMapsPerLook == 0) {
                if (task.stopRequested() || clock.late()) break;
                cooled = static_cast<double>(steps_) / static_cast<double>(maps);
                // Where the time is too short for all maps, it decides how fast to cool.
                if (begin < 1.0) cooled = std::max(cooled, (clock.spent(0) - begin) / (1.0 - begin));
                if (stage + 1 < kStages.size() && cooled >= kStages[stage + 1].begin) enter(++stage);
            }
            tryMove(unit * params_.firstHeat * std::pow(kChainEndHeat / params_.firstHeat, cooled));
        }
    }

    const std::vector<std::uint32_t>& best() const { return best_; }
    /// The cost of the best map by a sample that is not this annealing's own.
    double bestBy(const FlowSample& sample) const
    {
        std::vector<std::uint32_t> from, to;
        for (const std::uint32_t rank : sample.from) from.push_back(best_[rank]);
        for (const std::uint32_t rank : sample.to) to.push_back(best_[rank]);
        return sampledCost_.cost(from, to, sample.weight);
    }
    std::uint64_t steps() const { return steps_; }

private:
    void enter(std::size_t stage)
    {
        sample_ = sampledCost_.sample(kStages[stage].pairs, random_);
        from_.resize(sample_.size());
        to_.resize(sample_.size());
        cost_ = costOf(placeOf_);
        bestCost_ = costOf(best_);
    }
    double costOf(const std::vector<std::uint32_t>& placeOf)
    {
        return costThrough([&](std::uint32_t rank) { return placeOf[rank]; });
    }
    template <typename PlaceOf>
    double costThrough(PlaceOf&& placeOf)
    {
        for (std::size_t i = 0; i < sample_.size(); ++i) {
            from_[i] = placeOf(sample_.from[i]);
            to_[i] = placeOf(sample_.to[i]);
        }
        return sampledCost_.cost(from_, to_, sample_.weight);
    }
    void tryMove(double heat)
    {
        const bool amongRanks = random_.below(2) == 0;
        const DigitMove move(amongRanks ? rankDigits_ : placeDigits_, params_.runs, random_);
        const double cost = amongRanks
            ? costThrough([&](std::uint32_t rank) { return placeOf_[move.of(rank)]; })
            : costThrough([&](std::uint32_t rank) { return move.of(placeOf_[rank]); });
        if (cost > cost_ && random_.unit() >= std::exp((cost_ - cost) / heat)) return;
        cost_ = cost;
        if (amongRanks) applyAmongRanks(move);
        else
            for (std::uint32_t& place : placeOf_) place = move.of(place);
        if (cost_ >= bestCost_) return;
        bestCost_ = cost_;
        best_ = placeOf_;
    }
    void applyAmongRanks(const DigitMove& move)
    {
        next_.resize(placeOf_.size());
        for (std::uint32_t rank = 0; rank < next_.size(); ++rank) next_[rank] = placeOf_[move.of(rank)];
        placeOf_.swap(next_);
    }

    const SampledCost& sampledCost_;
    const ChainParams params_;
    Random random_;
    MixedRadix placeDigits_;
    MixedRadix rankDigits_;
    std::vector<std::uint32_t> placeOf_;  ///< ranks beyond those of the problem are empty
    std::vector<std::uint32_t> next_;
    std::vector<std::uint32_t> best_;
    FlowSample sample_;
    std::vector<std::uint32_t> from_, to_;
    double cost_ = 0.0;
    double bestCost_ = 0.0;
    std::uint64_t steps_ = 0;
};

using Chains = std::array<std::optional<Chain>, kChains>;

/// Wave after wave of annealings, as long as there is time for one more.
class Folding {
public:
    Folding(const MappingProblem& problem, const FoldingGrid& grid, std::int64_t target, std::uint64_t seed,
            const SearchClock& clock, const Task& task)
        : problem_(problem),
          grid_(grid),
          heard_(grid.slotAt.size() > kPlacesToLookAtOnce ? task : Task().withThreads(task.threads())),
          sampledCost_(problem, grid.slotAt, heard_),
          target_(target),
          seed_(seed),
          clock_(clock),
          task_(task)
    {
    }

    FoldingOutcome run()
    {
        for (std::uint64_t wave = 1; wave == 1 || goesOn(wave); ++wave) {
            runWave(wave);
            task_.report(std::min(1.0, clock_.spent(outcome_.steps)),
                         "folding the order of ranks onto the machine");
        }
        return std::move(outcome_);
    }

private:
    std::uint64_t mapsOf(std::uint64_t wave) const
    {
        const std::uint64_t maps = kMapsPerChain * lubyNumber(wave);
        if (!clock_.bySteps()) return maps;
        return std::clamp<std::uint64_t>(
            (clock_.steps() - std::min(clock_.steps(), outcome_.steps)) / kChains, 1, maps);
    }
    /// By time, a wave that would not end is not begun: the rest is of more use to swaps.
    bool goesOn(std::uint64_t wave) const
    {
        if (task_.stopRequested() || bestCost_ <= target_) return false;
        if (clock_.bySteps()) return outcome_.steps < clock_.steps();
        const double perMap =
            clock_.elapsed() / static_cast<double>(std::max<std::uint64_t>(1, outcome_.steps));
        return clock_.elapsed() + perMap * static_cast<double>(mapsOf(wave) * kChains) <= clock_.seconds();
    }
    void runWave(std::uint64_t wave)
    {
        Chains chains;
        std::array<std::vector<std::uint32_t>, kChains> slots;
        std::array<std::int64_t, kChains> costs{};
        const std::uint64_t maps = mapsOf(wave);
        parallelFor(kChains, heard_, [&](std::size_t i) {
            chains[i].emplace(problem_.flow.ranks, grid_, sampledCost_, kChainParams[i],
                              Random::mix(Random::mix(seed_) + wave * kChains + i));
            chains[i]->run(maps, clock_, task_);
            if (heard_.stopRequested()) return;
            slots[i] = slotsOf(*chains[i]);
            costs[i] = hopBytes(problem_.flow, problem_.distances, slots[i], problem_.ranksPerNode);
        });
        for (std::size_t i = 0; i < kChains; ++i) {
            if (chains[i]) outcome_.steps += chains[i]->steps();
            if (slots[i].empty() || (!outcome_.slotOfRank.empty() && costs[i] >= bestCost_)) continue;
            bestCost_ = costs[i];
            outcome_.slotOfRank = std::move(slots[i]);
        }
        if (outcome_.slotOfRank.empty()) takeUnevaluated(chains);
    }

    /// Where a stop left no map that was evaluated, of the annealings that began the best by one sample: who
    /// asked for the map knows whether it is worth an evaluation by all flows.
    void takeUnevaluated(const Chains& chains)
    {
        Random random(seed_);
        const FlowSample sample = sampledCost_.sample(kStages.back().pairs, random);
        const Chain* best = nullptr;
        double least = std::numeric_limits<double>::infinity();
        for (const std::optional<Chain>& chain : chains) {
            if (!chain) continue;
            const double cost = chain->bestBy(sample);
            if (cost >= least) continue;
            least = cost;
            best = &*chain;
        }
        if (best) outcome_.slotOfRank = slotsOf(*best);
    }
    std::vector<std::uint32_t> slotsOf(const Chain& chain) const
    {
        std::vector<std::uint32_t> slots(problem_.flow.ranks);
        for (std::uint32_t rank = 0; rank < slots.size(); ++rank)
            slots[rank] = grid_.slotAt[chain.best()[rank]];
        return slots;
    }

    const MappingProblem& problem_;
    const FoldingGrid& grid_;
    /// Deaf on small machines: there every annealing begins even after a stop, so that each has a map.
    const Task heard_;
    const SampledCost sampledCost_;
    const std::int64_t target_;
    const std::uint64_t seed_;
    const SearchClock& clock_;
    const Task& task_;
    FoldingOutcome outcome_;
    std::int64_t bestCost_ = 0;
};

}  // namespace

FoldingOutcome foldRanks(const MappingProblem& problem, const FoldingGrid& grid, std::int64_t target,
                         std::uint64_t seed, const SearchClock& clock, const Task& task)
{
    if (!treatable(problem, grid)) return {};
    return Folding(problem, grid, target, seed, clock, task).run();
}

}  // namespace skein
