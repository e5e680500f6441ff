// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/table/number_text.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace skein {
namespace {

/// Four significant digits of a number below 10 000.
QString fourDigits(double value)
{
    const double magnitude = std::fabs(value);
    const int before = magnitude < 1.0 ? 1 : static_cast<int>(std::floor(std::log10(magnitude))) + 1;
    return QString::number(value, 'f', std::clamp(4 - before, 0, 3));
}

QString withPrefix(double value, std::span<const char* const> units)
{
    if (!std::isfinite(value)) return "–";
    std::size_t unit = 0;
    for (; unit + 1 < units.size() && std::fabs(value) >= 999.95; ++unit) value /= 1000.0;
    return QString("%1 %2").arg(fourDigits(value), units[unit]);
}

constexpr const char* kTimes[] = {"ns", "µs", "ms", "s"};
constexpr const char* kPrefixes[] = {"", "k", "M", "G", "T", "P"};

}  // namespace

QString tableDuration(double durationNs)
{
    return durationNs == 0.0 ? QString("0 ns") : withPrefix(durationNs, kTimes);
}

QString tableCount(double count)
{
    const bool whole = std::isfinite(count) && std::fabs(count) < 10000.0 && count == std::floor(count);
    return whole ? QString::number(count, 'f', 0) + " " : withPrefix(count, kPrefixes);
}

QString tableNumber(double value) { return tableCount(value); }

QString tablePercent(double fraction)
{
    return std::isfinite(fraction) ? QString::number(fraction * 100.0, 'f', 1) : QString("–");
}

}  // namespace skein
