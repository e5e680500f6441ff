// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/drawing/pixel_runs.h"

#include <array>
#include <cstring>
#include <utility>

namespace skein {

std::vector<std::uint32_t> valuesOfColumns(const PixelItem& item)
{
    std::vector<std::uint32_t> places(static_cast<std::size_t>(item.columns));
    for (std::size_t value = 0, column = 0; value < valuesPerLine(item); ++value)
        for (int left = widthOfValue(item, value); left > 0; --left)
            places[column++] = static_cast<std::uint32_t>(value);
    return places;
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

PixelItem expanded(PixelItem item)
{
    if (item.widths.empty()) return item;
    const std::size_t lines = item.heights.size(), columns = static_cast<std::size_t>(item.columns);
    std::vector<std::uint32_t> pixels(lines * columns + kExpandedTail);
    for (std::size_t line = 0; line < lines; ++line)
        expandLine(item, item.argb.data() + line * item.widths.size(), pixels.data() + line * columns);
    pixels.resize(lines * columns);
    item.argb = std::move(pixels);
    item.widths.clear();
    return item;
}

}  // namespace skein
