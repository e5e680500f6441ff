// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/hatchet/hatchet_graph.h"
#include "core/io/importer.h"

namespace skein::hatchet {

/// Hatchet's JSON: literals and graph frames. Columns called `time` count as seconds; others keep their
/// numbers.
extern const Importer kHatchetImporter;

/// The experiment of a graph: a region for every different frame, a location for every rank (one where there
/// are none). `NAME (inc)` is the inclusive amount of `NAME`; where only one of the two is there the other is
/// worked out.
Experiment experimentOf(const Graph& graph, const std::filesystem::path& path, ImportReport report);

}  // namespace skein::hatchet
