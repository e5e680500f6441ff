// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "tests/support/cli.h"
#include "tests/support/small_session.h"

namespace skein::cli_window_test {

namespace {

constexpr std::int64_t kUnix = 1'700'000'000'000'000'000;

/// One rank; `main` takes 1000 ns, `work` the second quarter of it, a message to itself is sent at 300 ns.
Experiment startedAt(const char* name, std::int64_t unixNs)
{
    Experiment experiment = *test::ExperimentBuilder(name)
                                 .process("node", {{0, 1000, "main", 0}, {250, 500, "work", 1}})
                                 .message(0, 300, 0, 310, 8)
                                 .finish();
    ClockProperties& clock = experiment.definitions.clock;
    clock.present = true;
    clock.ticksPerSecond = 1'000'000'000;
    clock.realtimeNs = unixNs;
    return experiment;
}

/// The inclusive time of `work` in the row that begins so; "" where there is none.
std::string workAfter(const test::CliResult& result, const std::string& begin)
{
    INFO(result.err);
    REQUIRE(result.exitCode == 0);
    const std::string name = "\n" + begin + "work,";
    const auto row = result.out.find(name);
    if (row == std::string::npos) return {};
    auto at = row + name.size() - 1;
    for (int comma = 0; comma < 2; ++comma) at = result.out.find(',', at + 1);
    return result.out.substr(at + 1, result.out.find(',', at + 1) - at - 1);
}

/// Those of a and of b.
std::vector<std::string> work(const test::CliResult& result)
{
    return {workAfter(result, "a,"), workAfter(result, "b,")};
}

}  // namespace

TEST_CASE("a window of several archives is on the clock that they share")
{
    // b starts 400 ns after a: its work is from 650 to 900 on the common clock, a's from 250 to 500.
    const std::map<std::string, Experiment> workflow{{"a", startedAt("a", kUnix)},
                                                     {"b", startedAt("b", kUnix + 400)}};
    const auto profile = [&](const char* window) {
        return test::runCli({"profile", "a", "b", "--window", window, "--format", "csv"}, workflow);
    };
    using Times = std::vector<std::string>;
    CHECK(work(profile("0:600")) == Times{"250", ""});
    CHECK(work(profile("400:700")) == Times{"100", "50"});
    CHECK(work(profile("700:800")) == Times{"", "100"});
    CHECK(work(profile("450:")) == Times{"50", "250"});
    CHECK(work(profile(":")) == Times{"250", "250"});
    // The archive that was named first does not give the time.
    CHECK(work(test::runCli({"profile", "b", "a", "--window", "400:700", "--format", "csv"}, workflow))
          == Times{"100", "50"});
}

TEST_CASE("every command with a window takes it on the common clock")
{
    // The message of a is sent at 300 ns of the common clock, that of b at 700; printed are the archives' own
    // times.
    const std::map<std::string, Experiment> workflow{{"a", startedAt("a", kUnix)},
                                                     {"b", startedAt("b", kUnix + 400)}};
    for (const char* command : {"messages", "comm"}) {
        const auto rows = [&](const char* window) {
            const auto result =
                test::runCli({command, "a", "b", "--window", window, "--format", "csv"}, workflow);
            INFO(result.err);
            REQUIRE(result.exitCode == 0);
            return result.out.substr(result.out.find('\n') + 1);
        };
        INFO(command);
        CHECK(rows("290:320").starts_with("a,"));
        CHECK(rows("290:320").find("\nb,") == std::string::npos);
        CHECK(rows("690:720").starts_with("b,"));
        CHECK(rows("320:690").empty());
    }
}

TEST_CASE("runs whose times are unknown have a window from their starts, and one archive keeps its own time")
{
    const std::map<std::string, Experiment> runs{{"a", startedAt("a", 0)}, {"b", startedAt("b", 0)}};
    CHECK(work(test::runCli({"profile", "a", "b", "--window", "400:700", "--format", "csv"}, runs))
          == std::vector<std::string>{"100", "100"});
    const std::map<std::string, Experiment> late{{"b", startedAt("b", kUnix + 400)}};
    const auto alone = test::runCli({"profile", "b", "--window", "400:700", "--format", "csv"}, late);
    CHECK(workAfter(alone, "") == "100");
}

TEST_CASE("a window outside of the run is refused, one that reaches into it is not")
{
    const std::map<std::string, Experiment> workflow{{"a", startedAt("a", kUnix)},
                                                     {"b", startedAt("b", kUnix + 400)}};
    const auto one = [&](const char* window) {
        return test::runCli({"profile", "a", "--window", window, "--format", "csv"}, workflow);
    };
    const auto both = [&](const char* window) {
        return test::runCli({"profile", "a", "b", "--window", window, "--format", "csv"}, workflow);
    };
    const auto beyond = one("5s:6s");
    CHECK(beyond.exitCode == 2);
    CHECK(beyond.err.find("--window 5s:6s is outside of the run, which is from 0 ns to 1")
          != std::string::npos);
    CHECK(beyond.out.empty());
    CHECK(one("1100:1200").exitCode == 2);
    CHECK(one("900:1200").exitCode == 0);
    CHECK(both("1100:1200").exitCode == 0);  // b is still running
    CHECK(both("1500:").exitCode == 2);
}

}  // namespace skein::cli_window_test
