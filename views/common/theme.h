// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/scene/theme.h"

#include <QColor>
#include <QPalette>

namespace skein {

QColor toQColor(Color color);

/// The light or dark table, whichever suits the palette, with the palette's highlight as the accent where it stands
/// out enough from the background (WCAG contrast ≥ 3).
Theme themeFor(const QPalette& palette);

/// A complete palette for widgets around canvases of the theme, for those who choose light or dark themselves.
QPalette paletteFor(const Theme& theme);

}  // namespace skein
