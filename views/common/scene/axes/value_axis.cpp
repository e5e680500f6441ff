// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/axes/value_axis.h"

#include "core/base/presentation.h"
#include "core/base/units.h"

#include <algorithm>
#include <cmath>

namespace skein {
namespace {

bool isBytes(std::string_view unit) { return unit == "B" || unit == "bytes" || unit == "byte"; }

/// The step of round numbers that is at least this long.
double roundStep(double least)
{
    const double magnitude = std::pow(10.0, std::floor(std::log10(least)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * magnitude >= least * (1 - 1e-12)) return factor * magnitude;
    return 10 * magnitude;
}

}  // namespace

std::string formatAmount(double amount, std::string_view unit)
{
    if (unit == "ns") return formatDuration(amount);
    if (isBytes(unit)) return formatBytes(amount);
    std::string text = formatCount(amount);
    if (!unit.empty() && unit != "#") text.append(" ").append(unit);
    return text;
}

std::vector<double> roundValues(double from, double to, int most, std::string_view unit)
{
    if (!(from < to) || most < 1 || !std::isfinite(to - from)) return {};
    double prefix = 1;
    const double base = byteUnits() == ByteUnits::Binary ? 1024 : 1000;
    if (isBytes(unit))
        while (prefix * base <= std::max(std::abs(from), std::abs(to))) prefix *= base;
    const double step = prefix * roundStep((to - from) / prefix / most);
    std::vector<double> values;
    const double last = std::floor(to / step * (1 + 1e-12));
    for (double number = std::ceil(from / step - 1e-9); number <= last; ++number)
        values.push_back(number * step);
    return values;
}

}  // namespace skein
