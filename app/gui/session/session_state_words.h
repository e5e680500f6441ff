// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>

/// The words of a view state in session files, in the order of the enumerations that they stand for.
namespace skein::gui {

inline constexpr std::array kColors{"region", "group", "depth", "duration", "metric"};
inline constexpr std::array kColorScalings{"linear", "logarithmic"};
inline constexpr std::array kGroupings{"role", "recorded"};
inline constexpr std::array kWaitMarks{"when_looked_for", "hidden", "shown"};
inline constexpr std::array kComparedPer{"total", "rank", "location", "call", "phase"};
inline constexpr std::array kMessageLines{"hidden", "shown"};
inline constexpr std::array kRowKinds{"experiment", "node", "process"};
inline constexpr auto kCallsName = "Calls";

template <std::size_t Count>
const char* wordAt(const std::array<const char*, Count>& names, std::size_t index)
{
    return index < Count ? names[index] : names[0];
}

template <std::size_t Count>
std::optional<std::size_t> indexOf(const std::array<const char*, Count>& names, const std::string& name)
{
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) return std::nullopt;
    return static_cast<std::size_t>(found - names.begin());
}

}  // namespace skein::gui
