// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/task.h"
#include "core/index/disk/index_contents.h"

#include <filesystem>
#include <string>
#include <vector>

namespace skein::disk {

/// The mark that stands beside an index file once its checksums were found right: it names the file's inode,
/// size and times of change. As long as these are the same the bytes are those that were checked, and need
/// not be read again. Its own time of change tells when the index was used last.
std::filesystem::path stampOf(const std::filesystem::path& index);

/// Writes the stamp of a file that has just been checked or written; waits until the file system's clock has
/// moved past the file's time of change, so that a later change cannot bear the same time (some 30 ms).
void stampIndex(const std::filesystem::path& index);

/// Maps an index file. Its columns lie in the file and keep it mapped, even when it is removed or replaced.
/// The header, the catalog and all sizes are always checked, the payload as `verify` says (above 5 GB/s a
/// core). Errors: NotFound; Malformed: damaged, or of another kind, version or byte order; Cancelled.
Result<IndexContents> openIndex(const std::filesystem::path& index, Verify verify, const Task& task);

/// What an index file says about itself; checks header and catalog. Errors: NotFound, Malformed.
Result<IndexSummary> readSummary(const std::filesystem::path& index);

/// Numbers of the payload's blocks (1 MiB each) whose bytes do not fit their checksum. Errors as openIndex.
Result<std::vector<std::size_t>> damagedBlocks(const std::filesystem::path& index, const Task& task);

}  // namespace skein::disk
