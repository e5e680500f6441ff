// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/waits/wait_rows.h"

#include "core/select/filters.h"
#include "core/select/translate.h"
#include "core/session/session_clock.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>

namespace skein {
namespace {

std::string sumName(const Experiment& experiment, WaitGrouping grouping, std::uint32_t item)
{
    if (grouping == WaitGrouping::Kind) return std::string(name(static_cast<WaitKind>(item)));
    if (grouping == WaitGrouping::Region) return displayName(experiment.definitions.region(RegionId(item)));
    return causeName(experiment, LocationId(item));
}

/// The states of each sum; the longest and the main cause come from them.
void addStates(const Experiment& experiment, const WaitStates& waits, WaitGrouping grouping,
               std::size_t longest, std::vector<WaitRow>& rows)
{
    const WaitItems items(experiment, grouping);
    std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> statesOf;
    for (std::uint32_t number = 0; number < waits.states.size(); ++number)
        statesOf[items.of(waits.states[number])].push_back(number);
    for (WaitRow& row : rows) {
        std::vector<std::uint32_t>& numbers = statesOf[row.sum.item];
        std::unordered_map<std::uint32_t, TimeNs> causes;
        for (const std::uint32_t number : numbers)
            causes[waits.states[number].cause.value()] += waits.states[number].lengthNs();
        for (const auto& [cause, time] : causes)
            if (std::tuple(time, ~cause)
                > std::tuple(row.causeNs, row.cause.valid() ? ~row.cause.value() : 0)) {
                row.cause = LocationId(cause);
                row.causeNs = time;
            }
        const auto* kinds = row.sum.byKindNs;
        row.kind = static_cast<WaitKind>(std::max_element(kinds, kinds + kWaitKinds) - kinds);
        const auto longer = [&](std::uint32_t a, std::uint32_t b) {
            return std::tuple(-waits.states[a].lengthNs(), a) < std::tuple(-waits.states[b].lengthNs(), b);
        };
        const auto end = numbers.begin() + static_cast<std::ptrdiff_t>(std::min(longest, numbers.size()));
        std::partial_sort(numbers.begin(), end, numbers.end(), longer);
        for (auto number = numbers.begin(); number != end; ++number)
            row.longest.push_back({waits.states[*number], 0});
    }
}

std::optional<TimeSpan> spanAsked(const WaitRequest& request)
{
    const auto kept = keptSpan(request.filters);
    if (!kept || !request.span) return kept ? kept : request.span;
    return request.span->intersected(*kept);
}

/// Of one experiment, to its rows and behind all others.
void addRegionTimes(std::vector<WaitRow>& rows, const Session& session, std::uint32_t number,
                    const std::vector<MpiTime>& times, const std::vector<Filter>& filters)
{
    std::unordered_map<std::uint32_t, std::size_t> rowOf;
    for (std::size_t row = 0; row < rows.size(); ++row)
        if (rows[row].experiment == number) rowOf[rows[row].sum.item] = row;
    const Experiment& experiment = *session.experiments[number];
    for (const MpiTime& time : times) {
        const std::uint32_t region = time.region.value();
        const auto known = rowOf.find(region);
        if (known == rowOf.end() && !passes(filters, RegionRef{number, time.region})) continue;
        if (known == rowOf.end())
            rows.push_back({number,
                            sumName(experiment, WaitGrouping::Region, region),
                            WaitSum{region, 0, 0, 0, {}},
                            {},
                            {},
                            0,
                            {}});
        WaitRow& row = known == rowOf.end() ? rows.back() : rows[known->second];
        row.mpi.emplace().add(time);
    }
}

}  // namespace

WaitRows makeWaitRows(const Session& session, const SessionWaits& waits, const WaitRequest& request)
{
    WaitRows result;
    result.grouping = request.grouping;
    const SessionClock clock = sessionClock(session, request.clockShiftsNs);
    const std::optional<TimeSpan> span = spanAsked(request);
    for (std::uint32_t number = 0; number < session.experiments.size(); ++number) {
        if (number >= waits.experiments.size() || !waits.experiments[number]) continue;
        const Experiment& experiment = *session.experiments[number];
        const WaitStates& all = waits.experiments[number]->found();
        const WaitStates within = span ? waitsWithin(all, clock.toExperiment(number, *span)) : all;
        const WaitStates shown = waitsPassing(session, number, within, request.filters);
        result.hidden += within.states.size() - shown.states.size();
        std::vector<WaitRow> rows;
        for (const WaitSum& sum : sumWaitStates(experiment, shown, request.grouping))
            rows.push_back({number, sumName(experiment, request.grouping, sum.item), sum, {}, {}, 0, {}});
        addStates(experiment, shown, request.grouping, request.longest, rows);
        result.inferredCollectives += all.inferredCollectives;
        for (WaitRow& row : rows) {
            for (SingleWait& wait : row.longest) wait.beginNs = clock.toSession(number, wait.state.begin);
            result.totalNs += row.sum.totalNs;
            result.count += row.sum.count;
            result.rows.push_back(std::move(row));
        }
    }
    std::stable_sort(result.rows.begin(), result.rows.end(),
                     [](const WaitRow& a, const WaitRow& b) { return a.sum.totalNs > b.sum.totalNs; });
    return result;
}

Result<void> addMpiTimes(WaitRows& rows, const Session& session, const SessionWaits& waits,
                         const WaitRequest& request, const Task& task)
{
    const SessionClock clock = sessionClock(session, request.clockShiftsNs);
    const std::optional<TimeSpan> span = spanAsked(request);
    for (std::uint32_t number = 0; number < session.experiments.size(); ++number) {
        if (number >= waits.experiments.size() || !waits.experiments[number]) continue;
        const auto kept = keptLocations(session, number, request.filters);
        if (kept && kept->empty()) continue;
        const auto window = span ? std::optional(clock.toExperiment(number, *span)) : std::nullopt;
        const auto times = mpiTimes(*session.experiments[number], waits.experiments[number]->found(), window,
                                    kept.value_or(std::vector<LocationId>()), task);
        if (!times) return tl::make_unexpected(times.error());
        for (const MpiTime& time : *times) rows.mpi.add(time);
        if (request.grouping == WaitGrouping::Region)
            addRegionTimes(rows.rows, session, number, *times, request.filters);
    }
    return {};
}

Selection selectWait(const Session& session, std::uint32_t experiment, const WaitState& state)
{
    return select(session, IntervalRef{experiment, state.location, state.interval});
}

Selection selectCause(const Session& session, std::uint32_t experiment, const WaitState& state)
{
    if (state.causeInterval == kNoInterval) return select(session, LocationRef{experiment, state.cause});
    return select(session, IntervalRef{experiment, state.cause, state.causeInterval});
}

TimeSpan spanOfWait(const Session& session, const SessionClock& clock, std::uint32_t experiment,
                    const WaitState& state)
{
    TimeSpan span{state.begin, state.end};
    const auto& locations = session.experiments[experiment]->trace->locations;
    if (state.causeInterval != kNoInterval) {
        const TimeSpan cause = locations[state.cause.index()].intervals.span(state.causeInterval);
        span = span.united({cause.begin, std::min(cause.end, state.end + state.lengthNs())});
    }
    return clock.toSession(experiment, span);
}

}  // namespace skein
