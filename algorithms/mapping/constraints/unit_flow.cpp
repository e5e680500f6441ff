// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/constraints/unit_flow.h"

#include <algorithm>
#include <limits>
#include <queue>

namespace skein {
namespace {

/// Successive cheapest ways from a source to a sink; costs may be any whole numbers where no circle gains.
class CheapestFlow {
public:
    explicit CheapestFlow(std::size_t vertices) : out_(vertices) {}

    std::size_t add(std::uint32_t from, std::uint32_t to, std::uint32_t capacity, int cost)
    {
        out_[from].push_back(static_cast<std::uint32_t>(arcs_.size()));
        arcs_.push_back({to, capacity, cost});
        out_[to].push_back(static_cast<std::uint32_t>(arcs_.size()));
        arcs_.push_back({from, 0, -cost});
        return arcs_.size() - 2;
    }
    std::uint32_t through(std::size_t arc) const { return arcs_[arc + 1].capacity; }

    /// The flow of at most `wanted` units, and what it costs.
    std::pair<std::uint64_t, std::int64_t> run(std::uint32_t source, std::uint32_t sink, std::uint64_t wanted,
                                               const Task& task)
    {
        std::uint64_t flow = 0;
        std::int64_t cost = 0;
        while (flow < wanted && !task.stopRequested() && findWay(source, sink)) {
            std::uint32_t amount =
                static_cast<std::uint32_t>(std::min<std::uint64_t>(wanted - flow, kUnreached));
            for (std::uint32_t at = sink; at != source; at = arcs_[way_[at] ^ 1u].to)
                amount = std::min(amount, arcs_[way_[at]].capacity);
            for (std::uint32_t at = sink; at != source; at = arcs_[way_[at] ^ 1u].to) {
                arcs_[way_[at]].capacity -= amount;
                arcs_[way_[at] ^ 1u].capacity += amount;
                cost += std::int64_t{amount} * arcs_[way_[at]].cost;
            }
            flow += amount;
        }
        return {flow, cost};
    }

private:
    struct Arc {
        std::uint32_t to = 0;
        std::uint32_t capacity = 0;
        int cost = 0;
    };
    static constexpr std::uint32_t kUnreached = std::numeric_limits<std::uint32_t>::max();

    /// Bellman and Ford with a queue: a way has few arcs and costs are 0 and 1.
    bool findWay(std::uint32_t source, std::uint32_t sink)
    {
        constexpr int kNoCost = std::numeric_limits<int>::max();
        std::vector<int> costs(out_.size(), kNoCost);
        std::vector<std::uint8_t> waiting(out_.size(), 0);
        way_.assign(out_.size(), kUnreached);
        std::deque<std::uint32_t> queue{source};
        costs[source] = 0;
        while (!queue.empty()) {
            const std::uint32_t at = queue.front();
            queue.pop_front();
            waiting[at] = 0;
            for (const std::uint32_t index : out_[at]) {
                const Arc& arc = arcs_[index];
                if (arc.capacity == 0 || costs[at] + arc.cost >= costs[arc.to]) continue;
                costs[arc.to] = costs[at] + arc.cost;
                way_[arc.to] = index;
                if (waiting[arc.to]) continue;
                waiting[arc.to] = 1;
                if (arc.cost > 0) queue.push_back(arc.to);
                else queue.push_front(arc.to);
            }
        }
        return costs[sink] != kNoCost;
    }

    std::vector<std::vector<std::uint32_t>> out_;
    std::vector<Arc> arcs_;
    std::vector<std::uint32_t> way_;
};

/// The network: source, groups, sites, sink. The group after the last is that of units that nothing keeps
/// apart, and of all other ranks.
class UnitNetwork {
public:
    UnitNetwork(const MappingProblem& problem, const PlacementUnits& units)
        : problem_(problem),
          units_(units),
          groups_(units.groups + 1),
          sites_(static_cast<std::uint32_t>(units.sites.size())),
          network_(std::size_t{groups_} + sites_ + 2),
          supply_(groups_, 0),
          homes_(groups_, std::vector<std::uint32_t>(sites_, 0)),
          barred_(groups_, std::vector<std::uint32_t>(sites_, 0)),
          room_(sites_)
    {
    }

