// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/machine/topology.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace skein {

/// What an alternative route is to have less of, after Fujiwara et al. 2018, section 5.1.
enum class RerouteCriterion : std::uint8_t {
    Length,  ///< equation 1: the fewest hops l'
    Load,    ///< equation 2: the smallest highest load L' on its links
};

struct RerouteLimits {
    RerouteCriterion criterion = RerouteCriterion::Load;
    std::uint32_t tolerance = 0;  ///< δ: hops that the alternative may be longer
};

/// A route with what its links carry when it is taken.
struct RouteOffer {
    std::vector<LinkIndex> links;
    std::uint64_t highestLoad = 0;
    bool operator==(const RouteOffer&) const = default;
};

/// Finds the best other way for one route: minimises l' or L' subject to l' ≤ l + δ and L' ≤ L. Loads are
/// what the links carry after the move: the route's own amount is taken off the links it leaves, stays on
/// those it keeps, and is added to new ones. Only simple paths; parallel links are different ways. Provably
/// optimal: the smallest L' within a number of hops is found by rounds over (hops, highest load) labels, of
/// which only undominated ones survive; the route itself is excluded by deviating from each of its prefixes
/// in turn (Yen 1971). Among equals: for equation 1 the smaller L', for equation 2 the smaller l'; then the
/// lexicographically first sequence of vertices, then of links.
///
/// The paper's loads before the move (its own bytes not taken off) are not used: see the reference cases'
/// decision. Not thread-safe: it keeps its work space. O(l' × links) a search, at most l + 1 searches.
class Rerouter {
public:
    explicit Rerouter(const Topology& topology);

    /// The best other route, or nothing where none is allowed. `route` must be a path of links that carry at
    /// least `amount` each.
    std::optional<RouteOffer> alternative(std::span<const LinkIndex> route, std::uint64_t amount,
                                          std::span<const std::uint64_t> loads, const RerouteLimits& limits);

    /// The same where it is strictly better by the criterion, else nothing. Quicker: the route itself need
    /// not be excluded. `maximumHops` replaces l + δ.
    std::optional<RouteOffer> improvement(std::span<const LinkIndex> route, std::uint64_t amount,
                                          std::span<const std::uint64_t> loads, RerouteCriterion criterion,
                                          std::uint32_t maximumHops);

private:
    struct Search {
        VertexIndex from = 0;
        VertexIndex to = 0;
        std::uint32_t hops = 0;      ///< at most
        std::uint64_t bound = 0;     ///< highest load allowed
        std::uint64_t floor = 0;     ///< load that is there already, on the way before `from`
        LinkIndex closed = kNoLink;  ///< a link that may not be taken
        bool fewestHops = false;     ///< equation 1
    };
    struct Label {
        VertexIndex vertex = 0;
        std::uint64_t load = 0;
    };

    void takeOff(std::span<const LinkIndex> route, std::uint64_t amount,
                 std::span<const std::uint64_t> loads);
    std::uint64_t loadWith(LinkIndex link) const;
    std::uint64_t highestOf(std::span<const LinkIndex> route) const;
    bool passable(VertexIndex vertex, const Search& search) const;
    std::optional<RouteOffer> best(Search search);
    /// Hops to search.to over links of at most `bound`; true where search.from is reached.
    bool measureHops(const Search& search, std::uint64_t bound);
    std::uint64_t smallestLoad(const Search& search);
    void extend(const Label& label, std::uint32_t hops, const Search& search);
    std::vector<LinkIndex> firstPath(const Search& search, std::uint64_t bound) const;
    std::optional<RouteOffer> deviation(std::span<const LinkIndex> route, const Search& whole);
    bool better(const RouteOffer& a, const RouteOffer& b, bool fewestHops) const;
    std::uint32_t hopsFrom(VertexIndex vertex) const
    {
        return hopsStamp_[vertex] == hopsRound_ ? hops_[vertex] : kFar;
    }

    static constexpr std::uint32_t kFar = 0xFFFFFFFFu;

    const Topology& topology_;
    std::vector<LinkIndex> firstIn_;
    std::vector<LinkIndex> inLinks_;
    std::span<const std::uint64_t> loads_;
    std::uint64_t amount_ = 0;
    std::vector<std::uint32_t> uses_;  ///< how often the route takes a link
    std::vector<LinkIndex> usedLinks_;
    std::vector<char> closedVertices_;
    std::vector<std::uint32_t> hops_;
    std::vector<std::uint32_t> hopsStamp_;
    std::uint32_t hopsRound_ = 0;
    std::vector<VertexIndex> queue_;
    std::vector<std::uint64_t> reached_;
    std::vector<std::uint32_t> reachedStamp_;
    std::vector<std::uint32_t> listed_;  ///< in which round of which search a vertex was put on the list
    std::uint32_t reachedRound_ = 0;
    std::uint32_t listRound_ = 0;
    std::vector<Label> frontier_;
    std::vector<VertexIndex> next_;
};

}  // namespace skein
