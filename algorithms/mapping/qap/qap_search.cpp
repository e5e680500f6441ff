// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/qap/qap_search.h"

#include "algorithms/mapping/qap/branch_and_bound.h"
#include "algorithms/mapping/qap/dense_annealing.h"
#include "algorithms/mapping/qap/tabu_search.h"
#include "core/base/parallel_for.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <mutex>
#include <numeric>

namespace skein {
namespace {

constexpr std::uint32_t kChildren = 2;  ///< a generation; also what two cores work on
constexpr std::uint32_t kPopulation = 16;
constexpr std::uint32_t kTournament = 3;
constexpr std::uint32_t kExactSize = 9;  ///< up to here branch and bound takes milliseconds
constexpr std::uint64_t kExactNodes = 200000;
constexpr std::uint32_t kStaleGenerations = 40;
constexpr std::uint64_t kShortRun = 300;
/// Sweeps of annealing that the first members of a population begin with; a sweep costs about as much as n
/// tabu steps.
constexpr std::uint64_t kStartSweeps = 100;
/// Up to this size every other one begins with tabu search at once, which finds what annealing misses.
constexpr std::uint32_t kSmall = 40;
/// Part of a budget in steps that one of them may take.
constexpr std::uint64_t kStartPart = 64;
/// Lengths of the tabu runs in turn, in short runs.
constexpr std::array<std::uint64_t, 8> kRunLengths{1, 4, 2, 16, 1, 4, 2, 100};

using Permutation = std::vector<std::uint32_t>;

struct Individual {
    Permutation permutation;
    std::int64_t cost = 0;
};

Permutation shuffled(std::uint32_t size, Random& random)
{
    Permutation permutation(size);
    std::iota(permutation.begin(), permutation.end(), 0u);
    for (std::uint32_t i = size; i > 1; --i) std::swap(permutation[i - 1], permutation[random.below(i)]);
    return permutation;
}

/// Keeps what both parents share, takes each other item's place from either where it is still free, and fills
/// up.
Permutation crossed(const Permutation& a, const Permutation& b, Random& random)
{
    const auto size = static_cast<std::uint32_t>(a.size());
    constexpr std::uint32_t kOpen = 0xFFFFFFFFu;
    Permutation child(size, kOpen);
    std::vector<std::uint8_t> taken(size, 0);
    const auto give = [&](std::uint32_t item, std::uint32_t place) {
        child[item] = place;
        taken[place] = 1;
    };
    for (std::uint32_t item = 0; item < size; ++item) {
        if (a[item] == b[item]) give(item, a[item]);
    }
    for (const std::uint32_t item : shuffled(size, random)) {
        if (child[item] != kOpen) continue;
        const bool fromA = random.below(2) == 0;
        const std::uint32_t first = fromA ? a[item] : b[item];
        const std::uint32_t second = fromA ? b[item] : a[item];
        if (!taken[first]) give(item, first);
        else if (!taken[second]) give(item, second);
    }
    std::vector<std::uint32_t> left;
    for (std::uint32_t place = 0; place < size; ++place) {
        if (!taken[place]) left.push_back(place);
    }
    for (std::uint32_t item = 0; item < size; ++item) {
        if (child[item] != kOpen) continue;
        const std::uint32_t index = random.below(static_cast<std::uint32_t>(left.size()));
        child[item] = left[index];
        left[index] = left.back();
        left.pop_back();
    }
    return child;
}

void shake(Permutation& permutation, std::uint32_t swaps, Random& random)
{
    const auto size = static_cast<std::uint32_t>(permutation.size());
    for (std::uint32_t i = 0; i < swaps; ++i)
        std::swap(permutation[random.below(size)], permutation[random.below(size)]);
}

/// The population and its generations, for one kind of number.
template <typename Number>
class Memetic {
public:
    Memetic(const QapInstance& instance, const QapParams& params, const SearchClock& clock, const Task& task)
        : instance_(instance), params_(params), clock_(clock), task_(task), random_(params.seed)
    {
        for (std::uint32_t i = 0; i < kChildren; ++i) {
            searches_.emplace_back(instance);
            annealers_.emplace_back(instance);
            randoms_.emplace_back(Random::mix(params.seed + 17 * i + 1));
        }
    }

