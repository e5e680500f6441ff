// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/scene/color/color.h"

#include <array>
#include <map>
#include <optional>
#include <string>

namespace skein {

inline constexpr int kPaletteGroups = 7;  ///< see PaletteGroup

/// The colours of every canvas that do not belong to the data. Colours of regions: scene/palette.h.
struct Theme {
    bool dark = false;
    Color background;  ///< of the drawing
    Color stripe;      ///< of every other row
    Color panel;       ///< of rulers, label columns and headers
    Color text;
    Color secondaryText;  ///< units, hints, captions
    Color grid;           ///< thin lines behind the data
    Color frame;          ///< lines between panels
    Color accent;         ///< selection and focus; the only one of its kind
    Color accentText;     ///< on accent
    Color selectionFill;  ///< accent, translucent, over the data
    Color hover;          ///< outline of what is under the pointer
    Color message;        ///< message lines
    Color messageSelected;
    Color warning;
    Color error;
    Color tooltip;  ///< background of labels that float over the data
    Color tooltipText;
    std::array<std::optional<Color>, kPaletteGroups>
        chosenGroups;                             ///< what the user has chosen in place of a group's colour
    std::map<std::string, Color> chosenRecorded;  ///< the same for groups that archives recorded, by name

    bool operator==(const Theme&) const = default;
};

Theme lightTheme();
Theme darkTheme();

}  // namespace skein
