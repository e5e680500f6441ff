// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/select/translate.h"

#include "core/trace/nested_calls.h"

#include <algorithm>
#include <iterator>
#include <set>

namespace skein {
namespace {

const Experiment* experimentAt(const Session& session, std::uint32_t index)
{
    return index < session.experiments.size() ? session.experiments[index].get() : nullptr;
}

const CallIntervals* intervalsAt(const Session& session, std::uint32_t experiment, LocationId location)
{
    const Experiment* found = experimentAt(session, experiment);
    if (!found || !found->trace || location.index() >= found->trace->locations.size()) return nullptr;
    return &found->trace->locations[location.index()].intervals;
}

/// The last call that was entered at or before the time.
std::uint32_t lastEnteredAt(const CallIntervals& calls, TimeNs time)
{
    const auto after = std::upper_bound(calls.begin.begin(), calls.begin.end(), time);
    return after == calls.begin.begin() ? kNoInterval
                                        : static_cast<std::uint32_t>(after - calls.begin.begin() - 1);
}

std::uint32_t innermostIndex(const CallIntervals& calls, TimeNs time)
{
    std::uint32_t index = lastEnteredAt(calls, time);
    while (index != kNoInterval && calls.end[index] <= time) index = callerOf(calls, index);
    return index;
}

template <typename Accept>
std::vector<IntervalRef> collectIntervals(const CallIntervals* calls, LocationRef location, TimeSpan span,
                                          std::size_t limit, Accept accept)
{
    std::vector<IntervalRef> found;
    if (!calls) return found;
    for (std::uint32_t index = 0; index < calls->size() && found.size() < limit; ++index) {
        if (calls->begin[index] >= span.end) break;
        if (calls->end[index] > span.begin && accept(calls->callPath[index]))
            found.push_back({location.experiment, location.id, index});
    }
    return found;
}

template <typename T>
std::vector<T> unitedSorted(const std::vector<T>& left, const std::vector<T>& right)
{
    std::vector<T> all;
    std::set_union(left.begin(), left.end(), right.begin(), right.end(), std::back_inserter(all));
    return all;
}

template <typename T>
void sortOnce(std::vector<T>& all)
{
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
}

Selection endOf(const Session& session, std::uint32_t experiment, LocationId location, std::uint32_t interval)
{
    if (interval != kNoInterval) return select(session, IntervalRef{experiment, location, interval});
    return select(session, LocationRef{experiment, location});
}

}  // namespace

bool exists(const Session& session, CallPathRef callPath)
{
    const Experiment* experiment = experimentAt(session, callPath.experiment);
    return experiment && callPath.id.index() < experiment->callTree->size();
}

bool exists(const Session& session, LocationRef location)
{
    const Experiment* experiment = experimentAt(session, location.experiment);
    return experiment && location.id.index() < experiment->definitions.locations.size();
}

bool exists(const Session& session, RegionRef region)
{
    const Experiment* experiment = experimentAt(session, region.experiment);
    return experiment && region.id.index() < experiment->definitions.regions.size();
}

bool exists(const Session& session, IntervalRef interval)
{
    const CallIntervals* calls = intervalsAt(session, interval.experiment, interval.location);
    return calls && interval.index < calls->size();
}

bool exists(const Session& session, MessageRef message)
{
    const Experiment* experiment = experimentAt(session, message.experiment);
    return experiment && experiment->trace && message.index < experiment->trace->messages.size();
}

bool exists(const Session& session, CollectiveRef collective)
{
    const Experiment* experiment = experimentAt(session, collective.experiment);
    return experiment && experiment->trace && collective.index < experiment->trace->collectives.size();
}

RegionRef regionOf(const Session& session, CallPathRef callPath)
{
    if (!exists(session, callPath)) return {};
    return {callPath.experiment, session.experiments[callPath.experiment]->callTree->region(callPath.id)};
}

CallPathRef callPathOf(const Session& session, IntervalRef interval)
{
    if (!exists(session, interval)) return {};
    const CallIntervals& calls = *intervalsAt(session, interval.experiment, interval.location);
    return {interval.experiment, CallPathId(calls.callPath[interval.index])};
}

LocationRef locationOf(IntervalRef interval) { return {interval.experiment, interval.location}; }

std::vector<CallPathRef> callPathsOf(const Session& session, RegionRef region)
{
    std::vector<CallPathRef> found;
    if (!exists(session, region)) return found;
    const CallTree& tree = *session.experiments[region.experiment]->callTree;
    for (std::uint32_t node = 0; node < tree.size(); ++node)
        if (tree.region(CallPathId(node)) == region.id)
            found.push_back({region.experiment, CallPathId(node)});
    return found;
}

IntervalRef parentOf(const Session& session, IntervalRef interval)
{
    if (!exists(session, interval)) return {};
    const CallIntervals& calls = *intervalsAt(session, interval.experiment, interval.location);
    const std::uint32_t parent = callerOf(calls, interval.index);
    return parent == kNoInterval ? IntervalRef{}
                                 : IntervalRef{interval.experiment, interval.location, parent};
}

IntervalRef innermostAt(const Session& session, LocationRef location, TimeNs experimentTime)
{
    const CallIntervals* calls = intervalsAt(session, location.experiment, location.id);
    const std::uint32_t index = calls ? innermostIndex(*calls, experimentTime) : kNoInterval;
    return index == kNoInterval ? IntervalRef{} : IntervalRef{location.experiment, location.id, index};
}

IntervalRef callAt(const Session& session, LocationRef location, TimeNs experimentTime, std::uint32_t depth)
{
    const CallIntervals* calls = intervalsAt(session, location.experiment, location.id);
    std::uint32_t index = calls ? innermostIndex(*calls, experimentTime) : kNoInterval;
    while (index != kNoInterval && calls->depth[index] > depth) index = callerOf(*calls, index);
    if (index == kNoInterval || calls->depth[index] != depth) return {};
    return {location.experiment, location.id, index};
}

std::vector<IntervalRef> intervalsOf(const Session& session, CallPathRef callPath, LocationRef location,
                                     TimeSpan span, std::size_t limit)
{
    if (callPath.experiment != location.experiment) return {};
    return collectIntervals(intervalsAt(session, location.experiment, location.id), location, span, limit,
                            [&](std::uint32_t node) { return node == callPath.id.value(); });
}

std::vector<IntervalRef> intervalsOf(const Session& session, RegionRef region, LocationRef location,
                                     TimeSpan span, std::size_t limit)
{
    if (region.experiment != location.experiment || !exists(session, region)) return {};
    const CallTree& tree = *session.experiments[region.experiment]->callTree;
    return collectIntervals(intervalsAt(session, location.experiment, location.id), location, span, limit,
                            [&](std::uint32_t node) { return tree.region(CallPathId(node)) == region.id; });
}

Selection select(const Session& session, IntervalRef interval)
{
    Selection selection;
    if (!exists(session, interval)) return selection;
    selection = select(session, callPathOf(session, interval));
    selection.locations = {locationOf(interval)};
    selection.intervals = {interval};
    return selection;
}

Selection select(const Session& session, CallPathRef callPath)
{
    Selection selection;
    if (!exists(session, callPath)) return selection;
    selection.callPaths = {callPath};
    selection.regions = {regionOf(session, callPath)};
    return selection;
}

Selection select(const Session& session, RegionRef region)
{
    Selection selection;
    if (!exists(session, region)) return selection;
    selection.regions = {region};
    selection.callPaths = callPathsOf(session, region);
    return selection;
}

Selection select(const Session& session, LocationRef location)
{
    Selection selection;
    if (exists(session, location)) selection.locations = {location};
    return selection;
}

Selection select(const Session& session, const std::vector<CallPathRef>& callPaths)
{
    Selection selection;
    for (const CallPathRef& callPath : callPaths) {
        if (!exists(session, callPath)) continue;
        selection.callPaths.push_back(callPath);
        selection.regions.push_back(regionOf(session, callPath));
    }
    sortOnce(selection.callPaths);
    sortOnce(selection.regions);
    return selection;
}

Selection select(const Session& session, const std::vector<RegionRef>& regions)
{
    Selection selection;
    for (const RegionRef& region : regions)
        if (exists(session, region)) selection.regions.push_back(region);
    sortOnce(selection.regions);
    for (std::uint32_t number = 0; number < session.experiments.size(); ++number) {
        const CallTree& tree = *session.experiments[number]->callTree;
        std::vector<std::uint8_t> wanted(session.experiments[number]->definitions.regions.size(), 0);
        for (const RegionRef& region : selection.regions)
            if (region.experiment == number) wanted[region.id.index()] = 1;
        for (std::uint32_t node = 0; node < tree.size(); ++node) {
            const RegionId region = tree.region(CallPathId(node));
            if (region.index() < wanted.size() && wanted[region.index()])
                selection.callPaths.push_back({number, CallPathId(node)});
        }
    }
    return selection;
}

Selection select(const Session& session, const std::vector<LocationRef>& locations)
{
    Selection selection;
    for (const LocationRef& location : locations)
        if (exists(session, location)) selection.locations.push_back(location);
    sortOnce(selection.locations);
    return selection;
}

Selection select(const Session& session, MessageRef message)
{
    if (!exists(session, message)) return {};
    const Message& found = session.experiments[message.experiment]->trace->messages[message.index];
    Selection selection = united(endOf(session, message.experiment, found.sender, found.sendInterval),
                                 endOf(session, message.experiment, found.receiver, found.receiveInterval));
    selection.messages = {message};
    return selection;
}

Selection select(const Session& session, CollectiveRef collective)
{
    Selection selection;
    if (!exists(session, collective)) return selection;
    const Trace& trace = *session.experiments[collective.experiment]->trace;
    const CollectiveOperation& operation = trace.collectives[collective.index];
    for (std::uint64_t member = operation.firstMember;
         member < operation.firstMember + operation.memberCount && member < trace.collectiveMembers.size();
         ++member) {
        const CollectiveMember& one = trace.collectiveMembers[member];
        selection.locations.push_back({collective.experiment, one.location});
        const IntervalRef call{collective.experiment, one.location, one.interval};
        if (one.interval != kNoInterval && exists(session, call)) selection.intervals.push_back(call);
    }
    sortOnce(selection.locations);
    sortOnce(selection.intervals);
    selection.collectives = {collective};
    return selection;
}

Selection select(const Session& session, RankPairRef pair)
{
    Selection selection;
    const Experiment* experiment = experimentAt(session, pair.experiment);
    if (!experiment) return selection;
    for (const std::uint32_t rank : {pair.sender, pair.receiver})
        for (std::uint32_t id = 0; id < experiment->definitions.locations.size(); ++id)
            if (experiment->definitions.locations[id].rank == rank)
                selection.locations.push_back({pair.experiment, LocationId(id)});
    sortOnce(selection.locations);
    selection.rankPairs = {pair};
    return selection;
}

Selection select(const Session& session, const HandOver& handOver, HandOverRef number)
{
    const auto end = [&](std::uint32_t experiment, LocationId location, TimeNs time) {
        const IntervalRef call = innermostAt(session, {experiment, location}, time);
        return call.valid() ? select(session, call) : select(session, LocationRef{experiment, location});
    };
    Selection selection = united(end(handOver.producer, handOver.from, handOver.written.begin),
                                 end(handOver.consumer, handOver.to, handOver.waited.end));
    selection.handOvers = {number};
    return selection;
}

std::vector<LocationRef> rowsOf(const Session& session, const Selection& selected)
{
    std::vector<LocationRef> rows;
    const auto add = [&](LocationRef location) {
        if (exists(session, location)) rows.push_back(location);
    };
    for (const LocationRef& location : selected.locations) add(location);
    if (!rows.empty()) return rows;
    for (const IntervalRef& call : selected.intervals) add(locationOf(call));
    for (const MessageRef& ref : selected.messages) {
        if (!exists(session, ref)) continue;
        const Message& message = session.experiments[ref.experiment]->trace->messages[ref.index];
        for (const LocationId end : {message.sender, message.receiver}) add({ref.experiment, end});
    }
    for (std::uint32_t number = 0; number < session.experiments.size() && !selected.rankPairs.empty();
         ++number) {
        std::set<std::uint32_t> ranks;
        for (const RankPairRef& pair : selected.rankPairs)
            if (pair.experiment == number) {
                ranks.insert(pair.sender);
                ranks.insert(pair.receiver);
            }
        const auto& locations = session.experiments[number]->definitions.locations;
        for (std::uint32_t id = 0; id < locations.size(); ++id)
            if (locations[id].rank >= 0 && ranks.contains(static_cast<std::uint32_t>(locations[id].rank)))
                rows.push_back({number, LocationId(id)});
    }
    sortOnce(rows);
    return rows;
}

Selection united(const Selection& left, const Selection& right)
{
    return {unitedSorted(left.locations, right.locations),
            unitedSorted(left.regions, right.regions),
            unitedSorted(left.callPaths, right.callPaths),
            unitedSorted(left.intervals, right.intervals),
            unitedSorted(left.messages, right.messages),
            unitedSorted(left.rankPairs, right.rankPairs),
            unitedSorted(left.links, right.links),
            unitedSorted(left.nodes, right.nodes),
            unitedSorted(left.collectives, right.collectives),
            unitedSorted(left.handOvers, right.handOvers),
            unitedSorted(left.changePoints, right.changePoints),
            unitedSorted(left.clusters, right.clusters)};
}

Selection unitedParts(std::vector<Selection> parts)
{
    for (std::size_t step = 1; step < parts.size(); step *= 2)
        for (std::size_t at = 0; at + step < parts.size(); at += 2 * step) {
            parts[at] = united(parts[at], parts[at + step]);
            parts[at + step] = {};
        }
    return parts.empty() ? Selection() : std::move(parts.front());
}

}  // namespace skein
