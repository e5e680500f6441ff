// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/experiment.h"

namespace skein::disk {

/// Whether columns can be made a call tree: as many parents as regions and call sites, parents before their
/// children, regions that are defined. O(nodes).
bool formsTree(const Column<std::uint32_t>& parents, const Column<std::uint32_t>& regions,
               const Column<std::uint32_t>& callSites, const Definitions& definitions);

/// Whether what belongs together has the same number of entries, and every id of a definition names one.
/// Looks at definitions and sizes of columns, never at their contents: O(definitions).
bool isConsistent(const Experiment& experiment);

}  // namespace skein::disk
