// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/metric_locations.h"

#include <fmt/format.h>
#include <map>
#include <set>
#include <string>

namespace skein {
namespace {

/// The metrics of every location that records nothing else.
std::map<std::uint32_t, std::set<std::string>> metricsOfPureLocations(const Trace& trace,
                                                                      const Definitions& definitions)
{
    std::map<std::uint32_t, std::set<std::string>> metrics;
    for (const MetricStream& stream : trace.metricStreams) {
        const std::uint32_t location = stream.recorder.value();
        if (!stream.recorder.valid() || location >= definitions.locations.size()) continue;
        if (definitions.locations[location].kind != LocationKind::Metric) continue;
        if (location < trace.locations.size() && trace.locations[location].intervals.size() > 0) continue;
        for (const MetricId metric : stream.metrics)
            metrics[location].insert(definitions.metric(metric).name);
    }
    return metrics;
}

std::string joinedNames(const std::set<std::string>& metrics)
{
    if (metrics.size() == 1) return *metrics.begin();
    return fmt::format("{} and {} more", *metrics.begin(), metrics.size() - 1);
}

}  // namespace

void nameMetricLocations(const Trace& trace, Definitions& definitions)
{
    const auto metrics = metricsOfPureLocations(trace, definitions);
    std::map<std::string, std::size_t> users;
    for (const auto& [location, names] : metrics) ++users[joinedNames(names)];
    for (const auto& [number, names] : metrics) {
        Location& location = definitions.locations[number];
        std::string name = joinedNames(names);
        if (location.name.find(name) != std::string::npos) continue;
        if (users[name] > 1)
            name += fmt::format(
                " ({})", location.name.empty() ? fmt::format("{}", location.originalId) : location.name);
        if (!location.name.empty()) location.properties.push_back({"Name in the archive", location.name});
        location.name = std::move(name);
    }
}

}  // namespace skein
