// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/details/detail_spans.h"

#include "algorithms/comm/comm_matrix_of.h"
#include "core/trace/nested_calls.h"

#include <algorithm>
#include <map>

namespace skein {
namespace {

constexpr std::size_t kMessagesBetweenStops = 4096;

/// Of one experiment; empty vectors: all of them.
struct WantedCalls {
    std::vector<std::uint8_t> callPaths, locations;

    bool hasPath(std::uint32_t callPath) const { return callPaths.empty() || callPaths[callPath] != 0; }
    bool hasLocation(std::size_t location) const { return locations.empty() || locations[location] != 0; }
};

template <typename Refs>
std::vector<std::uint8_t> flagsOf(const Refs& refs, std::uint32_t experiment, std::size_t count)
{
    std::vector<std::uint8_t> flags(count, 0);
    for (const auto& ref : refs)
        if (ref.experiment == experiment && ref.id.index() < count) flags[ref.id.index()] = 1;
    return flags;
}

std::optional<TimeSpan> spanOfCalls(const CallIntervals& calls, const WantedCalls& wanted)
{
    const auto isWanted = [&](std::uint32_t node) { return wanted.hasPath(node); };
    const auto first = std::find_if(calls.callPath.begin(), calls.callPath.end(), isWanted);
    if (first == calls.callPath.end()) return std::nullopt;
    auto last = static_cast<std::uint32_t>(calls.size()) - 1;
    while (!isWanted(calls.callPath[last])) --last;
    TimeSpan span{calls.begin[static_cast<std::size_t>(first - calls.callPath.begin())], calls.end[last]};
    // What ends later than the one that began last is around it.
    for (std::uint32_t around = callerOf(calls, last); around != kNoInterval;
         around = callerOf(calls, around))
        if (isWanted(calls.callPath[around])) span.end = std::max(span.end, calls.end[around]);
    return span;
}

}  // namespace

std::vector<Flights> flightsOf(const Experiment& experiment, const std::vector<std::vector<RankPair>>& sets,
                               std::optional<TimeSpan> window, const MessageFilter& filter, const Task& task)
{
    std::vector<Flights> flights(sets.size());
    if (!experiment.trace) return flights;
    std::map<RankPair, std::vector<std::size_t>> setsOf;
    for (std::size_t set = 0; set < sets.size(); ++set)
        for (const RankPair& pair : sets[set]) setsOf[pair].push_back(set);
    if (setsOf.empty()) return flights;
    const std::vector<std::int64_t> ranks = ranksOfLocations(experiment.definitions);
    const auto rankOf = [&](LocationId location) {
        return location.valid() && location.index() < ranks.size() ? ranks[location.index()] : -1;
    };
    std::vector<double> sums(sets.size(), 0);
    std::vector<std::uint64_t> counts(sets.size(), 0);
    const std::size_t count = experiment.trace->messages.size();
    for (std::size_t at = 0; at < count; ++at) {
        if (at % kMessagesBetweenStops == 0 && task.stopRequested()) return flights;
        const Message& message = experiment.trace->messages[at];
        if (!message.matched() || (window && !window->contains(message.sendTime))) continue;
        const std::int64_t sender = rankOf(message.sender), receiver = rankOf(message.receiver);
        if (sender < 0 || receiver < 0) continue;
        const auto found =
            setsOf.find({static_cast<std::uint32_t>(sender), static_cast<std::uint32_t>(receiver)});
        if (found == setsOf.end() || !filter.passes(message)) continue;
        const TimeSpan flight{message.sendTime, std::max(message.sendTime, message.receiveTime)};
        for (const std::size_t set : found->second) {
            Flights& own = flights[set];
            sums[set] += static_cast<double>(message.receiveTime - message.sendTime);
            ++counts[set];
            own.longestNs = std::max(own.longestNs, message.receiveTime - message.sendTime);
            own.span = own.span ? own.span->united(flight) : flight;
        }
    }
    for (std::size_t set = 0; set < sets.size(); ++set)
        if (counts[set] > 0) flights[set].meanNs = sums[set] / static_cast<double>(counts[set]);
    return flights;
}

std::optional<TimeSpan> spanOfSelectedCalls(const Session& session, const SessionClock& clock,
                                            const Selection& selected, const Task& task)
{
    std::optional<TimeSpan> around;
    if (selected.callPaths.empty() && selected.locations.empty()) return around;
    for (std::uint32_t number = 0; number < session.experiments.size(); ++number) {
        const Experiment& experiment = *session.experiments[number];
        if (!experiment.trace) continue;
        WantedCalls wanted;
        if (!selected.callPaths.empty())
            wanted.callPaths = flagsOf(selected.callPaths, number, experiment.callTree->size());
        if (!selected.locations.empty())
            wanted.locations = flagsOf(selected.locations, number, experiment.definitions.locations.size());
        for (std::size_t location = 0; location < experiment.trace->locations.size(); ++location) {
            if (task.stopRequested()) return around;
            const CallIntervals& calls = experiment.trace->locations[location].intervals;
            const auto span =
                calls.size() > 0 && wanted.hasLocation(location) ? spanOfCalls(calls, wanted) : std::nullopt;
            if (!span) continue;
            const TimeSpan found = clock.toSession(number, *span);
            around = around ? around->united(found) : found;
        }
    }
    return around;
}

}  // namespace skein
