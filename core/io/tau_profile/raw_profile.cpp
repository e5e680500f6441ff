// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/tau_profile/raw_profile.h"

#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace skein::tau {

bool isProfileValue(double value)
{
    // Sums over a million locations of the largest allowed value stay finite.
    constexpr double kLargest = 1e100;
    return std::isfinite(value) && value >= 0.0 && value <= kLargest;
}

double checkedValue(double value, ImportReport& report, std::string_view file, std::int64_t offset)
{
    if (isProfileValue(value)) return value;
    report.add(IssueKind::CorruptRecord, file, "", fmt::format("value {} taken as 0", value), offset);
    return 0.0;
}

std::optional<double> takeNumber(std::string_view& text)
{
    const auto first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return std::nullopt;
    text.remove_prefix(first + (text[first] == '+' ? 1 : 0));
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc::invalid_argument) return std::nullopt;
    const std::string_view digits = text.substr(0, static_cast<std::size_t>(end - text.data()));
    text.remove_prefix(digits.size());
    if (!text.empty() && std::string_view(" \t\r\n").find(text[0]) == std::string_view::npos)
        return std::nullopt;
    if (error != std::errc::result_out_of_range) return value;
    const bool tiny =
        digits.find("e-") != std::string_view::npos || digits.find("E-") != std::string_view::npos;
    return tiny ? 0.0 : std::numeric_limits<double>::infinity();
}

}  // namespace skein::tau
