// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <filesystem>

namespace skein::test {

/// Writes a trace of TAU of one thread that calls main() again and again, `calls` times, a microsecond each,
/// into the folder: 48 bytes a call. Gives the path of the records.
std::filesystem::path writeTauCallTrace(const std::filesystem::path& folder, std::size_t calls);

}  // namespace skein::test
