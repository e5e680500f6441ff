// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/scene/drawing/draw_list.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace skein {

/// Pixels of 0xFFRRGGBB in memory, and the part of them that may be written: [left, right) × [top, bottom).
struct PixelPlane {
    unsigned char* bits = nullptr;
    std::size_t bytesPerLine = 0;
    int left = 0;
    int top = 0;
    int right = 0;
    int bottom = 0;

    std::uint32_t* at(int x, int y) const
    {
        return reinterpret_cast<std::uint32_t*>(bits + static_cast<std::size_t>(y) * bytesPerLine) + x;
    }
};

inline bool isEmpty(const PixelPlane& plane)
{
    return plane.right <= plane.left || plane.bottom <= plane.top;
}

inline std::size_t pixelsOf(const PixelPlane& plane)
{
    return static_cast<std::size_t>(plane.right - plane.left)
        * static_cast<std::size_t>(plane.bottom - plane.top);
}

/// Opaque values overwrite, transparent ones leave what is there.
void copyPixels(const PixelPlane& plane, const PixelItem& item);

/// Blocks that are narrow strips of the picture, with a value for each column, are copied together.
bool isNarrowBlock(const PixelItem& item);
/// Of narrow ones. The same as one after the other, but some rows of all of them at a time: strips reach over
/// the whole height, where each row of the picture is in a page of memory of its own. `ground`: what the
/// plane is filled with before, while its rows are in the cache.
void copyNarrowBlocks(const PixelPlane& plane, std::span<const PixelItem* const> items,
                      std::optional<std::uint32_t> ground);
/// Whether narrow blocks are what is drawn first after the background: then they are copied with that.
bool beginsWithNarrowBlocks(const DrawList& list);

/// Of one row of a picture the pixels that opaque pixel blocks of its list will overwrite: [from, to).
struct CoveredRow {
    int from = 0;
    int to = 0;
};

/// One entry a row of the picture, the widest stretch where there are several; narrow blocks do not count,
/// but where a list begins with them all that they are clipped to counts, because they come with their
/// ground. Whatever lies before the list's first pixel block need not be painted there: at 3840×2160
/// background and stripes under full rows cost as much time as the rows themselves. O(pixels of all blocks).
std::vector<CoveredRow> coveredRows(const DrawList& list);

/// Fills the plane's part with a colour. Nothing where it is empty.
void fillPlane(const PixelPlane& plane, std::uint32_t argb);

/// Fills the plane's part with a colour but for what will be covered; `covered` may have fewer rows than the
/// plane.
void fillUncovered(const PixelPlane& plane, std::span<const CoveredRow> covered, std::uint32_t argb);

}  // namespace skein
