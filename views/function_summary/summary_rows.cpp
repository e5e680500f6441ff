// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/function_summary/summary_rows.h"

#include "core/select/filters.h"
#include "core/select/metric_choice.h"

#include <algorithm>

namespace skein {
namespace {

class Summary {
public:
    Summary(const Session& session, const ProfileQuery& query)
        : session_(session), query_(query), profiles_(session, query)
    {
        result_.wholeRun = !profiles_.span();
        result_.time = query.metric != kCallsMetric;
    }

    std::optional<Error> add(std::uint32_t index, const Task& task)
    {
        const Experiment& experiment = *session_.experiments[index];
        if (!profiles_.canTell(index)) {
            result_.someWithoutTimes = result_.someWithoutTimes || experiment.profile;
            return std::nullopt;
        }
        const auto found = profiles_.of(index, task);
        if (!found) return found.error();
        if (!found->column) return std::nullopt;
        result_.time = result_.time && isTime(experiment, found->cube(), *found->column);
        if (result_.insteadOfTime.empty()) result_.insteadOfTime = found->insteadOfTime;
        for (RegionRow& region :
             profileByRegion(experiment, *found->profile, *found->column, found->locations))
            addRegion(index, std::move(region));
        return std::nullopt;
    }

    SummaryRows finish() && { return std::move(result_); }

private:
    void addRegion(std::uint32_t index, RegionRow region)
    {
        if (!region.regions.empty() && !passes(query_.filters, RegionRef{index, region.regions.front()})) {
            ++result_.hidden;
            return;
        }
        if (query_.metric == kCallsMetric) {
            region.values.inclusive = region.values.exclusive = region.values.calls;
            region.values.durations = {};
            region.values.aggregation = MetricAggregation::Sum;
            region.balance = {};
        }
        const double exclusive = region.values.exclusive;
        const bool adds = region.values.aggregation == MetricAggregation::Sum;
        if (!region.breakdown)
            result_.totalExclusive =
                adds ? result_.totalExclusive + exclusive : std::max(result_.totalExclusive, exclusive);
        std::string worst = region.balance.worst.valid()
            ? displayName(session_.experiments[index]->definitions, region.balance.worst)
            : std::string();
        result_.rows.push_back({index, std::move(region), std::move(worst)});
    }

    const Session& session_;
    const ProfileQuery& query_;
    SessionProfiles profiles_;
    SummaryRows result_;
};

}  // namespace

Result<SummaryRows> makeSummaryRows(const Session& session, const ProfileQuery& query, const Task& task,
                                    const std::string& expression)
{
    Summary summary(session, query);
    const auto done = forEachExperiment(
        session, task, [&](std::uint32_t index, const Task& part) { return summary.add(index, part); });
    if (!done) return tl::make_unexpected(done.error());
    SummaryRows rows = std::move(summary).finish();
    if (expression.empty()) return rows;
    std::vector<DerivedRegion> regions;
    for (const SummaryRow& row : rows.rows)
        regions.push_back(
            {row.experiment, row.region.regions.empty() ? RegionId() : row.region.regions.front()});
    auto derived = derivedOfRegions(session, query, regions, expression, task);
    if (!derived) return tl::make_unexpected(derived.error());
    rows.derived = std::move(*derived);
    return rows;
}

}  // namespace skein
