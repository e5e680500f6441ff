// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/machine/topology.h"

#include <string_view>

namespace skein {

/// Builds a machine from its description; docs/MACHINES.md tells the syntax and the numbering of each:
///   torus:4x4x4x16x2   mesh:8x8x8   torus:4x4x4x8mx2 (dimension D is a mesh)   hamming:12x2x3x16x4
///   hypercube:10 dragonfly:9x4x2    dragonfly:groups=10,routers=16x6,nodes=4,global=960,rule=circulant
///   fattree:k=4,n=3    fattree:xgft(2;4,4;1,2)    fattree:2;4,4;1,2;1,2
/// Machines in files (`topology:FILE`) are read by core/io/topology.
/// Errors: InvalidArgument that quotes the part that is wrong and shows an example; OutOfMemory for a machine
/// over Topology's limits, before anything is allocated; Cancelled.
Result<Topology> makeTopology(std::string_view spec, const Task& task = Task());

/// True when the text begins like a spec of makeTopology: a known kind and a colon.
bool looksLikeTopologySpec(std::string_view text);

}  // namespace skein
