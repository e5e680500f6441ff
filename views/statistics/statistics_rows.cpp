// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/statistics/statistics_rows.h"

#include "algorithms/profile/moments.h"
#include "core/select/filters.h"
#include "views/common/scene/calls/location_order.h"

#include <map>
#include <optional>

namespace skein {
namespace {

Moments momentsOf(const RegionStatistics& values)
{
    Moments moments;
    moments.count = static_cast<double>(values.wholeCalls());
    moments.sum = values.meanNs * moments.count;
    moments.squaredDeviations = values.deviationNs * values.deviationNs * moments.count;
    return moments;
}

class Collector {
public:
    Collector(const TimelineData& data, TimeSpan span, const std::vector<Filter>& filters)
        : data_(data), span_(span), filters_(filters)
    {
        if (const auto kept = keptSpan(filters)) span_ = span_.intersected(*kept);
    }

    std::optional<Error> add(std::uint32_t number, const Task& task)
    {
        const Experiment& experiment = *data_.session.experiments[number];
        if (!experiment.trace || !data_.indexes[number]) return std::nullopt;
        const auto kept = keptLocations(data_.session, number, filters_);
        if (kept && kept->empty()) return std::nullopt;
        const auto locations = kept.value_or(std::vector<LocationId>());
        const auto statistics = spanStatistics(experiment, *data_.indexes[number],
                                               data_.clock.toExperiment(number, span_), locations, task);
        if (!statistics) return statistics.error();
        result_.locations +=
            static_cast<std::uint32_t>(kept ? kept->size() : recordedLocations(experiment).size());
        addRows(number, *statistics);
        return std::nullopt;
    }

    StatisticsRows finish() && { return std::move(result_); }

private:
    void addRows(std::uint32_t number, const SpanStatistics& statistics)
    {
        const Definitions& definitions = data_.session.experiments[number]->definitions;
        std::map<std::string, StatisticsRow> rows;
        std::vector<StatisticsRow*> rowOf(definitions.regions.size(), nullptr);
        for (const RegionStatistics& values : statistics.overall) {
            if (!passes(filters_, RegionRef{number, values.region})) {
                ++result_.hidden;
                continue;
            }
            const std::string& name = definitions.region(values.region).name;
            StatisticsRow& row =
                rows.try_emplace(name, StatisticsRow{number, name, {}, {}, {}}).first->second;
            row.regions.push_back(values.region);
            row.total = row.regions.size() == 1 ? values : united(row.total, values);
            rowOf[values.region.index()] = &row;
            result_.exclusiveNs += values.exclusiveNs;
        }
        for (std::uint32_t location = 0; location + 1 < statistics.locationOffsets.size(); ++location)
            for (const RegionStatistics& values : statistics.of(LocationId(location)))
                if (StatisticsRow* row = rowOf[values.region.index()])
                    addLocation(*row, LocationId(location), values);
        for (auto& [name, row] : rows) result_.rows.push_back(std::move(row));
    }

    static void addLocation(StatisticsRow& row, LocationId location, const RegionStatistics& values)
    {
        if (!row.locations.empty() && row.locations.back().location == location)
            row.locations.back().values = united(row.locations.back().values, values);
        else row.locations.push_back({location, values});
    }

    const TimelineData& data_;
    TimeSpan span_;
    const std::vector<Filter>& filters_;
    StatisticsRows result_;
};

}  // namespace

RegionStatistics united(const RegionStatistics& left, const RegionStatistics& right)
{
    if (left.calls == 0) return right;
    if (right.calls == 0) return left;
    RegionStatistics both = left;
    both.calls += right.calls;
    both.cut += right.cut;
    both.inclusiveNs += right.inclusiveNs;
    both.exclusiveNs += right.exclusiveNs;
    if (left.wholeCalls() == 0) both.shortestNs = right.shortestNs;
    else if (right.wholeCalls() > 0) both.shortestNs = std::min(left.shortestNs, right.shortestNs);
    both.longestNs = std::max(left.longestNs, right.longestNs);
    Moments moments = momentsOf(left);
    moments.merge(momentsOf(right));
    both.meanNs = moments.mean();
    both.deviationNs = moments.standardDeviation();
    return both;
}

Result<StatisticsRows> makeStatisticsRows(const TimelineData& data, TimeSpan span,
                                          const std::vector<Filter>& filters, const Task& task)
{
    Collector collector(data, span, filters);
    for (std::uint32_t number = 0; number < data.session.experiments.size(); ++number) {
        const auto error = collector.add(number, task);
        if (task.stopRequested()) return cancelled();
        if (error) return tl::make_unexpected(*error);
    }
    return std::move(collector).finish();
}

}  // namespace skein
