// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/machine/rank_map.h"

#include <string_view>
#include <vector>

namespace skein {

/// The hosts of a job as users write them down: one a line or separated by commas, each `name`, `name:slots`,
/// `name slots=N` (Open MPI's host file) or `name*slots`, a range in brackets as Slurm prints it
/// (`nid[000012-000014,7]`), and coordinates in parentheses behind (`node3:16 (0,1,1,0,0)`). `#` starts a
/// comment. A host without a number of slots has `defaultSlots`. Errors: Malformed, naming the line.
Result<std::vector<MapHost>> parseHosts(std::string_view text, std::uint32_t defaultSlots);

}  // namespace skein
