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
class Values {
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

void addFrom(const std::vector<Property>& properties, std::string_view name, Values& values)
{
    for (const Property& property : properties)
        if (property.name == name) values.add(property.value);
}

/// The values of the first of the names that anything has.
Values valuesOf(const Definitions& definitions, std::initializer_list<std::string_view> names)
{
    Values values;
    for (const std::string_view name : names) {
        addFrom(definitions.properties, name, values);
        for (const Location& location : definitions.locations) addFrom(location.properties, name, values);
        if (!values.empty()) break;
    }
    return values;
}

std::string utcTime(std::int64_t seconds)
{
    return fmt::format("{:%Y-%m-%d %H:%M:%S} UTC", fmt::gmtime(static_cast<std::time_t>(seconds)));
}

std::string startOf(const Experiment& experiment)
{
    constexpr std::int64_t microsecondsPerSecond = 1'000'000, nanosecondsPerSecond = 1'000'000'000;
    constexpr std::int64_t latest = 4'000'000'000;
    std::int64_t earliest = 0;
    const Values starts = valuesOf(experiment.definitions, {"Starting Timestamp"});
    for (const std::string& value : starts.all()) {
        std::int64_t microseconds = 0;
        std::from_chars(value.data(), value.data() + value.size(), microseconds);
        const std::int64_t seconds = microseconds / microsecondsPerSecond;
        if (seconds > 0 && seconds < latest && (earliest == 0 || seconds < earliest)) earliest = seconds;
    }
    if (earliest == 0) earliest = experiment.definitions.clock.realtimeNs / nanosecondsPerSecond;
    if (earliest > 0) return utcTime(earliest);
    return valuesOf(experiment.definitions, {"UTC Time", "Local Time"}).text();
}

Values hostsOf(const Definitions& definitions)
{
    Values hosts = valuesOf(definitions, {"Hostname", "Node Name", "MPI Processor Name"});
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
    if (const Values version = valuesOf(definitions, {"TAU Version"}); !version.empty())
        facts.tool = "TAU " + version.text();
    else facts.tool = valuesOf(definitions, {"creator", "Creator"}).text();
    facts.commandLine = valuesOf(definitions, {"Command Line", "Executable"}).text();
    facts.start = startOf(experiment);
    facts.hosts = hostsOf(definitions).text();
    facts.cpu = valuesOf(definitions, {"CPU Type", "CPU Vendor"}).text();
    return facts;
}

}  // namespace skein
