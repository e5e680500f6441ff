// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/profile/aggregate.h"
#include "algorithms/profile/summarize.h"
#include "algorithms/profile/trace_metrics.h"
#include "core/io/importer.h"
#include "tests/support/catch.h"
#include "tests/support/paths.h"
#include "tests/support/random_trace.h"

#include <bit>
#include <map>
#include <random>

namespace skein::trace_metrics_test {

namespace {

using Key = std::pair<std::size_t, std::uint32_t>;  ///< location, item

struct Amounts {
    double inclusive = 0, exclusive = 0;
};

/// A counter that was read at every enter and leave of a random trace, and what each call counted.
struct Counted {
    Experiment experiment;
    std::map<Key, Amounts> callPaths, regions;
};

struct Reading {
    TimeNs time;
    std::uint64_t amount;  ///< since the reading before
};

std::uint64_t valueOf(MetricMode mode, MetricValueType type, const std::vector<Reading>& readings,
                      std::size_t at)
{
    std::uint64_t value =
        type == MetricValueType::Double ? 1000 : 0xFFFFFFFFFFFFFF00ull;  // integers run over
    for (std::size_t i = 0; i <= at; ++i) value += readings[i].amount;
    if (mode == MetricMode::RelativeLast || mode == MetricMode::RelativePoint) value = readings[at].amount;
    if (mode == MetricMode::RelativeNext) value = at + 1 < readings.size() ? readings[at + 1].amount : 12345;
    return type == MetricValueType::Double ? std::bit_cast<std::uint64_t>(static_cast<double>(value)) : value;
}

/// Enters and leaves one after the other, and the amount between any two to the innermost open call.
std::vector<Reading> readingsOf(const Experiment& experiment, std::size_t location, std::mt19937_64& random,
                                Counted& counted)
{
    const CallIntervals& calls = experiment.trace->locations[location].intervals;
    const CallTree& tree = *experiment.callTree;
    std::vector<Reading> readings;
    std::vector<std::size_t> open;
    const auto read = [&](TimeNs time) {
        const std::uint64_t amount = random() % 50;
        readings.push_back({time, amount});
        std::map<std::uint32_t, bool> regionsSeen;
        for (std::size_t level = open.size(); level-- > 0;) {
            const std::uint32_t path = calls.callPath[open[level]];
            const std::uint32_t region = tree.region(CallPathId(path)).value();
            const bool innermost = level + 1 == open.size();
            counted.callPaths[{location, path}].inclusive += static_cast<double>(amount);
            counted.callPaths[{location, path}].exclusive += innermost ? static_cast<double>(amount) : 0.0;
            counted.regions[{location, region}].inclusive +=
                regionsSeen.emplace(region, true).second ? static_cast<double>(amount) : 0.0;
            counted.regions[{location, region}].exclusive += innermost ? static_cast<double>(amount) : 0.0;
        }
    };
    for (std::size_t call = 0; call < calls.size(); ++call) {
        while (!open.empty() && calls.depth[open.back()] >= calls.depth[call]) {
            read(calls.end[open.back()]);
            open.pop_back();
        }
        read(calls.begin[call]);
        open.push_back(call);
    }
    for (; !open.empty(); open.pop_back()) read(calls.end[open.back()]);
    return readings;
}

Counted countedTrace(std::uint64_t seed, MetricMode mode, MetricValueType type)
{
    Counted counted{test::randomExperiment(seed), {}, {}};
    std::mt19937_64 random(seed);
    auto trace = std::make_shared<Trace>(*counted.experiment.trace);
    trace->metricStreams.clear();
    for (std::size_t location = 0; location < trace->locations.size(); ++location) {
        const auto readings = readingsOf(counted.experiment, location, random, counted);
        std::vector<TimeNs> times;
        std::vector<std::uint64_t> values;
        for (std::size_t i = 0; i < readings.size(); ++i) {
            times.push_back(readings[i].time);
            values.push_back(77);  // of the other column
            values.push_back(valueOf(mode, type, readings, i));
        }
        MetricStream stream;
        stream.recorder = stream.scopeLocation = LocationId(location);
        stream.occurrence = MetricOccurrence::SynchronousStrict;
        stream.metrics = {MetricId(1), MetricId(0)};
        stream.times = Column<TimeNs>(std::move(times));
        stream.values = Column<std::uint64_t>(std::move(values));
        trace->metricStreams.push_back(std::move(stream));
    }
    counted.experiment.definitions.metrics[0].mode = mode;
    counted.experiment.definitions.metrics[0].valueType = type;
    counted.experiment.trace = std::move(trace);
    return counted;
}

void checkCube(const MetricCube& cube, const std::map<Key, Amounts>& expected)
{
    REQUIRE(cube.metrics.size() == 2);
    REQUIRE(cube.rows() == expected.size());
    auto next = expected.begin();
    for (std::size_t location = 0; location < cube.locations(); ++location)
        for (std::size_t row = cube.locationOffsets[location]; row < cube.locationOffsets[location + 1];
             ++row, ++next) {
            REQUIRE(next->first == Key{location, cube.items[row]});
            REQUIRE(cube.inclusive[1][row] == next->second.inclusive);
            REQUIRE(cube.exclusive[1][row] == next->second.exclusive);
        }
}

double sum(const Column<double>& values)
{
    double total = 0.0;
    for (const double value : values) total += value;
    return total;
}

}  // namespace

TEST_CASE("a counter read at every enter and leave belongs to the innermost open call, in every mode")
{
    const MetricMode modes[]{MetricMode::AccumulatedStart, MetricMode::AbsolutePoint,
                             MetricMode::RelativeLast, MetricMode::RelativePoint, MetricMode::RelativeNext};
    for (const MetricMode mode : modes) {
        for (std::uint64_t seed = 0; seed < 20; ++seed) {
            const auto type = static_cast<MetricValueType>(seed % 3);
            if (type == MetricValueType::Int64 && seed % 2) continue;
            const Counted counted = countedTrace(seed, mode, type);
            const Profile profile =
                summarizeTrace(counted.experiment, {{}, {}, {MetricId(0)}}, Task()).value();
            checkCube(profile.callPaths, counted.callPaths);
            checkCube(profile.regions, counted.regions);
        }
    }
}

TEST_CASE("what is counted in windows side by side sums up to the whole")
{
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const Counted counted = countedTrace(seed, MetricMode::AccumulatedStart, MetricValueType::Uint64);
        const TimeNs end = counted.experiment.trace->extent.end + 1;
        const auto total = [&](TimeSpan window) {
            return sum(summarizeTrace(counted.experiment, {window, {}, {MetricId(0)}}, Task())
                           .value()
                           .callPaths.exclusive[1]);
        };
        // Between two outermost calls nobody is charged, so windows are cut where some call of every location
        // is open.
        const double whole = sum(summarizeTrace(counted.experiment, {{}, {}, {MetricId(0)}}, Task())
                                     .value()
                                     .callPaths.exclusive[1]);
        CHECK(total({0, end}) == Approx(whole));
        double parts = 0.0;
        for (TimeNs from = 0; from < end; from += end / 7 + 1)
            parts += total({from, std::min(end, from + end / 7 + 1)});
        CHECK(parts == Approx(whole).epsilon(1e-9));
    }
}

