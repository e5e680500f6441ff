// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/task.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace skein {

/// "sha1:…" of a text.
std::string contentHash(std::string_view text);

/// "sha1:…" of what a path holds: a file's bytes; for a folder the names and bytes of all regular files below
/// it, in the order of their names. Tells equal inputs apart from different ones; no protection against
/// forgery. Errors: NotFound, Io, Cancelled.
Result<std::string> contentHash(const std::filesystem::path& path, const Task& task);

}  // namespace skein
