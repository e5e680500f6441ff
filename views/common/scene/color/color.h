// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace skein {

/// An sRGB colour with straight alpha.
struct Color {
    std::uint8_t red = 0;
    std::uint8_t green = 0;
    std::uint8_t blue = 0;
    std::uint8_t alpha = 255;
    bool operator==(const Color&) const = default;
};

/// 0xAARRGGBB, as pixel blocks hold it.
constexpr std::uint32_t toArgb(Color color)
{
    return std::uint32_t{color.alpha} << 24 | std::uint32_t{color.red} << 16 | std::uint32_t{color.green} << 8
        | color.blue;
}

constexpr Color fromArgb(std::uint32_t argb)
{
    return {static_cast<std::uint8_t>(argb >> 16), static_cast<std::uint8_t>(argb >> 8),
            static_cast<std::uint8_t>(argb), static_cast<std::uint8_t>(argb >> 24)};
}

/// The same colour with another alpha, 0…255.
constexpr Color withAlpha(Color color, int alpha)
{
    color.alpha = static_cast<std::uint8_t>(alpha);
    return color;
}

/// `part` of `second` (0…1), the rest `first`; mixed in sRGB, alpha too.
Color mix(Color first, Color second, double part);

/// Relative luminance, 0 black … 1 white (WCAG 2.2).
double luminance(Color color);

/// Contrast ratio, 1 … 21 (WCAG 2.2).
double contrast(Color first, Color second);

/// A colour by perceived lightness L 0…100, chroma C ≥ 0 and hue in degrees (CIELCh(ab), D65); colours
/// outside sRGB lose chroma until they fit, so that lightness is kept.
Color fromLch(double lightness, double chroma, double hueDegrees);

struct Lch {
    double lightness = 0;  ///< 0…100
    double chroma = 0;
    double hueDegrees = 0;  ///< −180…180
};
/// The inverse of fromLch() for colours inside sRGB.
Lch toLch(Color color);

/// CIELAB lightness, 0…100.
double lightness(Color color);

}  // namespace skein
