// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/theme.h"

#include "views/common/view.h"

#include <QApplication>
#include <QPointer>
#include <QSettings>

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

QString paletteKey(bool dark) { return dark ? "palette/dark" : "palette/light"; }

QString roleKey(std::uint32_t group, bool dark) { return QString("%1/%2").arg(paletteKey(dark)).arg(group); }

QString recordedKey(bool dark) { return paletteKey(dark) + "/recorded"; }

/// A slash in a name would be another level of the settings.
QString keyOf(const ShownGroup& group, bool dark)
{
    if (group.grouping == RegionGrouping::Role) return roleKey(group.band, dark);
    const QByteArray name = QByteArray::fromStdString(group.name).toPercentEncoding();
    return recordedKey(dark) + "/" + QString::fromLatin1(name);
}

void takeChosenGroups(Theme& theme)
{
    QSettings settings;
    for (std::uint32_t group = 0; group < kPaletteGroups; ++group) {
        const QColor chosen(settings.value(roleKey(group, theme.dark)).toString());
        if (chosen.isValid()) theme.chosenGroups[group] = toColor(chosen);
    }
    settings.beginGroup(recordedKey(theme.dark));
    for (const QString& key : settings.childKeys()) {
        const QColor chosen(settings.value(key).toString());
        if (chosen.isValid())
            theme.chosenRecorded[QByteArray::fromPercentEncoding(key.toLatin1()).toStdString()] =
                toColor(chosen);
    }
}

}  // namespace

QColor toQColor(Color color) { return QColor(color.red, color.green, color.blue, color.alpha); }

Theme plainThemeFor(const QPalette& palette)
{
    const Color window = toColor(palette.color(QPalette::Window));
    Theme theme = luminance(window) < 0.2 ? darkTheme() : lightTheme();
    const Color highlight = toColor(palette.color(QPalette::Active, QPalette::Highlight));
    if (contrast(highlight, theme.background) >= 3.0) setAccent(theme, highlight);
    return theme;
}

Theme themeFor(const QPalette& palette)
{
    Theme theme = plainThemeFor(palette);
    takeChosenGroups(theme);
    return theme;
}

void chooseGroupColor(const ShownGroup& group, bool dark, const std::optional<QColor>& color)
{
    QSettings settings;
    const QString key = keyOf(group, dark);
    if (color) settings.setValue(key, color->name());
    else settings.remove(key);
    QList<QPointer<View>> views;
    for (QWidget* widget : QApplication::allWidgets())
        if (auto* view = qobject_cast<View*>(widget)) views.push_back(view);
    for (const QPointer<View>& view : views) {
        QEvent changed(QEvent::PaletteChange);
        if (view) QApplication::sendEvent(view, &changed);
    }
}

QPalette paletteFor(const Theme& theme)
{
    QPalette palette(toQColor(theme.text), toQColor(theme.panel), toQColor(theme.background),
                     toQColor(theme.frame), toQColor(theme.grid), toQColor(theme.text), toQColor(theme.text),
                     toQColor(theme.background), toQColor(theme.panel));
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
