// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/launcher/launcher_format.h"
#include "core/io/launcher/map_files.h"
#include "tests/support/catch.h"
#include "tests/support/paths.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>
#include <random>
#include <sstream>

namespace skein::launcher_format_test {

namespace {

std::vector<MapHost> threeHosts(std::uint32_t slots)
{
    return {{"node17", slots, {0, 1, 0, 0, 0}},
            {"node18", slots, {0, 1, 0, 0, 1}},
            {"node19", slots, {0, 1, 0, 1, 0}}};
}

/// Six ranks, two a host: ranks 2 and 5 on node17, 0 and 4 on node18, 3 and 1 on node19, in the order of the
/// slots.
RankMap scattered() { return {threeHosts(2), {{1, 0}, {2, 1}, {0, 0}, {2, 0}, {1, 1}, {0, 1}}}; }

RankMap randomMap(std::mt19937& random, bool full)
{
    std::vector<MapHost> hosts;
    const std::uint32_t slots = 1 + random() % 5;
    for (std::uint32_t host = 0; host < 1 + random() % 9; ++host)
        hosts.push_back({fmt::format("nid{:06}", 7 * host + 3), slots, {host % 2, host / 2, 0, 0, 0}});
    std::vector<std::uint32_t> numbers(hosts.size() * slots);
    std::iota(numbers.begin(), numbers.end(), 0u);
    std::shuffle(numbers.begin(), numbers.end(), random);
    if (!full) numbers.resize(1 + random() % numbers.size());
    return *mapFromSlotNumbers(hosts, numbers);
}

const LauncherFormat& format(std::string_view id)
{
    const LauncherFormat* found = findLauncherFormat(id);
    REQUIRE(found);
    return *found;
}

std::string written(std::string_view id, const RankMap& map)
{
    const auto text = format(id).write(map, {});
    REQUIRE(text.has_value());
    return *text;
}

std::string readAll(const std::filesystem::path& file)
{
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

}  // namespace

TEST_CASE("launcher formats are listed in alphabetical order")
{
    const auto formats = launcherFormats();
    CHECK(std::is_sorted(formats.begin(), formats.end(),
                         [](const auto& a, const auto& b) { return a.id < b.id; }));
}

TEST_CASE("each launcher gets the lines that it reads")
{
    const RankMap map = scattered();
    CHECK(written("bgq", map)
          == "0 1 0 0 1 0\n0 1 0 1 0 1\n0 1 0 0 0 0\n0 1 0 1 0 0\n0 1 0 0 1 1\n0 1 0 0 0 1\n");
    CHECK(written("cray", map) == "2,5,0,4,3,1\n");
    CHECK(written("slurm", map) == "node18\nnode19\nnode17\nnode19\nnode18\nnode17\n");
    CHECK(written("openmpi", map).starts_with("rank 0=node18 slot=0\nrank 1=node19 slot=1\n"));
    CHECK(written("hydra", map) == "node18:1\nnode19:1\nnode17:1\nnode19:1\nnode18:1\nnode17:1\n");
    CHECK(written("lsf", map) == "{(2,5)(0,4)(3,1)}\n");
    CHECK(written("jsrun", map).find("rank: 1: { host: 3; cpu: {1} } : app 0") != std::string::npos);
    CHECK(written("sst", map) == "1\n2\n0\n2\n1\n0\n");

    RankMap plain = *blockMap({{"a", 4, {}}, {"b", 4, {}}, {"c", 4, {}}, {"d", 4, {}}}, 16);
    std::rotate(plain.places.begin(), plain.places.begin() + 4, plain.places.end());
    CHECK(written("flux", plain) == "[[1,3,4,1],[0,1,4,1]]\n");  // the example of Flux's own task map tests
    CHECK(written("fujitsu", plain).starts_with("(1)\n(1)\n"));
}

TEST_CASE("an order list is the inverse of the places, not the places themselves")
{
    RankMap cycle{{{"a", 1, {}}, {"b", 1, {}}, {"c", 1, {}}}, {{1, 0}, {2, 0}, {0, 0}}};
    CHECK(written("cray", cycle) == "2,0,1\n");
    CHECK(written("sst", cycle) == "1\n2\n0\n");
    const auto back = format("cray").read("2,0,1\n", cycle.hosts, {});
    REQUIRE(back.has_value());
    CHECK(back->places == cycle.places);
}

TEST_CASE("what is written is read back, for random maps and every format")
{
    std::mt19937 random(7);
    for (int trial = 0; trial < 200; ++trial) {
        const RankMap map = randomMap(random, trial % 2 == 0);
        for (const LauncherFormat& each : launcherFormats()) {
            const bool onlyHosts = each.detail == MapFileDetail::Host;
            RankMap wanted = onlyHosts ? withSlotsInRankOrder(map) : map;
            if (each.id == "fujitsu" || each.id == "pjm")
                for (std::size_t host = 0; host < wanted.hosts.size(); ++host)
                    wanted.hosts[host].coordinates.resize(3),
                        wanted.hosts[host].coordinates[2] = static_cast<std::uint32_t>(host);
            const auto text = each.write(wanted, {});
            if (!text) {
                CHECK((each.id == "cray" || each.id == "lsf"));  // these cannot leave slots or hosts free
                CHECK(trial % 2 == 1);
                continue;
            }
            INFO(each.id << "\n" << *text);
            const auto back = each.read(*text, wanted.hosts, {});
            REQUIRE(back.has_value());
            CHECK(back->places == wanted.places);
        }
    }
}

TEST_CASE("several cores a rank are kept in the formats that bind")
{
    MapFileOptions options;
    options.coresPerRank = 4;
    for (const std::string_view id : {"openmpi", "jsrun"}) {
        const auto text = format(id).write(scattered(), options);
        REQUIRE(text.has_value());
        const auto back = format(id).read(*text, scattered().hosts, options);
        REQUIRE(back.has_value());
        CHECK(back->places == scattered().places);
    }
    CHECK(format("openmpi").write(scattered(), options)->find("rank 1=node19 slot=4-7") != std::string::npos);
}

TEST_CASE("readers take what users write by hand")
{
    const std::vector<MapHost> pair{{"a", 2, {}}, {"b", 2, {}}};
    CHECK(format("cray").read("# mine\n0-1,\n3,2\n", pair, {})->places
          == std::vector<RankPlace>{{0, 0}, {0, 1}, {1, 1}, {1, 0}});
    CHECK(format("slurm").read("a*2,b\nb\n", {}, {})->places
          == std::vector<RankPlace>{{0, 0}, {0, 1}, {1, 0}, {1, 1}});
    CHECK(format("hydra").read("a:65536\nb:65536\na\n", {}, {})->places.back() == RankPlace{0, 65536});
    CHECK(format("hydra").read("# c\na:2 binding=user:0,1\nb:2\n", {}, {})->places.size() == 4);
    CHECK(format("openmpi").read("rank 1=b slot=0-3\nrank 0=a slot=0,1\n", {}, {})->places
          == std::vector<RankPlace>{{1, 0}, {0, 0}});
    CHECK(format("lsf").read("LSB_TASK_GEOMETRY=\"{(2,3)(0,1)}\"", pair, {})->places
          == std::vector<RankPlace>{{1, 0}, {1, 1}, {0, 0}, {0, 1}});
}

TEST_CASE("a map that cannot be right is refused with a sentence that says where")
{
    const std::vector<MapHost> pair{{"a", 1, {}}, {"b", 1, {}}};
    const auto refused = [&](std::string_view id, std::string_view text, const std::string& part) {
        const auto map = format(id).read(text, pair, {});
        REQUIRE_FALSE(map.has_value());
        INFO(map.error().message);
        CHECK(map.error().message.find(part) != std::string::npos);
    };
    refused("cray", "0,0", "twice");
    refused("cray", "0,7", "names rank 7");
    refused("cray", "0,1,2", "do not fit");
    refused("slurm", "a\nc\n", "the host c");
    refused("slurm", "a\na\n", "slot 1 of a");
    refused("openmpi", "rank 0=a slot=0\nrank 0=b slot=0\n", "Line 2");
    refused("openmpi", "rank 1=a slot=0\n", "no place for rank 0");
    refused("openmpi", "rank 0=a slot=1:0\n", "socket");
    refused("bgq", "0 0 0\n", "six numbers");
    refused("flux", "[[0,4294967295,4294967295,4294967295]]", "whole numbers");
    refused("flux", "[[0,16000000,16000,2]]", "too many");
    refused("hydra", "a:4000000000\n", "expected");
    refused("hydra", "a:44444444\n", "expected");
    refused("hydra", "b:1\na:4444444\n", "Line 2 of the map: no host holds so many ranks");
    refused("intelmpi", "a:65537\n", "no host holds so many");
    refused("slurm", "a*65537\n", "no host holds so many");
    refused("flux", "[[0,1,65537,1]]", "no node holds so many");
    refused("flux", "[[0,2,65536,128]]", "slot 1 of a");
    refused("lsf", "{(0)(1)(2)}", "Set 2");
    refused("jsrun", "rank: 0: { host: 3; cpu: {0} } : app 0\n", "host 3");
    refused("csv", "rank,host,slot\n0,a,0\n0,b,0\n", "twice");
    for (const LauncherFormat& each : launcherFormats()) CHECK_FALSE(each.read("", pair, {}).has_value());
}

TEST_CASE("a rankfile may number cores inside sockets and hosts by their place in the allocation")
{
    MapFileOptions sockets;
    sockets.coresPerSocket = 4;
    const std::vector<MapHost> hosts{{"a", 8, {}}, {"b", 8, {}}};
    const auto places = [&](std::string_view text) {
        return format("openmpi").read(text, hosts, sockets)->places;
    };
    CHECK(places("rank 0=b slot=1:2\nrank 1=b slot=0:3,1\n") == std::vector<RankPlace>{{1, 6}, {1, 1}});
    CHECK(places("rank 0=+n1 slot=1:*\nrank 1=+n0 slot=5\n") == std::vector<RankPlace>{{1, 4}, {0, 5}});
    sockets.coresPerRank = 2;
    CHECK(places("rank 0=a slot=1:2-3\n") == std::vector<RankPlace>{{0, 3}});
    for (const std::string_view wrong :
         {"rank 0=a slot=0:4\n", "rank 0=a slot=x:1\n", "rank 0=a slot=1:\n", "rank 0=+n2 slot=0\n",
          "rank 0=a slot=4000000000:0\n", "rank 0=a slot=0:1\n"}) {
        CAPTURE(wrong);
        CHECK_FALSE(format("openmpi").read(wrong, hosts, sockets).has_value());
    }
    CHECK_FALSE(format("openmpi").read("rank 0=+n0 slot=0\n", {}, sockets).has_value());
    CHECK(recognizeLauncherFormat("rank 0=a slot=0:1\n")->id == "openmpi");
}

TEST_CASE("traps of launchers are told before the job runs into them")
{
    const auto said = [](std::string_view id, const RankMap& map, const std::string& part) {
        const auto warnings = format(id).warnings(map, {});
        return std::any_of(warnings.begin(), warnings.end(),
                           [&](const auto& warning) { return warning.find(part) != std::string::npos; });
    };
    const RankMap block = *blockMap(threeHosts(2), 6);
    CHECK(said("hydra", scattered(), "shared memory"));
    CHECK_FALSE(said("hydra", block, "shared memory"));
    CHECK_FALSE(said("cray", block, "1023"));
    RankMap roundRobin{{{"a", 127, {}}, {"b", 127, {}}}, {}};
    for (std::uint32_t rank = 0; rank < 254; ++rank) roundRobin.places.push_back({rank % 2, rank / 2});
    CHECK(said("cray", roundRobin, "1023"));  // 252 ranks pass on such a machine, 254 fail
    CHECK(said("slurm", scattered(), "cores in the order"));
}

TEST_CASE("the files beside a map tell where it came from, and are whole or absent")
{
    const test::TemporaryFolder folder;
    const auto before = blockMap(threeHosts(2), 6);
    const MapProvenance provenance{"run.txt", "sha1:abc", "hop-bytes", 200, 150, "multilevel", 42, 1000, 1.5};
    const auto files =
        writeMapFiles(folder.path() / "rankfile", scattered(), format("openmpi"), {}, provenance, *before);
    REQUIRE(files.has_value());
    const auto sidecar = nlohmann::json::parse(readAll(files->sidecar));
    CHECK(sidecar["source_hash"] == "sha1:abc");
    CHECK(sidecar["objective_after"] == 150);
    CHECK(sidecar["moved_ranks"] == 6);
    CHECK(readAll(files->map).find(sidecar["map_hash"].get<std::string>()) != std::string::npos);
    CHECK(readAll(files->table).find("0,node18,0,0,0 1 0 0 1,node17,0\n") != std::string::npos);
    const auto table = readMapFile(files->table, nullptr, {}, {});
    REQUIRE(table.has_value());
    CHECK(sameMap(*table, scattered(), MapFileDetail::HostAndSlot));
    CHECK_FALSE(std::filesystem::exists(files->map.string() + ".part"));

    RankMap broken = scattered();
    broken.places[1] = broken.places[0];
    CHECK_FALSE(
        writeMapFiles(folder.path() / "other", broken, format("openmpi"), {}, provenance, std::nullopt)
            .has_value());
    CHECK_FALSE(std::filesystem::exists(folder.path() / "other"));
}

TEST_CASE("a format is recognized only when no other would take the text")
{
    CHECK(recognizeLauncherFormat("rank 0=a slot=0\n")->id == "openmpi");
    CHECK(recognizeLauncherFormat("0 1 2 1 0 3\n")->id == "bgq");
    CHECK(recognizeLauncherFormat("{(2,5,7)(0,6)(1,3)(4)}")->id == "lsf");
    CHECK(recognizeLauncherFormat("--taskmap=manual:[[1,3,4,1],[0,1,4,1]]")->id == "flux");
    CHECK(recognizeLauncherFormat("app 0: ./exe\nrank: 0: { host: 1; cpu: {0-3} } : app 0")->id == "jsrun");
    CHECK(recognizeLauncherFormat("0,1,2,3") == nullptr);
    CHECK(recognizeLauncherFormat("node1\nnode2\n") == nullptr);
}

}  // namespace skein::launcher_format_test
