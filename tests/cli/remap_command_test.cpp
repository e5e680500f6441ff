// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/cli.h"
#include "core/io/importer.h"
#include "core/io/launcher/launcher_format.h"
#include "tests/support/catch.h"
#include "tests/support/paths.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace skein::cli::remap_command_test {
namespace {

struct Ran {
    int code = 0;
    std::string out;
    std::string err;
};

Ran ran(const std::vector<std::string>& arguments)
{
    Ran result;
    {
        Sink out(result.out);
        Sink err(result.err);
        result.code = run(arguments, out, err, Task(), openExperiment);
    }
    return result;
}

/// A ring of ranks that talk to the opposite one most.
std::string ringOf(std::uint32_t ranks)
{
    std::string text = "sender,receiver,bytes\n";
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        text += std::to_string(rank) + "," + std::to_string((rank + 1) % ranks) + ",10\n";
        text += std::to_string(rank) + "," + std::to_string((rank + ranks / 2) % ranks) + ",1000\n";
    }
    return text;
}

nlohmann::json figuresOf(const Ran& command)
{
    INFO(command.err);
    REQUIRE(command.code == 0);
    return nlohmann::json::parse(command.out);
}

}  // namespace

TEST_CASE("remap keeps two ranks apart on a full machine, where only exchanges make a placement")
{
    const test::TemporaryFolder folder;
    std::string ring;
    for (int rank = 0; rank < 8; ++rank)
        ring += std::to_string(rank) + " " + std::to_string((rank + 1) % 8) + " 10\n";
    const auto comm = fileWith(folder, "comm.txt", ring);
    const auto figures = figuresOf(ran({"remap", comm, "--topology", "mesh:4", "--ranks-per-node", "2",
                                        "--apart", "0,1", "--steps", "20000", "--format", "json"}));
    const auto slots = figures["permutation"].get<std::vector<int>>();
    CHECK(slots[0] / 2 != slots[1] / 2);
    const auto all = ran({"remap", comm, "--topology", "mesh:4", "--ranks-per-node", "2", "--apart", "0-4",
                          "--steps", "20000"});
    CHECK(all.code != 0);
    CHECK(all.err.find("No placement meets all constraints") != std::string::npos);
}

TEST_CASE("remap and traffic of a small job on the largest machine go through what the job needs of it")
{
    const test::TemporaryFolder folder;
    const auto comm = fileWith(folder, "comm.csv", ringOf(16));
    const std::vector<std::string> machine{comm, "--topology", "torus:4096x4096", "--format", "json"};
    std::vector<std::string> arguments{"remap", "--steps", "3000"};
    arguments.insert(arguments.end(), machine.begin(), machine.end());
    const auto found = figuresOf(ran(arguments));
    CHECK(found["objective_after"] < found["objective_before"]);
    for (const auto slot : found["permutation"].get<std::vector<std::uint32_t>>()) {
        CHECK(slot / 4096 < 256);
        CHECK(slot % 4096 < 256);
    }
    arguments = {"traffic"};
    arguments.insert(arguments.end(), machine.begin(), machine.end());
    const auto figures = figuresOf(ran(arguments));
    CHECK(figures["hop_bytes"] == found["objective_before"]);
    CHECK(figures["links"] == 1u << 26);
    CHECK(figures["links_used"] == 30);
    CHECK(figures["top_links"].size() == 10);
}

TEST_CASE("remap writes a map for every launcher that, read back, costs what was predicted")
{
    const test::TemporaryFolder folder;
    const auto comm = fileWith(folder, "comm.csv", ringOf(32));
    for (const LauncherFormat& format : launcherFormats()) {
        const std::string id(format.id);
        INFO(id);
        const std::string file = (folder.path() / (id + ".map")).string();
        const std::string topology = id == "bgq" ? "torus:2x2x2x2x1" : "torus:4x4";
        const std::vector<std::string> machine{comm, "--topology", topology, "--ranks-per-node",
                                               "2",  "--format",   "json"};
        std::vector<std::string> search{"remap", "--steps", "2000", "--launcher", id, "-o", file};
        search.insert(search.end(), machine.begin(), machine.end());
        const auto figures = figuresOf(ran(search));
        CHECK(figures["objective_after"] < figures["objective_before"]);
        std::vector<std::string> replay{"traffic", "--placement", id + ":" + file};
        replay.insert(replay.end(), machine.begin(), machine.end());
        CHECK(figuresOf(ran(replay))["hop_bytes"] == figures["objective_after"]);
        CHECK(std::filesystem::exists(file + ".json"));
        CHECK(std::filesystem::exists(file + ".mapping.csv"));
    }
}

