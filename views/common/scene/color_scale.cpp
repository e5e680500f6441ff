// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/color_scale.h"

#include <algorithm>
#include <cmath>

namespace skein {

Color sequentialColor(bool dark, double part)
{
    const double at = std::clamp(part, 0.0, 1.0);
    return fromLch(dark ? 30 + 55 * at : 84 - 60 * at, 30, 250);
}

Color divergingColor(bool dark, double part)
{
    const double strength = std::min(std::abs(part), 1.0);
    const double neutral = dark ? 34 : 86;
    const double far = part < 0 ? (dark ? 62 : 58) : (dark ? 74 : 48);
    return fromLch(neutral + (far - neutral) * strength, 2 + 60 * strength, part < 0 ? 255 : 45);
}

Color depthColor(const Theme& theme, double depth, double deepest)
{
    return sequentialColor(theme.dark, deepest > 1 ? (depth - 1) / (deepest - 1) : 1.0);
}

}  // namespace skein
