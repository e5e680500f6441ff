// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/task.h"
#include "core/machine/placement.h"
#include "core/machine/rank_map.h"
#include "core/machine/topology.h"
#include "core/session/experiment.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

/// Machines and placements in the words of the user: what the command line and the machine panel take.
/// docs/MACHINES.md tells the words.
namespace skein {

/// Opens an archive that a machine's description names.
using ArchiveOpener = std::function<Result<ExperimentPtr>(const std::filesystem::path&, const Task&)>;

/// A machine from a spec, or as `topology:FILE` from a description of it or an archive that tells one.
/// Errors: those of makeTopology() and readTopologyFile(); NotRecorded for an archive without.
Result<Topology> topologyOfText(const std::string& text, const ArchiveOpener& open, const Task& task);

/// The first Cartesian topology of an archive, or the machine that it names otherwise. Errors: NotRecorded.
Result<Topology> topologyOfArchive(const Experiment& experiment, const Task& task = Task());

/// The spec that an archive names instead of a Cartesian topology; empty: none.
std::string machineNamedBy(const Experiment& experiment);

/// The spec of the dragonfly whose node numbers a product of all-to-all levels has that stands for a Cray XC;
/// empty for other machines.
std::string dragonflyOfCrayXc(const Topology& topology);

/// Where the ranks run: "block", "cyclic", an order such as ABCDET, "hosts" (the archive's), or a launcher's
/// map file. Empty: the archive's hosts where they tell the machine's nodes by name or number, or are as many
/// as the machine has nodes (several, which then are its nodes in natural order) with no more ranks than a
/// node holds; else block. `description` tells what was taken, `remark` in a sentence what of a map file is
/// not as asked for: that it places ranks which do not communicate, or more on a node than would hold all;
/// empty where nothing is.
struct NamedPlacement {
    Placement placement;
    std::string description;
    std::string remark = {};
};
Result<NamedPlacement> placementOf(const std::string& text, const Topology& topology,
                                   const Experiment& experiment, std::uint32_t ranks,
                                   std::uint32_t ranksPerNode);

/// Such a remark on a map: `ranks` communicate, `ranksPerNode` were asked for, 0: as few as hold all.
std::string remarkOnMap(const Placement& placement, std::uint32_t ranks, std::uint32_t ranksPerNode);

/// Nodes of the machine as hosts of a map, by the names that the run gave them: those of the machine's
/// description, else the archive's, where all ranks of every node ran on one host of its own, else node0,
/// node1, ….
std::vector<MapHost> hostsOfNodes(const Topology& topology, const Placement& placement,
                                  const Definitions& definitions, std::span<const std::uint32_t> nodes);

}  // namespace skein
