// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/index/other_regions.h"

#include <algorithm>

namespace skein {
namespace {

std::uint32_t shareOf(const PathTime& path, double wholeNs)
{
    if (path.time <= 0 || path.callPath > OtherRegions::kHighest) return 0;
    const double share = static_cast<double>(path.time) / wholeNs * OtherRegions::kWhole;
    return static_cast<std::uint32_t>(std::clamp(share + 0.5, 1.0, OtherRegions::kWhole));
}

}  // namespace

OtherRegions RegionTally::Division::others(double wholeNs) const
{
    OtherRegions others;
    others.second = second.callPath & OtherRegions::kHighest;
    others.secondShare = shareOf(second, wholeNs) & 0xFF;
    others.rest = rest.callPath & OtherRegions::kHighest;
    others.restShare = shareOf(rest, wholeNs) & 0xFF;
    return others;
}

void RegionTally::merge(std::vector<PathTime>& times, std::size_t first)
{
    std::size_t kept = first;
    for (std::size_t index = first; index < times.size(); ++index) {
        const PathTime time = times[index];
        if (byCallPath_[time.callPath] == 0) times[kept++].callPath = time.callPath;
        byCallPath_[time.callPath] += time.time;
    }
    times.resize(kept);
    for (std::size_t index = first; index < kept; ++index) {
        times[index].time = byCallPath_[times[index].callPath];
        byCallPath_[times[index].callPath] = 0;
    }
}

void RegionTally::add(const PathTime& path)
{
    const std::uint32_t number = regionOf_[path.callPath];
    if (slot_[number] == 0) {
        regions_.push_back({number, path, path.time});
        slot_[number] = static_cast<std::uint32_t>(regions_.size());
        return;
    }
    Region& region = regions_[slot_[number] - 1];
    region.time += path.time;
    const PathTime& longest = region.longest;
    if (path.time > longest.time || (path.time == longest.time && path.callPath < longest.callPath))
        region.longest = path;
}

RegionTally::Division RegionTally::divide(std::span<const PathTime> times, RestDebts& debts,
                                          std::uint32_t firstRegion)
{
    if (times.size() == 1) return {times.front(), {}, {}};
    for (const PathTime& time : times) add(time);
    const auto isMore = [](const Region* a, const Region* b) {
        return !b || a->time > b->time || (a->time == b->time && a->region < b->region);
    };
    const Region *first = nullptr, *second = nullptr, *owed = nullptr;
    if (firstRegion != CallPathId::kNone) first = &regions_[slot_[firstRegion] - 1];
    for (const Region& region : regions_) {
        if (&region == first) continue;
        if (isMore(&region, second)) second = &region;
        if (firstRegion == CallPathId::kNone && isMore(second, first)) std::swap(first, second);
    }
    TimeNs rest = 0;
    for (const Region& region : regions_) {
        slot_[region.region] = 0;
        if (&region == first || &region == second) continue;
        rest += region.time;
        const TimeNs debt = debts[region.region] += region.time;
        if (!owed || debt > debts[owed->region]
            || (debt == debts[owed->region] && region.region < owed->region))
            owed = &region;
    }
    if (owed) debts[owed->region] -= rest;
    const Division division{first->known(), second ? second->known() : PathTime(),
                            owed ? PathTime{owed->longest.callPath, rest} : PathTime()};
    regions_.clear();
    return division;
}

}  // namespace skein
