// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <variant>

namespace skein {

/// A number in words of its own: "+1.2 MiB". It is sorted and copied as the number.
struct WordedNumber {
    std::string text;
    double value = 0;
};

/// A cell of a table: a text, or a number in the unit of its column: bytes, parts of one, ns.
using TableCell = std::variant<std::string, double, WordedNumber>;

}  // namespace skein
