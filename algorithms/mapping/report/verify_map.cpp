// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/report/verify_map.h"

#include "core/machine/placement.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <tuple>

namespace skein {

bool sameHost(std::string_view a, std::string_view b)
{
    if (a == b) return true;
    const auto dotA = a.find('.');
    const auto dotB = b.find('.');
    if (dotA != std::string_view::npos && dotB != std::string_view::npos) return false;
    return !a.empty() && a.substr(0, dotA) == b.substr(0, dotB);
}

Result<PlacementCheck> checkPlacement(const RankMap& map, const Definitions& definitions)
{
    const std::vector<std::string> hosts = hostsOfRanks(definitions);
    if (hosts.size() != map.places.size())
        return fail(
            ErrorCode::NotRecorded,
            fmt::format("The map places {} ranks, and the archive has {}.", map.places.size(), hosts.size()));
    PlacementCheck check;
    check.compared = hosts.size();
    for (std::uint32_t rank = 0; rank < hosts.size(); ++rank) {
        if (sameHost(map.hostOf(rank).name, hosts[rank])) continue;
        check.unknown += hosts[rank].empty();
        check.misplaced.push_back({rank, map.hostOf(rank).name, hosts[rank]});
    }
    return check;
}

double PredictedBytes::relativeDifference() const
{
    if (predicted == measured) return 0.0;
    if (predicted == 0) return std::numeric_limits<double>::infinity();
    return static_cast<double>(measured) / static_cast<double>(predicted) - 1.0;
}

std::vector<PredictedBytes> comparePairs(const CommMatrix& predicted, const CommMatrix& measured)
{
    std::vector<PredictedBytes> pairs;
    const auto a = predicted.entries();
    const auto b = measured.entries();
    const auto key = [](const CommMatrix::Entry& entry) { return std::tie(entry.sender, entry.receiver); };
    for (std::size_t i = 0, k = 0; i < a.size() || k < b.size();) {
        const bool takeA = k == b.size() || (i < a.size() && key(a[i]) <= key(b[k]));
        const bool takeB = i == a.size() || (k < b.size() && key(b[k]) <= key(a[i]));
        const CommMatrix::Entry& entry = takeA ? a[i] : b[k];
        pairs.push_back({entry.sender, entry.receiver, takeA ? a[i].bytes : 0, takeB ? b[k].bytes : 0});
        i += takeA;
        k += takeB;
    }
    return pairs;
}

std::vector<PredictedBytes> compareLinks(const Topology& topology, const LinkAmounts& predicted,
                                         const LinkAmounts& measured)
{
    std::vector<LinkIndex> used;
    for (const LinkAmounts* loads : {&predicted, &measured}) {
        loads->forEach([&](LinkIndex link, std::uint64_t load) {
            if (load != 0) used.push_back(link);
        });
    }
    std::sort(used.begin(), used.end());
    used.erase(std::unique(used.begin(), used.end()), used.end());
    std::vector<PredictedBytes> links;
    for (const LinkIndex link : used)
        links.push_back({topology.source(link), topology.target(link), predicted[link], measured[link]});
    return links;
}

}  // namespace skein
