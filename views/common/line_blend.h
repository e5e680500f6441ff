// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/scene/draw_list.h"

#include <cstddef>
#include <span>

namespace skein {

/// Pixels of 0xFFRRGGBB in memory, and the part of them that may be written: [left, right) × [top, bottom).
struct PixelPlane {
    unsigned char* bits = nullptr;
    std::size_t bytesPerLine = 0;
    int left = 0;
    int top = 0;
    int right = 0;
    int bottom = 0;
};

/// Draws lines without steps. Thousands of message lines cost a general painter tens of milliseconds; this takes a few
/// nanoseconds a pixel: steep lines are drawn together from row to row, so that each row of the picture is fetched once.
/// Coverage is exact across a line; its ends are cut at the middles of pixels.
void blendLines(const PixelPlane& plane, std::span<const LineItem* const> lines);

}  // namespace skein