TEST_CASE("remap: a map that the launcher cannot say is kept as a table, with the report")
{
    const test::TemporaryFolder folder;
    // Heavy pairs far apart come together, on nodes with room for three: each keeps a free slot.
    std::string text = "sender,receiver,bytes\n";
    for (int rank = 0; rank < 6; ++rank)
        text += std::to_string(rank) + "," + std::to_string((rank + 3) % 6) + ",1000\n";
    const auto comm = fileWith(folder, "comm.csv", text);
    const std::string file = (folder.path() / "order").string();
    const std::vector<std::string> machine{comm, "--topology", "mesh:3", "--ranks-per-node",
                                           "3",  "--format",   "json"};
    std::vector<std::string> search{"remap",      "--steps", "3000", "--capacity", "2",
                                    "--launcher", "cray",    "-o",   file};
    search.insert(search.end(), machine.begin(), machine.end());
    const auto refused = ran(search);
    CHECK(refused.code != 0);
    CHECK(refused.err.find("The map is kept in " + file + ".csv") != std::string::npos);
    CHECK_FALSE(std::filesystem::exists(file));
    std::vector<std::string> replay{"traffic", "--placement", "csv:" + file + ".csv"};
    replay.insert(replay.end(), machine.begin(), machine.end());
    CHECK(figuresOf(ran(replay))["hop_bytes"] == nlohmann::json::parse(refused.out)["objective_after"]);
}

TEST_CASE("remap: places of a run that are no names of hosts are not written into maps")
{
    const auto archive = test::sourcePath("examples/lulesh-8/trace-otf2").string();
    const auto map =
        ran({"remap", archive, "--topology", "mesh:4x2", "--steps", "1000", "--launcher", "slurm"});
    CHECK(map.code == 0);
    CHECK(map.out.starts_with("node0\nnode1\n"));
    CHECK(map.err.find("The job must have exactly 8 nodes") != std::string::npos);
}

TEST_CASE("remap tells what became of collective operations, and leaves out what it does not know")
{
    const std::vector<std::string> command{
        "remap",      test::sourcePath("examples/eztrace-lulesh-8/trace-otf2").string(),
        "--topology", "mesh:4x2",
        "--steps",    "1000"};
    const auto with = [&](std::vector<std::string> more) {
        more.insert(more.begin(), command.begin(), command.end());
        return ran(more);
    };
    CHECK(with({}).out.find("11 left out") != std::string::npos);
    CHECK(with({}).out.find("sockets") == std::string::npos);
    CHECK(figuresOf(with({"--collectives", "ring", "--format", "json"}))["collectives"]
          == "11 expanded: ring");
    CHECK(figuresOf(with({"--collectives", "default", "--format", "json"}))["collectives"]
          == "11 expanded: as MPICH chooses by default");
}

TEST_CASE("remap tells what changes by link and by pair, and what was found when")
{
    const test::TemporaryFolder folder;
    const auto comm = fileWith(folder, "comm.csv", "sender,receiver,bytes\n0,3,100\n1,2,1\n");
    const std::vector<std::string> command{"remap", comm, "--topology", "mesh:6", "--steps", "5000"};
    auto json = command;
    json.insert(json.end(), {"--format", "json"});
    const auto figures = figuresOf(ran(json));
    REQUIRE(!figures["pair_changes"].empty());
    CHECK(figures["pair_changes"][0]["sender"] == 0);
    CHECK(figures["pair_changes"][0]["bytes"] == 100);
    CHECK(figures["pair_changes"][0]["hops_before"] == 3);
    CHECK(figures["pair_changes"][0]["hops_after"] == 1);
    std::int64_t change = 0;
    for (const auto& link : figures["link_changes"])
        change += link["after"].get<std::int64_t>() - link["before"].get<std::int64_t>();
    CHECK(change
          == figures["hop_bytes_after"].get<std::int64_t>()
              - figures["hop_bytes_before"].get<std::int64_t>());
    CHECK(figures["history"].back()["objective"] == figures["objective_after"]);
    CHECK(ran(command).out.find("Hops after") != std::string::npos);
    auto none = command;
    none.insert(none.end(), {"--changes", "0"});
    CHECK(ran(none).out.find("Hops after") == std::string::npos);
}

