// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace skein::cli {

/// The program's version, as the build knows it: "0.1.0".
std::string_view version();

}  // namespace skein::cli
