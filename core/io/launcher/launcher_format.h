// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/machine/rank_map.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// The map files that launchers take: how each is written, read back, checked and used.
namespace skein {

/// What a line of the file stands for. Taking one for the other inverts the mapping.
enum class MapFileKind {
    Place,      ///< line r tells the place of rank r
    OrderList,  ///< entry k tells the rank that runs on the k-th slot
    NodeSets,   ///< entry h tells the ranks of host h
};

/// How much of a RankMap the file carries; the rest follows from the launcher's own rules.
enum class MapFileDetail {
    Host,         ///< the host; slots follow from the order of the ranks
    HostAndSlot,  ///< host and slot
};

struct MapFileOptions {
    std::string program = "./a.out";   ///< with its arguments, for the command line
    std::uint32_t coresPerRank = 1;    ///< slot s uses the cores s × coresPerRank …
    std::uint32_t coresPerSocket = 0;  ///< for files that number cores inside sockets; 0: not known
    std::string header;                ///< comment for formats that have comments, one line
};

/// What to type: the lines of environment, the command, and a job script that holds both.
struct LaunchRecipe {
    std::vector<std::string> environment;  ///< "NAME=value"
    std::vector<std::string> commands;     ///< alternatives for different versions, newest last
    std::string jobScript;                 ///< a snippet for the batch system
};

/// One launcher's file. Plain functions in a table; all are pure and thread-safe.
struct LauncherFormat {
    std::string_view id;  ///< "openmpi", "cray" …
    std::string_view title;
    MapFileKind kind;
    MapFileDetail detail;
    bool experimental;          ///< the format was not verified against the launcher itself
    std::string_view fileName;  ///< usual name of the file
    /// The file's text. Fails where the format cannot say what the map says.
    Result<std::string> (*write)(const RankMap& map, const MapFileOptions& options);
    /// The map that the text means on the given hosts. For formats with host names, hosts that are not given
    /// are an error when `hosts` is not empty, and are made up in the order of their appearance when it is.
    Result<RankMap> (*read)(std::string_view text, const std::vector<MapHost>& hosts,
                            const MapFileOptions& options);
    /// What would happen that the user may not expect, one sentence each.
    std::vector<std::string> (*warnings)(const RankMap& map, const MapFileOptions& options);
    LaunchRecipe (*recipe)(const RankMap& map, const MapFileOptions& options, const std::string& file);
    /// True when the text can only be of this format.
    bool (*recognizes)(std::string_view text);
};

/// Every format, in alphabetical order of their ids.
std::span<const LauncherFormat> launcherFormats();

/// The format of that id; null where there is none.
const LauncherFormat* findLauncherFormat(std::string_view id);

/// The one format whose syntax the text has; null where none or several would take it.
const LauncherFormat* recognizeLauncherFormat(std::string_view text);

std::string_view name(MapFileKind kind);

}  // namespace skein
