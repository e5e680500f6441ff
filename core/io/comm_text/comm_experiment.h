// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/comm/comm_matrix.h"
#include "core/session/experiment.h"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace skein::comm_text {

/// An experiment that knows nothing but who talked to whom: a process and a location for every rank (for at
/// most 2^18 ranks, beyond which only the matrix is kept), and a node `nid00042` for each where `nodeNumbers`
/// gives the machine's number of the rank's node.
Experiment makeCommExperiment(const std::filesystem::path& path, std::string format, CommMatrix matrix,
                              std::span<const std::uint32_t> nodeNumbers, ImportReport report);

/// All numbers that occur, ascending and once.
std::vector<std::uint32_t> distinctNumbers(std::vector<std::uint32_t> numbers);

/// The position of a number in an ascending list that holds it.
std::uint32_t positionOf(std::span<const std::uint32_t> numbers, std::uint32_t number);

}  // namespace skein::comm_text
