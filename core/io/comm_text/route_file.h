// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/io/importer.h"
#include "core/machine/routes.h"

#include <cstdint>
#include <string_view>

namespace skein::comm_text {

/// Routes of a text with lines `Hop k: [src-dst] from (coordinates core) -> to (coordinates core)`, which may
/// come in any order; the core number is dropped. A pair whose hop k is already there begins a new message.
///
/// Cray XC: where most lines show it (nid = 2304 B + 192 A + 64 C + 4 D + E), end points are node numbers,
/// the merged coordinate BC is split, and a route is built from its first `from` and then only from the `to`
/// coordinates, since the recording tool prints stale `from` coordinates at nodes that do not exist. Routes
/// are in the order of (sender, receiver, first line).
///
/// Reported with line numbers: lines that cannot be read, hops that are missing, routes that end before their
/// receiver. Errors: Malformed where no hop is left; Cancelled.
Result<RouteSet> parseRoutes(std::string_view text, std::string_view file, ImportReport& report,
                             const Task& task);

extern const Importer kRouteImporter;

}  // namespace skein::comm_text
