// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/constraints/unit_search.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace skein {
namespace {

class UnitSearch {
public:
    UnitSearch(const MappingProblem& problem, const PlacementUnits& units, UnitGoal goal,
               std::uint32_t mostMoved, std::uint64_t effort, const Task& task)
        : assignment_(problem, units), goal_(goal), ranks_(units.ranks()), effort_(effort), task_(task)
    {
        leastAtHome_ = mostMoved >= ranks_ ? 0 : ranks_ - mostMoved;
        waiting_.resize(assignment_.units());
        for (std::uint32_t unit = 0; unit < assignment_.units(); ++unit) {
            waiting_[unit] = unit;
            mayComeHome_ += assignment_.mostAtHome(unit);
        }
    }

    UnitNodes run()
    {
        found_.complete = putHeld();
        if (found_.complete) descend();
        found_.complete = !over_;
        return std::move(found_);
    }

private:
    /// Units with a pinned rank first: they have no choice. False where they have no place.
    bool putHeld()
    {
        for (std::uint32_t unit = 0; unit < assignment_.units(); ++unit) {
            if (assignment_.unit(unit).node == kNoRank) continue;
            const std::uint32_t node = assignment_.find(assignment_.unit(unit).node);
            if (!assignment_.fits(unit, node)) return false;
            choose(unit, node);
        }
        return true;
    }
    void choose(std::uint32_t unit, std::uint32_t node)
    {
        assignment_.put(unit, node);
        mayComeHome_ -= assignment_.mostAtHome(unit);
        std::erase(waiting_, unit);
    }
    void leave(std::uint32_t unit)
    {
        assignment_.take(unit);
        mayComeHome_ += assignment_.mostAtHome(unit);
        waiting_.push_back(unit);
    }
    /// True where nothing is left to search.
    bool descend()
    {
        if (assignment_.atHome() + mayComeHome_ < leastAtHome_) return false;
        if (waiting_.empty()) return keep();
        const std::uint32_t unit = hardest();
        for (const std::uint32_t node : choices(unit)) {
            if (over_) return true;
            choose(unit, node);
            const bool done = descend();
            leave(unit);
            if (done) return true;
        }
        return over_;
    }
    bool keep()
    {
        found_.found = true;
        found_.nodeOfUnit = assignment_.result();
        found_.moved = ranks_ - assignment_.atHome();
        leastAtHome_ = assignment_.atHome() + 1;
        return goal_ == UnitGoal::Any || found_.moved == 0;
    }
    /// The unit with fewest nodes to go to; the larger, then the first of those.
    std::uint32_t hardest()
    {
        auto best = std::tuple(kNoRank, kNoRank, kNoRank);
        for (const std::uint32_t unit : waiting_) {
            std::uint32_t open = 0;
            for (std::uint32_t node = 0; node < assignment_.nodes() && open <= std::get<0>(best); ++node)
                open += assignment_.fits(unit, node) ? 1 : 0;
            looks_ += assignment_.nodes();
            best = std::min(best, std::tuple(open, kNoRank - assignment_.unit(unit).size(), unit));
            if (open == 0) break;
        }
        over_ = over_ || looks_ > effort_ || task_.stopRequested();
        return std::get<2>(best);
    }
    /// Where nothing but room matters, nodes without units are all alike if they have as much of it.
    std::pair<bool, std::uint32_t> kindOf(std::uint32_t node) const
    {
        const bool any = goal_ == UnitGoal::Any && leastAtHome_ == 0;
        return {any, any ? assignment_.roomOf(node) : assignment_.kindOf(node)};
    }
    /// Nodes for a unit, those first that leave most ranks at home.
    std::vector<std::uint32_t> choices(std::uint32_t unit)
    {
        std::vector<std::pair<std::uint32_t, std::uint32_t>> ways;
        std::vector<std::pair<bool, std::uint32_t>> seen;
        for (std::uint32_t node = 0; node < assignment_.nodes(); ++node) {
            if (!assignment_.fits(unit, node)) continue;
            const auto kind = kindOf(node);
            if (assignment_.loadOf(node) == 0) {
                if (std::find(seen.begin(), seen.end(), kind) != seen.end()) continue;
                seen.push_back(kind);
            }
            ways.emplace_back(kNoRank - assignment_.atHomeWith(unit, node), node);
        }
        looks_ += assignment_.nodes();
        std::sort(ways.begin(), ways.end());
        std::vector<std::uint32_t> nodes;
        for (const auto& way : ways) nodes.push_back(way.second);
        return nodes;
    }

    UnitAssignment assignment_;
    const UnitGoal goal_;
    const std::uint32_t ranks_;
    const std::uint64_t effort_;
    const Task& task_;
    std::vector<std::uint32_t> waiting_;
    std::uint32_t mayComeHome_ = 0;  ///< by units that wait
    std::uint32_t leastAtHome_ = 0;  ///< what counts has as many
    std::uint64_t looks_ = 0;
    bool over_ = false;
    UnitNodes found_;
};

}  // namespace

UnitNodes searchUnits(const MappingProblem& problem, const PlacementUnits& units, UnitGoal goal,
                      std::uint32_t mostMoved, std::uint64_t effort, const Task& task)
{
    return UnitSearch(problem, units, goal, mostMoved, effort, task).run();
}

}  // namespace skein
