// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/arguments.h"

namespace skein::gui {

/// Draws one view, or the whole window, to a file and ends: `skein --render`. The picture has arguments.width
/// × arguments.height pixels. What goes wrong is told on stderr. Returns an exit code: 0 fine, 1 failed, 2
/// wrong usage.
int renderView(const Arguments& arguments);

/// Draws every view and the window, light and dark, into a folder and prints a summary of the archives and
/// where the pictures are: `skein --tour`. Returns an exit code.
int renderTour(const Arguments& arguments);

}  // namespace skein::gui
