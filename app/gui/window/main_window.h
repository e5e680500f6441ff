// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QMainWindow>

#include "app/gui/menus/action_registry.h"
#include "app/gui/search/hit_list.h"
#include "app/gui/session/session_keeper.h"
#include "app/gui/session/session_loader.h"
#include "app/gui/settings/preference_keeper.h"
#include "app/gui/window/dock_host.h"
#include "views/common/selection_model.h"
#include "views/common/task_runner.h"

class QStackedWidget;

namespace skein::gui {

class LossBar;
class MarkKeeper;
class PanelArranger;
class PanelSettingsKeeper;
class SessionMenu;
class SessionPresenter;
class ScopeBar;
class StatusLine;
class WelcomePage;

/// The one window: holds its parts and joins them. Opens archives in the background and shows the session in
/// all views.
class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    explicit MainWindow(SettingsUse settings = SettingsUse::Persistent, QWidget* parent = nullptr);
    ~MainWindow() override;

    SessionLoader& loader() { return loader_; }
    SessionKeeper& keeper() { return keeper_; }
    SelectionModel& selection() { return selection_; }
    TaskRunner& tasks() { return tasks_; }
    DockHost& docks() { return *docks_; }
    PanelArranger& panels() { return *panels_; }
    PreferenceKeeper& preferences() { return *preferences_; }
    const ActionRegistry& actionRegistry() const { return registry_; }
    /// Scripts of the same user may see and change what is shown, see remote/window_server.h; once at most.
    Result<void> letScriptsIn(const std::string& folder);
    /// Whether no work runs and every panel has the session that is open.
    bool settled() const;

protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void showEvent(QShowEvent* event) override;
    bool event(QEvent* event) override;

private:
    void buildContent();
    void buildMenus();
    void joinParts();
    void showSession();
    void beginSession(const SessionPtr& session);
    void focusMainView();
    void showLoading();
    void letChoose(const ArchiveChoice& choice);
    void rememberOpened();
    void showRecent();
    void restoreSettings();
    void saveSettings();

    PreferenceKeeper* preferences_ = nullptr;  ///< first: events come while the others are made
    SettingsUse settings_;
    SelectionModel selection_;
    HitList hits_;
    TaskRunner tasks_;
    SessionLoader loader_;
    SessionKeeper keeper_;
    ActionRegistry registry_;
    QStackedWidget* pages_ = nullptr;
    WelcomePage* welcome_ = nullptr;
    DockHost* docks_ = nullptr;
    ScopeBar* scopeBar_ = nullptr;
    LossBar* lossBar_ = nullptr;
    StatusLine* status_ = nullptr;
    SessionPresenter* presenter_ = nullptr;
    PanelArranger* panels_ = nullptr;
    MarkKeeper* marks_ = nullptr;
    PanelSettingsKeeper* panelSettings_ = nullptr;
    SessionMenu* sessionMenu_ = nullptr;
};

}  // namespace skein::gui
