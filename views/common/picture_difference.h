// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/scene/drawing/draw_list.h"

#include <QImage>
#include <QRect>
#include <QRegion>

#include <string>
#include <vector>

/// Where one picture differs from another: what has to be sent to a display. Regions in logical pixels.
namespace skein {

/// Where shapes stand that are in one of the lists only. `ratio` is device pixels a logical pixel. O(shapes).
QRegion differingRegion(const DrawList& before, const DrawList& after, double ratio);

/// Where two pictures of one size are not the same, in pieces that reach no farther than what differs; of
/// another size: all of it. O(pixels).
QRegion differingTiles(const QImage& before, const QImage& after, double ratio);

/// The picture with the contents of a rectangle moved to the right; what comes in from outside stays as it
/// was. The rectangle and `by` in logical pixels.
QImage movedWithin(const QImage& picture, const QRect& area, int by, int ratio);

/// `now`, but in `kept` what `finer` shows so many pixels to the left. `now` if they are not of one size.
QImage withMovedPixels(const QImage& now, const QImage& finer, const QRegion& kept, int by);

/// `now`, but in `area` what `finer` shows where `draft`, moved to the right by so many pixels, is the same.
/// `draft` and `finer` are of the same contents, and all pictures of one size; else it is `now`.
QImage withKeptPixels(const QImage& now, const QImage& draft, const QImage& finer, const QRect& area, int by);

/// The texts of a list by the lines in which they stand, each from the left to the right.
std::vector<std::vector<std::string>> textRows(const DrawList& list);

}  // namespace skein
