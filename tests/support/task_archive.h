// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

namespace skein::test {

/// Writes an OTF2 archive of tasks as APEX records those of HPX into a new folder; gives its anchor file.
/// Attribute "GUID" numbers the tasks, "Parent GUID" names who made them:
///
///     Rank 0   start (1, of 0) 0–10 ns left as "stop"; wait (1, of 0) 500–900 ns
///     Rank 1   work (2, of 1) 100–200 ns left as "stop", with an attribute "bytes" = 4096 inside
///              work (3, of 2) 600–700 ns
std::filesystem::path writeTaskArchive(const std::filesystem::path& folder);

}  // namespace skein::test
