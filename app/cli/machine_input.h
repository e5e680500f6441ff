// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/mapping/report/machine_texts.h"
#include "algorithms/routing/route_pairs.h"
#include "algorithms/routing/routing_model.h"
#include "algorithms/routing/traffic.h"
#include "app/cli/command.h"
#include "app/cli/command_line.h"
#include "app/cli/open_session.h"
#include "core/comm/comm_matrix.h"
#include "core/machine/placement.h"
#include "core/machine/rank_map.h"
#include "core/machine/topology.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

/// What the commands about machines have in common: COMM, --topology, --ranks-per-node, --placement,
/// --collectives, and for those that route --routing and --routes.
namespace skein::cli {

struct MachineOptions {
    std::string comm{};
    std::string topology{};
    std::string placement{};
    std::uint32_t ranksPerNode = 0;  ///< 0: as few as needed
    std::string window{};
    std::optional<RankMap> rankMap{};  ///< where the ranks are; wins over `placement`
    std::string collectives{};         ///< "none", "default" or an algorithm; empty: none
};

struct RoutingOptions {
    std::string routing = "auto";
    std::string routes{};
    bool recordedOnly = false;
};

void addMachineOptions(CommandLine& line, MachineOptions& options);
void addRoutingOptions(CommandLine& line, RoutingOptions& options);

/// A machine from a spec, or as `topology:FILE` from a description of it or an archive with a Cartesian
/// topology.
Result<Topology> topologyOf(const std::string& spec, const Invocation& invocation);

/// Communication on a machine, read and placed.
struct MachineInput {
    OpenSession session;
    std::shared_ptr<const CommMatrix> matrix;
    Topology topology;
    Placement placement;
    std::string placementName;
    std::string placementRemark;  ///< see NamedPlacement
    std::string
        collectives;  ///< what became of the trace's collective operations; empty where there is no trace

    const Experiment& experiment() const { return *session.session.experiments.front(); }
};
Result<MachineInput> openMachine(const MachineOptions& options, const Invocation& invocation);

/// Nodes of the machine as hosts of a map, by the names that the run gave them: those of the machine's
/// description, else the archive's, where all ranks of every node ran on one host of its own, else node0,
/// node1, ….
std::vector<MapHost> hostsOfNodes(const MachineInput& input, std::span<const std::uint32_t> nodes);

/// Communication on a machine, read, placed and routed.
struct RoutedInput {
    MachineInput machine;
    RoutingModel model;
    std::optional<MeasuredPaths> measured;
    Traffic traffic;
};
/// Routes of COMM itself, where it is a route file, are taken as they are; those of --routes win over the
/// model.
Result<RoutedInput> openRouted(const MachineOptions& machine, const RoutingOptions& routing,
                               const Invocation& invocation);

}  // namespace skein::cli
