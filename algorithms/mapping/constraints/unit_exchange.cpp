// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/base/random.h"
#include "algorithms/mapping/constraints/unit_search.h"

#include <algorithm>
#include <tuple>

namespace skein {
namespace {

/// How long a unit does not return to a node that it left, and what is added by chance.
constexpr std::uint64_t kTabuRounds = 8;
constexpr std::uint32_t kTabuSpread = 12;

class UnitExchange {
public:
    UnitExchange(const MappingProblem& problem, const PlacementUnits& units, std::uint64_t effort,
                 const Task& task)
        : assignment_(problem, units),
          ranks_(units.ranks()),
          effort_(effort),
          task_(task),
          random_(1),
          leftAt_(assignment_.units(), 0),
          leftNode_(assignment_.units(), kNoRank)
    {
    }

    UnitNodes run(std::uint32_t mostMoved)
    {
        putAll();
        while (looks_ < effort_ && !task_.stopRequested()) {
            const std::vector<std::uint32_t> wrong = unitsInTheWrongPlace();
            if (wrong.empty()) break;
            mend(wrong[random_.below(static_cast<std::uint32_t>(wrong.size()))]);
            ++round_;
        }
        if (!unitsInTheWrongPlace().empty()) return {};
        bringHome();
        const std::uint32_t moved = ranks_ - assignment_.atHome();
        return moved > mostMoved ? UnitNodes{} : UnitNodes{true, assignment_.result(), moved, false};
    }

private:
    struct Way {
        std::int64_t wrong = 0;  ///< how much more does not go together
        std::int64_t away = 0;
        std::uint32_t node = kNoRank;
        std::uint32_t partner = kNoRank;
        bool operator<(const Way& other) const
        {
            return std::tie(wrong, away, node, partner)
                < std::tie(other.wrong, other.away, other.node, other.partner);
        }
    };

    bool held(std::uint32_t unit) const { return assignment_.unit(unit).node != kNoRank; }
    /// Held and large units first, each where it does least harm.
    void putAll()
    {
        std::vector<std::uint32_t> order(assignment_.units());
        for (std::uint32_t unit = 0; unit < order.size(); ++unit) order[unit] = unit;
        std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
            const auto key = [&](std::uint32_t unit) {
                return std::tuple(held(unit), assignment_.unit(unit).size(),
                                  assignment_.unit(unit).apart.size());
            };
            return key(a) > key(b);
        });
        for (const std::uint32_t unit : order) {
            assignment_.put(unit,
                            held(unit) ? assignment_.find(assignment_.unit(unit).node) : leastHarm(unit));
            if (task_.stopRequested()) looks_ = effort_;
        }
    }
    std::uint32_t leastHarm(std::uint32_t unit) const
    {
        Way best{std::int64_t{kNoRank}, 0, 0, kNoRank};
        for (std::uint32_t node = 0; node < assignment_.nodes(); ++node) {
            const Way way{harmOf(unit, node), node == assignment_.homeOf(unit) ? 0 : 1, node, kNoRank};
            best = std::min(best, way);
        }
        return best.node;
    }
    /// What a unit that is not on a node would add to it.
    std::int64_t harmOf(std::uint32_t unit, std::uint32_t node) const
    {
        const std::int64_t free =
            std::int64_t{assignment_.roomOf(node)} - std::int64_t{assignment_.loadOf(node)};
        const std::int64_t size = assignment_.unit(unit).size();
        return std::int64_t{assignment_.conflicts(unit, node)}
        + std::max<std::int64_t>(0, size - std::max<std::int64_t>(0, free));
    }
    std::vector<std::uint32_t> unitsInTheWrongPlace()
    {
        std::vector<std::uint32_t> wrong;
        for (std::uint32_t unit = 0; unit < assignment_.units(); ++unit) {
            const std::uint32_t node = assignment_.nodeOf(unit);
            if (!held(unit) && (assignment_.excessOf(node) > 0 || assignment_.conflicts(unit, node) > 0))
                wrong.push_back(unit);
        }
        looks_ += assignment_.units();
        return wrong;
    }
    bool tabu(std::uint32_t unit, std::uint32_t node) const
    {
        return leftNode_[unit] == node && round_ < leftAt_[unit];
    }
    void leave(std::uint32_t unit)
    {
        leftNode_[unit] = assignment_.nodeOf(unit);
        leftAt_[unit] = round_ + kTabuRounds + random_.below(kTabuSpread);
        assignment_.take(unit);
    }
    /// The move or exchange of a unit after which least does not go together.
    void mend(std::uint32_t unit)
    {
        const std::uint32_t from = assignment_.nodeOf(unit);
        assignment_.take(unit);
        const std::int64_t before = harmOf(unit, from);
        Way best{std::int64_t{kNoRank}, 0, kNoRank, kNoRank};
        for (std::uint32_t node = 0; node < assignment_.nodes(); ++node) {
            if (node == from || tabu(unit, node)) continue;
            best = std::min(
                best, {harmOf(unit, node) - before, node == assignment_.homeOf(unit) ? 0 : 1, node, kNoRank});
        }
        for (std::uint32_t partner = 0; partner < assignment_.units(); ++partner) {
            const std::uint32_t node = assignment_.nodeOf(partner);
            if (partner == unit || node == from || held(partner) || tabu(partner, from)) continue;
            best = std::min(best, exchangeOf(unit, from, partner, before));
        }
        looks_ += assignment_.nodes() + assignment_.units();
        assignment_.put(unit, from);
        if (best.node == kNoRank) return;
        leave(unit);
        if (best.partner != kNoRank) {
            leave(best.partner);
            assignment_.put(best.partner, from);
        }
        assignment_.put(unit, best.node);
    }
    /// `unit` is taken off `from`, where it did so much harm.
    Way exchangeOf(std::uint32_t unit, std::uint32_t from, std::uint32_t partner, std::int64_t before)
    {
        const std::uint32_t node = assignment_.nodeOf(partner);
        assignment_.take(partner);
        const std::int64_t harm = harmOf(unit, node) + harmOf(partner, from) - before - harmOf(partner, node);
        const int away =
            (node == assignment_.homeOf(unit) ? 0 : 1) + (from == assignment_.homeOf(partner) ? 0 : 1);
        assignment_.put(partner, node);
        return {harm, away, node, partner};
    }
    void bringHome()
    {
        for (std::uint32_t unit = 0; unit < assignment_.units(); ++unit) {
            const std::uint32_t from = assignment_.nodeOf(unit), home = assignment_.homeOf(unit);
            if (held(unit) || from == home || home == kNoRank) continue;
            const std::uint32_t before = assignment_.atHome();
            assignment_.take(unit);
            const bool better = assignment_.fits(unit, home) && assignment_.atHomeWith(unit, home) > before;
            assignment_.put(unit, better ? home : from);
        }
    }

    UnitAssignment assignment_;
    const std::uint32_t ranks_;
    const std::uint64_t effort_;
    const Task& task_;
    Random random_;
    std::vector<std::uint64_t> leftAt_;
    std::vector<std::uint32_t> leftNode_;
    std::uint64_t looks_ = 0;
    std::uint64_t round_ = 0;
};

}  // namespace

UnitNodes exchangeUnits(const MappingProblem& problem, const PlacementUnits& units, std::uint32_t mostMoved,
                        std::uint64_t effort, const Task& task)
{
    return UnitExchange(problem, units, effort, task).run(mostMoved);
}

}  // namespace skein
