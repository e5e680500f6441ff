// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/scene/drawing/theme.h"

#include <QPalette>
#include <QString>

namespace skein::gui {

enum class Appearance { FollowSystem, Light, Dark };

/// "system", "light", "dark": for settings and the command line; anything else is FollowSystem.
Appearance appearanceFromName(const QString& name);
QString name(Appearance appearance);

/// Makes the application look flat and calm in the theme: style, palette and style sheet. `systemPalette` is
/// what the desktop gave the application at its start.
void applyAppearance(Appearance appearance, const QPalette& systemPalette);

/// What the style sheet adds to the palette: thin frames, no bevels, spacing in steps of 4 px.
QString styleSheetFor(const Theme& theme);

}  // namespace skein::gui
