// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/search/moved_front.h"
#include "algorithms/mapping/constraints/prepared_mapping.h"

#include "algorithms/mapping/moves/path_relinking.h"
#include "algorithms/mapping/problem/hop_bytes.h"
#include "algorithms/mapping/search/run_method.h"
#include "algorithms/mapping/search/search_state.h"
#include "core/base/parallel_for.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace skein {
namespace {

constexpr double kMostRungs = 12.0;
/// Tries of swaps for each rank and for each flow that a search must have to be worth its preparations.
constexpr double kRungTriesPerRank = 1500.0;
constexpr double kTriesPerFlow = 6.0;
/// Part of the budget for the ladder; paths count no steps.
constexpr double kLadderShare = 0.6;
/// Ranks whose return a path evaluates again.
constexpr std::size_t kEvaluationsOfFrontPath = std::size_t{1} << 16;
constexpr std::uint32_t kStepsPerLook = 32;
/// Ranks that a path may return whatever the budget in steps.
constexpr std::uint64_t kReturnsOfAnyBudget = std::uint64_t{1} << 16;
/// A search of few ranks needs no more: seconds for each pair of them.
constexpr double kSecondsPerPair = 1e-4;

/// A placement, and the swaps that lead from it back to the current one.
struct ReturnPath {
    std::vector<std::uint32_t> start;
    std::vector<SlotSwap> swaps;
};

/// The placement after some swaps of a path.
struct Point {
    std::uint32_t moved = 0;
    std::int64_t objective = 0;
    std::size_t path = 0;
    std::size_t swaps = 0;
};

class Front {
public:
    Front(const MappingProblem& problem, const MovedFrontParams& params, const SearchClock& clock,
          const Task& task)
        : problem_(problem),
          params_(params),
          clock_(clock),
          prepared_(prepareMapping(problem, GroupPlaces::Nearest, task))
    {
        if (prepared_) state_.emplace(problem, *prepared_, params_.search, clock_, task);
    }

    bool possible() const { return prepared_.has_value(); }

    void begin(std::span<const std::uint32_t> target)
    {
        add(prepared_->start);
        add({target.begin(), target.end()});
    }

    /// Searches with every limit, side by side.
    void climb(const std::vector<std::uint32_t>& ladder, const Task& task)
    {
        const SearchBudget budget = budgetOfRung(problem_, clock_, ladder.size(), task.threads());
        std::vector<std::vector<std::uint32_t>> found(ladder.size());
        parallelFor(ladder.size(), task, [&](std::size_t i) {
            if (!clock_.late()) found[i] = searchWith(ladder[i], budget, task.withThreads(1));
        });
        for (auto& slots : found) {
            if (!slots.empty()) add(std::move(slots));
        }
    }

    void relink(const Task& task)
    {
        if (params_.search.objective != RemapObjective::HopBytes) return;
        for (std::size_t path = 0; path < paths_.size(); ++path) {
            if (task.stopRequested()) return;
            if (tooLong(paths_[path].start)) continue;
            PathRelinking relinking(problem_, *prepared_, paths_[path].start, kEvaluationsOfFrontPath);
            while (
                (relinking.swaps().size() % kStepsPerLook != 0 || (!clock_.late() && !task.stopRequested()))
                && relinking.step()) {
                points_.push_back({relinking.moved(), relinking.hopBytes(), path, relinking.swaps().size()});
            }
            paths_[path].swaps = relinking.swaps();
        }
    }

    /// What no other point beats: the best within each number of moves that was searched for, and others at
    /// growing distances.
    std::vector<MovedTradeOff> chosen(const std::vector<std::uint32_t>& ladder, const Task& task)
    {
        keepUndominated();
        std::vector<MovedTradeOff> front;
        if (points_.empty()) return front;
        const std::vector<std::size_t> indices = chosenIndices(ladder);
        for (const std::size_t index : indices) {
            const bool needed =
                index == indices.front() || index == indices.back() || points_[index].swaps == 0;
            if (!needed && (clock_.late() || task.stopRequested())) continue;
            MovedTradeOff point = tradeOffOf(points_[index]);
            if (satisfies(problem_, point.slotOfRank)
                && (front.empty() || point.objective < front.back().objective))
                front.push_back(std::move(point));
        }
        return front;
    }

private:
    /// Paths count no steps, but a small budget must not end in a path of millions.
    bool tooLong(const std::vector<std::uint32_t>& start) const
    {
        return clock_.bySteps() && countMoved(problem_.current, start) > kReturnsOfAnyBudget + clock_.steps();
    }
    void add(std::vector<std::uint32_t> slots)
    {
        const std::int64_t objective = state_->cost(slots);
        if (objective == SearchState::kUnknownCost) return;
        points_.push_back({countMoved(problem_.current, slots), objective, paths_.size(), 0});
        paths_.push_back({std::move(slots), {}});
    }

    std::vector<std::uint32_t> searchWith(std::uint32_t limit, const SearchBudget& budget,
                                          const Task& task) const
    {
        MappingProblem limited = problem_;
        limited.constraints.maxMoved = limit;
        RemapParams params = params_.search;
        params.onImprovement = {};
        params.onMapping = {};
        params.method = kAutoMethod;
        params.budget = budget;
        auto result = remap(limited, params, task);
        return result ? std::move(result->slotOfRank) : std::vector<std::uint32_t>();
    }

    void keepUndominated()
    {
        std::stable_sort(points_.begin(), points_.end(), [](const Point& a, const Point& b) {
            return a.moved != b.moved ? a.moved < b.moved : a.objective < b.objective;
        });
        std::vector<Point> front;
        for (const Point& point : points_) {
            if (front.empty() || point.objective < front.back().objective) front.push_back(point);
        }
        points_ = std::move(front);
    }

