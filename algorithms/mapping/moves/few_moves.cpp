// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/moves/few_moves.h"

#include "algorithms/mapping/problem/hop_bytes.h"

#include <algorithm>
#include <array>
#include <utility>

namespace skein {
namespace {

class Beam {
public:
    Beam(const MappingProblem& problem, const SwapRules& rules, std::uint32_t most, std::uint32_t width)
        : problem_(problem), rules_(rules), most_(std::min(most, kMostFewMoves)), width_(std::max(1u, width))
    {
        for (std::uint32_t slot = 0; slot < problem.slots(); ++slot) {
            if (!rules.fixed(slot)) open_.push_back(slot);
        }
    }

    void begin(const std::vector<std::uint32_t>& start)
    {
        std::uint32_t moved = 0;
        for (std::uint32_t rank = 0; rank < start.size(); ++rank) moved += isAway(rank, start[rank]) ? 1 : 0;
        if (moved <= most_)
            levels_[moved].push_back(
                {hopBytes(problem_.flow, problem_.distances, start, problem_.ranksPerNode), start, false});
    }

    void run(const SearchClock& clock, std::uint64_t& steps, const Task& task)
    {
        for (std::uint32_t moved = 0; moved <= most_; ++moved) {
            for (std::uint32_t expanded = 0; expanded < 2 * width_; ++expanded) {
                auto& level = levels_[moved];
                const auto next = std::find_if(level.begin(), level.end(),
                                               [](const State& state) { return !state.expanded; });
                if (next == level.end()) break;
                if (clock.spent(steps) >= 1.0 || task.stopRequested()) return;
                next->expanded = true;
                steps += expand(State(*next), moved, clock, task);
            }
        }
    }

    std::vector<FewMoves> best() const
    {
        std::vector<FewMoves> found;
        for (std::uint32_t moved = 0; moved <= most_; ++moved) {
            if (!levels_[moved].empty())
                found.push_back({moved, levels_[moved].front().cost, levels_[moved].front().slots});
        }
        return found;
    }

private:
    struct State {
        std::int64_t cost = 0;
        std::vector<std::uint32_t> slots;
        bool expanded = false;
    };

    std::uint64_t expand(const State& state, std::uint32_t moved, const SearchClock& clock, const Task& task)
    {
        const std::vector<std::uint32_t> rankAt = ranksOfSlots(state.slots, problem_.slots());
        std::uint64_t weighed = 0;
        for (std::size_t i = 0; i < open_.size(); ++i) {
            if (clock.late() || task.stopRequested()) break;
            for (std::size_t k = i + 1; k < open_.size(); ++k) {
                const std::uint32_t a = open_[i], b = open_[k];
                if (a / problem_.ranksPerNode == b / problem_.ranksPerNode
                    || (rankAt[a] == kNoRank && rankAt[b] == kNoRank))
                    continue;
                const int more = change(rankAt, a, b);
                const std::uint32_t after = moved + static_cast<std::uint32_t>(std::max(0, more));
                if (more < 0 || after > most_) continue;
                ++weighed;
                const std::int64_t cost = state.cost
                    + hopBytesChange(problem_.flow, problem_.distances, state.slots, rankAt,
                                     problem_.ranksPerNode, a, b);
                auto& level = levels_[after];
                if (level.size() == width_ && cost >= level.back().cost) continue;
                if (rules_.allowed(rankAt, a, b, moved)) keep(level, state.slots, rankAt, a, b, cost);
            }
        }
        return weighed;
    }
    bool isAway(std::uint32_t rank, std::uint32_t slot) const
    {
        return rules_.placeOf(problem_.current[rank]) != rules_.placeOf(slot);
    }
    /// How many more ranks are elsewhere than now after a swap.
    int change(const std::vector<std::uint32_t>& rankAt, std::uint32_t a, std::uint32_t b) const
    {
        int more = 0;
        for (const auto& [from, to] : {std::pair(a, b), std::pair(b, a)}) {
            if (rankAt[from] == kNoRank) continue;
            more += static_cast<int>(isAway(rankAt[from], to)) - static_cast<int>(isAway(rankAt[from], from));
        }
        return more;
    }
    void keep(std::vector<State>& level, std::vector<std::uint32_t> slots,
              const std::vector<std::uint32_t>& rankAt, std::uint32_t a, std::uint32_t b, std::int64_t cost)
    {
        if (rankAt[a] != kNoRank) slots[rankAt[a]] = b;
        if (rankAt[b] != kNoRank) slots[rankAt[b]] = a;
        auto at = std::lower_bound(level.begin(), level.end(), cost,
                                   [](const State& state, std::int64_t value) { return state.cost < value; });
        for (; at != level.end() && at->cost == cost; ++at) {
            if (at->slots == slots) return;
        }
        level.insert(at, State{cost, std::move(slots), false});
        if (level.size() > width_) level.pop_back();
    }

    const MappingProblem& problem_;
    const SwapRules& rules_;
    const std::uint32_t most_;
    const std::uint32_t width_;
    std::vector<std::uint32_t> open_;
    std::array<std::vector<State>, kMostFewMoves + 1> levels_;  ///< by moved ranks; cheapest first
};

}  // namespace

std::vector<FewMoves> searchFewMoves(const MappingProblem& problem, const SwapRules& rules,
                                     const std::vector<std::uint32_t>& start, std::uint32_t most,
                                     std::uint32_t width, const SearchClock& clock, std::uint64_t& steps,
                                     const Task& task)
{
    if (problem.slots() > kMostFewMovesSlots) return {};
    Beam beam(problem, rules, most, width);
    beam.begin(start);
    beam.run(clock, steps, task);
    return beam.best();
}

}  // namespace skein
