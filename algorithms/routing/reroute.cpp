// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/routing/reroute.h"

#include <algorithm>
#include <numeric>

namespace skein {

Rerouter::Rerouter(const Topology& topology)
    : topology_(topology),
      firstIn_(std::size_t{topology.vertices()} + 1, 0),
      inLinks_(topology.links()),
      uses_(topology.links(), 0),
      closedVertices_(topology.vertices(), 0),
      hops_(topology.vertices(), 0),
      hopsStamp_(topology.vertices(), 0),
      reached_(topology.vertices(), 0),
      reachedStamp_(topology.vertices(), 0),
      listed_(topology.vertices(), 0)
{
    for (LinkIndex link = 0; link < topology.links(); ++link)
        ++firstIn_[std::size_t{topology.target(link)} + 1];
    std::partial_sum(firstIn_.begin(), firstIn_.end(), firstIn_.begin());
    std::vector<LinkIndex> next(firstIn_.begin(), firstIn_.end() - 1);
    for (LinkIndex link = 0; link < topology.links(); ++link) inLinks_[next[topology.target(link)]++] = link;
}

void Rerouter::takeOff(std::span<const LinkIndex> route, std::uint64_t amount,
                       std::span<const std::uint64_t> loads)
{
    for (const LinkIndex link : usedLinks_) uses_[link] = 0;
    usedLinks_.assign(route.begin(), route.end());
    for (const LinkIndex link : route) ++uses_[link];
    loads_ = loads;
    amount_ = amount;
}

std::uint64_t Rerouter::loadWith(LinkIndex link) const
{
    return loads_[link] - uses_[link] * amount_ + amount_;
}

std::uint64_t Rerouter::highestOf(std::span<const LinkIndex> route) const
{
    std::uint64_t highest = 0;
    for (const LinkIndex link : route) highest = std::max(highest, loads_[link]);
    return highest;
}

bool Rerouter::passable(VertexIndex vertex, const Search& search) const
{
    return !closedVertices_[vertex] && (vertex == search.from || topology_.forwards(vertex));
}

bool Rerouter::measureHops(const Search& search, std::uint64_t bound)
{
    ++hopsRound_;
    queue_.assign(1, search.to);
    hops_[search.to] = 0;
    hopsStamp_[search.to] = hopsRound_;
    for (std::size_t head = 0; head < queue_.size(); ++head) {
        const VertexIndex vertex = queue_[head];
        if (hops_[vertex] == search.hops || (vertex == search.from && search.fewestHops)) break;
        if (vertex == search.from) continue;
        for (LinkIndex in = firstIn_[vertex]; in < firstIn_[vertex + 1]; ++in) {
            const LinkIndex link = inLinks_[in];
            const VertexIndex source = topology_.source(link);
            if (hopsStamp_[source] == hopsRound_ || link == search.closed || loadWith(link) > bound
                || !passable(source, search))
                continue;
            hops_[source] = hops_[vertex] + 1;
            hopsStamp_[source] = hopsRound_;
            queue_.push_back(source);
        }
    }
    return hopsFrom(search.from) <= search.hops;
}

/// Puts better labels on the vertices behind one; those that cannot reach the goal in time get none.
void Rerouter::extend(const Label& label, std::uint32_t hops, const Search& search)
{
    for (LinkIndex link = topology_.firstLink(label.vertex); link < topology_.firstLink(label.vertex + 1);
         ++link) {
        const VertexIndex target = topology_.target(link);
        const std::uint32_t rest = hopsFrom(target);
        if (rest == kFar || hops + rest > search.hops || link == search.closed || closedVertices_[target])
            continue;
        const std::uint64_t load = std::max(label.load, loadWith(link));
        const bool goalIsAsGood = reachedStamp_[search.to] == reachedRound_ && reached_[search.to] <= load;
        if (load > search.bound || goalIsAsGood
            || (reachedStamp_[target] == reachedRound_ && reached_[target] <= load))
            continue;
        reached_[target] = load;
        reachedStamp_[target] = reachedRound_;
        if (target == search.to || listed_[target] == listRound_) continue;
        listed_[target] = listRound_;
        next_.push_back(target);
    }
}

std::uint64_t Rerouter::smallestLoad(const Search& search)
{
    ++reachedRound_;
    frontier_.assign(1, {search.from, search.floor});
    reached_[search.from] = search.floor;
    reachedStamp_[search.from] = reachedRound_;
    for (std::uint32_t hops = 1; hops <= search.hops && !frontier_.empty(); ++hops) {
        ++listRound_;
        next_.clear();
        for (const Label& label : frontier_) extend(label, hops, search);
        frontier_.clear();
        for (const VertexIndex vertex : next_) frontier_.push_back({vertex, reached_[vertex]});
    }
    return reached_[search.to];
}

std::vector<LinkIndex> Rerouter::firstPath(const Search& search, std::uint64_t bound) const
{
    std::vector<LinkIndex> path;
    for (VertexIndex at = search.from; at != search.to;) {
        LinkIndex link = topology_.firstLink(at);
        while (link == search.closed || loadWith(link) > bound
               || hopsFrom(topology_.target(link)) + 1 != hopsFrom(at))
            ++link;
        path.push_back(link);
        at = topology_.target(link);
    }
    return path;
}

std::optional<RouteOffer> Rerouter::best(Search search)
{
    if (!measureHops(search, search.bound)) return std::nullopt;
    if (search.fewestHops) search.hops = hopsFrom(search.from);
    const std::uint64_t load = smallestLoad(search);
    search.fewestHops = true;
    measureHops(search, load);
    return RouteOffer{firstPath(search, load), load};
}

bool Rerouter::better(const RouteOffer& a, const RouteOffer& b, bool fewestHops) const
{
    const auto key = [&](const RouteOffer& offer) {
        const std::uint64_t hops = offer.links.size();
        return fewestHops ? std::pair(hops, offer.highestLoad) : std::pair(offer.highestLoad, hops);
    };
    if (key(a) != key(b)) return key(a) < key(b);
    const auto before = [&](LinkIndex x, LinkIndex y) { return topology_.target(x) < topology_.target(y); };
    if (std::lexicographical_compare(a.links.begin(), a.links.end(), b.links.begin(), b.links.end(), before))
        return true;
    if (std::lexicographical_compare(b.links.begin(), b.links.end(), a.links.begin(), a.links.end(), before))
        return false;
    return a.links < b.links;
}

std::optional<RouteOffer> Rerouter::deviation(std::span<const LinkIndex> route, const Search& whole)
{
    std::optional<RouteOffer> found;
    Search search = whole;
    for (std::size_t kept = 0; kept < route.size() && kept < whole.hops; ++kept) {
        search.from = topology_.source(route[kept]);
        search.hops = whole.hops - static_cast<std::uint32_t>(kept);
        search.closed = route[kept];
        if (auto rest = best(search)) {
            rest->links.insert(rest->links.begin(), route.begin(),
                               route.begin() + static_cast<std::ptrdiff_t>(kept));
            if (!found || better(*rest, *found, whole.fewestHops)) found = std::move(rest);
        }
        closedVertices_[search.from] = 1;
        search.floor = std::max(search.floor, loadWith(route[kept]));
    }
    for (const LinkIndex link : route) closedVertices_[topology_.source(link)] = 0;
    return found;
}

std::optional<RouteOffer> Rerouter::alternative(std::span<const LinkIndex> route, std::uint64_t amount,
                                                std::span<const std::uint64_t> loads,
                                                const RerouteLimits& limits)
{
    if (route.empty()) return std::nullopt;
    takeOff(route, amount, loads);
    Search search;
    search.from = topology_.source(route.front());
    search.to = topology_.target(route.back());
    search.hops = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(route.size() + std::uint64_t{limits.tolerance}, topology_.vertices()));
    search.bound = highestOf(route);
    search.fewestHops = limits.criterion == RerouteCriterion::Length;
    auto found = best(search);
    if (found && std::equal(found->links.begin(), found->links.end(), route.begin(), route.end()))
        return deviation(route, search);
    return found;
}

std::optional<RouteOffer> Rerouter::improvement(std::span<const LinkIndex> route, std::uint64_t amount,
                                                std::span<const std::uint64_t> loads,
                                                RerouteCriterion criterion, std::uint32_t maximumHops)
{
    if (route.empty()) return std::nullopt;
    takeOff(route, amount, loads);
    Search search;
    search.from = topology_.source(route.front());
    search.to = topology_.target(route.back());
    search.bound = highestOf(route);
    search.fewestHops = criterion == RerouteCriterion::Length;
    if (search.fewestHops) {
        search.hops = std::min(maximumHops, static_cast<std::uint32_t>(route.size()) - 1);
    } else {
        if (search.bound == 0) return std::nullopt;
        --search.bound;
        search.hops = std::min(maximumHops, topology_.vertices());
    }
    return best(search);
}

}  // namespace skein