    std::optional<UnitFlow> run(const Task& task)
    {
        if (!fill()) return std::nullopt;
        connect();
        std::uint64_t wanted = 0;
        for (const std::uint32_t supply : supply_) wanted += supply;
        const auto [flow, cost] = network_.run(source(), sink(), wanted, task);
        if (task.stopRequested()) return UnitFlow{};
        if (flow < wanted) return std::nullopt;
        return UnitFlow{static_cast<std::uint32_t>(cost), counts()};
    }

private:
    std::uint32_t source() const { return groups_ + sites_; }
    std::uint32_t sink() const { return source() + 1; }
    std::uint32_t siteOf(std::uint32_t rank) const
    {
        return units_.siteOfHome.at(problem_.current[rank] / problem_.ranksPerNode);
    }

    bool fill()
    {
        std::vector<std::uint32_t> sizes(units_.groups, 0);
        for (const PlacementUnit& unit : units_.units) {
            for (const std::uint32_t group : unit.apart) ++sizes[group];
        }
        for (std::uint32_t site = 0; site < sites_; ++site) {
            room_[site] = static_cast<std::int64_t>(units_.sites[site].room)
                * static_cast<std::int64_t>(units_.sites[site].nodes.size());
            homes_.back()[site] = units_.sites[site].mostFreeStays()
                * static_cast<std::uint32_t>(units_.sites[site].nodes.size());
        }
        supply_.back() = units_.freeRanks;
        for (const PlacementUnit& unit : units_.units) {
            if (!add(unit, sizes)) return false;
        }
        return true;
    }
    /// False where there is no room for a unit that is held.
    bool add(const PlacementUnit& unit, const std::vector<std::uint32_t>& sizes)
    {
        const auto largest =
            std::max_element(unit.apart.begin(), unit.apart.end(),
                             [&](std::uint32_t a, std::uint32_t b) { return sizes[a] < sizes[b]; });
        const std::uint32_t group = largest == unit.apart.end() ? groups_ - 1 : *largest;
        if (unit.node != kNoRank) {
            const std::uint32_t site = units_.siteOfHome.at(unit.node);
            room_[site] -= unit.size();
            for (const std::uint32_t kept : unit.apart) ++barred_[kept][site];
            return room_[site] >= 0;
        }
        for (std::size_t i = 0; i < unit.ranks.size(); ++i) {
            const std::uint32_t of = i == 0 ? group : groups_ - 1;
            ++supply_[of];
            ++homes_[of][siteOf(unit.ranks[i])];
        }
        return true;
    }
    void connect()
    {
        constexpr std::uint32_t kAny = std::numeric_limits<std::uint32_t>::max();
        for (std::uint32_t group = 0; group < groups_; ++group) {
            network_.add(source(), group, supply_[group], 0);
            for (std::uint32_t site = 0; site < sites_; ++site) {
                const std::uint32_t nodes = static_cast<std::uint32_t>(units_.sites[site].nodes.size());
                const bool any = group + 1 == groups_;
                const std::uint32_t most = any ? kAny : barred_[group][site] > 0 ? 0 : nodes;
                const std::uint32_t home = std::min(most, homes_[group][site]);
                arcs_.push_back(network_.add(group, groups_ + site, home, 0));
                network_.add(group, groups_ + site, most - home, 1);
            }
        }
        for (std::uint32_t site = 0; site < sites_; ++site)
            network_.add(groups_ + site, sink(), static_cast<std::uint32_t>(room_[site]), 0);
    }
    std::vector<std::vector<std::uint32_t>> counts() const
    {
        std::vector<std::vector<std::uint32_t>> counts(groups_, std::vector<std::uint32_t>(sites_, 0));
        for (std::uint32_t group = 0; group < groups_; ++group) {
            for (std::uint32_t site = 0; site < sites_; ++site) {
                const std::size_t arc = arcs_[std::size_t{group} * sites_ + site];
                counts[group][site] = network_.through(arc) + network_.through(arc + 2);
            }
        }
        return counts;
    }

    const MappingProblem& problem_;
    const PlacementUnits& units_;
    const std::uint32_t groups_;
    const std::uint32_t sites_;
    CheapestFlow network_;
    std::vector<std::uint32_t> supply_;
    std::vector<std::vector<std::uint32_t>> homes_;   ///< group × site: ranks that are there now
    std::vector<std::vector<std::uint32_t>> barred_;  ///< group × site: pinned ranks of the group
    std::vector<std::int64_t> room_;
    std::vector<std::size_t> arcs_;
};

}  // namespace

std::optional<UnitFlow> flowOfUnits(const MappingProblem& problem, const PlacementUnits& units,
                                    const Task& task)
{
    return UnitNetwork(problem, units).run(task);
}

bool flowIsExact(const PlacementUnits& units)
{
    return std::all_of(units.units.begin(), units.units.end(),
                       [](const PlacementUnit& unit) { return unit.size() == 1 && unit.apart.size() <= 1; });
}

}  // namespace skein
