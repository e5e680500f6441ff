// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/task.h"
#include "core/io/tau_profile/raw_profile.h"

#include <filesystem>
#include <string_view>

namespace skein::tau {

/// True when a file that begins like this is a packed profile: a gzip stream that unpacks to "PPK" in UTF-16.
bool isPackedProfile(std::string_view head);

/// Reads a packed profile (.ppk) of ParaProf: gzip; big-endian; strings as a 16-bit length and bytes;
/// versions 1 and 2. The file is unpacked piece by piece and no further than a limit (64 MiB, or 64 times the
/// file where that is more), so that a small file cannot fill the memory. What was read before an error is
/// kept and the error reported. Errors: those of openFileBytes, Unsupported (a newer format), Cancelled.
Result<RawProfile> readPackedProfile(const std::filesystem::path& path, const Task& task);

/// The same from memory.
Result<RawProfile> parsePackedProfile(std::string_view bytes, std::string_view file, const Task& task);

}  // namespace skein::tau
