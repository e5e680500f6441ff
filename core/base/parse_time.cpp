// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/parse_time.h"

#include <array>
#include <charconv>
#include <cmath>

namespace skein {
namespace {

struct TimeUnit {
    std::string_view name;
    double ns;
};

constexpr std::array<TimeUnit, 9> kTimeUnits{{{"", 1.0},
                                              {"ns", 1.0},
                                              {"us", 1e3},
                                              {"µs", 1e3},
                                              {"μs", 1e3},
                                              {"ms", 1e6},
                                              {"s", 1e9},
                                              {"min", 6e10},
                                              {"h", 3.6e12}}};

std::string_view withoutBlanks(std::string_view text)
{
    const auto first = text.find_first_not_of(' ');
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

}  // namespace

std::optional<TimeNs> parseTime(std::string_view text)
{
    text = withoutBlanks(text);
    TimeNs whole = 0;
    const char* const end = text.data() + text.size();
    if (const auto [rest, error] = std::from_chars(text.data(), end, whole);
        error == std::errc() && rest == end)
        return whole;
    double value = 0.0;
    const auto [rest, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc() || !std::isfinite(value)) return std::nullopt;
    const std::string_view unitName = withoutBlanks({rest, static_cast<std::size_t>(end - rest)});
    for (const TimeUnit& unit : kTimeUnits) {
        if (unit.name != unitName) continue;
        const double ns = std::round(value * unit.ns);
        if (std::fabs(ns) > 9.2e18) return std::nullopt;
        return static_cast<TimeNs>(ns);
    }
    return std::nullopt;
}

}  // namespace skein
