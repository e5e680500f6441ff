// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "tests/support/cli.h"
#include "tests/support/paths.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <utility>

namespace skein::map_command_test {

namespace {

/// A map of the eight ranks of the LULESH example on its hosts, with two of them exchanged on demand.
std::string luleshMap(const std::filesystem::path& folder, std::size_t a, std::size_t b)
{
    std::vector<std::string> hosts;
    for (int rank = 0; rank < 8; ++rank) hosts.push_back(fmt::format("node {}", rank));
    std::swap(hosts[a], hosts[b]);
    const auto file = folder / fmt::format("map{}{}.csv", a, b);
    std::ofstream stream(file);
    stream << "rank,host,slot\n";
    for (int rank = 0; rank < 8; ++rank)
        stream << rank << ',' << hosts[static_cast<std::size_t>(rank)] << ",0\n";
    return file.string();
}

const std::string kRun = test::sourcePath("examples/lulesh-8/trace-otf2").string();
const std::string kProfile = test::sourcePath("examples/lulesh-8/profile-callpath").string();

}  // namespace

TEST_CASE("a rerun that ran and sent as predicted is verified")
{
    const test::TemporaryFolder folder;
    const auto result = test::runCli({"map", "verify", luleshMap(folder.path(), 0, 0), kRun, "--predicted",
                                      kProfile, "--topology", "torus:2x2x2", "--format", "json"});
    CHECK(result.exitCode == 0);
    CHECK(nlohmann::json::parse(result.out).empty());
    CHECK(result.err.find("56 of 56 pairs") != std::string::npos);
    CHECK(result.err.find("24 of 24 links") != std::string::npos);
    CHECK(result.err.find("8 of 8 ranks") != std::string::npos);
}

TEST_CASE("ranks that ran elsewhere fail the verification")
{
    const test::TemporaryFolder folder;
    const auto result =
        test::runCli({"map", "verify", luleshMap(folder.path(), 2, 5), kRun, "--format", "json"});
    CHECK(result.exitCode == 1);
    const auto rows = nlohmann::json::parse(result.out);
    REQUIRE(rows.size() == 2);
    CHECK(rows[0]["item"] == "rank 2");
    CHECK(rows[0]["predicted"] == "node 5");
    CHECK(rows[0]["measured"] == "node 2");
}

TEST_CASE("bytes of links are compared where the ranks ran, and all of them on demand")
{
    const test::TemporaryFolder folder;
    const std::vector<std::string> asked{"map",        "verify",      luleshMap(folder.path(), 2, 5),
                                         kRun,         "--predicted", kProfile,
                                         "--topology", "mesh:2x2x2",  "--format",
                                         "json"};
    const auto elsewhere = test::runCli(asked);
    CHECK(elsewhere.exitCode == 1);
    const auto rows = nlohmann::json::parse(elsewhere.out);
    CHECK(std::count_if(rows.begin(), rows.end(), [](const auto& row) { return row["check"] == "placement"; })
          == 2);
    CHECK(std::count_if(rows.begin(), rows.end(), [](const auto& row) { return row["check"] == "pair"; })
          == 0);
    CHECK(std::count_if(rows.begin(), rows.end(), [](const auto& row) { return row["check"] == "link"; })
          > 0);
    auto all = asked;
    all[2] = luleshMap(folder.path(), 0, 0);
    all.push_back("--all");
    const auto listed = nlohmann::json::parse(test::runCli(all).out);
    REQUIRE(listed.size() == 56 + 24);
    for (const auto& row : listed) CHECK(row["predicted"] == row["measured"]);
}

TEST_CASE("a map that remap writes names the hosts of the archive, and its rerun is verified by them")
{
    const test::TemporaryFolder folder;
    const std::string map = (folder.path() / "map.csv").string();
    const auto made = test::runCli({"remap", kRun, "--topology", "mesh:4x2", "--steps", "1000", "--pin",
                                    "0-7", "--launcher", "csv", "-o", map});
    CHECK(made.exitCode == 0);
    const auto verified = test::runCli(
        {"map", "verify", map, kRun, "--predicted", kProfile, "--topology", "mesh:4x2", "--format", "json"});
    CHECK(verified.exitCode == 0);
    CHECK(verified.err.find("8 of 8 ranks") != std::string::npos);
    CHECK(nlohmann::json::parse(verified.out).empty());
}

TEST_CASE("a map is converted between launchers and a wrong launcher is a wrong use")
{
    const test::TemporaryFolder folder;
    const std::string order = (folder.path() / "MPICH_RANK_ORDER").string();
    std::ofstream(order) << "2,0,1\n";
    const auto slurm =
        test::runCli({"map", "convert", order, "--from", "cray", "--hosts", "a,b,c", "--to", "slurm"});
    CHECK(slurm.exitCode == 0);
    CHECK(slurm.out == "b\nc\na\n");
    CHECK(test::runCli({"map", "convert", order, "--from", "cray", "--hosts", "a,b,c", "--to", "nobody"})
              .exitCode
          == 2);
    CHECK(test::runCli({"map", "convert", order, "--hosts", "a,b,c", "--to", "slurm"}).exitCode
          == 2);  // several would take it
    const auto without = test::runCli({"map", "convert", order, "--from", "cray", "--to", "slurm"});
    CHECK(without.exitCode != 0);
    CHECK(without.err.find("which hosts the job has") != std::string::npos);

    const auto written =
        test::runCli({"map", "convert", order, "--from", "cray", "--hosts", "a,b,c", "--to", "openmpi", "-o",
                      (folder.path() / "rankfile").string(), "--program", "./app 3"});
    CHECK(written.exitCode == 0);
    CHECK(written.out.find("mpirun -np 3 --rankfile") != std::string::npos);
    for (const char* suffix : {"", ".mapping.csv", ".json", ".sh"})
        CHECK(std::filesystem::exists((folder.path() / "rankfile").string() + suffix));
}

}  // namespace skein::map_command_test
