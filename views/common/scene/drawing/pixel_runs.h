// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/scene/drawing/draw_list.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace skein {

/// How many values a scanline has.
inline std::size_t valuesPerLine(const PixelItem& item)
{
    return item.widths.empty() ? static_cast<std::size_t>(item.columns) : item.widths.size();
}

inline int widthOfValue(const PixelItem& item, std::size_t value)
{
    return item.widths.empty() ? 1 : item.widths[value];
}

/// Values of equal colour beside each other in a scanline; [from, to) counts from the item's left.
struct PixelRun {
    int from = 0;
    int to = 0;
    int y = 0;  ///< of the picture
    int height = 0;
    std::uint32_t argb = 0;
};

/// Calls visit(const PixelRun&) for each run, scanline by scanline from the left. O(values).
template <typename Visit>
void visitRuns(const PixelItem& item, Visit visit)
{
    const std::size_t count = valuesPerLine(item);
    const std::uint32_t* values = item.argb.data();
    int y = item.y;
    for (std::size_t line = 0; line < item.heights.size(); ++line, values += count) {
        const int height = item.heights[line];
        for (std::size_t first = 0, next = 0, from = 0, to = 0; first < count; first = next, from = to) {
            for (; next < count && values[next] == values[first]; ++next)
                to += static_cast<std::size_t>(widthOfValue(item, next));
            visit(PixelRun{static_cast<int>(from), static_cast<int>(to), y, height, values[first]});
        }
        y += height;
    }
}

/// The column at which each value of a scanline begins. O(values).
std::vector<int> firstColumns(const PixelItem& item);

/// Puts a value into as many pixels as it is wide, for all of a scanline. Up to kExpandedTail pixels behind
/// the last are written, too. O(pixels).
inline constexpr std::size_t kExpandedTail = 4;
void expandLine(const PixelItem& item, const std::uint32_t* values, std::uint32_t* pixels);

}  // namespace skein
