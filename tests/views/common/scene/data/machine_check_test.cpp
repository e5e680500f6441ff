// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/data/machine_check.h"

#include "tests/support/catch.h"
#include "tests/support/paths.h"
#include "tests/support/scenes.h"
#include "views/machine_setup/machine_sketch_scene.h"

#include <fstream>
#include <set>

namespace skein::machine_check_test {
namespace {

SessionPtr oneExperiment()
{
    Experiment experiment;
    experiment.name = "sums";
    experiment.commMatrix =
        std::make_shared<const CommMatrix>(8, std::vector<CommMatrix::Entry>{{0, 7, 1, 100}});
    auto session = std::make_shared<Session>();
    session->experiments.push_back(std::make_shared<const Experiment>(std::move(experiment)));
    return session;
}

MachineCheck checkOf(const MachineChoice& choice)
{
    ResultStore results;
    return checkMachine(results, oneExperiment(), 0, choice, 8, Task()).value();
}

std::filesystem::path fileWith(const test::TemporaryFolder& folder, const char* name, const char* text)
{
    const auto path = folder.path() / name;
    std::ofstream(path) << text;
    return path;
}

}  // namespace

TEST_CASE("machine check: what is assumed is told in sentences")
{
    const MachineCheck check = checkOf({.topology = "torus:4x2"});
    CHECK(check.good());
    CHECK(
        check.facts
        == "Grid of 8 nodes and 24 directed links. 8 ranks on 8 of 8 nodes, at most 1 each, placed by block. "
           "Messages go by dimension-order:AB.");
    CHECK(checkOf({}).facts.starts_with("No machine"));
    CHECK(checkOf({.topology = "mesh:4"}).machine->placement.ranksPerNode() == 2);
}

TEST_CASE("machine check: what of a map is not as asked for is told with the rest")
{
    const test::TemporaryFolder folder;
    std::string map = "rank,host,slot\n";
    for (int rank = 0; rank < 9; ++rank)
        map +=
            std::to_string(rank) + ",node" + std::to_string(rank / 3) + "," + std::to_string(rank % 3) + "\n";
    const MachineCheck check =
        checkOf({.topology = "torus:8", .placement = fileWith(folder, "map.csv", map.c_str()).string()});
    REQUIRE(check.good());
    CHECK(check.facts.find("The map places 9 ranks, of which 8 communicate.") != std::string::npos);
    CHECK(check.facts.find("uses up to 3 places for ranks on a node, where 1 would hold all")
          != std::string::npos);
}

TEST_CASE("machine check: each part of a choice is blamed for what it has wrong")
{
    const auto wrongOf = [](const MachineChoice& choice) {
        const MachineCheck check = checkOf(choice);
        CHECK_FALSE(check.problem.empty());
        CHECK_FALSE(check.machine);
        return check.wrong;
    };
    CHECK(wrongOf({.topology = "torus:4x"}) == MachinePart::Topology);
    CHECK(wrongOf({.topology = "torus:100000x10000"}) == MachinePart::Topology);
    CHECK(wrongOf({.topology = "topology:no/such/file"}) == MachinePart::Topology);
    CHECK(wrongOf({.topology = "mesh:4", .ranksPerNode = 1}) == MachinePart::Placement);
    CHECK(wrongOf({.topology = "mesh:8", .placement = "nonsense"}) == MachinePart::Placement);
    CHECK(wrongOf({.topology = "mesh:8", .routing = "d-mod-k"}) == MachinePart::Routing);
    CHECK(wrongOf({.topology = "mesh:8", .routes = "no/such/file"}) == MachinePart::Routes);
    ResultStore results;
    const MachineChoice bad{.topology = "mesh:8", .collectives = "magic"};
    CHECK(checkMachine(results, oneExperiment(), 0, bad, 8, Task())->wrong == MachinePart::Collectives);
}

TEST_CASE("machine check: a file becomes the part of the machine that it describes")
{
    const test::TemporaryFolder folder;
    const auto slurm =
        fileWith(folder, "topology.conf", "SwitchName=s0 Nodes=n[1-4]\nSwitchName=s1 Switches=s0\n");
    CHECK(choiceWithFile({}, slurm, Task())->topology == "topology:" + slurm.string());
    const auto edges = fileWith(folder, "edges", "a b\nb c\nc a\n");
    CHECK(choiceWithFile({}, edges, Task())->topology == "topology:" + edges.string());
    const auto map = fileWith(folder, "rankfile", "rank 0=n1 slot=0\nrank 1=n2 slot=0\n");
    const auto placed = choiceWithFile({.topology = "mesh:2"}, map, Task()).value();
    CHECK(placed.placement == map.string());
    CHECK(placed.topology == "mesh:2");
    const auto nothing = fileWith(folder, "note.txt", "\x01\x02 nothing of the kind");
    CHECK(choiceWithFile({}, nothing, Task()).error().code == ErrorCode::NotRecognized);
    CHECK_FALSE(choiceWithFile({}, folder.path() / "absent", Task()));
}

TEST_CASE("machine sketch: every vertex has a place of its own, and the picture can be read")
{
    for (const char* spec : {"torus:4x3x2", "hypercube:5", "dragonfly:5x4x2", "fattree:k=2,n=3", "mesh:1"}) {
        const MachineCheck check = checkOf({.topology = spec, .ranksPerNode = 8});
        REQUIRE(check.topology);
        const auto places = machinePlaces(*check.topology);
        REQUIRE(places.size() == check.topology->vertices());
        std::set<std::pair<double, double>> once;
        for (const Point& place : places) once.emplace(place.x, place.y);
        CHECK(once.size() == places.size());
        const test::PlainCanvas plain(400, 300);
        const DrawList list = machineSketchScene({check.topology, check.machine}, plain.canvas, Task());
        CHECK(test::unreadable(list, plain.measure) == "");
        for (const RectItem& dot : test::itemsOf<RectItem>(list)) {
            CHECK(dot.rect.x >= 0);
            CHECK(dot.rect.right() <= 400);
            CHECK(dot.rect.bottom() <= 300);
        }
    }
    ResultStore results;
    const auto huge = checkMachine(results, oneExperiment(), 0, {.topology = "torus:128x128x64"}, 8, Task());
    const test::PlainCanvas plain(400, 300);
    CHECK(test::itemsOf<RectItem>(machineSketchScene({huge->topology, huge->machine}, plain.canvas, Task()))
              .empty());
}

}  // namespace skein::machine_check_test
