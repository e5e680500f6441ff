// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/details/detail_counters.h"

#include "algorithms/profile/aggregate.h"
#include "algorithms/profile/restrict.h"
#include "algorithms/profile/trace_metrics.h"
#include "algorithms/timeline/metric_steps.h"
#include "core/base/units.h"
#include "core/select/filters.h"
#include "core/select/translate.h"
#include "core/session/session_clock.h"
#include "views/common/scene/axes/value_axis.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace skein {
namespace {

constexpr std::size_t kMostMetricsByCall = 8;  ///< all calls of the scope are gone through for each

class CounterWriter {
public:
    CounterWriter(const DetailRequest& request, const Task& task)
        : state_(request.state),
          session_(*request.session),
          scope_(scopeOf(request.state)),
          clock_(sessionClock(session_, request.state.clockShiftsNs)),
          task_(task)
    {
    }

    std::vector<DetailTable> write() &&
    {
        if (!state_.selected.intervals.empty()) addCalls();
        else addLocations();
        addRegions();
        return std::move(tables_);
    }

private:
    bool hasSamples(std::uint32_t index) const
    {
        const Experiment& owner = *session_.experiments[index];
        return owner.trace && !owner.trace->metricStreams.empty();
    }

    std::string nameOf(std::uint32_t index, const std::string& name) const
    {
        return session_.experiments.size() < 2 ? name : session_.experiments[index]->name + ": " + name;
    }

    static DetailTable steps(std::string title)
    {
        return {std::move(title), {"Counter", "Of", "Amount", "Mean", "Least", "Most"}, {}, 0, {}};
    }

    void keep(DetailTable table)
    {
        if (!table.rows.empty()) tables_.push_back(std::move(table));
    }

    void addCalls()
    {
        DetailTable table = steps("Counters during the calls");
        for (const IntervalRef& call : state_.selected.intervals) {
            if (!exists(session_, call) || !hasSamples(call.experiment) || task_.stopRequested()) continue;
            const Experiment& owner = *session_.experiments[call.experiment];
            const RegionId region = regionOf(session_, callPathOf(session_, call)).id;
            const TimeSpan span = owner.trace->locations[call.location.index()].intervals.span(call.index);
            addRows(table, call.experiment, call.location, span,
                    fmt::format("{} on {}", displayName(owner.definitions.region(region)),
                                displayName(owner.definitions, call.location)));
        }
        keep(std::move(table));
    }

    void addLocations()
    {
        DetailTable table = steps("Counters · " + spanText(scope_));
        for (const LocationRef& location : state_.selected.locations) {
            if (!exists(session_, location) || !hasSamples(location.experiment) || task_.stopRequested())
                continue;
            const Experiment& owner = *session_.experiments[location.experiment];
            const TimeSpan span =
                scope_.span ? clock_.toExperiment(location.experiment, *scope_.span) : owner.trace->extent;
            addRows(table, location.experiment, location.id, span,
                    nameOf(location.experiment, displayName(owner.definitions, location.id)));
        }
        keep(std::move(table));
    }

    /// Every metric that the location recorded, within the span.
    void addRows(DetailTable& table, std::uint32_t index, LocationId recorder, TimeSpan span,
                 const std::string& of)
    {
        constexpr double kNsPerSecond = 1e9;
        for (const MetricLanes& metric : metricLanesOf(*session_.experiments[index], recorder, task_)) {
            StepRange range;
            for (const MetricLane& lane : metric.lanes) range.add(lane.steps.over(span));
            if (!range.any()) continue;
            if (table.rows.size() >= kMostDetailRows) {
                ++table.left;
                continue;
            }
            const std::string unit =
                metric.rate ? metric.unit.substr(0, metric.unit.size() - 2) : metric.unit;
            const auto value = [&](double amount) {
                // Of what has no unit, "3 G/s".
                return metric.rate && unit.empty() ? formatAmount(amount, "") + metric.unit
                                                   : formatAmount(amount, metric.unit);
            };
            table.rows.push_back({metric.metric, of,
                                  metric.rate ? formatAmount(range.integral / kNsPerSecond, unit) : "–",
                                  value(range.mean()), value(range.minimum), value(range.maximum)});
        }
    }

    void addRegions()
    {
        if (state_.selected.regions.empty()) return;
        DetailTable table{"Counters of regions · " + scopeText(session_, scope_),
                          {"Counter", "Region", "Inclusive", "Exclusive", "A call", "Max/mean"},
                          {},
                          0,
                          {}};
        for (std::uint32_t index = 0; index < session_.experiments.size(); ++index)
            if (hasSamples(index)) addRegionsOf(table, index);
        keep(std::move(table));
    }

    void addRegionsOf(DetailTable& table, std::uint32_t index)
    {
        const Experiment& owner = *session_.experiments[index];
        const bool concerned =
            std::any_of(state_.selected.regions.begin(), state_.selected.regions.end(),
                        [index](const RegionRef& region) { return region.experiment == index; });
        std::size_t told = 0;
        if (!concerned) return;
        for (const TraceMetric& metric : traceMetrics(owner)) {
            if (metric.attribution != Attribution::PerCall || task_.stopRequested()) continue;
            if (++told > kMostMetricsByCall) {
                ++table.left;
                continue;
            }
            addMetricOfRegions(table, index, owner.definitions.metric(metric.metric));
        }
    }

    void addMetricOfRegions(DetailTable& table, std::uint32_t index, const Metric& metric)
    {
        const Experiment& owner = *session_.experiments[index];
        ProfilePart part;
        if (scope_.span) part.window = clock_.toExperiment(index, *scope_.span);
        part.locations = keptLocations(session_, index, filtersOf(scope_, state_.filters));
        part.metric = metric.name;
        const auto profile = profileOfPart(owner, part, task_);
        if (!profile) return;
        const auto column = metricColumn(owner, **profile, metric.name);
        if (!column) return;
        for (const RegionRow& row : profileByRegion(owner, **profile, *column, part.locations)) {
            const bool meant = std::any_of(row.regions.begin(), row.regions.end(), [&](RegionId id) {
                return std::binary_search(state_.selected.regions.begin(), state_.selected.regions.end(),
                                          RegionRef{index, id});
            });
            if (!meant) continue;
            if (table.rows.size() >= kMostDetailRows) {
                ++table.left;
                continue;
            }
            const std::string unit = metric.unit == "#" ? "" : metric.unit;
            const auto imbalance = row.balance.imbalance();
            table.rows.push_back(
                {metric.name, nameOf(index, displayName(owner.definitions.region(row.regions.front()))),
                 formatAmount(row.values.inclusive, unit), formatAmount(row.values.exclusive, unit),
                 row.values.calls > 0 ? formatAmount(row.values.inclusive / row.values.calls, unit) : "–",
                 imbalance ? fmt::format("{:.3f}", *imbalance) : "–"});
        }
    }

    const ViewState& state_;
    const Session& session_;
    const Scope scope_;
    const SessionClock clock_;
    const Task& task_;
    std::vector<DetailTable> tables_;
};

}  // namespace

std::vector<DetailTable> counterDetails(const DetailRequest& request, const Task& task)
{
    return CounterWriter(request, task).write();
}

}  // namespace skein
