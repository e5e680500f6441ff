// SPDX-License-Identifier: GPL-3.0-or-later
// Prints a machine for Scotch, so that its maps can be compared with ours on any machine.
//   skein-machine-graph SPEC GRAPH NODES
// GRAPH is a Scotch source graph of all nodes and routers, NODES the list of the nodes, for `amk_grf GRAPH
// TARGET -lNODES`.
#include "core/machine/topology_spec.h"

#include <cstdio>
#include <fmt/format.h>
#include <fstream>
#include <set>
#include <string>

namespace {

/// Neighbours whatever the direction of the link; parallel links count once.
std::set<std::uint32_t> neighboursOf(const skein::Topology& machine, std::uint32_t vertex)
{
    std::set<std::uint32_t> found;
    for (auto link = machine.firstLink(vertex); link < machine.firstLink(vertex + 1); ++link)
        found.insert(machine.target(link));
    return found;
}

void writeGraph(const skein::Topology& machine, std::ostream& out)
{
    std::string lines;
    std::size_t arcs = 0;
    for (std::uint32_t vertex = 0; vertex < machine.vertices(); ++vertex) {
        const auto neighbours = neighboursOf(machine, vertex);
        arcs += neighbours.size();
        lines += fmt::format("{}", neighbours.size());
        for (const std::uint32_t neighbour : neighbours) lines += fmt::format(" {}", neighbour);
        lines += '\n';
    }
    out << fmt::format("0\n{} {}\n0 000\n{}", machine.vertices(), arcs, lines);
}

void writeNodes(const skein::Topology& machine, std::ostream& out)
{
    out << machine.nodes() << '\n';
    for (std::uint32_t node = 0; node < machine.nodes(); ++node) out << node << '\n';
}

}  // namespace

int main(int count, char** arguments)
{
    if (count != 4) {
        fmt::print(stderr, "usage: skein-machine-graph SPEC GRAPH NODES\n");
        return 2;
    }
    const auto machine = skein::makeTopology(arguments[1]);
    if (!machine) {
        fmt::print(stderr, "{}\n", machine.error().message);
        return 1;
    }
    std::ofstream graph(arguments[2]);
    std::ofstream nodes(arguments[3]);
    writeGraph(*machine, graph);
    writeNodes(*machine, nodes);
    return graph.flush() && nodes.flush() ? 0 : 1;
}
