// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/task.h"

#include <filesystem>
#include <string>

namespace skein {

/// "sha1:…" that tells whether an archive is the one it was, wherever it was copied to: over the names,
/// relative to the path, and sizes of its files and the first 64 KiB of each of the first 64 of them. Of a
/// folder all files in it count, two levels deep; of a file also what is called like it up to the dot, a
/// folder of that name included (an OTF2 anchor with its definitions and locations). Session files do not
/// count. A change that keeps every size and every beginning is not noticed. O(files).
/// Errors: NotFound, Io (cannot be listed, or more than 200 000 files), Cancelled.
Result<std::string> sourceHash(const std::filesystem::path& path, const Task& task);

}  // namespace skein
