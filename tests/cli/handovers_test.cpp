// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "tests/support/cli.h"
#include "tests/support/paths.h"

#include <nlohmann/json.hpp>

namespace skein::handovers_test {

namespace {

std::string component(const char* name)
{
    return test::sourcePath(std::string("examples/workflow-12-4/") + name + "/trace-otf2").string();
}

}  // namespace

TEST_CASE("the command line prints what components handed over, on their common clock")
{
    const auto result = test::runCli({"handovers", component("sim"), component("ana"), "--format", "json"});
    REQUIRE(result.exitCode == 0);
    const auto rows = nlohmann::json::parse(result.out);
    REQUIRE(rows.size() == 144);
    std::uint64_t bytes = 0;
    for (const auto& row : rows) {
        bytes += row.at("bytes").get<std::uint64_t>();
        CHECK(row.at("producer") == component("sim"));
        CHECK(row.at("consumer_rank").get<int>() == row.at("producer_rank").get<int>() % 4);
        // What is read was written before.
        CHECK(row.at("wait_begin_ns").get<TimeNs>() + row.at("wait_ns").get<TimeNs>()
              >= row.at("write_begin_ns").get<TimeNs>());
    }
    CHECK(bytes > 9'000'000);
    CHECK(rows[0].at("bytes") == 64564);
}

TEST_CASE("without a table or with one archive the command line says what is missing")
{
    const std::string alone = test::sourcePath("examples/lulesh-8/trace-otf2").string();
    const auto none = test::runCli({"handovers", alone});
    CHECK(none.exitCode == 1);
    CHECK(none.err.find("--coupling") != std::string::npos);
    const auto one = test::runCli({"handovers", component("sim"), "--coupling",
                                   test::sourcePath("examples/workflow-12-4/coupling.csv").string()});
    CHECK(one.exitCode == 2);
    CHECK(one.err.find("both components") != std::string::npos);
}

}  // namespace skein::handovers_test
