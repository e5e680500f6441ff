// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/moves/limited_moves.h"

#include "algorithms/mapping/annealing/annealing.h"
#include "algorithms/mapping/annealing/general_annealer.h"
#include "algorithms/mapping/base/random.h"
#include "algorithms/mapping/base/thermostat.h"
#include "algorithms/mapping/moves/few_moves.h"
#include "algorithms/mapping/moves/path_relinking.h"
#include "algorithms/mapping/problem/hop_bytes.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace skein {
namespace {

constexpr double kMostAnnealings = 8.0;
/// Tries a rank that an annealing must have to be worth it.
constexpr double kAnnealingTriesPerRank = 1000.0;
constexpr AnnealingSchedule kSchedule{.firstAcceptance = 0.03, .lastAcceptance = 0.003, .regions = 1};
/// Ranks whose return a path evaluates again.
constexpr std::size_t kEvaluationsOfPath = std::size_t{1} << 15;
/// Part of the budget for a few moves, and the swaps that are expected to be evaluated in a second of it.
constexpr double kFewShare = 0.25;
constexpr double kEvaluationsPerSecond = 1e6;
constexpr std::uint32_t kWidestBeam = 64;
/// The first price as a part of what a rank costs on average; how far it falls while it is looked for how
/// many move at which price, the part of the budget for that, and how cold that is.
constexpr double kFirstPrice = 0.5;
constexpr double kPriceFall = 1e4;
constexpr double kFallShare = 0.3;
constexpr double kColdTemperature = 1.0 / 64.0;
constexpr double kColdAcceptance = 0.002;
/// How far a price changes while only one side is known.
constexpr double kPriceFactor = 2.0;
/// Prices as near as this need nothing between them: then other annealings at the lower one are of more use.
constexpr double kNear = 1.15;

class LimitedSearch {
public:
    LimitedSearch(const MappingProblem& problem, const PreparedMapping& prepared, const FieldModel* model,
                  std::uint64_t seed)
        : problem_(problem),
          prepared_(prepared),
          model_(model),
          seed_(seed),
          limit_(prepared.rules.moveLimit())
    {
        const std::int64_t cost =
            hopBytes(problem.flow, problem.distances, prepared.start, problem.ranksPerNode);
        const double ranks = std::max(1u, problem.flow.ranks);
        price_ = std::max(1.0, kFirstPrice * 2.0 * static_cast<double>(cost) / ranks);
    }

