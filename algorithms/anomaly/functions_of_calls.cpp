// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/anomaly/functions_of_calls.h"

#include "algorithms/timeline/wait_states.h"

#include <map>

namespace skein {
namespace {

bool waitsForOthers(const Region& region)
{
    if (isMpi(region)) return !neverWaits(region.name);
    switch (region.role) {
    case RegionRole::Barrier:
    case RegionRole::ImplicitBarrier: return true;
    default: return false;
    }
}

}  // namespace

FunctionsOfCalls::FunctionsOfCalls(const Experiment& experiment)
{
    const std::vector<std::uint32_t> first = firstOfName(experiment.definitions);
    const auto& regions = experiment.definitions.regions;
    blocking_.resize(regions.size() + 1, 0);  // the last: calls of nothing that is defined
    mpi_.resize(regions.size() + 1, 0);
    for (std::size_t region = 0; region < regions.size(); ++region) {
        if (waitsForOthers(regions[region])) blocking_[first[region]] = 1;
        if (skein::isMpi(regions[region])) mpi_[first[region]] = 1;
    }
    functionOfPath_.reserve(experiment.callTree->size());
    for (const std::uint32_t region : experiment.callTree->regions())
        functionOfPath_.push_back(region < first.size() ? first[region]
                                                        : static_cast<std::uint32_t>(regions.size()));
}

std::string functionName(const Definitions& definitions, std::uint32_t function)
{
    return function < definitions.regions.size() ? displayName(definitions.regions[function]) : "not defined";
}

std::vector<PlaceOfLocation> placesOf(const Definitions& definitions)
{
    std::vector<PlaceOfLocation> places;
    std::map<std::int64_t, std::uint32_t> seen;  // rank → locations so far
    for (const Location& location : definitions.locations) {
        std::uint32_t thread = 0;
        if (location.rank >= 0) thread = seen[location.rank]++;
        places.push_back({location.rank, thread});
    }
    return places;
}

}  // namespace skein
