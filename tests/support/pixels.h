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
    const std::size_t count = valuesPerLine(item);
    std::vector<std::uint32_t> argb;
    for (std::size_t at = 0; at < count * item.heights.size(); ++at)
        argb.insert(argb.end(), static_cast<std::size_t>(widthOfValue(item, at % count)), item.argb[at]);
    item.argb = std::move(argb);
    item.widths.clear();
    return item;
}

}  // namespace skein::test
