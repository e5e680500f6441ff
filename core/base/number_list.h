// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace skein {

/// "0,5,10-19" as numbers in the order written; empty text gives none. Errors: InvalidArgument for other text
/// or ranges over 2^24 numbers in all.
Result<std::vector<std::uint32_t>> parseNumbers(std::string_view text);

/// Lists of numbers separated by ';': "0,1;8-11".
Result<std::vector<std::vector<std::uint32_t>>> parseNumberGroups(std::string_view text);

}  // namespace skein
