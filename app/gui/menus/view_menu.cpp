// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/menus/view_menu.h"

#include "app/gui/dialogs/go_to_time.h"
#include "app/gui/menus/action_registry.h"
#include "app/gui/menus/layout_menu.h"
#include "app/gui/session/session_loader.h"
#include "app/gui/settings/preference_keeper.h"
#include "app/gui/window/dock_host.h"
#include "core/session/session_clock.h"
#include "views/common/scene/axes/time_axis.h"
#include "views/common/scene/axes/time_window.h"
#include "views/common/selection_model.h"
#include "views/common/theme.h"

#include <QActionGroup>
#include <QDockWidget>
#include <QInputDialog>
#include <QMenuBar>
#include <QStatusBar>

namespace skein::gui {
namespace {

/// The first ten panels have the digits as keyboards have them in a row; those after them the digits with
/// Alt.
QKeySequence panelKey(int number)
{
    constexpr int kDigits = 10;
    return QKeySequence(QString(number > kDigits ? "Ctrl+Alt+%1" : "Ctrl+%1").arg(number % kDigits));
}

}  // namespace

ViewMenu::ViewMenu(const WindowParts& parts, QObject* parent) : QObject(parent), parts_(parts)
{
    QMenu& menu = *parts_.window.menuBar()->addMenu(tr("&View"));
    addPanels(menu);
    new LayoutMenu(parts_, menu, this);
    addThemes(menu);
    menu.addSeparator();
    addTimes(menu);
    parts_.actions.addTo(menu, "view.fullScreen", tr("F&ull Screen"), QKeySequence("F11"),
                         tr("Use the whole screen, or stop it"), [this] {
                             parts_.window.setWindowState(parts_.window.windowState() ^ Qt::WindowFullScreen);
                         });
    for (const DockHost::Panel& panel : parts_.docks.panels())
        for (QAction* action : panel.view->actions())
            parts_.actions.adopt(tr(panel.description->title), action);
}

void ViewMenu::addPanels(QMenu& menu)
{
    QMenu& panels = *menu.addMenu(tr("&Panels"));
    QMenu& focus = *menu.addMenu(tr("&Go to Panel"));
    int number = 0;
    for (const DockHost::Panel* panel : parts_.docks.panelsInReadingOrder()) {
        panels.addAction(panel->dock->toggleViewAction());
        ++number;
        const QString id = panel->description->id;
        parts_.actions.addTo(focus, "panel." + id, tr(panel->description->title), panelKey(number),
                             tr("Show this panel and give it the keyboard"),
                             [this, id] { parts_.docks.focusView(id); });
    }
    parts_.actions.addTo(menu, "view.float", tr("Float &Panel"), QKeySequence("Ctrl+Shift+F"),
                         tr("Take the panel with the keyboard out of the window, or put it back"),
                         [this] { parts_.docks.toggleFloating(); });
}

void ViewMenu::addThemes(QMenu& menu)
{
    QMenu& theme = *menu.addMenu(tr("&Theme"));
    auto* group = new QActionGroup(&parts_.window);
    const std::pair<Appearance, QString> choices[] = {{Appearance::FollowSystem, tr("&Follow System")},
                                                      {Appearance::Light, tr("&Light")},
                                                      {Appearance::Dark, tr("&Dark")}};
    const auto choose = [this](Appearance appearance) {
        Preferences chosen = parts_.preferences.preferences();
        chosen.appearance = appearance;
        parts_.preferences.set(chosen);
    };
    for (const auto& [appearance, text] : choices) {
        QAction* action =
            parts_.actions.addTo(theme, "theme." + name(appearance), text, {}, tr("Colours of the window"),
                                 [choose, chosen = appearance] { choose(chosen); });
        action->setCheckable(true);
        group->addAction(action);
    }
    connect(&parts_.preferences, &PreferenceKeeper::appearanceChanged, this, [this](Appearance appearance) {
        parts_.actions.find("theme." + name(appearance))->setChecked(true);
    });
    theme.addSeparator();
    parts_.actions.addTo(theme, "theme.toggle", tr("&Switch Light and Dark"), QKeySequence("Ctrl+Shift+L"),
                         tr("Colours of the window"), [this, choose] {
                             const bool dark = themeFor(parts_.window.palette()).dark;
                             choose(dark ? Appearance::Light : Appearance::Dark);
                         });
}

void ViewMenu::addTimes(QMenu& menu)
{
    ActionRegistry& actions = parts_.actions;
    actions.addTo(menu, "view.back", tr("&Back"), QKeySequence("Alt+Left"), tr("To the span shown before"),
                  [this] { parts_.selection.goBack(); });
    actions.addTo(menu, "view.forward", tr("&Forward"), QKeySequence("Alt+Right"),
                  tr("To the span shown after it"), [this] { parts_.selection.goForward(); });
    actions.addTo(menu, "view.goToTime", tr("&Go to Time…"), QKeySequence("Ctrl+G"),
                  tr("Show a time, a span such as 10ms:12.5ms, or a tick of the archive's clock"),
                  [this] { askForTime(); });
}

void ViewMenu::askForTime(const QString& typed, const QString& problem)
{
    auto* dialog = new QInputDialog(&parts_.window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setObjectName("goToTime");
    dialog->setWindowTitle(tr("Go to Time"));
    const QString hint = tr("12.5 ms, a span such as 10ms:12.5ms, or 123456 ticks");
    dialog->setLabelText(problem.isEmpty() ? hint : problem + "\n\n" + hint);
    dialog->setTextValue(typed);
    connect(dialog, &QInputDialog::textValueSelected, this, [this](const QString& text) {
        const SessionPtr& session = parts_.loader.session();
        if (!session) return;
        const ViewState& state = parts_.selection.state();
        const TimeSpan whole = sessionClock(*session, state.clockShiftsNs).extent;
        const auto window = windowAsked(text.toStdString(), state.visible.value_or(whole), whole, *session);
        if (!window) return askForTime(text, QString::fromStdString(window.error().message));
        parts_.selection.setVisible(visibleOf(*window, whole), nullptr);
        parts_.window.statusBar()->showMessage(tr("%1 to %2")
                                                   .arg(QString::fromStdString(exactTime(window->begin)),
                                                        QString::fromStdString(exactTime(window->end))),
                                               8000);
    });
    dialog->open();
}

}  // namespace skein::gui
