// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace skein::cli {

/// Appends the text as a JSON string with its quotes: always valid UTF-8, control characters escaped (RFC
/// 8259).
void appendJson(std::string& out, std::string_view text);

/// Valid UTF-8 on one line: control characters are spelled (`\n`, `\x1b`), so that no name can steer a
/// terminal.
std::string printable(std::string_view text);

/// Columns that valid UTF-8 text takes on a terminal: combining marks none, wide East Asian characters two.
std::size_t displayWidth(std::string_view text);

/// The text in at most `width` columns: the middle of a longer one becomes "…".
std::string elided(std::string_view text, std::size_t width);

}  // namespace skein::cli
