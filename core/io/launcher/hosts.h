// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/machine/rank_map.h"

#include <cstddef>
#include <string_view>
#include <vector>

namespace skein {

/// What ranges in brackets may still stand for: a few bytes shall not become gigabytes of names.
struct RangeLimits {
    std::size_t names = std::size_t{1} << 18;  ///< more than any machine has nodes
    std::size_t bytes = std::size_t{1} << 24;  ///< of all these names together
    bool passed = false;                       ///< a range would have stood for more
};

/// The hosts of a job as users write them down: one a line or separated by commas, each `name`, `name:slots`,
/// `name slots=N` (Open MPI's host file) or `name*slots`, a range in brackets as Slurm prints it
/// (`nid[000012-000014,7]`), and coordinates in parentheses behind (`node3:16 (0,1,1,0,0)`). `#` starts a
/// comment. A host without a number of slots has `defaultSlots`. Errors: Malformed, naming the line.
Result<std::vector<MapHost>> parseHosts(std::string_view text, std::uint32_t defaultSlots);
/// The same for one of the lists of a file, whose ranges share their limits.
Result<std::vector<MapHost>> parseHosts(std::string_view text, std::uint32_t defaultSlots,
                                        RangeLimits& limits);

}  // namespace skein
