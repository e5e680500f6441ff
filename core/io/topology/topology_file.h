// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/task.h"
#include "core/definitions/definitions.h"
#include "core/machine/topology.h"

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace skein {

/// One kind of file that describes a machine. Plain functions in a table.
struct TopologyFormat {
    std::string_view id;  ///< "edge-list", "hwloc" …
    std::string_view title;
    bool (*recognizes)(std::string_view text);  ///< by content, quickly
    Result<Topology> (*read)(std::string_view text, const std::string& spec, const Task& task);
};

/// Every format, in alphabetical order of their ids:
///   edge-list `A B [capacity]` a line, blanks or commas between; each line a cable, or one direction where
///   every
///                   line has its reverse; names that begin with switch, router, sw, rt or S- are routers
///   hwloc           XML of lstopo: cores (or processing units) as nodes, what holds several of them as
///   routers ibnetdiscover output of the InfiniBand tool: hosts as nodes, switches as routers, link widths as
///   capacities slurm topology.conf with SwitchName, Nodes and Switches
///   visuco          three lines: sizes of dimensions, their order, and `5dtorus` (rings) or `theta` (all to
///   all in each dimension, an approximation of a dragonfly)
std::span<const TopologyFormat> topologyFormats();

/// Reads a machine from a file, by content. Imported nodes are numbered in the natural order of their names.
/// Errors: NotFound, AccessDenied, NotRecognized, Malformed with the line, OutOfMemory over Topology's
/// limits, Cancelled.
Result<Topology> readTopologyFile(const std::filesystem::path& path, const Task& task);

/// The grid of a Cartesian topology of an archive: a ring for each periodic dimension, a line for others.
/// Errors: InvalidArgument without dimensions, OutOfMemory.
Result<Topology> topologyOfCartesian(const CartesianTopology& cartesian);

}  // namespace skein