    std::uint64_t run(const SearchClock& clock,
                      const std::function<void(std::span<const std::uint32_t>, std::uint64_t)>& found,
                      const Task& task)
    {
        std::uint64_t steps = 0;
        const auto trimmed = [&](std::vector<std::uint32_t> slots) {
            // Groups are held by their slots, so no rank may take a slot of theirs even on its own node.
            if (problem_.constraints.together.empty()) slots = keepCores(problem_, std::move(slots));
            PathRelinking path(problem_, prepared_, std::move(slots), kEvaluationsOfPath);
            const std::uint32_t moved = path.moved();
            while (path.moved() > limit_ && path.step()) {}
            if (path.moved() <= limit_) found(path.slotOfRank(), steps);
            return moved;
        };
        for (const FewMoves& few : fewMoves(clock, steps, task)) found(few.slotOfRank, steps);
        if (model_) trimmed(fallingPrice(clock.part(steps, kFallShare), steps, task));
        const double tries =
            clock.bySteps() ? static_cast<double>(clock.steps()) : clock.seconds() * kUsualRate;
        const int annealings = static_cast<int>(std::clamp(
            tries / kAnnealingTriesPerRank / std::max(1u, problem_.flow.ranks), 1.0, kMostAnnealings));
        for (int i = 0; i < annealings && clock.spent(steps) < 1.0 && !task.stopRequested(); ++i) {
            AnnealingOutcome outcome = annealing(clock.part(steps, 1.0 / (annealings - i)), i, task);
            steps += outcome.steps;
            adjustPrice(trimmed(std::move(outcome.slotOfRank)));
        }
        return steps;
    }

private:
    std::vector<FewMoves> fewMoves(const SearchClock& clock, std::uint64_t& steps, const Task& task) const
    {
        if (limit_ > 2 * kMostFewMoves) return {};
        const SearchClock part = clock.part(0, kFewShare);
        const double swaps = 0.5 * prepared_.openSlots * prepared_.openSlots;
        const double evaluations =
            part.bySteps() ? static_cast<double>(part.steps()) : part.seconds() * kEvaluationsPerSecond;
        const double width = evaluations / (std::max(1.0, swaps) * std::clamp(limit_, 1u, kMostFewMoves));
        return searchFewMoves(problem_, prepared_.rules, prepared_.start, limit_,
                              static_cast<std::uint32_t>(std::clamp(width, 1.0, double{kWidestBeam})), part,
                              steps, task);
    }
    /// Follows the best placements from no moves to more while moves become cheaper, until there are as many
    /// as may be: a start, and the price that makes it so.
    std::vector<std::uint32_t> fallingPrice(const SearchClock& clock, std::uint64_t& steps, const Task& task)
    {
        const SwapRules rules = prepared_.rules.priced(price_);
        FieldAnnealer annealer({problem_.flow, *model_, rules}, prepared_.start, Random::mix(seed_), 1, task);
        Thermostat thermostat(kColdTemperature);
        double price = price_;
        int idle = 0;
        for (double spent = 0.0; spent < 1.0 && idle < FieldAnnealer::kIdleRounds
             && annealer.moved() <= limit_ && !task.stopRequested();
             spent = clock.spent(annealer.tried())) {
            price = price_ * std::pow(kPriceFall, -spent);
            annealer.setPrice(price);
            const std::uint64_t tried = annealer.tried(), before = annealer.done();
            annealer.round(thermostat.temperature(), 1, clock, task.withThreads(1));
            idle = annealer.tried() == tried ? idle + 1 : 0;
            thermostat.adjust(static_cast<double>(annealer.done() - before)
                                  / static_cast<double>(std::max<std::uint64_t>(1, annealer.tried() - tried)),
                              kColdAcceptance);
        }
        annealer.round(0.0, 1, clock, task.withThreads(1));
        steps += annealer.tried();
        price_ = price;
        return {annealer.slotOfRank().begin(), annealer.slotOfRank().end()};
    }
    AnnealingOutcome annealing(const SearchClock& clock, int turn, const Task& task) const
    {
        const SwapRules rules = prepared_.rules.priced(price_);
        const std::uint64_t seed = Random::mix(seed_ + static_cast<std::uint64_t>(turn));
        if (!model_)
            return annealGenerally(problem_, rules, prepared_.start, kSchedule, seed, clock, {}, task);
        return anneal({problem_.flow, *model_, rules}, prepared_.start, kSchedule, seed, clock, {}, task);
    }
    /// Next time a rank that moves costs more where too many did, else less.
    void adjustPrice(std::uint32_t moved)
    {
        (moved > limit_ ? tooLow_ : tooHigh_) = price_;
        if (tooLow_ <= 0.0) {
            price_ = tooHigh_ / kPriceFactor;
        } else if (tooHigh_ <= 0.0) {
            price_ = tooLow_ * kPriceFactor;
        } else {
            price_ = tooHigh_ < kNear * tooLow_ ? tooLow_ : std::sqrt(tooLow_ * tooHigh_);
        }
    }

    const MappingProblem& problem_;
    const PreparedMapping& prepared_;
    const FieldModel* model_;
    const std::uint64_t seed_;
    const std::uint32_t limit_;
    double price_ = 1.0;
    double tooLow_ = 0.0;
    double tooHigh_ = 0.0;
};

}  // namespace

std::uint64_t searchLimitedMoves(
    const MappingProblem& problem, const PreparedMapping& prepared, const FieldModel* model,
    std::uint64_t seed, const SearchClock& clock,
    const std::function<void(std::span<const std::uint32_t>, std::uint64_t steps)>& found, const Task& task)
{
    return LimitedSearch(problem, prepared, model, seed).run(clock, found, task);
}

}  // namespace skein
