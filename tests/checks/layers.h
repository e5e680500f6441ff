// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace skein::checks {

constexpr int kNoLayer = 5;  ///< tests and examples

/// 0 for core, up to 4 for python.
int layerOf(std::string_view path);

bool isScene(std::string_view path);

bool mustBeFreeOfQt(std::string_view path);

}  // namespace skein::checks
