// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/color/color_stops.h"

#include "core/base/parse_number.h"
#include "views/common/scene/color/color_scale.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <vector>

namespace skein {
namespace {

constexpr double kColorStopGap = 0.01;  ///< between neighbouring stops
constexpr std::size_t kHexDigits = 6;

std::vector<std::string_view> wordsOfStops(std::string_view text)
{
    std::vector<std::string_view> words;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        words.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return words;
}

bool readStopColor(std::string_view word, std::optional<Color>& color)
{
    if (word == "-") return true;
    std::uint32_t rgb = 0;
    const char* const end = word.data() + word.size();
    const auto [rest, error] = std::from_chars(word.data(), end, rgb, 16);
    if (word.size() != kHexDigits || error != std::errc() || rest != end) return false;
    color = withAlpha(fromArgb(rgb), 255);
    return true;
}

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

bool ColorStops::hasOwnColors() const
{
    return std::ranges::any_of(own, [](const auto& color) { return color.has_value(); });
}

Color ColorStops::anchor(bool dark, std::size_t index, double least) const
{
    if (own[index]) return *own[index];
    const double part = static_cast<double>(index) / (kColors - 1);
    return sequentialColor(dark, least + (1 - least) * part);
}

Color ColorStops::color(bool dark, double valuePart, double least) const
{
    const double part = colorPart(valuePart);
    if (!hasOwnColors()) return sequentialColor(dark, least + (1 - least) * part);
    const double place = part * (kColors - 1);
    const auto below = std::min(static_cast<std::size_t>(place), kColors - 2);
    return mix(anchor(dark, below, least), anchor(dark, below + 1, least),
               place - static_cast<double>(below));
}

ColorStops greyStops(bool dark)
{
    ColorStops stops;
    for (std::size_t i = 0; i < ColorStops::kColors; ++i)
        stops.own[i] = greyScaleColor(dark, static_cast<double>(i) / (ColorStops::kColors - 1));
    return stops;
}

void ColorStops::move(std::size_t stop, double to)
{
    if (stop >= at.size()) return;
    const double low = kColorStopGap + (stop > 0 ? at[stop - 1] : 0.0);
    const double high = (stop + 1 < at.size() ? at[stop + 1] : 1.0) - kColorStopGap;
    at[stop] = high < low ? at[stop] : std::clamp(to, low, high);
}

std::string ColorStops::text() const
{
    std::string text = fmt::format("{:.3f} {:.3f} {:.3f}", at[0], at[1], at[2]);
    if (!hasOwnColors()) return text;
    for (const std::optional<Color>& color : own)
        text += color ? fmt::format(" {:02x}{:02x}{:02x}", color->red, color->green, color->blue) : " -";
    return text;
}

ColorStops colorStopsOf(std::string_view text)
{
    ColorStops stops;
    const std::vector<std::string_view> words = wordsOfStops(text);
    const std::size_t positions = stops.at.size();
    if (words.size() != positions && words.size() != positions + ColorStops::kColors) return {};
    double before = 0;
    for (std::size_t i = 0; i < positions; ++i) {
        const auto number = parseNumber<double>(words[i]);
        if (!number || !(*number > before) || *number >= 1) return {};
        before = stops.at[i] = *number;
    }
    for (std::size_t i = positions; i < words.size(); ++i)
        if (!readStopColor(words[i], stops.own[i - positions])) return {};
    return stops;
}

ColorStops colorStopsOf(const ViewState& state)
{
    const auto panel = state.panels.find(kColorStopsPanel);
    if (panel == state.panels.end()) return {};
    const auto stops = panel->second.find("stops");
    return stops == panel->second.end() ? ColorStops() : colorStopsOf(std::string_view(stops->second));
}

}  // namespace skein
