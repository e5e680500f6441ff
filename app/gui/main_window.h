// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/action_registry.h"
#include "app/gui/dock_host.h"
#include "app/gui/hit_list.h"
#include "app/gui/preferences.h"
#include "app/gui/session_keeper.h"
#include "app/gui/session_loader.h"
#include "app/gui/workspaces.h"
#include "views/common/selection_model.h"
#include "views/common/task_runner.h"
#include "views/common/turn_queue.h"

#include <QDeadlineTimer>
#include <QMainWindow>

class QMenu;
class QStackedWidget;

namespace skein {
class View;
}

namespace skein::gui {

class FinderPopup;
class StatusLine;
class WelcomePage;

/// Whether a window reads and writes the user's settings (layout, size, theme, recent files).
enum class SettingsUse { Persistent, None };

/// The one window: menus, docks, status line. Opens archives in the background and shows the session in all
/// views.
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
    const ActionRegistry& actionRegistry() const { return registry_; }
    /// Whether no work runs and every panel has the session that is open.
    bool settled() const { return preparations_.empty() && steps_.empty() && !tasks_.anyRunning(); }

    void setAppearance(Appearance appearance);
    const Preferences& preferences() const { return preferences_; }
    /// What is chosen counts at once, in every panel, and the next time.
    void setPreferences(const Preferences& preferences);
    void resetLayout();

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
    void addFileActions();
    void addEditActions();
    void addSessionActions();
    void addViewActions();
    void addHelpActions();
    void addMenuCorner();
    void addLayoutMenu(QMenu& menu);
    void addAppearanceMenu(QMenu& menu);
    void fillRecentMenu();
    void fillLayoutMenu();
    QAction* addTo(QMenu& menu, const QString& id, const QString& text, const QKeySequence& shortcut,
                   const QString& hint, std::function<void()> triggered);

    void chooseFiles(void (SessionLoader::*open)(const QStringList&));
    void chooseFolder(void (SessionLoader::*open)(const QStringList&));
    void saveLayoutAs();
    void saveSession();
    void saveSessionAs();
    void showChanges(const QString& file, const QStringList& sentences);
    void rememberOpened();
    void applyWorkspace(const Workspace& workspace);
    void showSettings();
    void applyPresentation();
    void showShortcuts();
    /// Again with what was typed where it was no time.
    void askForTime(const QString& typed = {}, const QString& problem = {});
    void showAbout();
    void showClocks();
    void choosePicture();
    void savePictureOf(View* view, const QString& file);
    void copyPicture();
    void chooseTable();
    QString captionOf(const DockHost::Panel* panel) const;
    void showProblems(const std::vector<Problem>& problems, const QStringList& opened);
    void showEdits();
    void followSystem();
    void showSession();
    void takeSessionAway();
    void beginSession();
    void giveSession();
    void awaitFirst(const std::vector<View*>& pictures, const std::vector<View*>& later,
                    QDeadlineTimer deadline);
    void focusMainView();
    void givePictures(const std::vector<View*>& pictures, const std::vector<View*>& later);
    void giveSessionLater(const std::vector<View*>& pictures, const std::vector<View*>& later,
                          QDeadlineTimer deadline);
    void enableSessionActions(bool open);
    void keepMarks();
    std::vector<View*> viewsShownFirst() const;
    void showLoading();
    void arrangePanels(const QByteArray& layout);
    void showPanels();
    void preparePanels();
    void prepareHidden(View* view);
    void showRecent();
    void restoreSettings();
    void saveSettings();

    SettingsUse settings_;
    QPalette systemPalette_;   ///< what the desktop gave the application
    QPalette appliedPalette_;  ///< what this window made of it
    Preferences preferences_;
    bool changingAppearance_ = false;
    SelectionModel selection_;
    HitList hits_;
    TaskRunner tasks_;
    SessionLoader loader_;
    SessionKeeper keeper_;
    ActionRegistry registry_;
    TurnQueue steps_;                 ///< what is still to be done until every panel has the session
    bool panelsHoldSession_ = false;  ///< some or all of them
    QStackedWidget* pages_ = nullptr;
    WelcomePage* welcome_ = nullptr;
    DockHost* docks_ = nullptr;
    StatusLine* status_ = nullptr;
    FinderPopup* palette_ = nullptr;
    FinderPopup* search_ = nullptr;
    QMenu* recentMenu_ = nullptr;
    QMenu* layoutMenu_ = nullptr;
    qsizetype fixedLayoutEntries_ = 0;  ///< of layoutMenu_, before those of the user
    std::vector<Mark> keptMarks_;       ///< as they are in the settings
    QByteArray savedLayout_;            ///< how the panels stood when the program was left
    TurnQueue preparations_;            ///< of the panels, before anything is opened
    bool panelsPrepared_ = false;
    bool panelsSeen_ = false;  ///< since they were arranged as savedLayout_ says
    QSize arrangedFor_;        ///< the room that they had then
};

}  // namespace skein::gui
