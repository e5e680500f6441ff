// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/drawing/pixel_runs.h"

#include <array>
#include <cstring>

namespace skein {

std::vector<int> firstColumns(const PixelItem& item)
{
    std::vector<int> columns(valuesPerLine(item));
    for (std::size_t value = 0, column = 0; value < columns.size(); ++value) {
        columns[value] = static_cast<int>(column);
        column += static_cast<std::size_t>(widthOfValue(item, value));
    }
    return columns;
}

void expandLine(const PixelItem& item, const std::uint32_t* values, std::uint32_t* pixels)
{
    // Four pixels at a time: most values are a few wide, and what is too much is written over.
    for (std::size_t value = 0; value < item.widths.size(); ++value) {
        const std::array<std::uint32_t, kExpandedTail> four{values[value], values[value], values[value],
                                                            values[value]};
        const int width = item.widths[value];
        for (int done = 0; done < width; done += static_cast<int>(four.size()))
            std::memcpy(pixels + done, four.data(), sizeof(four));
        pixels += width;
    }
}

}  // namespace skein
