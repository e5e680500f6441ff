// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/calltree/text_pattern.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace skein {

/// A JSON value that knows where it stood in the text, so that what is wrong with it can be pointed at.
struct PositionedJson {
    enum class Kind : std::uint8_t { Null, Boolean, Number, Text, List, Object };

    Kind kind = Kind::Null;
    double number = 0.0;  ///< of booleans 0 and 1
    std::string text;
    std::vector<PositionedJson> items;                      ///< of lists, and the values of objects
    std::vector<std::pair<std::string, std::size_t>> keys;  ///< of objects: each with its offset
    std::size_t begin = 0;
    std::size_t end = 0;
};

/// For short texts that people write: at most 64 levels deep. O(length).
tl::expected<PositionedJson, TextProblem> parsePositionedJson(std::string_view text);

}  // namespace skein
