// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/launcher/launcher_format.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

/// The files that a remapping leaves for the rerun.
namespace skein {

/// How a map came about, for the JSON file beside it.
struct MapProvenance {
    std::string source;      ///< what the communication was read from
    std::string sourceHash;  ///< contentHash of it
    std::string objective;   ///< "hop-bytes" …
    double objectiveBefore = 0;
    double objectiveAfter = 0;
    std::string method;
    std::uint64_t seed = 0;
    std::uint64_t steps = 0;
    double seconds = 0;
};

/// mapping.csv: rank,host,slot,core,coords,old_host,old_slot; the old columns are empty without a placement
/// before.
std::string mappingTable(const RankMap& map, const std::optional<RankMap>& before,
                         std::uint32_t coresPerRank);

/// What writeMapFiles wrote.
struct WrittenMap {
    std::filesystem::path map;      ///< the launcher's file
    std::filesystem::path table;    ///< FILE.mapping.csv
    std::filesystem::path sidecar;  ///< FILE.json
    std::filesystem::path script;   ///< FILE.sh, the job-script snippet
    std::vector<std::string> warnings;
    LaunchRecipe recipe;
};

/// The text of the map in the format, read back and compared as far as the format carries it. Fails where
/// what was read is not what was meant, or where the map itself is not valid.
Result<std::string> verifiedMapText(const RankMap& map, const LauncherFormat& format,
                                    const MapFileOptions& options);

/// Writes the launcher's file, the table, the JSON sidecar and the job-script snippet beside it. Every file
/// is written through OutputFile, so it is there whole or not at all, and where one cannot be written none
/// is.
Result<WrittenMap> writeMapFiles(const std::filesystem::path& file, const RankMap& map,
                                 const LauncherFormat& format, const MapFileOptions& options,
                                 const MapProvenance& provenance, const std::optional<RankMap>& before);

/// Reads a map file. `format` null: the one format whose syntax the text has, else NotRecognized.
Result<RankMap> readMapFile(const std::filesystem::path& file, const LauncherFormat* format,
                            const std::vector<MapHost>& hosts, const MapFileOptions& options);

/// True when the maps mean the same as far as a format with that detail can tell: host names by rank, and
/// slots.
bool sameMap(const RankMap& a, const RankMap& b, MapFileDetail detail);

}  // namespace skein
