// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/anomaly/anomaly_ranking.h"

#include "algorithms/anomaly/running_moments.h"

#include <algorithm>
#include <array>

namespace skein {
namespace {

constexpr TimeNs kUsualWindowNs = 10'000'000'000;
constexpr std::uint32_t kFewestUsualWindows = 20, kWindowsOfShortRuns = 60, kMostWindows = 100'000;

/// Fills the statistics of one item from its sorted windows with anomalies, one entry an anomaly.
void setStatistics(RankedItem& item, std::span<const std::uint32_t> windowsOfAnomalies, std::uint32_t windows)
{
    RunningMoments counts;
    std::uint64_t last = 0, beforeLast = 0;
    std::uint32_t withAny = 0;
    for (std::size_t i = 0; i < windowsOfAnomalies.size();) {
        const std::uint32_t window = windowsOfAnomalies[i];
        std::uint64_t count = 0;
        for (; i < windowsOfAnomalies.size() && windowsOfAnomalies[i] == window; ++i) ++count;
        counts.add(static_cast<double>(count));
        ++withAny;
        if (window + 1 == windows) last = count;
        if (window + 2 == windows) beforeLast = count;
    }
    for (std::uint32_t window = withAny; window < windows; ++window) counts.add(0.0);
    const auto set = [&](AnomalyStatistic statistic, double value) {
        item.values[static_cast<std::size_t>(statistic)] = value;
    };
    set(AnomalyStatistic::Count, static_cast<double>(item.anomalies));
    set(AnomalyStatistic::Severity, static_cast<double>(item.severityNs));
    set(AnomalyStatistic::Delta, static_cast<double>(last) - static_cast<double>(beforeLast));
    set(AnomalyStatistic::Minimum, counts.minimum());
    set(AnomalyStatistic::Maximum, counts.maximum());
    set(AnomalyStatistic::Mean, counts.mean());
    set(AnomalyStatistic::Deviation, counts.standardDeviation());
    set(AnomalyStatistic::Skewness, counts.skewness());
    set(AnomalyStatistic::Kurtosis, counts.excessKurtosis());
}

}  // namespace

std::string_view name(AnomalyStatistic statistic)
{
    static constexpr std::array<std::string_view, kAnomalyStatistics> names{
        "anomalies", "severity", "delta", "minimum", "maximum", "mean", "deviation", "skewness", "kurtosis"};
    const auto index = static_cast<std::size_t>(statistic);
    return index < names.size() ? names[index] : std::string_view("invalid");
}

std::uint32_t anomalyWindows(TimeSpan span)
{
    const auto usual = static_cast<std::uint64_t>(std::max<TimeNs>(0, span.lengthNs() / kUsualWindowNs));
    return usual >= kFewestUsualWindows
        ? static_cast<std::uint32_t>(std::min<std::uint64_t>(usual, kMostWindows))
        : kWindowsOfShortRuns;
}

std::vector<RankedItem> rankAnomalies(std::span<const CountedAnomaly> anomalies, std::uint32_t items,
                                      TimeSpan span, std::uint32_t windows)
{
    std::vector<RankedItem> ranked(items);
    std::vector<std::vector<std::uint32_t>> windowsOf(items);
    const double length = static_cast<double>(std::max<TimeNs>(1, span.lengthNs()));
    for (const CountedAnomaly& each : anomalies) {
        if (each.item >= items) continue;
        ++ranked[each.item].anomalies;
        ranked[each.item].severityNs += each.severityNs;
        const double part = static_cast<double>(each.time - span.begin) / length * windows;
        windowsOf[each.item].push_back(
            static_cast<std::uint32_t>(std::clamp(part, 0.0, static_cast<double>(windows - 1))));
    }
    for (std::uint32_t item = 0; item < items; ++item) {
        ranked[item].item = item;
        std::sort(windowsOf[item].begin(), windowsOf[item].end());
        setStatistics(ranked[item], windowsOf[item], windows);
    }
    return ranked;
}

std::vector<RankedItem> extremeItems(std::vector<RankedItem> items, AnomalyStatistic statistic,
                                     RankingEnd end, std::size_t most)
{
    std::stable_sort(items.begin(), items.end(), [&](const RankedItem& a, const RankedItem& b) {
        return end == RankingEnd::Top ? a.of(statistic) > b.of(statistic) : a.of(statistic) < b.of(statistic);
    });
    if (items.size() > most) items.resize(most);
    return items;
}

std::vector<std::uint32_t> proposedFunctions(const FoundAnomalies& found, double share, std::size_t most)
{
    double whole = 0.0;
    for (const FunctionVerdicts& each : found.functions)
        if (!found.functionsOfCalls->blocks(each.function)) whole += each.interest;
    std::vector<std::uint32_t> proposed;
    double sum = 0.0;
    for (const FunctionVerdicts& each : found.functions) {
        if (sum >= share * whole || proposed.size() >= most || each.interest <= 0.0) break;
        if (found.functionsOfCalls->blocks(each.function)) continue;
        sum += each.interest;
        proposed.push_back(each.function);
    }
    return proposed;
}

}  // namespace skein
