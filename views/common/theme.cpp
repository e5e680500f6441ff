// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/theme.h"

namespace skein {
namespace {

Color toColor(const QColor& color)
{
    return {static_cast<std::uint8_t>(color.red()), static_cast<std::uint8_t>(color.green()),
            static_cast<std::uint8_t>(color.blue()), static_cast<std::uint8_t>(color.alpha())};
}

void setAccent(Theme& theme, Color accent)
{
    theme.accent = accent;
    theme.messageSelected = accent;
    const std::uint8_t fillAlpha = theme.selectionFill.alpha;
    theme.selectionFill = accent;
    theme.selectionFill.alpha = fillAlpha;
    const Color black{0, 0, 0};
    const Color white{255, 255, 255};
    theme.accentText = contrast(accent, white) >= contrast(accent, black) ? white : black;
}

}  // namespace

QColor toQColor(Color color) { return QColor(color.red, color.green, color.blue, color.alpha); }

Theme themeFor(const QPalette& palette)
{
    const Color window = toColor(palette.color(QPalette::Window));
    Theme theme = luminance(window) < 0.2 ? darkTheme() : lightTheme();
    const Color highlight = toColor(palette.color(QPalette::Active, QPalette::Highlight));
    if (contrast(highlight, theme.background) >= 3.0) setAccent(theme, highlight);
    return theme;
}

QPalette paletteFor(const Theme& theme)
{
    QPalette palette(toQColor(theme.text), toQColor(theme.panel), toQColor(theme.background), toQColor(theme.frame),
                     toQColor(theme.grid), toQColor(theme.text), toQColor(theme.text), toQColor(theme.background),
                     toQColor(theme.panel));
    palette.setColor(QPalette::AlternateBase, toQColor(theme.stripe));
    palette.setColor(QPalette::Button, toQColor(theme.panel));
    palette.setColor(QPalette::Highlight, toQColor(theme.accent));
    palette.setColor(QPalette::HighlightedText, toQColor(theme.accentText));
    palette.setColor(QPalette::Link, toQColor(theme.accent));
    palette.setColor(QPalette::PlaceholderText, toQColor(theme.secondaryText));
    palette.setColor(QPalette::ToolTipBase, toQColor(theme.tooltip));
    palette.setColor(QPalette::ToolTipText, toQColor(theme.tooltipText));
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, toQColor(theme.secondaryText));
    return palette;
}

}  // namespace skein
