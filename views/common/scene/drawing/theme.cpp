// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/drawing/theme.h"

namespace skein {

Theme lightTheme()
{
    Theme theme;
    theme.background = {255, 255, 255};
    theme.stripe = {249, 250, 251};
    theme.panel = {244, 245, 247};
    theme.text = {30, 34, 40};
    theme.secondaryText = {94, 102, 112};
    theme.grid = {229, 232, 236};
    theme.frame = {207, 212, 218};
    theme.accent = {0, 90, 200};
    theme.accentText = {255, 255, 255};
    theme.selectionFill = {0, 90, 200, 36};
    theme.hover = {30, 34, 40};
    theme.message = {20, 20, 24, 150};
    theme.messageSelected = {0, 90, 200};
    theme.warning = {160, 90, 0};
    theme.error = {190, 30, 30};
    theme.tooltip = {38, 43, 50};
    theme.tooltipText = {245, 247, 250};
    return theme;
}

Theme darkTheme()
{
    Theme theme;
    theme.dark = true;
    theme.background = {27, 30, 34};
    theme.stripe = {31, 34, 39};
    theme.panel = {37, 41, 46};
    theme.text = {226, 229, 233};
    theme.secondaryText = {156, 164, 174};
    theme.grid = {47, 52, 58};
    theme.frame = {62, 68, 76};
    theme.accent = {92, 168, 255};
    theme.accentText = {10, 20, 34};
    theme.selectionFill = {92, 168, 255, 48};
    theme.hover = {240, 243, 247};
    theme.message = {240, 240, 244, 140};
    theme.messageSelected = {92, 168, 255};
    theme.warning = {240, 180, 80};
    theme.error = {255, 120, 110};
    theme.tooltip = {226, 229, 233};
    theme.tooltipText = {27, 30, 34};
    return theme;
}

}  // namespace skein
