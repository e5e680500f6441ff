// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "tests/support/cli.h"
#include "tests/support/paths.h"

#include <nlohmann/json.hpp>

namespace skein::cli::predict_command_test {
using test::fileWith;
using test::runCli;

namespace {

nlohmann::json jsonOf(const std::vector<std::string>& arguments)
{
    const auto result = runCli(arguments);
    INFO(result.err);
    REQUIRE(result.exitCode == 0);
    return nlohmann::json::parse(result.out);
}

}  // namespace

TEST_CASE("predict tells seconds and those of the busiest link")
{
    const test::TemporaryFolder folder;
    const auto comm = fileWith(folder, "comm.csv", "sender,receiver,bytes\n0,2,1000\n1,2,3000\n");
    const auto found = jsonOf({"predict", comm, "--topology", "mesh:3", "--bandwidth", "1000", "--latency",
                               "0.5", "--format", "json"});
    CHECK(found["max_link_seconds"] == Approx(4.0));
    // From 1.0 s on both share the link; the longer one began half a second before.
    CHECK(found["seconds"] == Approx(0.5 + 4.0));
    REQUIRE(found["phases"].size() == 1);
    CHECK(found["phases"][0]["bytes"] == 4000);
    CHECK(found["phases"][0]["begin_ns"].is_null());
}

TEST_CASE("predict replays another map")
{
    const test::TemporaryFolder folder;
    const auto comm = fileWith(folder, "comm.csv", "sender,receiver,bytes\n0,3,1000\n");
    const auto map = fileWith(folder, "map.txt", "0 0 0 0 0 0\n2 0 0 0 0 0\n3 0 0 0 0 0\n1 0 0 0 0 0\n");
    const auto seconds = [&](std::vector<std::string> more) {
        std::vector<std::string> arguments{"predict",     comm,   "--topology", "mesh:4x1x1x1x1",
                                           "--bandwidth", "1000", "--latency",  "1",
                                           "--format",    "json"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return jsonOf(arguments)["seconds"].get<double>();
    };
    CHECK(seconds({}) == Approx(3.0 + 1.0));
    CHECK(seconds({"--map", "bgq:" + map}) == Approx(1.0 + 1.0));
    CHECK(runCli({"predict", comm, "--topology", "mesh:4", "--bandwidth", "0"}).exitCode == 2);
    CHECK(runCli({"predict", comm, "--topology", "mesh:4", "--routing", "ecmp"}).exitCode == 2);
}

TEST_CASE("the phases of a trace follow each other and share its messages out")
{
    const auto trace = test::sourcePath("examples/eztrace-lulesh-8/trace-otf2").string();
    const auto found = jsonOf({"predict", trace, "--topology", "mesh:4x2", "--format", "json"});
    const auto all = jsonOf({"traffic", trace, "--topology", "mesh:4x2", "--format", "json"});
    REQUIRE(found["phases"].size() > 2);
    std::uint64_t messages = 0, bytes = 0;
    double seconds = 0;
    const auto& phases = found["phases"];
    for (std::size_t i = 0; i < phases.size(); ++i) {
        if (i > 0) CHECK(phases[i]["begin_ns"] == phases[i - 1]["end_ns"]);
        messages += phases[i]["messages"].get<std::uint64_t>();
        bytes += phases[i]["bytes"].get<std::uint64_t>();
        seconds += phases[i]["seconds"].get<double>();
        CHECK(phases[i]["seconds"].get<double>() >= phases[i]["max_link_seconds"].get<double>());
    }
    CHECK(messages == all["messages"]);
    CHECK(bytes == all["bytes"]);
    CHECK(seconds == Approx(found["seconds"].get<double>()));
    CHECK(found["max_link_seconds"].get<double>()
          == Approx(all["max_link_load"].get<double>() / found["bandwidth_bytes_per_second"].get<double>()));
    const auto expanded =
        jsonOf({"predict", trace, "--topology", "mesh:4x2", "--collectives", "default", "--format", "json"});
    CHECK(expanded["seconds"].get<double>() > seconds);
}

TEST_CASE("rank lists routes, links and ranks, the worst first")
{
    const test::TemporaryFolder folder;
    const auto comm = fileWith(folder, "comm.csv", "sender,receiver,bytes\n0,2,10\n1,2,30\n");
    const auto rows = [&](const std::string& metric, const std::string& top) {
        return runCli({"rank", comm, "--topology", "mesh:3", "--metric", metric, "--top", top, "--format",
                       "csv"})
            .out;
    };
    CHECK(rows("hop-bytes", "100%") == "source,target,value,cumulative_share\n1,2,30,0.6\n0,2,20,1\n");
    CHECK(rows("link-bytes", "50%") == "source,target,value,cumulative_share\n1,2,40,0.8\n");
    CHECK(rows("link-bytes", "1") == "source,target,value,cumulative_share\n1,2,40,0.8\n");
    CHECK(rows("in-degree", "1%") == "rank,value,cumulative_share\n2,2,1\n");
    CHECK(rows("in-degree", "0") == rows("in-degree", "100%"));
    CHECK(runCli({"rank", comm, "--topology", "mesh:3", "--metric", "weight"}).exitCode == 2);
    CHECK(runCli({"rank", comm, "--topology", "mesh:3", "--metric", "in-degree", "--top", "-1"}).exitCode
          == 2);
    CHECK(runCli({"rank", comm, "--topology", "mesh:3", "--metric", "in-degree", "--top", "101%"}).exitCode
          == 2);
}

}  // namespace skein::cli::predict_command_test
