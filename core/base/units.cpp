// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/units.h"

#include "core/base/presentation.h"

#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <span>
#include <string_view>

namespace skein {
namespace {

std::string withSignificantDigits(double value)
{
    const double magnitude = std::fabs(value);
    if (magnitude == 0.0) return "0";
    const int before = std::max(1, static_cast<int>(std::floor(std::log10(magnitude))) + 1);
    std::string text = fmt::format("{:.{}f}", value, std::max(0, 4 - before));
    if (text.find('.') == std::string::npos) return text;
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text == "-0" ? "0" : text;
}

std::string withPrefix(double value, double step, std::span<const std::string_view> units)
{
    std::size_t unit = 0;
    // 999.95 would be printed as "1000" of the smaller unit.
    while (unit + 1 < units.size() && std::fabs(value) >= step - 0.05) {
        value /= step;
        ++unit;
    }
    return fmt::format("{} {}", withSignificantDigits(value), units[unit]);
}

}  // namespace

std::string formatDuration(double durationNs)
{
    if (!std::isfinite(durationNs)) return "–";
    constexpr std::array<std::string_view, 4> units{"ns", "µs", "ms", "s"};
    return withPrefix(durationNs, 1000.0, units);
}

std::string formatBytes(double bytes)
{
    if (!std::isfinite(bytes)) return "–";
    constexpr std::array<std::string_view, 7> binary{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    constexpr std::array<std::string_view, 7> decimal{"B", "kB", "MB", "GB", "TB", "PB", "EB"};
    return byteUnits() == ByteUnits::Binary ? withPrefix(bytes, 1024.0, binary)
                                            : withPrefix(bytes, 1000.0, decimal);
}

std::string formatCount(double count)
{
    if (!std::isfinite(count)) return "–";
    if (std::fabs(count) < 10000.0) return withSignificantDigits(count);
    constexpr std::array<std::string_view, 6> units{"", "k", "M", "G", "T", "P"};
    return withPrefix(count, 1000.0, units);
}

std::string formatNumber(double value)
{
    if (!std::isfinite(value)) return "–";
    const double magnitude = std::fabs(value);
    if (magnitude != 0.0 && (magnitude < 1e-4 || magnitude >= 1e15)) return fmt::format("{:.4g}", value);
    if (magnitude != 0.0 && magnitude < 0.1) return fmt::format("{:.4g}", value);
    return withSignificantDigits(value);
}

std::string formatGrouped(std::int64_t value)
{
    const std::string digits = fmt::format("{}", value);
    const std::size_t first = digits[0] == '-' ? 1 : 0;
    std::string result = digits.substr(0, first);
    for (std::size_t i = first; i < digits.size(); ++i) {
        if (i > first && (digits.size() - i) % 3 == 0) result += ',';
        result += digits[i];
    }
    return result;
}

std::optional<std::uint64_t> parseBytes(std::string_view text)
{
    constexpr std::string_view kPrefixes = "kmgt";
    double number = 0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || !(number >= 0)) return std::nullopt;
    std::string unit;
    for (const char* at = rest; at != text.data() + text.size(); ++at)
        if (*at != ' ') unit += static_cast<char>(std::tolower(static_cast<unsigned char>(*at)));
    double factor = 1;
    if (!unit.empty() && kPrefixes.find(unit.front()) != std::string_view::npos) {
        factor = std::pow(1024.0, static_cast<double>(kPrefixes.find(unit.front()) + 1));
        unit.erase(0, 1);
        if (unit.starts_with('i')) unit.erase(0, 1);
    }
    if (!unit.empty() && unit != "b") return std::nullopt;
    const double bytes = number * factor;
    if (!(bytes <= 0x1p62)) return std::nullopt;
    return static_cast<std::uint64_t>(bytes);
}

}  // namespace skein
