// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QMainWindow;

namespace skein {
class SelectionModel;
class TaskRunner;
}  // namespace skein

namespace skein::gui {

class ActionRegistry;
class DockHost;
class HitList;
class PanelArranger;
class PreferenceKeeper;
class SessionKeeper;
class SessionLoader;

/// What the menus of a window act on. Each lives as long as the window.
struct WindowParts {
    QMainWindow& window;
    SelectionModel& selection;
    TaskRunner& tasks;
    SessionLoader& loader;
    SessionKeeper& keeper;
    HitList& hits;
    DockHost& docks;
    PanelArranger& panels;
    PreferenceKeeper& preferences;
    ActionRegistry& actions;
};

}  // namespace skein::gui
