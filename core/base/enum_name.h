// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace skein {

/// The name of an enumerator from a table in the order of their values; "invalid" for a value beyond it, as
/// damaged files have them. Pure.
template <typename Enum, std::size_t Size>
std::string_view nameAt(const std::array<std::string_view, Size>& names, Enum value)
{
    const auto index = static_cast<std::size_t>(value);
    return index < Size ? names[index] : std::string_view("invalid");
}

}  // namespace skein
