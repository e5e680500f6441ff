// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/color/color_scale.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace skein {

namespace {

constexpr int kSteps = 256;  ///< to a side; more are not told apart

constexpr double kSequentialChroma = 30, kSequentialHue = 250;

Color sequentialStep(bool dark, int step, double chroma)
{
    const double at = static_cast<double>(step) / kSteps;
    return fromLch(dark ? 30 + 55 * at : 84 - 60 * at, chroma, kSequentialHue);
}

Color divergingStep(bool dark, int step)
{
    const double strength = std::abs(static_cast<double>(step)) / kSteps;
    const double neutral = dark ? 34 : 86;
    const double far = step < 0 ? (dark ? 62 : 58) : (dark ? 74 : 48);
    return fromLch(neutral + (far - neutral) * strength, 2 + 60 * strength, step < 0 ? 255 : 45);
}

/// Colours are asked for by the hundred thousand a picture: each is worked out once.
struct Scales {
    std::array<std::array<Color, kSteps + 1>, 2> sequential, grey;
    std::array<std::array<Color, 2 * kSteps + 1>, 2> diverging;

    Scales()
    {
        for (const bool dark : {false, true}) {
            for (int step = 0; step <= kSteps; ++step) {
                sequential[dark][static_cast<std::size_t>(step)] =
                    sequentialStep(dark, step, kSequentialChroma);
                grey[dark][static_cast<std::size_t>(step)] = sequentialStep(dark, step, 0);
            }
            for (int step = -kSteps; step <= kSteps; ++step)
                diverging[dark][static_cast<std::size_t>(step + kSteps)] = divergingStep(dark, step);
        }
    }
};

const Scales& scales()
{
    static const Scales made;
    return made;
}

/// Not a number is the least.
std::size_t stepOf(double value, double least)
{
    const double kept = value > least ? std::min(value, 1.0) : least;
    return static_cast<std::size_t>(std::lround((kept - least) * kSteps));
}

}  // namespace

Color sequentialColor(bool dark, double part) { return scales().sequential[dark][stepOf(part, 0)]; }

Color greyScaleColor(bool dark, double part) { return scales().grey[dark][stepOf(part, 0)]; }

Color divergingColor(bool dark, double part) { return scales().diverging[dark][stepOf(part, -1)]; }

Color depthColor(const Theme& theme, double depth, double deepest)
{
    return sequentialColor(theme.dark, deepest > 1 ? (depth - 1) / (deepest - 1) : 1.0);
}

}  // namespace skein
