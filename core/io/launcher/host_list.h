// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/launcher/launcher_format.h"

/// `host:count` lines that ranks fill in file order, as MPICH's Hydra and Intel MPI read them.
namespace skein::launcher {

Result<std::string> writeHostList(const RankMap& map, const MapFileOptions& options);
Result<RankMap> readHostList(std::string_view text, const std::vector<MapHost>& hosts,
                             const MapFileOptions& options);

}  // namespace skein::launcher
