// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/index/disk/index_contents.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace skein::disk {

inline constexpr std::uint64_t kDefaultSizeLimit = std::uint64_t{50} << 30;

/// Where indexes are kept and how much room they may take. `folder` may be missing; it is made when it is
/// needed.
struct IndexSettings {
    bool enabled = true;
    std::filesystem::path folder;
    std::uint64_t sizeLimit = kDefaultSizeLimit;  ///< bytes of all indexes together
};

/// $XDG_CACHE_HOME/skein, or ~/.cache/skein; $SKEIN_INDEX_DIR and $SKEIN_INDEX_LIMIT ("20GiB") win where they
/// are set.
IndexSettings settingsFromEnvironment();

/// The index of an archive (an absolute path) has a name of its own: a new one replaces the old one.
std::filesystem::path indexFileOf(const std::filesystem::path& folder, const std::filesystem::path& archive);

/// One index in the folder.
struct IndexEntry {
    std::filesystem::path file;
    std::uint64_t bytes = 0;
    std::int64_t usedNs = 0;              ///< Unix time of the last use
    std::optional<IndexSummary> summary;  ///< nothing: see failure
    ErrorCode failure{};                  ///< why there is no summary: AccessDenied and Io, or it is damaged
};

/// All indexes of a folder, the last used first; none where the folder is missing. Reads headers and
/// catalogs. Errors: AccessDenied, Io where the folder cannot be listed.
Result<std::vector<IndexEntry>> listIndexes(const std::filesystem::path& folder);

/// Removes an index and its stamp; false where there is none. Errors: AccessDenied, Io where it stays.
Result<bool> dropIndex(const std::filesystem::path& file);

/// Removes what killed writers left behind, and then the indexes whose last use is longest ago until all fit
/// into `sizeLimit` together. `keep` stays. Returns the number of removed files.
std::size_t tidyIndexes(const std::filesystem::path& folder, std::uint64_t sizeLimit,
                        const std::filesystem::path& keep);

}  // namespace skein::disk
