// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/function_summary/summary_rows.h"

#include "algorithms/profile/restrict.h"
#include "core/select/filters.h"
#include "core/select/metric_choice.h"
#include "core/session/session_clock.h"

namespace skein {
namespace {

class Summary {
public:
    Summary(const Session& session, const SummaryRequest& request)
        : session_(session), request_(request), span_(request.span), clock_(sessionClock(session, request.clockShiftsNs))
    {
        if (const auto kept = keptSpan(request.filters)) span_ = span_ ? span_->intersected(*kept) : *kept;
        result_.wholeRun = !span_;
        result_.time = request.metric != kCallsMetric;
    }

    std::optional<Error> add(std::uint32_t index, const Task& task)
    {
        const Experiment& experiment = *session_.experiments[index];
        if (!experiment.trace && (!experiment.profile || span_)) {
            result_.someWithoutTimes = result_.someWithoutTimes || experiment.profile;
            return std::nullopt;
        }
        ProfilePart part;
        if (span_) part.window = clock_.toExperiment(index, *span_);
        part.locations = keptLocations(session_, index, request_.filters);
        const auto profile = profileOfPart(experiment, part, task);
        if (!profile) return profile.error();
        const auto column = metricColumn(experiment, **profile, profileMetricName(session_, request_.metric));
        if (!column) return std::nullopt;
        if (!(*profile)->regions.metrics.empty())
            result_.time = result_.time && isTime(experiment, (*profile)->regions, *column);
        for (RegionRow& region : profileByRegion(experiment, **profile, *column)) addRegion(index, std::move(region));
        return std::nullopt;
    }

    SummaryRows finish() && { return std::move(result_); }

private:
    void addRegion(std::uint32_t index, RegionRow region)
    {
        if (!region.regions.empty() && !passes(request_.filters, RegionRef{index, region.regions.front()})) {
            ++result_.hidden;
            return;
        }
        if (request_.metric == kCallsMetric) {
            region.values.inclusive = region.values.exclusive = region.values.calls;
            region.values.durations = {};
        }
        result_.totalExclusive += region.values.exclusive;
        result_.rows.push_back({index, std::move(region)});
    }

    const Session& session_;
    const SummaryRequest& request_;
    std::optional<TimeSpan> span_;
    SessionClock clock_;
    SummaryRows result_;
};

}  // namespace

Result<SummaryRows> makeSummaryRows(const Session& session, const SummaryRequest& request, const Task& task)
{
    Summary summary(session, request);
    const auto count = static_cast<double>(session.experiments.size());
    for (std::uint32_t index = 0; index < session.experiments.size(); ++index) {
        const auto error = summary.add(index, task.part(index / count, (index + 1) / count));
        if (task.stopRequested()) return cancelled();
        if (error) return tl::make_unexpected(*error);
    }
    return std::move(summary).finish();
}

}  // namespace skein
