// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/scene/color/color.h"
#include "views/common/scene/drawing/theme.h"

namespace skein {

/// Evenly spaced in CIELAB lightness, away from the background; `part` in 0…1, in 256 steps.
Color sequentialColor(bool dark, double part);

/// The same lightness without a hue: beside differences, in which blue and orange mean less and more.
Color greyScaleColor(bool dark, double part);

/// Neutral at 0, blue towards −1, orange towards 1, the stronger the farther; told apart by hue and by the
/// sign's side of the neutral lightness. 256 steps to a side.
Color divergingColor(bool dark, double part);

/// The colour of a call depth in 1 … deepest.
Color depthColor(const Theme& theme, double depth, double deepest);

}  // namespace skein
