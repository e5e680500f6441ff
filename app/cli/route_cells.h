// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/machine_input.h"

#include <span>
#include <string>
#include <vector>

/// What the commands that list routes have in common.
namespace skein::cli {

/// "1 0 2 1 0 > 1 0 2 0 0 > …": the vertices of a path.
std::string pathText(const Topology& topology, std::span<const LinkIndex> path);

/// The largest load on a path; 0 for an empty one.
std::uint64_t highestLoad(std::span<const LinkIndex> path, const LinkAmounts& loads);

/// --pair A:B, repeated: only messages from rank A to rank B.
void addPairs(CommandLine& line, std::vector<std::string>& pairs);

/// The routes between the nodes of the pairs of ranks that the user named, ascending; all where none is
/// named. Errors: InvalidArgument for a text that is no pair, or a pair without route.
Result<std::vector<std::uint32_t>> chosenRoutes(const RoutedInput& input,
                                                const std::vector<std::string>& pairs);

}  // namespace skein::cli