TEST_CASE("remap keeps to the capacities of nodes and sockets")
{
    const test::TemporaryFolder folder;
    const auto comm = fileWith(folder, "comm.csv", ringOf(8));
    const std::vector<std::string> command{"remap", comm,      "--topology", "torus:4x2", "--ranks-per-node",
                                           "4",     "--steps", "5000",       "--format",  "json"};
    auto nodes = command;
    nodes.insert(nodes.end(), {"--capacity", "0:0;1-2:1"});
    std::vector<int> held(8, 0);
    const auto onNodes = figuresOf(ran(nodes));
    for (const int slot : onNodes["permutation"]) ++held[static_cast<std::size_t>(slot / 4)];
    CHECK(held[0] == 0);
    CHECK(held[1] <= 1);
    CHECK(held[2] <= 1);
    auto sockets = command;
    sockets.insert(sockets.end(), {"--cores-per-socket", "2", "--socket-capacity", "1"});
    std::vector<int> onSocket(16, 0);
    const auto onSockets = figuresOf(ran(sockets));
    for (const int slot : onSockets["permutation"]) ++onSocket[static_cast<std::size_t>(slot / 2)];
    CHECK(*std::max_element(onSocket.begin(), onSocket.end()) == 1);
    CHECK(onSockets["socket_bytes_before"] > 0);
    CHECK(onSockets["socket_bytes_after"] > 0);
    CHECK(onNodes["socket_bytes_before"].is_null());
    sockets.back() = "0-9:0;15:1";
    const auto beyond = figuresOf(ran(sockets));
    for (const int slot : beyond["permutation"]) CHECK(slot / 2 > 9);
    for (const std::string text : {"-1", "9:1", "0:x", "0:1:2;", ":1", "0:"}) {
        auto bad = command;
        bad.insert(bad.end(), {"--capacity", text});
        CHECK(ran(bad).code == 2);
    }
    sockets.back() = "16:1";
    CHECK(ran(sockets).err.find("no socket 16") != std::string::npos);
    auto full = command;
    full.insert(full.end(), {"--capacity", "0-7:0"});
    CHECK(ran(full).err.find("but the nodes may hold only") != std::string::npos);
}

TEST_CASE("remap refuses what is no time, steps or seed, and tells before the search what would make the map "
          "useless")
{
    const test::TemporaryFolder folder;
    const std::vector<std::string> command{"remap", fileWith(folder, "comm.csv", ringOf(16)), "--topology",
                                           "mesh:4x4"};
    const auto with = [&](std::vector<std::string> more) {
        auto all = command;
        all.insert(all.end(), more.begin(), more.end());
        return ran(all);
    };
    for (const char* wrong : {"nan", "0", "-1", "inf"}) CHECK(with({"--time", wrong}).code == 2);
    for (const char* wrong : {"0", "-1", "x"}) CHECK(with({"--steps", wrong}).code == 2);
    CHECK(with({"--steps", "10", "--seed", "-1"}).code == 2);
    // By time: a search would last longer than the test may.
    CHECK(with({"--time", "100000", "--launcher", "nobody"}).err.find("There is no launcher nobody")
          != std::string::npos);
    CHECK(with({"--time", "100000", "-o", (folder.path() / "none" / "map").string()})
              .err.find("There is no folder")
          != std::string::npos);
}

TEST_CASE("remap ends when its time is over, and says where no mapping can be better")
{
    const test::TemporaryFolder folder;
    const auto comm = fileWith(folder, "comm.csv", ringOf(256));
    const auto figures =
        figuresOf(ran({"remap", comm, "--topology", "torus:16x16", "--time", "0.5", "--format", "json"}));
    // Ten times the budget: machines that test are busy.
    CHECK(figures["seconds"].get<double>() < 5.0);
    std::string line = "sender,receiver,bytes\n";
    for (int rank = 0; rank + 1 < 256; ++rank)
        line += std::to_string(rank) + "," + std::to_string(rank + 1) + ",10\n";
    const auto snake = figuresOf(ran({"remap", fileWith(folder, "line.csv", line), "--topology",
                                      "torus:16x16", "--steps", "20000000", "--format", "json"}));
    CHECK(snake["objective_after"] == snake["lower_bound"]);
    CHECK(snake["steps"].get<std::uint64_t>() < 20000000);
}

}  // namespace skein::cli::remap_command_test
