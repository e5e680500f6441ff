// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/importer.h"

#include <filesystem>
#include <optional>

namespace skein::comm_text {

/// The analysis directory of visuco (Fujiwara et al., VAST 2017) that a path is, or whose file it is; nullopt
/// for all others. Looks at the first lines of two files.
std::optional<std::filesystem::path> visucoDirectoryOf(const std::filesystem::path& path);

/// Such directories: where ranks are (vertices.csv), the ways of their messages (routes.csv, route_list.csv)
/// and the machine (mapping.csv). edges.csv and summary.csv, which follow from these, are compared with them.
/// All others hold what is worked out anew: the graph with nodes joined, places of vertices, matrices, and
/// what METIS reads and writes.
extern const Importer kVisucoImporter;

}  // namespace skein::comm_text
