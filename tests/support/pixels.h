// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/scene/drawing/pixel_runs.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace skein::test {

/// The same block with a value for each column of a scanline.
inline PixelItem expanded(PixelItem item)
{
    const std::vector<std::uint32_t> places = valuesOfColumns(item);
    const std::size_t count = valuesPerLine(item);
    std::vector<std::uint32_t> argb;
    for (std::size_t line = 0; line < item.heights.size(); ++line)
        for (const std::uint32_t place : places) argb.push_back(item.argb[line * count + place]);
    item.argb = std::move(argb);
    item.widths.clear();
    return item;
}

}  // namespace skein::test
