// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>

namespace skein::bench {

/// Reads every definition and event of the archive with libotf2 into callbacks that do nothing: the least
/// that any importer can need. Each of the `threads` threads has a reader of its own and every threads-th
/// location. Returns the number of events; 0 when the archive cannot be read.
std::uint64_t readIntoEmptyCallbacks(const std::filesystem::path& anchor, unsigned threads);

}  // namespace skein::bench
