// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/tau_profile/profile_names.h"

#include <algorithm>
#include <fmt/format.h>

namespace skein::tau {
namespace {

/// More candidates than this are not searched for the end of a path: it would not be unique anyway.
constexpr std::size_t kMaximumCandidates = 64;
constexpr std::string_view kThrottledDescription =
    "Throttled: TAU stopped measuring it after many short calls; later calls count as time of its callers.";

std::uint64_t childKey(std::uint32_t parent, std::uint32_t region)
{
    return std::uint64_t{parent} << 32 | region;
}

}  // namespace

std::vector<RegionGroupId> NameModel::groupsOf(const std::vector<std::string_view>& names)
{
    std::vector<RegionGroupId> ids;
    for (const std::string_view name : names) {
        if (isBookkeepingGroup(name)) continue;
        const auto [found, fresh] =
            groupNumbers_.try_emplace(std::string(name), static_cast<std::uint32_t>(groups_.size()));
        if (fresh) groups_.push_back({found->first});
        const RegionGroupId id(found->second);
        if (std::find(ids.begin(), ids.end(), id) == ids.end()) ids.push_back(id);
    }
    return ids;
}

std::uint32_t NameModel::regionOf(std::string_view timer, std::string_view groups)
{
    const std::string_view name = withoutThrottleMark(timer);
    const auto [found, fresh] =
        regionNumbers_.try_emplace(std::string(name), static_cast<std::uint32_t>(regions_.size()));
    if (fresh) {
        const auto names = splitGroups(groups);
        regions_.push_back(makeRegion(name, names));
        regions_.back().groups = groupsOf(names);
        nodesOfRegion_.emplace_back();
        auto site = callSiteOf(name);
        callSiteOf_.push_back(site ? CallSiteId(callSites_.size()) : CallSiteId());
        if (site) callSites_.push_back(*std::move(site));
    }
    return found->second;
}

void NameModel::noteThrottled(std::uint32_t region) { regions_[region].description = kThrottledDescription; }

/// TAU replaces the groups of a function that it stops; rows of its call paths still have them.
void NameModel::completeThrottled(std::uint32_t region, std::string_view groups)
{
    Region& known = regions_[region];
    if (known.description.empty() || !known.groups.empty()) return;
    const auto names = splitGroups(groups);
    Region told = makeRegion(known.name, names);
    told.groups = groupsOf(names);
    told.description = known.description;
    known = std::move(told);
}

CallPathId NameModel::child(CallPathId parent, std::uint32_t region)
{
    const auto before = tree_.size();
    const CallPathId node = tree_.child(parent, RegionId(region), callSiteOf_[region]);
    if (tree_.size() == before) return node;
    children_.emplace(childKey(parent.value(), region), node.value());
    nodesOfRegion_[region].push_back(node.value());
    return node;
}

bool NameModel::pathFits(const std::vector<std::string_view>& path, ImportReport& report) const
{
    if (path.size() <= kMaximumPathLength) return true;
    report.add(IssueKind::UnsupportedRecord, "", "", fmt::format("a call path of {} timers", path.size()));
    return false;
}

TimerMeaning NameModel::interpretPath(const RawTimer& timer, ImportReport& report)
{
    TimerMeaning meaning;
    const auto path = splitCallPath(timer.name);
    if (path.empty() || !pathFits(path, report)) return meaning;
    CallPathId node;
    std::vector<std::uint32_t> regions;
    for (const std::string_view& part : path) {
        // The groups of the row are those of its innermost timer.
        meaning.region =
            regionOf(part, &part == &path.back() ? std::string_view(timer.groups) : std::string_view());
        node = child(node, meaning.region);
        regions.push_back(meaning.region);
    }
    if (timer.throttled || isThrottled(path.back())) noteThrottled(meaning.region);
    completeThrottled(meaning.region, timer.groups);
    meaning.node = node.value();
    meaning.recursive = std::count(regions.begin(), regions.end(), meaning.region) > 1;
    return meaning;
}

std::optional<std::vector<TimerMeaning>> NameModel::interpret(std::span<const RawTimer> timers,
                                                              ImportReport& report, const Task& task)
{
    constexpr std::size_t kAskEvery = 256;
    const auto stopAt = [&](std::size_t timer) { return timer % kAskEvery == 0 && task.stopRequested(); };
    // Flat rows first: they know the groups of every region.
    std::vector<TimerMeaning> meanings(timers.size());
    for (std::size_t timer = 0; timer < timers.size(); ++timer) {
        if (stopAt(timer)) return std::nullopt;
        if (isCallPath(timers[timer].name)) continue;
        meanings[timer].region = regionOf(timers[timer].name, timers[timer].groups);
        if (timers[timer].throttled) noteThrottled(meanings[timer].region);
    }
    for (std::size_t timer = 0; timer < timers.size(); ++timer) {
        if (stopAt(timer)) return std::nullopt;
        if (isCallPath(timers[timer].name)) meanings[timer] = interpretPath(timers[timer], report);
    }
    return meanings;
}

CallPathId NameModel::root(std::uint32_t region) { return child({}, region); }

CallPathId NameModel::find(CallPathId from, std::span<const std::uint32_t> regions) const
{
    for (const std::uint32_t region : regions) {
        const auto found = children_.find(childKey(from.value(), region));
        if (found == children_.end()) return {};
        from = CallPathId(found->second);
    }
    return from;
}

CallPathId NameModel::contextNode(std::string_view path, ImportReport& report)
{
    const auto names = splitCallPath(path);
    if (names.empty() || !pathFits(names, report)) return {};
    const std::uint32_t outermost = regionOf(names.front(), {});
    std::vector<std::uint32_t> regions;
    for (const std::string_view name : names) regions.push_back(regionOf(name, {}));
    const std::vector<std::uint32_t>& candidates = nodesOfRegion_[outermost];
    std::vector<CallPathId> matches;
    for (std::size_t at = 0; at < candidates.size() && candidates.size() <= kMaximumCandidates; ++at)
        if (const CallPathId end = find(CallPathId(candidates[at]), std::span(regions).subspan(1));
            end.valid())
            matches.push_back(end);
    if (matches.size() == 1) return matches.front();
    CallPathId node;
    for (const std::uint32_t region : regions) node = child(node, region);
    return node;
}

void NameModel::moveInto(Definitions& definitions, CallTree& tree) &&
{
    linkCallSites(regions_, callSiteOf_, callSites_);
    definitions.callSites = std::move(callSites_);
    definitions.regions = std::move(regions_);
    definitions.regionGroups = std::move(groups_);
    tree = std::move(tree_).finish();
}

}  // namespace skein::tau
