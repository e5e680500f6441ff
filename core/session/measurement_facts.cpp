// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/measurement_facts.h"

#include <algorithm>
#include <charconv>
#include <ctime>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <initializer_list>
#include <string_view>
#include <unordered_set>

namespace skein {
namespace {

/// Distinct values in the order in which they are met.
class DistinctValues {
public:
    void add(const std::string& value)
    {
        if (!value.empty() && known_.insert(value).second) all_.push_back(value);
    }
    bool empty() const { return all_.empty(); }
    const std::vector<std::string>& all() const { return all_; }
    std::string text() const
    {
        if (all_.size() < 2) return all_.empty() ? std::string() : all_.front();
        return fmt::format("{} and {} more", all_.front(), all_.size() - 1);
    }

private:
    std::unordered_set<std::string> known_;
    std::vector<std::string> all_;
};

void addPropertyValues(const std::vector<Property>& properties, std::string_view name, DistinctValues& values)
{
    for (const Property& property : properties)
        if (property.name == name) values.add(property.value);
}

/// The values of the first of the names that anything has.
DistinctValues propertyValues(const Definitions& definitions, std::initializer_list<std::string_view> names)
{
    DistinctValues values;
    for (const std::string_view name : names) {
        addPropertyValues(definitions.properties, name, values);
        for (const Location& location : definitions.locations)
            addPropertyValues(location.properties, name, values);
        if (!values.empty()) break;
    }
    return values;
}

std::string utcTime(std::int64_t seconds)
{
    return fmt::format("{:%Y-%m-%d %H:%M:%S} UTC", fmt::gmtime(static_cast<std::time_t>(seconds)));
}

std::string startOfMeasurement(const Experiment& experiment)
{
    constexpr std::int64_t microsecondsPerSecond = 1'000'000, nanosecondsPerSecond = 1'000'000'000;
    constexpr std::int64_t latest = 4'000'000'000;
    std::int64_t earliest = 0;
    const DistinctValues starts = propertyValues(experiment.definitions, {"Starting Timestamp"});
    for (const std::string& value : starts.all()) {
        std::int64_t microseconds = 0;
        std::from_chars(value.data(), value.data() + value.size(), microseconds);
        const std::int64_t seconds = microseconds / microsecondsPerSecond;
        if (seconds > 0 && seconds < latest && (earliest == 0 || seconds < earliest)) earliest = seconds;
    }
    if (earliest == 0) earliest = experiment.definitions.clock.realtimeNs / nanosecondsPerSecond;
    if (earliest > 0) return utcTime(earliest);
    return propertyValues(experiment.definitions, {"UTC Time", "Local Time"}).text();
}

DistinctValues hostNames(const Definitions& definitions)
{
    DistinctValues hosts = propertyValues(definitions, {"Hostname", "Node Name", "MPI Processor Name"});
    if (hosts.empty())
        for (const SystemTreeNode& node : definitions.systemTree)
            if (node.className == "node") hosts.add(node.name);
    return hosts;
}

}  // namespace

MeasurementFacts measurementFacts(const Experiment& experiment)
{
    const Definitions& definitions = experiment.definitions;
    MeasurementFacts facts;
    if (const DistinctValues version = propertyValues(definitions, {"TAU Version"}); !version.empty())
        facts.tool = "TAU " + version.text();
    else facts.tool = propertyValues(definitions, {"creator", "Creator"}).text();
    facts.commandLine = propertyValues(definitions, {"Command Line", "Executable"}).text();
    facts.start = startOfMeasurement(experiment);
    facts.hosts = hostNames(definitions).text();
    facts.cpu = propertyValues(definitions, {"CPU Type", "CPU Vendor"}).text();
    return facts;
}

}  // namespace skein
