// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/color/color_stops.h"

#include "core/base/parse_number.h"
#include "views/common/scene/color/color_scale.h"

#include <algorithm>
#include <fmt/format.h>

namespace skein {
namespace {

constexpr double kColorStopGap = 0.01;  ///< between neighbouring stops

}  // namespace

double ColorStops::colorPart(double valuePart) const
{
    if (!(valuePart > 0)) return 0;
    constexpr double kQuarter = 0.25;
    double low = 0, color = 0;
    for (const double stop : at) {
        if (valuePart < stop) return color + kQuarter * (valuePart - low) / (stop - low);
        low = stop;
        color += kQuarter;
    }
    return low >= 1 ? 1 : std::min(1.0, color + kQuarter * (valuePart - low) / (1 - low));
}

Color ColorStops::color(bool dark, double valuePart) const
{
    return sequentialColor(dark, colorPart(valuePart));
}

void ColorStops::move(std::size_t stop, double to)
{
    if (stop >= at.size()) return;
    const double low = kColorStopGap + (stop > 0 ? at[stop - 1] : 0.0);
    const double high = (stop + 1 < at.size() ? at[stop + 1] : 1.0) - kColorStopGap;
    at[stop] = high < low ? at[stop] : std::clamp(to, low, high);
}

std::string ColorStops::text() const { return fmt::format("{:.3f} {:.3f} {:.3f}", at[0], at[1], at[2]); }

ColorStops colorStopsOf(std::string_view text)
{
    ColorStops stops;
    std::size_t found = 0;
    double before = 0;
    while (!text.empty() && found < stops.at.size()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        const auto number = parseNumber<double>(text.substr(0, end));
        if (!number || !(*number > before) || *number >= 1) return {};
        before = stops.at[found++] = *number;
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return found == stops.at.size() && text.empty() ? stops : ColorStops();
}

ColorStops colorStopsOf(const ViewState& state)
{
    const auto panel = state.panels.find(kColorStopsPanel);
    if (panel == state.panels.end()) return {};
    const auto stops = panel->second.find("stops");
    return stops == panel->second.end() ? ColorStops() : colorStopsOf(std::string_view(stops->second));
}

}  // namespace skein
