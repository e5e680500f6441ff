// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/task.h"

#include <filesystem>
#include <vector>

namespace skein {

/// Everything directly in a folder, in the order of the names' bytes. O(entries log entries).
/// Errors: AccessDenied (it cannot be listed), Cancelled.
Result<std::vector<std::filesystem::path>> folderEntries(const std::filesystem::path& folder,
                                                         const Task& task);

}  // namespace skein
