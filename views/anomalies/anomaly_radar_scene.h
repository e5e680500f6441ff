// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/anomalies/anomalies_scene.h"

#include <array>
#include <vector>

namespace skein {

inline constexpr std::size_t kMostSpokes = 12;

/// What the radar tells of each function, as parts of the greatest among those that are listed: number of
/// anomalies, time that they lost, highest score. 0 where the greatest is 0.
using RadarShape = std::vector<double>;
std::array<RadarShape, 3> radarShapes(const std::vector<AnomalyLine>& functions);

/// Functions as spokes, from the top in the sense of the clock, and a line around for each of the three. At
/// most kMostSpokes; of fewer than three functions it says that a radar needs three.
void drawAnomalyRadar(DrawList& list, const Rect& area, const std::vector<AnomalyLine>& functions,
                      const Canvas& canvas);

}  // namespace skein