    QapResult run(std::int64_t bound)
    {
        best_.permutation = params_.start.empty() ? shuffled(instance_.size, random_) : params_.start;
        best_.cost = qapCost(instance_, best_.permutation);
        while (!over() && best_.cost > bound) generation(bound);
        QapResult result;
        result.permutation = best_.permutation;
        result.cost = best_.cost;
        result.steps = steps_;
        return result;
    }

private:
    bool over() const { return task_.stopRequested() || clock_.spent(steps_) >= 1.0; }

    /// Asked by the children all the time, from any thread. A generation may take most of the budget.
    bool overMeanwhile()
    {
        if (task_.stopRequested()) return true;
        if (clock_.bySteps()) return false;
        const double spent = clock_.spent(0);
        tellMeanwhile(spent);
        return spent >= 1.0;
    }

    void tellMeanwhile(double spent)
    {
        constexpr double kWorthTelling = 0.01;
        const std::unique_lock lock(telling_, std::try_to_lock);
        if (!lock.owns_lock() || spent < told_ + kWorthTelling) return;
        told_ = spent;
        task_.report(std::min(1.0, spent), "searching");
    }

    void generation(std::int64_t bound)
    {
        std::vector<Individual> children(kChildren);
        for (std::uint32_t i = 0; i < kChildren; ++i) children[i].permutation = nextStart(i);
        const bool fresh = population_.size() < kPopulation;
        const std::uint64_t length = runLength();
        std::vector<std::uint64_t> done(kChildren, 0);
        const auto stop = [this] { return overMeanwhile(); };
        parallelFor(kChildren, task_, [&](std::size_t i) {
            const bool anneals = fresh && (i % 2 == 1 || (instance_.size > kSmall && generation_ > 0));
            if (anneals)
                done[i] = annealers_[i].run(children[i].permutation, startSweeps(), randoms_[i], stop)
                    / instance_.size;
            done[i] += searches_[i].run(children[i].permutation, length, randoms_[i], stop);
            children[i] = {searches_[i].best(), searches_[i].bestCost()};
        });
        ++generation_;
        ++stale_;
        for (std::uint32_t i = 0; i < kChildren; ++i) {
            steps_ += done[i];
            if (!children[i].permutation.empty() && done[i] > 0) take(std::move(children[i]));
        }
        task_.report(std::min(1.0, clock_.spent(steps_)), "searching");
        if (stale_ > kStaleGenerations && best_.cost > bound) renew();
    }

    Permutation nextStart(std::uint32_t child)
    {
        if (population_.size() < kPopulation) {
            const bool useGiven = generation_ == 0 && child == 0;
            return useGiven ? best_.permutation : shuffled(instance_.size, random_);
        }
        const std::size_t a = tournament();
        std::size_t b = tournament();
        if (a == b) b = (b + 1 + random_.below(kPopulation - 1)) % kPopulation;
        Permutation start = crossed(population_[a].permutation, population_[b].permutation, random_);
        // Parents that are nearly the same leave nothing to search: a few random swaps open it up.
        if (start == population_[a].permutation || start == population_[b].permutation)
            shake(start, 2 + instance_.size / 8, random_);
        return start;
    }

    std::size_t tournament()
    {
        std::size_t best = random_.below(kPopulation);
        for (std::uint32_t i = 1; i < kTournament; ++i) {
            const std::size_t other = random_.below(kPopulation);
            if (population_[other].cost < population_[best].cost) best = other;
        }
        return best;
    }

    std::uint32_t startSweeps() const
    {
        if (!clock_.bySteps()) return kStartSweeps;
        return static_cast<std::uint32_t>(
            std::clamp<std::uint64_t>(clock_.steps() / (kStartPart * instance_.size), 1, kStartSweeps));
    }

