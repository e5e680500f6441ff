// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/scene/drawing/draw_list.h"
#include "views/common/scene/drawing/scene_style.h"

class QTreeView;

namespace skein {

/// A table as shapes: its header and the rows that are unfolded, in the columns that are shown, each as wide
/// as its texts. The first column is shortened where not all fit; columns that still do not are left out from
/// the right, and rows that do not fit into the canvas's height from below, which a last line says. As high
/// as its content.
DrawList tablePicture(const QTreeView& table, const Canvas& canvas);

/// How much of the canvas's width the columns of that picture take, in device pixels.
int tablePictureWidth(const QTreeView& table, const Canvas& canvas);

}  // namespace skein
