// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace skein {

/// The number that a text is as a whole; nullopt where it is empty, has anything else in it (blanks and a
/// plus included), or is out of range of `Number`. Whole numbers are decimal.
template <typename Number>
std::optional<Number> parseNumber(std::string_view text)
{
    Number value{};
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc() || rest != end) return std::nullopt;
    return value;
}

}  // namespace skein
