// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/settings/appearance.h"

#include "views/common/theme.h"

#include <QApplication>
#include <QEvent>
#include <QObject>
#include <QStyle>
#include <QStyleFactory>

namespace skein::gui {
namespace {

QString css(Color color)
{
    return QString("rgba(%1,%2,%3,%4)").arg(color.red).arg(color.green).arg(color.blue).arg(color.alpha);
}

/// @name@ stands for a colour of the theme. Attributes are asked of a class and not of `*`: Qt looks them up
/// for every widget of the window.
constexpr auto kSheet = R"(
QMainWindow, QDialog { background: @panel@; }
QMainWindow::separator { background: @frame@; width: 1px; height: 1px; margin: 0; }
QMainWindow::separator:hover { background: @accent@; }
QMenuBar { background: @panel@; border-bottom: 1px solid @frame@; padding: 2px 4px; }
QMenuBar::item { padding: 6px 8px; background: transparent; border-radius: 4px; }
QMenuBar::item:selected { background: @hoverFill@; }
QMenu { background: @background@; border: 1px solid @frame@; padding: 4px; }
QMenu::item { padding: 4px 24px 4px 24px; border-radius: 4px; }
QMenu::item:selected { background: @accent@; color: @accentText@; }
QMenu::item:disabled { color: @secondaryText@; background: transparent; }
QMenu::separator { height: 1px; background: @grid@; margin: 4px 8px; }
QDockWidget { color: @secondaryText@; }
QDockWidget::title { background: @panel@; padding: 4px 8px; text-align: left; border-bottom: 1px solid @grid@; }
QTabBar { qproperty-drawBase: 0; }
QTabBar::tab { background: transparent; color: @secondaryText@; padding: 4px 12px; border: 0;
               border-top: 2px solid transparent; }
QTabBar::tab:selected { color: @text@; border-top: 2px solid @accent@; background: @background@; }
QTabBar::tab:hover:!selected { color: @text@; background: @hoverFill@; }
QTabBar::tab:focus { text-decoration: underline; }
QHeaderView::section { background: @panel@; color: @secondaryText@; padding: 4px 4px; border: 0;
                       border-bottom: 1px solid @frame@; border-right: 1px solid @grid@; }
QHeaderView::section:hover { color: @text@; }
QHeaderView::down-arrow, QHeaderView::up-arrow { subcontrol-origin: border; subcontrol-position: top center;
                       width: 7px; height: 7px; }
QAbstractItemView { background: @background@; alternate-background-color: @stripe@; border: 0;
                    selection-background-color: @selectedFill@; selection-color: @text@; }
QHeaderView { background: @panel@; alternate-background-color: @panel@; }
QTreeView::item, QTableView::item, QListView::item { padding: 2px 4px; border: 0; }
QTreeView::item:selected, QTableView::item:selected, QListView::item:selected { background: @selectedFill@; color: @text@; }
QTreeView::item:selected:!active, QTableView::item:selected:!active { background: @inactiveFill@; color: @text@; }
QTreeView::item:hover:!selected { background: @hoverFill@; }
QLineEdit { background: @background@; border: 1px solid @fieldFrame@; border-radius: 4px; padding: 3px 6px;
            selection-background-color: @accent@; selection-color: @accentText@; }
QLineEdit:focus { border-color: @accent@; }
QPushButton, QToolButton { background: @background@; border: 1px solid @fieldFrame@; border-radius: 4px;
                           padding: 3px 10px; color: @text@; }
QToolButton { padding: 3px 8px; }
QPushButton:hover, QToolButton:hover { background: @hoverFill@; }
QPushButton:pressed, QToolButton:pressed, QToolButton:checked { background: @inactiveFill@; }
QPushButton:focus, QToolButton:focus { border-color: @accent@; }
QPushButton:default { background: @accent@; color: @accentText@; border-color: @accent@; }
QPushButton:disabled, QToolButton:disabled { color: @disabledText@; }
QPushButton:default:disabled { background: @panel@; color: @disabledText@; border-color: @frame@; }
QFileDialog QToolButton { padding: 3px; }
QToolButton[flat="true"], QPushButton[flat="true"] { border-color: transparent; background: transparent; }
QToolButton[flat="true"]:hover, QPushButton[flat="true"]:hover { background: @hoverFill@; }
QComboBox { background: @background@; border: 1px solid @fieldFrame@; border-radius: 4px; padding: 2px 6px; }
QComboBox QAbstractItemView { border: 1px solid @frame@; }
QComboBox:focus { border-color: @accent@; }
QComboBox::drop-down { border: 0; width: 20px; }
QComboBox::down-arrow { image: url(@arrow@); width: 10px; height: 10px; }
QAbstractScrollArea::corner { background: @background@; border: 0; }
QCheckBox::indicator { width: 12px; height: 12px; border: 1px solid @secondaryText@; border-radius: 3px; background: @background@; }
QCheckBox::indicator:hover, QCheckBox::indicator:focus { border-color: @accent@; }
QCheckBox::indicator:checked { background: @accent@; border-color: @accent@; image: url(@check@); }
QCheckBox::indicator:disabled { border-color: @frame@; }
QCheckBox::indicator:checked:disabled { background: @disabledText@; border-color: @disabledText@; }
QProgressBar { background: @grid@; border: 0; border-radius: 3px; max-height: 6px; }
QProgressBar::chunk { background: @accent@; border-radius: 3px; }
QStatusBar { background: @panel@; border-top: 1px solid @frame@; color: @secondaryText@; }
QStatusBar::item { border: 0; }
QStatusBar QLabel { color: @secondaryText@; padding: 0 8px; }
QToolTip { background: @tooltip@; color: @tooltipText@; border: 0; padding: 1px 3px; }
QScrollBar:vertical { background: transparent; width: 12px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 12px; margin: 0; }
QScrollBar::handle { background: @scrollHandle@; border-radius: 4px; margin: 2px; }
QScrollBar::handle:vertical { min-height: 24px; }
QScrollBar::handle:horizontal { min-width: 24px; }
QScrollBar::handle:hover { background: @secondaryText@; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
#commandPalette, #searchPopup { background: @background@; border: 1px solid @frame@; border-radius: 6px; }
QDialogButtonBox { dialogbuttonbox-buttons-have-icons: 0; }
#searchBox { color: @secondaryText@; text-align: left; padding: 2px 8px; min-width: 280px; }
#searchBox:disabled { color: @disabledText@; }
#settingsButton { padding: 2px; }
#layoutButton::menu-indicator { image: none; width: 0; }
QGroupBox { border: 0; margin-top: 22px; font-weight: bold; }
QGroupBox::title { subcontrol-origin: margin; left: 0; padding: 0; color: @text@; }
#dropHint { border: 2px dashed @frame@; border-radius: 8px; }
#dropHint[dragging="true"] { border-color: @accent@; background: @selectionFill@; }
#scopeChip { border: 1px solid @frame@; border-radius: 10px; padding: 2px 8px; background: @background@; }
QToolButton[role="chip"] { border: 1px solid @frame@; border-radius: 10px; padding: 2px 8px; }
QToolButton[role="chip"]:focus { border-color: @accent@; }
QToolButton[role="chip"]:disabled { color: @secondaryText@; border-color: transparent; }
QLabel[role="title"] { font-size: 20pt; color: @text@; }
QLabel[role="heading"] { font-weight: bold; color: @text@; }
QLabel[role="secondary"] { color: @secondaryText@; }
QLabel[role="warning"] { color: @warning@; }
)";

/// While it is there, widgets do not hear that their style changes.
class UnheardStyleChanges : public QObject {
public:
    UnheardStyleChanges() { qApp->installEventFilter(this); }

protected:
    bool eventFilter(QObject*, QEvent* event) override { return event->type() == QEvent::StyleChange; }
};

/// Where a sheet replaces another, Qt styles a widget once for each widget that it stands in
/// (QStyleSheetStyle of 6.4); where there was none, once. Widgets hear of the next sheet: to have none for a
/// moment would make the lines between panels wider, and panels smaller for good.
void takeSheetOff()
{
    const UnheardStyleChanges unheard;
    qApp->setStyleSheet({});
}

}  // namespace

Appearance appearanceFromName(const QString& name)
{
    if (name == "light") return Appearance::Light;
    if (name == "dark") return Appearance::Dark;
    return Appearance::FollowSystem;
}

QString name(Appearance appearance)
{
    switch (appearance) {
    case Appearance::FollowSystem: return "system";
    case Appearance::Light: return "light";
    case Appearance::Dark: return "dark";
    }
    return "system";
}

QString styleSheetFor(const Theme& theme)
{
    const std::pair<const char*, Color> colors[] = {
        {"@panel@", theme.panel},
        {"@background@", theme.background},
        {"@frame@", theme.frame},
        {"@grid@", theme.grid},
        {"@stripe@", theme.stripe},
        {"@text@", theme.text},
        {"@secondaryText@", theme.secondaryText},
        {"@accent@", theme.accent},
        {"@accentText@", theme.accentText},
        {"@selectionFill@", theme.selectionFill},
        {"@warning@", theme.warning},
        {"@tooltip@", theme.tooltip},
        {"@tooltipText@", theme.tooltipText},
        {"@selectedFill@", mix(theme.background, theme.accent, 0.3)},
        {"@hoverFill@", withAlpha(theme.text, 18)},
        {"@inactiveFill@", mix(theme.background, theme.accent, 0.2)},
        {"@disabledText@", mix(theme.secondaryText, theme.panel, 0.4)},
        // What can be filled in or pressed is told from what is around it by a contrast of 3.
        {"@fieldFrame@", mix(theme.frame, theme.secondaryText, 0.68)},
        {"@scrollHandle@", mix(theme.frame, theme.secondaryText, 0.25)},
    };
    QString sheet = kSheet;
    for (const auto& [key, color] : colors) sheet.replace(key, css(color));
    sheet.replace("@check@", theme.dark ? ":/icons/check-dark.svg" : ":/icons/check-light.svg");
    return sheet.replace("@arrow@", theme.dark ? ":/icons/arrow-dark.svg" : ":/icons/arrow-light.svg");
}

void applyAppearance(Appearance appearance, const QPalette& systemPalette)
{
    const bool systemIsDark = themeFor(systemPalette).dark;
    const bool dark =
        appearance == Appearance::Dark || (appearance == Appearance::FollowSystem && systemIsDark);
    const Theme theme = dark ? darkTheme() : lightTheme();
    const QString sheet = styleSheetFor(theme);
    if (qApp->styleSheet() == sheet) return QApplication::setPalette(paletteFor(theme));
    takeSheetOff();
    if (QApplication::style()->name() != "fusion") QApplication::setStyle(QStyleFactory::create("Fusion"));
    QApplication::setPalette(paletteFor(theme));
    qApp->setStyleSheet(sheet);
}

}  // namespace skein::gui
