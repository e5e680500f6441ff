// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/launcher/launcher_format.h"

/// `(x)`, `(x,y)` or `(x,y,z)` a line: the logical node of each rank, as Fujitsu's launchers read it. A host
/// without coordinates is its number in the allocation.
namespace skein::launcher {

Result<std::string> writeCoordinateList(const RankMap& map, const MapFileOptions& options);
Result<RankMap> readCoordinateList(std::string_view text, const std::vector<MapHost>& hosts,
                                   const MapFileOptions& options);
std::vector<std::string> coordinateListWarnings(const RankMap& map, const MapFileOptions& options);

}  // namespace skein::launcher
