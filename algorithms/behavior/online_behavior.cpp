// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/behavior/online_behavior.h"

#include <algorithm>
#include <cmath>

namespace skein {
namespace {

constexpr std::size_t kUnwanted = static_cast<std::size_t>(-1);
constexpr std::size_t kMostOnlineLags = 5;
constexpr std::size_t kMostCausalMetrics = 50;

}  // namespace

OnlineBehavior::Metric* OnlineBehavior::metricOf(const std::string& name)
{
    const auto known = places_.find(name);
    if (known != places_.end()) return known->second == kUnwanted ? nullptr : metrics_[known->second].get();
    const bool wanted = params_.metrics.empty() || name.empty()
        || std::any_of(params_.metrics.begin(), params_.metrics.end(),
                       [&](const std::string& pattern) { return fitsPattern(name, pattern); });
    places_.emplace(name, wanted ? metrics_.size() : kUnwanted);
    if (!wanted) return nullptr;
    metrics_.push_back(std::make_unique<Metric>(
        Metric{name, StreamTransform(params_.transform), OnlineSeries(params_.series)}));
    // All windows share the room.
    for (const auto& metric : metrics_)
        metric->series.setWindowBytes(params_.series.windowBytes / metrics_.size());
    return metrics_.back().get();
}

void OnlineBehavior::lookAgain(const ChangeParams& change)
{
    params_.series.change = change;
    for (const auto& metric : metrics_) metric->series.lookAgain(change);
}

void OnlineBehavior::look(std::size_t metric, const std::optional<TransformedRow>& row,
                          std::vector<OnlineFinding>& found)
{
    if (!row) return;
    OnlineSeries& series = metrics_[metric]->series;
    if (series.add(row->time, row->values).change) found.push_back({metric, series.changes().back()});
}

std::vector<OnlineFinding> OnlineBehavior::take(StreamRows& rows)
{
    std::vector<OnlineFinding> found;
    for (const StreamRow& row : rows.takeRows()) {
        Metric* const metric = metricOf(rows.metrics()[row.metric]);
        if (!metric) continue;
        metric->transform.setEntities(
            rows.entities(), rows.groups(),
            [&](std::size_t entity, std::string_view name) { return rows.attributeOf(entity, name); });
        metric->series.setEntities(metric->transform.entities());
        look(places_[metric->name], metric->transform.add(row.time, row.values), found);
    }
    // Only the newest is shown.
    const std::vector<StreamTraffic> traffic = rows.takeTraffic();
    if (!traffic.empty()) lastTraffic_ = placedTraffic(traffic.back(), rows);
    return found;
}

OnlineTraffic OnlineBehavior::placedTraffic(const StreamTraffic& traffic, const StreamRows& rows) const
{
    const std::vector<std::string>& types = params_.transform.messageTypes;
    OnlineTraffic placed{traffic.time, {}};
    for (const StreamMessages& message : traffic.messages) {
        const bool wanted =
            types.empty() || std::any_of(types.begin(), types.end(), [&](const std::string& pattern) {
                return fitsPatternInAnyCase(message.type, pattern);
            });
        const auto from = rows.placeOf(message.from), to = rows.placeOf(message.to);
        if (wanted && from && to) placed.messages.push_back({*from, *to, message.bytes, message.messages});
    }
    return placed;
}

std::vector<OnlineFinding> OnlineBehavior::flush()
{
    std::vector<OnlineFinding> found;
    for (std::size_t metric = 0; metric < metrics_.size(); ++metric)
        look(metric, metrics_[metric]->transform.flush(), found);
    return found;
}

Result<void> OnlineBehavior::refresh(const Task& task)
{
    for (std::size_t metric = 0; metric < metrics_.size(); ++metric)
        if (const auto done = refresh(metric, task); !done) return done;
    return {};
}

Result<void> OnlineBehavior::refresh(std::size_t metric, const Task& task)
{
    OnlineSeries& series = metrics_[metric]->series;
    if (series.window().rows() < 2 || series.window().columns.empty()) return {};
    return series.refresh(task);
}

/// The representative series of all metrics at the times that all of them have.
SeriesTable OnlineBehavior::representatives() const
{
    SeriesTable table;
    const std::size_t count = std::min(metrics_.size(), kMostCausalMetrics);
    std::vector<std::size_t> at(count, 0);
    for (std::size_t i = 0; i < count; ++i) table.columns.push_back(metrics_[i]->name);
    if (count == 0) return table;
    const auto& first = metrics_[0]->series.window().times;
    for (std::size_t row = 0; row < first.size(); ++row) {
        bool all = true;
        for (std::size_t i = 0; i < count; ++i) {
            const auto& times = metrics_[i]->series.window().times;
            while (at[i] < times.size() && times[at[i]] < first[row]) ++at[i];
            all = all && at[i] < times.size() && times[at[i]] == first[row];
        }
        if (!all) continue;
        table.times.push_back(first[row]);
        for (std::size_t i = 0; i < count; ++i)
            table.values.push_back(metrics_[i]->series.representative()[at[i]]);
    }
    return table;
}

Result<OnlineCausality> OnlineBehavior::causality(const Task& task)
{
    const SeriesTable table = representatives();
    if (table.columns.size() < 2)
        return fail(ErrorCode::InvalidArgument, "Causes need two metrics at least.");
    VarParams params;
    params.lags = params_.lags;
    if (params.lags == 0) {
        const auto orders = compareVarOrders(table, std::min(kMostOnlineLags, usualMostLags(table)),
                                             VarTrend::Constant, task);
        if (!orders) return Unexpected(orders.error());
        params.lags = std::max<std::size_t>(1, orders->best(VarCriterion::Bic));
    }
    LatencyBudget left = params_.series.clock ? LatencyBudget(params_.causalSeconds, params_.series.clock)
                                              : LatencyBudget(params_.causalSeconds);
    const std::size_t least = leastSampleSize(table.columns.size(), params.lags);
    const std::size_t begin = lastSampled_ == 0
        ? least
        : std::max(least, firstSampleSize(lastSampled_, lastCost_, params_.causalSeconds));
    const auto fitted = fitVarProgressively(table, params, begin, params_.series.seed, left, task);
    if (!fitted) return Unexpected(fitted.error());
    lastSampled_ = fitted->sampled;
    lastCost_ = left.elapsed();
    OnlineCausality found;
    found.metrics = table.columns;
    found.links = causalLinks(fitted->model, varResponse(fitted->model, params_.horizon));
    found.lags = params.lags;
    found.sampled = fitted->sampled;
    found.available = fitted->available;
    return found;
}

}  // namespace skein
