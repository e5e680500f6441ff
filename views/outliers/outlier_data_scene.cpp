// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/outliers/outlier_data_scene.h"

#include "core/base/units.h"
#include "core/select/filters.h"
#include "core/session/experiment_titles.h"
#include "views/common/scene/axes/time_axis.h"
#include "views/common/scene/calls/call_tooltip.h"
#include "views/common/scene/calls/location_order.h"

#include <algorithm>
#include <fmt/format.h>

namespace skein {
namespace {

constexpr std::uint32_t kDensityColumns = 1024;
constexpr std::uint32_t kDensityRows = 320;
constexpr double kAround = 1.3;  ///< the axis goes beyond the shortest and the longest call

/// Works out the data of one request.
class OutlierCollector {
public:
    OutlierCollector(const OutlierSource& source, const OutlierRequest& request, const Task& task)
        : source_(source),
          session_(source.data->session),
          clock_(source.data->clock),
          request_(request),
          task_(task),
          regions_(namesakes(session_, request.regions))
    {
    }

    bool collect(OutlierData& data)
    {
        std::vector<CallChoice> choices;
        for (std::uint32_t number = 0; number < session_.experiments.size(); ++number)
            choices.push_back(choiceOf(number));
        prepareDensity(choices, data.density);
        for (std::uint32_t number = 0; number < choices.size(); ++number) {
            if (!source_.data->indexes[number] || choices[number].locations.empty()) continue;
            if (!addPoints(number, choices[number], data)) return false;
            if (!addDurations(*session_.experiments[number], choices[number], data.density, task_))
                return false;
        }
        arrange(data);
        return !task_.stopRequested();
    }

private:
    CallChoice choiceOf(std::uint32_t number) const
    {
        CallChoice choice;
        const Experiment& experiment = *session_.experiments[number];
        if (!source_.data->indexes[number]) return choice;
        choice.span = clock_.toExperiment(number, request_.span);
        choice.regions.resize(experiment.definitions.regions.size());
        for (std::uint32_t id = 0; id < choice.regions.size(); ++id) {
            const RegionRef region{number, RegionId(id)};
            const bool wanted =
                request_.regions.empty() || std::binary_search(regions_.begin(), regions_.end(), region);
            choice.regions[id] =
                wanted && source_.totals[number].hasUsual(region.id) && passes(request_.filters, region);
        }
        for (const LocationRef location : source_.locations)
            if (location.experiment == number && passes(request_.filters, location))
                choice.locations.push_back(location.id);
        return choice;
    }

    /// From the shortest to the longest call of the regions in the whole run, so that the axis stays where it
    /// is.
    void prepareDensity(const std::vector<CallChoice>& choices, DurationDensity& density) const
    {
        double shortest = std::numeric_limits<double>::max(), longest = 1;
        for (std::uint32_t number = 0; number < choices.size(); ++number)
            for (std::uint32_t id = 0; id < choices[number].regions.size(); ++id) {
                if (!choices[number].regions[id]) continue;
                const CallSum& sum = source_.totals[number].sums[source_.totals[number].firstOfName[id]];
                // Calls of no time would stretch the axis down to a nanosecond.
                shortest = std::min(shortest,
                                    sum.shortestNs > 0 ? static_cast<double>(sum.shortestNs)
                                                       : std::max(1.0, sum.meanNs() / 4));
                longest = std::max(longest, static_cast<double>(sum.longestNs));
            }
        const double low = std::max(1.0, std::min(shortest, longest));
        density.grid = {kDensityColumns, kDensityRows, std::max(1.0, low / kAround),
                        std::max(low * 10, longest) * kAround};
        density.span = request_.span;
        density.calls.assign(std::size_t{kDensityColumns} * kDensityRows, 0);
    }

    std::uint32_t placeOf(LocationRef location)
    {
        if (places_.empty())
            for (const LocationRef each : source_.locations) {
                if (places_.size() <= each.experiment) places_.resize(each.experiment + 1);
                auto& ofExperiment = places_[each.experiment];
                ofExperiment.resize(std::max<std::size_t>(ofExperiment.size(), each.id.index() + 1));
                ofExperiment[each.id.index()] = next_++;
            }
        return places_[location.experiment][location.id.index()];
    }

    OutlierPoint pointOf(std::uint32_t number, const OutlierCall& call)
    {
        return {{number, call.location, call.call},   {number, call.region}, placeOf({number, call.location}),
                clock_.toSession(number, call.begin), call.durationNs,       call.usualNs};
    }

    bool addPoints(std::uint32_t number, const CallChoice& choice, OutlierData& data)
    {
        const auto found = outlierPoints(*session_.experiments[number], *source_.data->indexes[number],
                                         source_.totals[number], choice, OutlierData::kMostPoints, task_);
        if (!found) return false;
        for (const OutlierCall& call : found->calls) data.points.push_back(pointOf(number, call));
        for (const LocationOutliers& location : found->locations)
            data.ranks.push_back({{number, location.location},
                                  placeOf({number, location.location}),
                                  location.calls,
                                  location.excessNs,
                                  pointOf(number, location.worst)});
        data.total += found->total;
        data.excessNs += found->excessNs;
        return true;
    }