    std::vector<std::size_t> chosenIndices(const std::vector<std::uint32_t>& ladder) const
    {
        std::vector<std::size_t> indices;
        const auto choose = [&](double moved) {
            const auto after =
                std::upper_bound(points_.begin(), points_.end(), moved,
                                 [](double limit, const Point& point) { return limit < point.moved; });
            if (after != points_.begin())
                indices.push_back(static_cast<std::size_t>(after - points_.begin()) - 1);
        };
        const double most = points_.back().moved;
        const std::size_t others =
            params_.points > ladder.size() + 2 ? params_.points - ladder.size() - 2 : 1;
        for (const std::uint32_t limit : ladder) choose(limit);
        for (std::size_t i = 0; i < others; ++i)
            choose(std::pow(most, (static_cast<double>(i) + 0.5) / static_cast<double>(others)));
        indices.push_back(0);
        indices.push_back(points_.size() - 1);
        if (points_.size() <= params_.points) {
            for (std::size_t i = 0; i < points_.size(); ++i) indices.push_back(i);
        }
        std::sort(indices.begin(), indices.end());
        indices.erase(std::unique(indices.begin(), indices.end()), indices.end());
        return indices;
    }

    /// O(ranks + swaps), whatever the machine.
    void replay(std::span<const SlotSwap> swaps, std::vector<std::uint32_t>& slotOfRank)
    {
        if (swaps.empty()) return;
        rankAt_.resize(problem_.slots(), kNoRank);
        for (std::uint32_t rank = 0; rank < slotOfRank.size(); ++rank) rankAt_[slotOfRank[rank]] = rank;
        const std::vector<std::uint32_t> before = slotOfRank;
        for (const SlotSwap& swap : swaps) {
            std::swap(rankAt_[swap.slot], rankAt_[swap.other]);
            for (const std::uint32_t slot : {swap.slot, swap.other}) {
                if (rankAt_[slot] != kNoRank) slotOfRank[rankAt_[slot]] = slot;
            }
        }
        for (const std::uint32_t slot : before) rankAt_[slot] = kNoRank;
        for (const std::uint32_t slot : slotOfRank) rankAt_[slot] = kNoRank;
    }

    MovedTradeOff tradeOffOf(const Point& point)
    {
        const ReturnPath& path = paths_[point.path];
        MovedTradeOff made{point.moved, 0, 0, path.start};
        replay(std::span(path.swaps).first(point.swaps), made.slotOfRank);
        // Steps of a path tell hop-bytes exactly, and there are others of hop-bytes alone.
        made.objective = point.objective;
        const bool same = params_.search.objective == RemapObjective::HopBytes;
        made.hopBytes = same
            ? made.objective
            : hopBytes(problem_.flow, problem_.distances, made.slotOfRank, problem_.ranksPerNode);
        return made;
    }

    const MappingProblem& problem_;
    const MovedFrontParams& params_;
    const SearchClock& clock_;
    const Result<PreparedMapping> prepared_;
    std::optional<SearchState> state_;
    std::vector<ReturnPath> paths_;
    std::vector<Point> points_;
    std::vector<std::uint32_t> rankAt_;  ///< kNoRank everywhere, between replays
};

}  // namespace

std::vector<std::uint32_t> movedLadder(const MappingProblem& problem, std::uint32_t most,
                                       const SearchClock& clock, int threads)
{
    const double tries = clock.bySteps()
        ? static_cast<double>(clock.steps())
        : (clock.seconds() - clock.elapsed()) * kUsualRate * std::min(2, threads);
    const double triesOfRung = kRungTriesPerRank * std::max(1u, problem.flow.ranks)
        + kTriesPerFlow * static_cast<double>(problem.flow.entries());
    const auto rungs =
        static_cast<std::uint32_t>(std::clamp(kLadderShare * tries / triesOfRung, 0.0, kMostRungs));
    const std::uint32_t first = problem.slots() > problem.flow.ranks ? 1 : 2;
    std::vector<std::uint32_t> ladder;
    for (std::uint32_t i = 0; i < rungs; ++i) {
        const auto limit = static_cast<std::uint32_t>(
            std::lround(first * std::pow(static_cast<double>(most) / first, (i + 0.5) / rungs)));
        if (limit < most && (ladder.empty() || limit > ladder.back())) ladder.push_back(limit);
    }
    return ladder;
}

SearchBudget budgetOfRung(const MappingProblem& problem, const SearchClock& clock, std::size_t rungs,
                          int threads)
{
    const std::size_t waves =
        (rungs + static_cast<std::size_t>(threads) - 1) / static_cast<std::size_t>(threads);
    SearchBudget budget;
    const double share = kLadderShare * (clock.seconds() - clock.elapsed())
        / static_cast<double>(std::max<std::size_t>(1, waves));
    budget.seconds = std::min(share, kSecondsPerPair * problem.flow.ranks * problem.flow.ranks);
    if (clock.bySteps())
        budget.steps = std::max<std::uint64_t>(
            1,
            static_cast<std::uint64_t>(kLadderShare * static_cast<double>(clock.steps()))
                / std::max<std::size_t>(1, rungs));
    return budget;
}

std::vector<MovedTradeOff> movedFront(const MappingProblem& problem, std::span<const std::uint32_t> target,
                                      const MovedFrontParams& params, const SearchClock& clock,
                                      const Task& task)
{
    if (task.stopRequested()) return {};
    Front front(problem, params, clock, task);
    if (!front.possible()) return {};
    const std::uint32_t moved = countMoved(problem.current, target);
    const std::vector<std::uint32_t> ladder = movedLadder(problem, moved, clock, task.threads());
    front.begin(target);
    front.climb(ladder, task);
    front.relink(task);
    return front.chosen(ladder, task);
}

}  // namespace skein
