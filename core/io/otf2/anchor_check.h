// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace skein::otf2 {

/// What is wrong with an anchor file, if anything is. libotf2 believes the sizes that stand in it and
/// allocates by them, so they are checked against the file before it is handed over.
std::optional<std::string> anchorDefect(const std::filesystem::path& anchor);

}  // namespace skein::otf2