    std::uint64_t runLength() const
    {
        const std::uint64_t unit = std::max<std::uint64_t>(kShortRun, 12 * std::uint64_t{instance_.size});
        const std::uint64_t length = unit * kRunLengths[generation_ % kRunLengths.size()];
        if (!clock_.bySteps()) return length;
        return std::max<std::uint64_t>(
            1, std::min(length, (clock_.steps() - std::min(steps_, clock_.steps())) / kChildren));
    }

    void take(Individual child)
    {
        if (child.cost < best_.cost) {
            best_ = child;
            stale_ = 0;
            if (params_.onImprovement) params_.onImprovement(best_.permutation, steps_);
        }
        const auto same = [&](const Individual& other) {
            return other.cost == child.cost && other.permutation == child.permutation;
        };
        if (std::any_of(population_.begin(), population_.end(), same)) return;
        if (population_.size() < kPopulation) {
            population_.push_back(std::move(child));
            return;
        }
        const auto worst =
            std::max_element(population_.begin(), population_.end(),
                             [](const Individual& x, const Individual& y) { return x.cost < y.cost; });
        if (child.cost <= worst->cost) *worst = std::move(child);
    }

    /// The population has grown together: all but the best restart, far from where they are.
    void renew()
    {
        stale_ = 0;
        population_.clear();
        if (random_.below(2) == 0) population_.push_back(best_);
    }

    const QapInstance& instance_;
    const QapParams& params_;
    const SearchClock& clock_;
    const Task& task_;
    Random random_;
    std::vector<TabuSearch<Number>> searches_;
    std::vector<DenseAnnealing> annealers_;
    std::vector<Random> randoms_;
    std::vector<Individual> population_;
    Individual best_;
    std::uint64_t steps_ = 0;
    std::uint64_t generation_ = 0;
    std::uint32_t stale_ = 0;
    std::mutex telling_;
    double told_ = 0;  ///< of the budget in time; guarded by telling_
};

Result<void> checkStart(const QapInstance& instance, const Permutation& start)
{
    std::vector<std::uint8_t> seen(instance.size, 0);
    for (const std::uint32_t place : start) {
        if (place >= instance.size || seen[place]++)
            return fail(ErrorCode::InvalidArgument, "The given start is no permutation.");
    }
    if (!start.empty() && start.size() != instance.size)
        return fail(ErrorCode::InvalidArgument, "The given start is no permutation.");
    return {};
}

}  // namespace

Result<QapResult> solveQap(const QapInstance& instance, const QapParams& params, const Task& task)
{
    const SearchClock clock(params.budget);
    if (const auto fine = checkStart(instance, params.start); !fine) return Unexpected(fine.error());
    if (instance.size == 0) return fail(ErrorCode::InvalidArgument, "There is nothing to assign.");
    const std::int64_t bound = params.lowerBound ? *params.lowerBound : gilmoreLawlerBound(instance);
    QapResult result;
    if (instance.size <= kExactSize) {
        Permutation start(instance.size);
        std::iota(start.begin(), start.end(), 0u);
        BranchAndBoundResult exact = branchAndBound(instance, params.start.empty() ? start : params.start,
                                                    SearchClock(SearchBudget{0.0, kExactNodes}), task);
        result = {std::move(exact.permutation),
                  exact.cost,
                  bound,
                  exact.complete,
                  exact.nodes,
                  0.0,
                  "branch and bound"};
    }
    const std::int64_t goal = std::max(bound, params.enough.value_or(bound));
    if (!result.optimal) {
        result = fitsInt32(instance) ? Memetic<std::int32_t>(instance, params, clock, task).run(goal)
                                     : Memetic<double>(instance, params, clock, task).run(goal);
        result.method = "memetic tabu search";
    }
    result.lowerBound = bound;
    result.optimal = result.optimal || result.cost <= bound;
    if (result.optimal) result.lowerBound = result.cost;
    result.seconds = clock.elapsed();
    return result;
}

}  // namespace skein
