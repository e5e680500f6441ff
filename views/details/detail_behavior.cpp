// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/details/detail_behavior.h"

#include "core/base/units.h"
#include "views/common/scene/axes/time_axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>

namespace skein {
namespace {

bool hasPlace(DetailTable& table)
{
    if (table.rows.size() < kMostDetailRows) return true;
    ++table.left;
    return false;
}

DetailTable changeTable(const SessionBehaviorPtr& behavior, const Selection& selected)
{
    DetailTable table{"Changes of behaviour",
                      {"Change", "At", "Of", "p", "The level", "Since the one before", "Until the next one"},
                      {},
                      0,
                      {}};
    for (const ChangePointRef& change : selected.changePoints) {
        if (!hasPlace(table)) continue;
        const auto place = behavior ? placeOfChange(*behavior, change) : std::nullopt;
        if (!place) {
            table.rows.push_back({"Change of behaviour", exactTime(change.timeNs), "–", "–", "–", "–", "–"});
            table.spans.emplace_back();
            continue;
        }
        const ChangePeriods periods = periodsAround(*behavior, *place);
        const bool lasts = std::ranges::find(behavior->lasting, *place) != behavior->lasting.end();
        const auto length = [](TimeSpan span) {
            return formatDuration(static_cast<double>(span.lengthNs()));
        };
        const std::optional<std::size_t> called = behavior->calledAt[*place];
        table.rows.push_back(
            {fmt::format("Change {}", *place + 1), exactTime(change.timeNs),
             behavior->findingsOf.empty() ? behavior->request.metric : behavior->findingsOf,
             called ? fmt::format("{:.2g}", behavior->changes.pValues[*called]) : "in hindsight",
             lasts ? "stayed another" : "was soon as before", length(periods.before), length(periods.after)});
        table.spans.emplace_back(TimeSpan{periods.before.begin, periods.after.end});
    }
    return table;
}

/// At one change: the entities that moved farthest.
DetailTable movedTable(const SessionBehavior& behavior, std::size_t place)
{
    DetailTable table{fmt::format("Who moved most at change {}", place + 1),
                      {"Who", "Before, a bin", "After", "By", "σ before"},
                      {},
                      0,
                      {}};
    for (const EntityShift& shift : shiftsAt(behavior, place))
        table.rows.push_back(
            {behavior.table.columns[shift.entity], behaviorAmount(behavior.request, shift.before),
             behaviorAmount(behavior.request, shift.after),
             shift.before != 0 ? fmt::format("{:+.1f} %", 100 * (shift.after - shift.before) / shift.before)
                               : "–",
             shift.deviations ? fmt::format("{:+.1f}", *shift.deviations) : "constant"});
    return table;
}

/// What the entities of a cluster have a bin.
struct ClusterSums {
    std::size_t values = 0;
    double sum = 0, squares = 0;
    double least = std::numeric_limits<double>::infinity(), greatest = -least;
};

ClusterSums sumsOfCluster(const SessionBehavior& behavior, std::uint32_t cluster)
{
    ClusterSums sums;
    for (std::size_t row = 0; row < behavior.table.rows(); ++row)
        for (std::size_t column = 0; column < behavior.table.columns.size(); ++column) {
            const double value = behavior.table.at(row, column);
            if (behavior.clusters.labels[column] != cluster || !std::isfinite(value)) continue;
            ++sums.values;
            sums.sum += value;
            sums.squares += value * value;
            sums.least = std::min(sums.least, value);
            sums.greatest = std::max(sums.greatest, value);
        }
    return sums;
}

/// "Rank 0, Rank 3, Rank 4 and 12 more".
std::string membersText(const SessionBehavior& behavior, std::uint32_t cluster)
{
    constexpr std::size_t kMostNamed = 8;
    std::vector<std::string> names;
    for (std::size_t column = 0; column < behavior.table.columns.size(); ++column)
        if (behavior.clusters.labels[column] == cluster) names.push_back(behavior.table.columns[column]);
    const std::size_t named = std::min(names.size(), kMostNamed);
    const std::string first = fmt::format("{}", fmt::join(names.begin(), names.begin() + named, ", "));
    return named == names.size() ? first : fmt::format("{} and {} more", first, names.size() - named);
}

DetailTable clusterTable(const SessionBehavior& behavior, const Selection& selected)
{
    DetailTable table{"Clusters of " + behavior.request.metric,
                      {"Cluster", "How many", "Mean a bin", "σ", "Least", "Greatest", "Who"},
                      {},
                      0,
                      {}};
    for (const ClusterRef& cluster : selected.clusters) {
        if (cluster.experiment != behavior.request.experiment
            || cluster.number >= behavior.clusterSizes.size() || !hasPlace(table))
            continue;
        const ClusterSums sums = sumsOfCluster(behavior, cluster.number);
        const auto amount = [&](double value) {
            return sums.values > 0 ? behaviorAmount(behavior.request, value) : std::string("–");
        };
        const double count = static_cast<double>(std::max<std::size_t>(sums.values, 1));
        const double mean = sums.sum / count;
        table.rows.push_back(
            {fmt::format("Cluster {}", cluster.number + 1),
             fmt::format("{} of {}", behavior.clusterSizes[cluster.number], behavior.table.columns.size()),
             amount(mean), amount(std::sqrt(std::max(0.0, sums.squares / count - mean * mean))),
             amount(sums.least), amount(sums.greatest), membersText(behavior, cluster.number)});
        // They were put together by all bins that the panel shows.
        table.spans.emplace_back(TimeSpan{behavior.edges.front(), behavior.edges.back()});
    }
    return table;
}

}  // namespace

std::vector<DetailTable> behaviorDetails(const SessionBehaviorPtr& behavior, const Selection& selected)
{
    std::vector<DetailTable> tables;
    const auto keep = [&](DetailTable table) {
        if (!table.rows.empty()) tables.push_back(std::move(table));
    };
    keep(changeTable(behavior, selected));
    if (!behavior) return tables;
    if (selected.changePoints.size() == 1)
        if (const auto place = placeOfChange(*behavior, selected.changePoints.front()))
            keep(movedTable(*behavior, *place));
    keep(clusterTable(*behavior, selected));
    return tables;
}

}  // namespace skein
