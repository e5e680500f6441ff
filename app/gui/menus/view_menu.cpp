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
#include "views/common/time_view.h"

#include <QActionGroup>
#include <QDockWidget>
#include <QInputDialog>
#include <QLineEdit>
#include <QMenuBar>
#include <QStatusBar>
#include <QTimer>
#include <QWidgetAction>

namespace skein::gui {
namespace {

/// The first ten panels have the digits as keyboards have them in a row; those after them the digits with
/// Alt, then with Shift as well, then with Alt and Shift, the last after Ctrl+K.
QKeySequence panelKey(int number)
{
    constexpr int kDigits = 10;
    const char* keys[] = {"Ctrl+%1", "Ctrl+Alt+%1", "Ctrl+Alt+Shift+%1", "Alt+Shift+%1", "Ctrl+K, %1"};
    const int row = (number - 1) / kDigits;
    return row < 5 ? QKeySequence(QString(keys[row]).arg(number % kDigits)) : QKeySequence();
}

struct PanelGroup {
    const char* title;
    QStringList views;
};

/// What the panels are about, for the menu; others follow under *More*.
const std::vector<PanelGroup>& panelGroups()
{
    static const std::vector<PanelGroup> groups{
        {"Over Time",
         {"overview", "timeline", "location_detail", "counters", "behavior", "behavior_second", "stream",
          "outliers"}},
        {"Sums",
         {"call_tree", "tree_graph", "flame", "function_summary", "profile", "statistics", "balance"}},
        {"Runs Beside Each Other", {"compare", "scaling"}},
        {"Communication and Waiting",
         {"communication", "comm_matrix", "comm_changes", "machine", "route_matrix", "machine_setup",
          "metric_rank", "remap", "reroute", "prediction", "waits", "components", "hand_overs"}},
        {"Alike and Unlike",
         {"anomalies", "structure", "execution_stack", "similarity", "similarity_second", "causality"}},
        {"Selection and Archive", {"details", "legend", "marks", "import_report", "jobs"}}};
    return groups;
}

}  // namespace

ViewMenu::ViewMenu(const WindowParts& parts, QObject* parent) : QObject(parent), parts_(parts)
{
    QMenu& menu = *parts_.window.menuBar()->addMenu(tr("&View"));
    addPanels(menu);
    new LayoutMenu(parts_, menu, this);
    addThemes(menu);
    menu.addSeparator();
    addTimeline(menu);
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
    panels_ = menu.addMenu(tr("&Panels"));
    panels_->setObjectName("view.panels");
    connect(panels_, &QMenu::aboutToShow, this, &ViewMenu::fillPanels);
    QMenu& focus = *menu.addMenu(tr("&Go to Panel"));
    int number = 0;
    for (const DockHost::Panel* panel : parts_.docks.panelsInReadingOrder()) {
        ++number;
        const QString id = panel->id;
        parts_.actions.addTo(focus, "panel." + id, tr(panel->description->title), panelKey(number),
                             tr("Show this panel and give it the keyboard"),
                             [this, id] { parts_.docks.focusView(id); });
    }
    parts_.actions.addTo(menu, "view.float", tr("Float &Panel"), QKeySequence("Ctrl+Shift+F"),
                         tr("Take the panel with the keyboard out of the window, or put it back"),
                         [this] { parts_.docks.toggleFloating(); });
    parts_.actions.addTo(menu, "view.maximise", tr("Ma&ximise Panel"), QKeySequence("Shift+F11"),
                         tr("Show the panel with the keyboard alone, or all of them again"),
                         [this] { parts_.docks.toggleMaximised(); });
    parts_.actions.addTo(menu, "view.another", tr("A&nother Panel of This Kind"), {},
                         tr("One more of the panel with the keyboard, with pins of its own"), [this] {
                             const DockHost::Panel* panel = parts_.docks.focused();
                             const QString kind = panel ? panel->description->id : mainView().id;
                             if (const auto* added = parts_.docks.addPanel(kind))
                                 parts_.docks.focusView(added->id);
                         });
    fillPanels();
}

/// By what they are about, under a field that finds them by their titles.
void ViewMenu::fillPanels()
{
    panels_->clear();
    auto* field = new QLineEdit(panels_);
    field->setObjectName("view.panels.find");
    field->setPlaceholderText(tr("Find a panel"));
    field->setAccessibleName(tr("Find a panel by its name"));
    auto* finder = new QWidgetAction(panels_);
    finder->setDefaultWidget(field);
    panels_->addAction(finder);
    QStringList placed;
    const auto add = [&](const QString& title, auto belongs) {
        QList<QAction*> toggles;
        for (const DockHost::Panel& panel : parts_.docks.panels())
            if (belongs(panel)) {
                toggles.push_back(panel.dock->toggleViewAction());
                // Who asks for a panel wants to see it, also where it comes to stand behind others.
                connect(toggles.back(), &QAction::triggered, finder, [dock = panel.dock](bool shown) {
                    if (shown) dock->raise();
                });
            }
        if (toggles.isEmpty()) return;
        panels_->addSeparator();
        panels_->addAction(title)->setEnabled(false);
        panels_->addActions(toggles);
    };
    for (const PanelGroup& group : panelGroups()) {
        add(tr(group.title),
            [&](const DockHost::Panel& panel) { return group.views.contains(panel.description->id); });
        placed += group.views;
    }
    add(tr("More"), [&](const DockHost::Panel& panel) { return !placed.contains(panel.description->id); });
    connect(field, &QLineEdit::textChanged, this, [this, finder](const QString& typed) {
        for (QAction* action : panels_->actions())
            if (action != finder)
                action->setVisible(typed.isEmpty()
                                   || (action->isEnabled() && !action->isSeparator()
                                       && action->text().contains(typed, Qt::CaseInsensitive)));
    });
    // The first that is found.
    connect(field, &QLineEdit::returnPressed, this, [this, finder] {
        for (QAction* action : panels_->actions())
            if (action != finder && action->isVisible() && action->isEnabled() && !action->isSeparator()) {
                panels_->hide();
                return action->trigger();
            }
    });
    QTimer::singleShot(0, field, [field] { field->setFocus(); });
}

/// What the keys of the timeline do, for those who look into menus first.
void ViewMenu::addTimeline(QMenu& menu)
{
    QMenu& zoom = *menu.addMenu(tr("&Zoom"));
    const auto timeline = [this] { return static_cast<TimeView*>(parts_.docks.find("timeline")->view); };
    const auto step = [timeline](double factor) {
        TimeView* view = timeline();
        view->zoom(factor, view->width() * view->devicePixelRatioF() / 2);
    };
    constexpr double kStep = 1.5;
    parts_.actions.addTo(zoom, "view.zoomIn", tr("Zoom &In"), QKeySequence("Ctrl++"),
                         tr("Less time; W at the pointer"), [step] { step(1 / kStep); });
    parts_.actions.addTo(zoom, "view.zoomOut", tr("Zoom &Out"), QKeySequence("Ctrl+-"),
                         tr("More time; S at the pointer"), [step] { step(kStep); });
    QMenu& marks = *menu.addMenu(tr("&Marks"));
    QMenu& calls = *menu.addMenu(tr("&Calls and Messages"));
    const auto adopt = [&](QMenu& into, std::initializer_list<const char*> names) {
        for (const char* name : names)
            if (auto* action = timeline()->findChild<QAction*>(name)) into.addAction(action);
    };
    QMenu& rows = *menu.addMenu(tr("&Rows"));
    adopt(rows, {"timeline.rowsUsual", "timeline.rowsAll", "timeline.rowsReadable"});
    rows.addSeparator();
    adopt(rows,
          {"timeline.orderByTree", "timeline.orderByName", "timeline.orderByTime",
           "timeline.orderBySimilarity", "timeline.foldNodes", "timeline.foldProcesses"});
    adopt(zoom, {"timeline.everything", "timeline.zoomToSpan", "timeline.zoomToSelection"});
    adopt(marks, {"timeline.mark", "timeline.markWithNote"});
    adopt(calls,
          {"timeline.messages", "timeline.collectives", "timeline.waits", "timeline.criticalPath",
           "timeline.changes", "timeline.clusters", "timeline.nextCall", "timeline.previousCall",
           "timeline.otherEnd"});
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
