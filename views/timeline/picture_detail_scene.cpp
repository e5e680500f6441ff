// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/picture_detail_scene.h"

#include <algorithm>
#include <bit>

namespace skein {

PictureDetail PictureDetail::moving(double cells)
{
    constexpr double kMostCells = 120'000;
    PictureDetail detail;
    detail.isCoarse_ = cells > kMostCells;
    return detail;
}

PictureDetail PictureDetail::exact(double cells, std::uint64_t mostCalls)
{
    constexpr double kMost = 256;
    PictureDetail detail;
    detail.callsPerColumn_ =
        static_cast<std::uint32_t>(std::clamp(static_cast<double>(mostCalls) / std::max(cells, 1.0),
                                              static_cast<double>(detail.callsPerColumn_), kMost));
    return detail;
}

/// Between one call in two pixels and two in one, columns of twice the width cost half as much: with fewer
/// calls all of them are gone through. With more, where they cannot be gone through, columns are divided by
/// share, and what is one pixel wide is not read.
std::uint32_t PictureDetail::columnPx(std::size_t trees, double callsPerPx) const
{
    constexpr std::size_t kMostTrees = 8;
    const bool isCrowded = trees == 1 && callsPerPx > callsPerColumn_;
    if (!isCoarse_) return isCrowded ? 2 : 1;
    if (trees > 1)
        return static_cast<std::uint32_t>(std::bit_floor(std::clamp<std::size_t>(trees, 2, kMostTrees)));
    return callsPerPx > 0.5 ? 4 : 2;
}

}  // namespace skein
