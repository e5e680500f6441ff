// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/color/cluster_colors.h"

#include <array>

namespace skein {

Color clusterColor(std::uint32_t cluster, bool dark)
{
    // Neighbours differ in lightness too, for eyes that do not tell all hues apart.
    static constexpr std::array<Lch, 10> kClusters{{{48, 55, 265},
                                                    {66, 70, 60},
                                                    {45, 60, 325},
                                                    {62, 58, 135},
                                                    {42, 62, 30},
                                                    {70, 42, 240},
                                                    {38, 55, 300},
                                                    {74, 70, 90},
                                                    {64, 55, 355},
                                                    {45, 12, 80}}};
    const Lch& base = kClusters[cluster % kClusters.size()];
    return fromLch(base.lightness + (dark ? 14 : 0), base.chroma, base.hueDegrees);
}

Color changeColor(bool dark) { return dark ? fromLch(74, 42, 190) : fromLch(46, 42, 190); }

Color baseColor(bool dark) { return dark ? fromLch(62, 45, 60) : fromLch(40, 45, 60); }

}  // namespace skein
