// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/pixel_plane.h"

#include <span>

namespace skein {

/// Draws lines without steps. Thousands of message lines cost a general painter tens of milliseconds; this
/// takes a few nanoseconds a pixel: steep lines are drawn together from row to row, so that each row of the
/// picture is fetched once. Coverage is exact across a line; its ends are cut at the middles of pixels.
/// Only the plane's rows in [top, bottom) are written, with the same bits as if all were: lines are followed
/// from the plane's edge, so that with a plane of these rows alone they would be rounded otherwise.
void blendLines(const PixelPlane& plane, std::span<const LineItem* const> lines, int top, int bottom);

}  // namespace skein
