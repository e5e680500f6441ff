// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/experiment.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

/// Facts about Cube profiles that another reader has counted: a row a file, metric and call path.
namespace skein::test {

struct CubeFact {
    std::string file, metric, unit, stored, path;
    std::uint64_t cnode = 0;
    double inclusive = 0, exclusive = 0;
};

/// Reads the table; fields may be quoted.
std::vector<CubeFact> readCubeFacts(const std::filesystem::path& file);

/// The names from the root to a call path; a '/' within a name is "\/".
std::string factPath(const Experiment& experiment, CallPathId path);

/// Of a column, the sums over all locations of each call path.
struct CallPathSums {
    std::vector<double> inclusive, exclusive;
};

/// Reads the column where it is not there yet; the test fails where that fails.
CallPathSums callPathSums(const Experiment& experiment, std::size_t column);

}  // namespace skein::test
