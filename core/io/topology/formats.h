// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/topology/topology_file.h"

/// The formats of machine descriptions, one file each; topology_file.h tells what they hold.
namespace skein::topology {

TopologyFormat edgeListFormat();
TopologyFormat hwlocFormat();
TopologyFormat ibnetdiscoverFormat();
TopologyFormat slurmFormat();
TopologyFormat visucoFormat();

}  // namespace skein::topology
