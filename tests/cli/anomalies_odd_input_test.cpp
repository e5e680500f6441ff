// SPDX-License-Identifier: GPL-3.0-or-later
// What anomalies and critical-path print of odd input: numbers that are some, in sentences that are true.
#include "tests/support/catch.h"
#include "tests/support/cli.h"
#include "tests/support/random_trace.h"
#include "tests/support/small_session.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

namespace skein::anomalies_odd_input_test {

using nlohmann::json;
using test::runCli;

namespace {

json printed(std::vector<std::string> arguments, const Experiment& experiment)
{
    arguments.insert(arguments.begin() + 1, "a");
    arguments.insert(arguments.end(), {"--format", "json"});
    const auto result = runCli(arguments, {{"a", experiment}});
    INFO(result.err);
    REQUIRE(result.exitCode == 0);
    return json::parse(result.out);
}

/// How many rows say something that cannot be.
std::size_t oddRows(const json& rows)
{
    static const std::set<std::string> labels{"anomaly", "consequence", "normal"};
    std::size_t odd = 0;
    for (const json& row : rows) {
        const bool times = row["begin_ns"].get<TimeNs>() >= 0 && row["duration_ns"].get<TimeNs>() >= 0
            && row["severity_ns"].get<TimeNs>() >= 0;
        const bool score = row["score"].is_number() && std::isfinite(row["score"].get<double>())
            && row["score"].get<double>() < 1e15;
        const bool said = labels.contains(row["label"]) && !row["reason"].is_null();
        const bool cost = row["cost_ns"].is_null() || row["cost_ns"].get<TimeNs>() >= 0;
        odd += !times || !score || !said || !cost;
    }
    return odd;
}

/// The calls of `f` one after another, each so long.
Experiment callsOf(const std::vector<TimeNs>& lengths)
{
    std::vector<test::Call> calls;
    TimeNs now = 0;
    for (const TimeNs length : lengths) {
        calls.push_back({now, now + length, "f", 0});
        now += length + 5;
    }
    return *test::ExperimentBuilder("calls").process("node", calls).finish();
}

const std::vector<std::string> kDetectors{"tail", "sigma", "robust", "hbos", "copod", "lof", "svm"};

}  // namespace

TEST_CASE("of any calls all detectors print numbers that can be, knowing all of them and as they end")
{
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
        const Experiment experiment =
            test::randomExperiment(seed, {.threadsPerProcess = 2, .regions = 3, .intervalsPerLocation = 200});
        for (const std::string& detector : kDetectors)
            for (const char* features : {"both", "duration,children,waiting,bytes", "begin"}) {
                INFO(detector << ' ' << features << ' ' << seed);
                const std::vector<std::string> options{"anomalies", "--detector", detector, "--features",
                                                       features};
                CHECK(oddRows(printed(options, experiment)) == 0);
                std::vector<std::string> streamed = options;
                streamed.emplace_back("--stream");
                CHECK(oddRows(printed(streamed, experiment)) == 0);
            }
    }
}

TEST_CASE("of one call, of equal calls and of calls without length nothing is different")
{
    for (const std::vector<TimeNs>& lengths :
         {std::vector<TimeNs>{7}, std::vector<TimeNs>(60, 7), std::vector<TimeNs>(60, 0), {}}) {
        const Experiment experiment = callsOf(lengths);
        for (const std::string& detector : kDetectors) {
            INFO(detector << ' ' << lengths.size());
            CHECK(printed({"anomalies", "--detector", detector}, experiment).empty());
            CHECK(printed({"anomalies", "--detector", detector, "--stream"}, experiment).empty());
            CHECK(
                printed({"anomalies", "--detector", detector, "--features", "duration,children"}, experiment)
                    .empty());
        }
    }
}

TEST_CASE("a call that is unlike equal ones has a score in a stream, whatever the detector")
{
    std::vector<TimeNs> lengths(60, 700);
    lengths[40] = 9000;
    const Experiment experiment = callsOf(lengths);
    for (const std::string& detector : kDetectors)
        for (const char* features : {"time", "duration", "duration,exclusive"}) {
            INFO(detector << ' ' << features);
            const json rows = printed(
                {"anomalies", "--stream", "--detector", detector, "--features", features}, experiment);
            REQUIRE(rows.size() >= 1);
            CHECK(rows[0]["call_index"] == 40);
            CHECK(rows[0]["severity_ns"] == 8300);
            CHECK(oddRows(rows) == 0);
        }
}

TEST_CASE("the parts of the critical path add up to the run, however odd that is")
{
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
        const Experiment experiment = test::randomExperiment(
            seed, {.threadsPerProcess = seed % 2 == 0 ? 1U : 2U, .intervalsPerLocation = 100});
        for (const char* by : {"function", "rank", "call"}) {
            TimeNs sum = 0;
            for (const json& row : printed({"critical-path", "--by", by}, experiment)) {
                CHECK(row["critical_ns"].get<TimeNs>() >= 0);
                sum += row["critical_ns"].get<TimeNs>();
            }
            INFO(by << ' ' << seed);
            CHECK(sum == experiment.trace->extent.lengthNs());
        }
    }
    for (const json& row : printed({"critical-path"}, callsOf({}))) CHECK(row["critical_ns"] == 0);
    const json once = printed({"critical-path"}, callsOf({7}));
    REQUIRE(once.size() == 1);
    CHECK(once[0]["critical_ns"] == 7);
}

}  // namespace skein::anomalies_odd_input_test
