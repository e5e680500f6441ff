// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/topology/topology_file.h"

#include "core/machine/topology_spec.h"
#include "tests/support/catch.h"
#include "tests/support/paths.h"

#include <fmt/format.h>
#include <fstream>

namespace skein::topology_file_test {
namespace {

Result<Topology> readText(const std::string& text)
{
    const test::TemporaryFolder folder;
    const auto path = folder.path() / "machine";
    std::ofstream(path, std::ios::binary) << text;
    return readTopologyFile(path, Task());
}

Topology machineOf(const std::string& text)
{
    auto topology = readText(text);
    INFO((topology ? std::string() : topology.error().text()));
    REQUIRE(topology.has_value());
    return std::move(*topology);
}

std::uint32_t hopsBetween(const Topology& topology, std::string_view a, std::string_view b)
{
    return distances(topology, Task())->between(topology.findNode(a), topology.findNode(b));
}

constexpr const char* kFabric =
    "# Topology file: generated on Sat Nov  1 12:00:00 2025\n"
    "vendid=0x2c9\n"
    "switchguid=0xf4521403002b8170(f4521403002b8170)\n"
    "Switch\t36 \"S-f4521403002b8170\"\t\t# \"MF0;ib1:SX6036/U1\" enhanced port 0 lid 2 lmc 0\n"
    "[1]\t\"H-0002c903000f3a1c\"[1](2c903000f3a1d) \t\t# \"n2 HCA-1\" lid 4 4xFDR\n"
    "[2]\t\"H-0002c903000f3a2c\"[1](2c903000f3a2d) \t\t# \"n10 HCA-1\" lid 5 4xQDR\n"
    "[36]\t\"S-f4521403002b8171\"[36]\t\t# \"MF0;ib2:SX6036/U1\" lid 3 4xFDR\n"
    "\n"
    "Switch\t36 \"S-f4521403002b8171\"\t\t# \"MF0;ib2:SX6036/U1\" enhanced port 0 lid 3 lmc 0\n"
    "[1]\t\"H-0002c903000f3a3c\"[1](2c903000f3a3d) \t\t# \"n3 HCA-1\" lid 6 4xFDR\n"
    "[36]\t\"S-f4521403002b8170\"[36]\t\t# \"MF0;ib1:SX6036/U1\" lid 2 4xFDR\n"
    "\n"
    "Ca\t1 \"H-0002c903000f3a1c\"\t\t# \"n2 HCA-1\"\n"
    "[1](2c903000f3a1d) \t\"S-f4521403002b8170\"[1]\t\t# lid 4 lmc 0 \"MF0;ib1:SX6036/U1\" lid 2 4xFDR\n"
    "\n"
    "Ca\t1 \"H-0002c903000f3a2c\"\t\t# \"n10 HCA-1\"\n"
    "[1](2c903000f3a2d) \t\"S-f4521403002b8170\"[2]\t\t# lid 5 lmc 0 \"MF0;ib1:SX6036/U1\" lid 2 4xQDR\n"
    "\n"
    "Ca\t1 \"H-0002c903000f3a3c\"\t\t# \"n3 HCA-1\"\n"
    "[1](2c903000f3a3d) \t\"S-f4521403002b8171\"[1]\t\t# lid 6 lmc 0 \"MF0;ib2:SX6036/U1\" lid 3 4xFDR\n";

}  // namespace

TEST_CASE("Slurm's topology.conf is a tree of switches with named nodes")
{
    const Topology tree = machineOf("# two leaves\nSwitchName=s0 Nodes=dev[0-2] LinkSpeed=900\nswitchname=s1 "
                                    "nodes=dev[10-11],front\nSwitchName=s2 \\\n Switches=s[0-1]\n");
    CHECK(tree.nodes() == 6);
    CHECK(tree.vertices() == 9);
    CHECK(tree.links() == 16);
    CHECK(tree.vertexName(3) == "dev10");
    CHECK(hopsBetween(tree, "dev0", "dev1") == 2);
    CHECK(hopsBetween(tree, "dev0", "front") == 4);
    CHECK_FALSE(readText("SwitchName=s0 Nodes=dev[0-\n").has_value());
}

TEST_CASE("ranges of topology.conf share a limit that is told, names that are written out have none")
{
    const std::string padding(200, '0');
    std::string lists;
    for (int i = 0; i < 60; ++i)
        lists += fmt::format("SwitchName=s{} Nodes=n{}x[{}0-262142]\n", i, i, padding);
    const auto tooMuch = readText(lists);
    REQUIRE_FALSE(tooMuch.has_value());
    CHECK(tooMuch.error().message.find("262144 names or 16 MiB") != std::string::npos);
    // Each of two lists is within the limit of names, both are not.
    const auto both = readText("SwitchName=s0 Nodes=a[1-200000]\nSwitchName=s1 Nodes=b[1-200000]\n");
    REQUIRE_FALSE(both.has_value());
    CHECK(both.error().message.find("Line 2") != std::string::npos);
    CHECK(machineOf("SwitchName=s0 Nodes=a[1-150000]\nSwitchName=s1 Nodes=b[1-100000],c\n"
                    "SwitchName=s2 Switches=s[0-1]\n")
              .nodes()
          == 250001);
    std::string written = "SwitchName=s0 Nodes=a";
    for (int i = 0; i < 300'000; ++i) written += fmt::format(",n{}", i);
    CHECK(machineOf(written + "\n").nodes() == 300'001);
}

TEST_CASE("the paper's mapping file is a torus of its dimensions, or complete graphs of them")
{
    const auto sameAs = [](const Topology& machine, const char* spec) {
        const Topology wanted = makeTopology(spec).value();
        REQUIRE(machine.nodes() == wanted.nodes());
        REQUIRE(machine.links() == wanted.links());
        for (LinkIndex link = 0; link < wanted.links(); ++link) {
            CHECK(machine.source(link) == wanted.source(link));
            CHECK(machine.target(link) == wanted.target(link));
        }
        CHECK(machine.vertexName(machine.nodes() - 1) == wanted.vertexName(wanted.nodes() - 1));
    };
    sameAs(machineOf("4 4 4 16 2\n4 3 2 1 0\n5dtorus\n"), "torus:4x4x4x16x2");
    sameAs(machineOf("3 2 4\n2 1 0\ntheta"), "hamming:3x2x4");
    sameAs(machineOf("3 5\n0 1\ntorus\n"), "torus:3x5");
    for (const char* wrong :
         {"4 4\n0 0\n2dtorus\n", "4 4\n0 1 2\n2dtorus\n", "4 4\n1 0\n5dtorus\n", "4 0\n1 0\n2dtorus\n",
          "4 4\n1 0\ndragonfly\n", "4 4\n1 0\n2dtorus\nmore\n", "60000 60000\n1 0\ntorus\n"})
        CHECK_FALSE(readText(wrong).has_value());
}

TEST_CASE("the output of ibnetdiscover gives hosts, switches and the capacity of their links")
{
    const Topology fabric = machineOf(kFabric);
    CHECK(fabric.nodes() == 3);
    CHECK(fabric.vertices() == 5);
    CHECK(fabric.links() == 8);
    CHECK(fabric.vertexName(0) == "n2");
    CHECK(fabric.vertexName(2) == "n10");
    CHECK(hopsBetween(fabric, "n2", "n10") == 2);
    CHECK(hopsBetween(fabric, "n2", "n3") == 3);
    CHECK(fabric.capacity(fabric.firstLink(0)) == Approx(4 * 13.64f));
    CHECK(fabric.capacity(fabric.firstLink(2)) == Approx(32.0f));
}

TEST_CASE("a list of edges is cables, or directions where every line has its reverse")
{
    const Topology cables = machineOf("# a triangle\na b\nb,c,2.5\nc -- a\n");
    CHECK(cables.nodes() == 3);
    CHECK(cables.links() == 6);
    CHECK(cables.capacity(cables.findLink(1, 2)) == 2.5f);
    const Topology directed = machineOf("0 1\n1 0\n1 2\n2 1\n");
    CHECK(directed.links() == 4);
    const Topology parallel = machineOf("0 1\n0 1\n1 2\n");
    CHECK(parallel.links() == 6);
    const Topology star = machineOf("n1 switch1\nn2 switch1\nn10 sw-2\nswitch1 sw-2\n");
    CHECK(star.nodes() == 3);
    CHECK(hopsBetween(star, "n1", "n10") == 3);
}

TEST_CASE("nodes of a file are in the natural order of their names, in whatever order it names them")
{
    std::string edges;
    for (std::uint32_t i = 0; i < 60; ++i) edges += fmt::format("n{} switch{}\n", i * 37 % 60, i % 7);
    const Topology machine = machineOf(edges + "switch0 switch1\n");
    REQUIRE(machine.nodes() == 60);
    for (std::uint32_t node = 0; node < 60; ++node)
        CHECK(machine.vertexName(node) == fmt::format("n{}", node));
    for (std::uint32_t router = 0; router < 7; ++router)
        CHECK(machine.vertexName(60 + router) == fmt::format("switch{}", router));
}

TEST_CASE("hwloc's XML is a tree from cores to what holds several of them")
{
    const Topology node = machineOf(
        "<?xml version=\"1.0\"?>\n<topology version=\"2.0\">\n<object type=\"Machine\" os_index=\"0\">\n"
        "<object type=\"Package\" os_index=\"0\"><object type=\"NUMANode\" os_index=\"0\"/><object "
        "type=\"L3Cache\">"
        "<object type=\"L2Cache\"><object type=\"Core\" os_index=\"0\"><object type=\"PU\" "
        "os_index=\"0\"/><object type=\"PU\" os_index=\"4\"/></object></object>"
        "<object type=\"L2Cache\"><object type=\"Core\" os_index=\"1\"><object type=\"PU\" "
        "os_index=\"1\"/></object></object></object></object>\n"
        "<object type=\"Package\" os_index=\"1\"><object type=\"Core\" os_index=\"0\"/><object type=\"Core\" "
        "os_index=\"1\"/></object>\n"
        "</object>\n</topology>\n");
    CHECK(node.nodes() == 4);
    CHECK(node.vertices() == 7);
    CHECK(hopsBetween(node, "Core 0", "Core 1") == 2);
    CHECK(hopsBetween(node, "Core 0", "Core 3") == 4);
}

TEST_CASE("a Cartesian topology of an archive is a grid of rings and lines")
{
    CartesianTopology cartesian;
    cartesian.dimensions = {{"x", 4, true}, {"y", 3, false}};
    const Topology grid = topologyOfCartesian(cartesian).value();
    CHECK(grid.spec() == "torus:4x3m");
    CHECK(grid.nodes() == 12);
    CHECK_FALSE(topologyOfCartesian({}).has_value());
}

TEST_CASE("a file that describes no machine is refused, and damage is told with its line")
{
    CHECK(readText("").error().code == ErrorCode::NotRecognized);
    CHECK(readText("just some prose that goes on and on\nand on\n").error().code == ErrorCode::NotRecognized);
    CHECK(readTopologyFile("/no/such/file", Task()).error().code == ErrorCode::NotFound);
    std::string long_list;
    for (int i = 0; i < 2000; ++i) long_list += std::to_string(i) + " " + std::to_string(i + 1) + "\n";
    const auto damaged = readText(long_list + "7 8 9 10 11\n");
    REQUIRE_FALSE(damaged.has_value());
    CHECK(damaged.error().text().find("2001") != std::string::npos);
    CHECK(readText("switch1 switch2\n").error().code == ErrorCode::Malformed);
}

}  // namespace skein::topology_file_test
