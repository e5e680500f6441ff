// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/task.h"

#include <cstddef>
#include <filesystem>
#include <vector>

namespace skein {

/// An importer takes a folder for none of its archives when none of so many entries is a file of one.
inline constexpr std::size_t kMaximumSniffed = 20000;

/// Everything directly in a folder, in the order of the names' bytes. O(entries log entries).
/// Errors: AccessDenied (it cannot be listed), Cancelled.
Result<std::vector<std::filesystem::path>> folderEntries(const std::filesystem::path& folder,
                                                         const Task& task);

}  // namespace skein
