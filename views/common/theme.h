// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/scene/color/palette.h"
#include "views/common/scene/drawing/theme.h"

#include <QColor>
#include <QPalette>

#include <optional>

namespace skein {

QColor toQColor(Color color);

/// The light or dark table, whichever suits the palette, with the palette's highlight as the accent where it
/// stands out enough from the background (WCAG contrast ≥ 3).
Theme themeFor(const QPalette& palette);
/// The same without the colours that the user has chosen for groups: reads no settings, for what asks at
/// every cell.
Theme plainThemeFor(const QPalette& palette);

/// The colour that the user wants for a group in light or dark themes; nullopt: the table's. Kept in the
/// settings, of recorded groups by their name, whichever archive they are of; every
/// view hears of a new palette, and so asks themeFor() again, which has the chosen colours.
void chooseGroupColor(const ShownGroup& group, bool dark, const std::optional<QColor>& color);

/// A complete palette for widgets around canvases of the theme, for those who choose light or dark
/// themselves.
QPalette paletteFor(const Theme& theme);

}  // namespace skein