    static void arrange(OutlierData& data)
    {
        const auto less = [](const auto& a, const auto& b) { return a.excessNs() < b.excessNs(); };
        std::stable_sort(data.points.begin(), data.points.end(), less);
        if (data.points.size() > OutlierData::kMostPoints)
            data.points.erase(data.points.begin(),
                              data.points.end() - static_cast<std::ptrdiff_t>(OutlierData::kMostPoints));
        std::stable_sort(data.ranks.begin(), data.ranks.end(),
                         [](const auto& a, const auto& b) { return a.excessNs < b.excessNs; });
    }

    const OutlierSource& source_;
    const Session& session_;
    const SessionClock& clock_;
    const OutlierRequest& request_;
    const Task& task_;
    std::vector<RegionRef> regions_;                  ///< of the request with all namesakes; sorted
    std::vector<std::vector<std::uint32_t>> places_;  ///< [experiment][location]
    std::uint32_t next_ = 0;
};

}  // namespace

Result<OutlierSourcePtr> makeOutlierSource(TimelineDataPtr data, const Task& task)
{
    auto source = std::make_shared<OutlierSource>();
    source->data = std::move(data);
    const auto& experiments = source->data->session.experiments;
    source->totals.resize(experiments.size());
    for (std::uint32_t number = 0; number < experiments.size(); ++number) {
        const TimelineIndexPtr& index = source->data->indexes[number];
        if (!index) continue;
        auto totals = callTotals(*experiments[number], *index, task);
        if (!totals) return cancelled();
        source->totals[number] = std::move(*totals);
        for (const LocationId location : recordedLocations(*experiments[number])) {
            source->locations.push_back({number, location});
            source->any = source->any || index->locations[location.index()].outliers.size() > 0;
        }
    }
    return OutlierSourcePtr(std::move(source));
}

OutlierSourcePtr withClockOf(const OutlierSourcePtr& source, const ViewState& state)
{
    if (!source || withClockOf(source->data, state) == source->data) return source;
    auto shifted = std::make_shared<OutlierSource>(*source);
    shifted->data = withClockOf(source->data, state);
    return shifted;
}

Result<OutlierDataPtr> makeOutlierData(const OutlierSourcePtr& source, const OutlierRequest& request,
                                       const Task& task)
{
    auto data = std::make_shared<OutlierData>();
    data->source = source;
    data->request = request;
    if (!OutlierCollector(*source, request, task).collect(*data)) return cancelled();
    return OutlierDataPtr(std::move(data));
}

OutlierRequest outlierRequest(const TimelineData& data, const ViewState& state, const Scope& scope,
                              bool selectedRegionsOnly)
{
    // A call that begins with the last event belongs to the run.
    const TimeSpan run{data.clock.extent.begin, data.clock.extent.end + 1};
    OutlierRequest request{scope.span.value_or(run), filtersOf(scope, state.filters), {}};
    if (const auto kept = keptSpan(state.filters)) request.span = request.span.intersected(*kept);
    if (selectedRegionsOnly) request.regions = state.selected.regions;
    return request;
}

std::string outlierLocationName(const OutlierSource& source, LocationRef location)
{
    const Session& session = source.data->session;
    std::string name = displayName(session.experiments[location.experiment]->definitions, location.id);
    return session.experiments.size() > 1 ? experimentTitles(session)[location.experiment] + " · " + name
                                          : name;
}

std::vector<std::string> outlierTooltip(const OutlierSource& source, const OutlierPoint& point)
{
    const Definitions& definitions = source.data->session.experiments[point.call.experiment]->definitions;
    std::vector<std::string> lines{
        tooltipText(displayName(definitions.region(point.region.id))),
        tooltipText(outlierLocationName(source, {point.call.experiment, point.call.location}))};
    const std::string duration = formatDuration(static_cast<double>(point.durationNs));
    lines.push_back(point.usualNs > 0
                        ? fmt::format("{}, {} × the mean of the region's other calls ({})", duration,
                                      formatNumber(static_cast<double>(point.durationNs) / point.usualNs),
                                      formatDuration(point.usualNs))
                        : fmt::format("{}; the region's other calls took no time", duration));
    lines.push_back(fmt::format("entered at {}", exactTime(point.begin)));
    return lines;
}

std::vector<std::string> outlierTooltip(const OutlierSource& source, const OutlierRank& rank)
{
    const Definitions& definitions = source.data->session.experiments[rank.location.experiment]->definitions;
    const std::string worst = displayName(definitions.region(rank.worst.region.id));
    return {tooltipText(outlierLocationName(source, rank.location)),
            fmt::format("{} {} much longer than usual", formatGrouped(static_cast<std::int64_t>(rank.calls)),
                        rank.calls == 1 ? "call" : "calls"),
            fmt::format("{} beyond the usual", formatDuration(rank.excessNs)),
            tooltipText(fmt::format("worst: {}, {}", worst,
                                    formatDuration(static_cast<double>(rank.worst.durationNs)))),
            fmt::format("entered at {}", exactTime(rank.worst.begin))};
}

}  // namespace skein
