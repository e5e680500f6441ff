// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/metric_locations.h"

#include "tests/support/catch.h"

namespace skein::metric_locations_test {

struct Case {
    Definitions definitions;
    Trace trace;

    void add(const std::string& name, LocationKind kind, const std::vector<MetricId>& metrics)
    {
        Location& location = definitions.locations.emplace_back();
        location.name = name;
        location.kind = kind;
        trace.locations.emplace_back();
        MetricStream stream;
        stream.recorder = LocationId(definitions.locations.size() - 1);
        stream.metrics = metrics;
        trace.metricStreams.push_back(std::move(stream));
    }
};

TEST_CASE("locations that only carry metrics take the metric's name")
{
    Case made;
    for (const char* name : {"power", "temperature"})
        made.definitions.metrics.push_back({name, "", "", {}, {}, {}, false, 0});
    made.add("Thread 7", LocationKind::Metric, {MetricId(0)});
    made.add("a", LocationKind::Metric, {MetricId(1)});
    made.add("b", LocationKind::Metric, {MetricId(1)});
    made.add("temperature of the board", LocationKind::Metric, {MetricId(0), MetricId(1)});
    made.add("Thread 0", LocationKind::CpuThread, {MetricId(0)});
    nameMetricLocations(made.trace, made.definitions);
    const auto& locations = made.definitions.locations;
    CHECK(locations[0].name == "power");
    REQUIRE(locations[0].properties.size() == 1);
    CHECK(locations[0].properties[0].value == "Thread 7");
    CHECK(locations[1].name == "temperature (a)");
    CHECK(locations[2].name == "temperature (b)");
    CHECK(locations[3].name == "power and 1 more");
    CHECK(locations[4].name == "Thread 0");
}

}  // namespace skein::metric_locations_test
