// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>

namespace skein {

/// An image of undefined opaque pixels (Format_RGB32) in the memory of an earlier one of the same size that
/// is gone. A picture of 4K takes 33 MB: the system would take back and clear that much for every second
/// frame of a view that moves, which takes longer than to draw it. Two of 1 MB and more are kept, 128 MB at
/// most. Any thread.
QImage newPicture(int width, int height);

}  // namespace skein