TEST_CASE("samples that belong to no call are refused with the reason")
{
    Counted counted = countedTrace(3, MetricMode::AccumulatedStart, MetricValueType::Uint64);
    const auto message = [&](auto change) {
        auto trace = std::make_shared<Trace>(*counted.experiment.trace);
        for (MetricStream& stream : trace->metricStreams) change(stream);
        Experiment experiment = counted.experiment;
        experiment.trace = std::move(trace);
        const auto profile = profileOf(experiment, std::nullopt, "papi_tot_cyc", Task()).value();
        const auto column = metricColumn(experiment, *profile, "papi_tot_cyc");
        return column ? std::string() : column.error().message;
    };
    const auto occurring = [&](MetricOccurrence occurrence) {
        return message([=](MetricStream& stream) { stream.occurrence = occurrence; });
    };
    CHECK(occurring(MetricOccurrence::SynchronousStrict).empty());
    CHECK(occurring(MetricOccurrence::Asynchronous).find("sampled asynchronously") != std::string::npos);
    CHECK(occurring(MetricOccurrence::Synchronous).find("not at every enter and leave") != std::string::npos);
    CHECK(message([](MetricStream& stream) { stream.scopeLocation = {}; }).find("a whole process or node")
          != std::string::npos);
    CHECK(metricColumn(counted.experiment, *profileOf(counted.experiment, std::nullopt, Task()).value(),
                       "nothing")
              .error()
              .message
          == "random has no metric \"nothing\"; it has TIME, PAPI_TOT_CYC, load.");
}

TEST_CASE("PAPI counters of a measured archive are told by region")
{
    SKEIN_SHARED_OR_SKIP(archive, "data/pipit/ping-pong-otf2-papi");
    const auto experiment = openExperiment(archive, Task()).value();
    const auto profile = profileOf(*experiment, std::nullopt, "PAPI_TOT_CYC", Task()).value();
    const auto rows =
        profileByRegion(*experiment, *profile, metricColumn(*experiment, *profile, "PAPI_TOT_CYC").value());
    // From otf2-print: last less first value of both ranks, and over MPI_Init 87 997 941 − 122 765 + 52 519
    // 367 − 173 459.
    REQUIRE(rows.size() == 7);
    CHECK(rows[0].name == "MPI_Init");
    CHECK(rows[0].values.inclusive == 140'221'084);
    CHECK(rows[2].values.inclusive == 156'147'353);
    CHECK(rows[2].values.mean() == 156'147'353 / 2.0);
    CHECK(rows[2].values.durations.count == 0);
}

}  // namespace skein::trace_metrics_test
