// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/color/color.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace skein {
namespace {

double toLinear(std::uint8_t value)
{
    const double part = value / 255.0;
    return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
}

double fromLinear(double part)
{
    return part <= 0.0031308 ? part * 12.92 : 1.055 * std::pow(part, 1 / 2.4) - 0.055;
}

double labInverse(double t)
{
    constexpr double kDelta = 6.0 / 29.0;
    return t > kDelta ? t * t * t : 3 * kDelta * kDelta * (t - 4.0 / 29.0);
}

double labForward(double t)
{
    constexpr double kDelta = 6.0 / 29.0;
    return t > kDelta * kDelta * kDelta ? std::cbrt(t) : t / (3 * kDelta * kDelta) + 4.0 / 29.0;
}

/// sRGB parts of a CIELAB colour, not clamped; negative linear parts stay negative.
std::array<double, 3> srgbOfLab(double lightnessL, double a, double b)
{
    const double fy = (lightnessL + 16) / 116;
    const double x = 0.95047 * labInverse(fy + a / 500);
    const double y = labInverse(fy);
    const double z = 1.08883 * labInverse(fy - b / 200);
    return {fromLinear(3.2404542 * x - 1.5371385 * y - 0.4985314 * z),
            fromLinear(-0.9692660 * x + 1.8760108 * y + 0.0415560 * z),
            fromLinear(0.0556434 * x - 0.2040259 * y + 1.0572252 * z)};
}

bool fits(const std::array<double, 3>& srgb)
{
    return std::all_of(srgb.begin(), srgb.end(),
                       [](double part) { return part >= -1e-6 && part <= 1.0 + 1e-6; });
}

std::uint8_t toByte(double part)
{
    return static_cast<std::uint8_t>(std::lround(std::clamp(part, 0.0, 1.0) * 255));
}

std::uint8_t mixByte(std::uint8_t first, std::uint8_t second, double part)
{
    return static_cast<std::uint8_t>(std::lround(first + (second - first) * part));
}

}  // namespace

Color mix(Color first, Color second, double part)
{
    return {mixByte(first.red, second.red, part), mixByte(first.green, second.green, part),
            mixByte(first.blue, second.blue, part), mixByte(first.alpha, second.alpha, part)};
}

double luminance(Color color)
{
    return 0.2126 * toLinear(color.red) + 0.7152 * toLinear(color.green) + 0.0722 * toLinear(color.blue);
}

double contrast(Color first, Color second)
{
    const double one = luminance(first);
    const double two = luminance(second);
    return (std::max(one, two) + 0.05) / (std::min(one, two) + 0.05);
}

Color fromLch(double lightnessL, double chroma, double hueDegrees)
{
    const double angle = hueDegrees * std::numbers::pi / 180;
    std::array<double, 3> srgb{};
    for (double kept = chroma; kept >= 0; kept -= 0.5) {
        srgb = srgbOfLab(lightnessL, kept * std::cos(angle), kept * std::sin(angle));
        if (fits(srgb)) break;
    }
    return {toByte(srgb[0]), toByte(srgb[1]), toByte(srgb[2])};
}

Lch toLch(Color color)
{
    const double red = toLinear(color.red), green = toLinear(color.green), blue = toLinear(color.blue);
    const double fx = labForward((0.4124564 * red + 0.3575761 * green + 0.1804375 * blue) / 0.95047);
    const double fy = labForward(0.2126729 * red + 0.7151522 * green + 0.0721750 * blue);
    const double fz = labForward((0.0193339 * red + 0.1191920 * green + 0.9503041 * blue) / 1.08883);
    const double a = 500 * (fx - fy), b = 200 * (fy - fz);
    return {116 * fy - 16, std::hypot(a, b), std::atan2(b, a) * 180 / std::numbers::pi};
}

double lightness(Color color)
{
    const double y = luminance(color);
    return y > 216.0 / 24389 ? 116 * std::cbrt(y) - 16 : y * 24389 / 27;
}

}  // namespace skein
