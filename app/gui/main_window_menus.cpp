// SPDX-License-Identifier: GPL-3.0-or-later
// The menus and actions of the main window.
#include "app/gui/clock_dialog.h"
#include "app/gui/dock_host.h"
#include "app/gui/finder_popup.h"
#include "app/gui/go_to_time.h"
#include "app/gui/layout_store.h"
#include "app/gui/main_window.h"
#include "app/gui/picture.h"
#include "app/gui/recent_paths.h"
#include "app/gui/search_box.h"
#include "app/gui/settings_dialog.h"
#include "app/gui/shortcut_dialog.h"
#include "app/gui/table_csv.h"
#include "core/base/units.h"
#include "core/session/session_clock.h"
#include "views/common/scene/time_axis.h"
#include "views/common/scene/time_window.h"
#include "views/common/theme.h"

#include <QActionGroup>
#include <QApplication>
#include <QClipboard>
#include <QDockWidget>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QInputDialog>
#include <QMenuBar>
#include <QMessageBox>
#include <QStatusBar>
#include <QToolButton>
#include <QTreeView>

namespace skein::gui {
namespace {

/// The first ten panels have the digits as keyboards have them in a row; those after them the digits with
/// Alt.
QKeySequence panelKey(int number)
{
    constexpr int kDigits = 10;
    return QKeySequence(QString(number > kDigits ? "Ctrl+Alt+%1" : "Ctrl+%1").arg(number % kDigits));
}

QString startFolder()
{
    const auto recent = RecentPaths::all();
    return recent.isEmpty() ? QString() : QFileInfo(recent.front().front()).absolutePath();
}

}  // namespace

QAction* MainWindow::addTo(QMenu& menu, const QString& id, const QString& text, const QKeySequence& shortcut,
                           const QString& hint, std::function<void()> triggered)
{
    QString category = menu.title();
    category.remove('&');
    QAction* action = registry_.add(id, category, text, shortcut, hint, std::move(triggered));
    menu.addAction(action);
    return action;
}

void MainWindow::buildMenus()
{
    addFileActions();
    addEditActions();
    addSessionActions();
    addViewActions();
    for (const DockHost::Panel& panel : docks_->panels())
        for (QAction* action : panel.view->actions()) registry_.adopt(tr(panel.description->title), action);
    addHelpActions();
    addMenuCorner();
}

void MainWindow::addFileActions()
{
    QMenu& menu = *menuBar()->addMenu(tr("&File"));
    addTo(menu, "file.open", tr("&Open File…"), QKeySequence::Open, tr("Open an archive by any of its files"),
          [this] { chooseFiles(&SessionLoader::open); });
    addTo(menu, "file.openFolder", tr("Open &Folder…"), QKeySequence("Ctrl+Shift+O"),
          tr("Open an archive's folder"), [this] { chooseFolder(&SessionLoader::open); });
    recentMenu_ = menu.addMenu(tr("Open &Recent"));
    connect(recentMenu_, &QMenu::aboutToShow, this, &MainWindow::fillRecentMenu);
    menu.addSeparator();
    addTo(menu, "file.addFile", tr("&Add File to Session…"), {}, tr("Open an archive beside what is open"),
          [this] { chooseFiles(&SessionLoader::add); });
    addTo(menu, "file.addFolder", tr("A&dd Folder to Session…"), {},
          tr("Open an archive beside what is open"), [this] { chooseFolder(&SessionLoader::add); });
    menu.addSeparator();
    addTo(menu, "file.saveSession", tr("&Save Session"), QKeySequence::Save,
          tr("Keep archives, filters, marks, selection and layout in a file"), [this] { saveSession(); });
    addTo(menu, "file.saveSessionAs", tr("Save Session &As…"), QKeySequence("Ctrl+Alt+S"),
          tr("Keep archives, filters, marks, selection and layout in another file"),
          [this] { saveSessionAs(); });
    addTo(menu, "file.picture", tr("Save &Picture…"), QKeySequence("Ctrl+Shift+S"),
          tr("Write the panel with the keyboard, or the window, to a PNG, SVG or PDF file"),
          [this] { choosePicture(); });
    addTo(menu, "file.table", tr("Save &Table…"), QKeySequence("Ctrl+Shift+E"),
          tr("Write the table of the panel with the keyboard to a CSV file"), [this] { chooseTable(); });
    menu.addSeparator();
    addTo(menu, "file.close", tr("&Close Session"), QKeySequence("Ctrl+W"),
          tr("Close everything that is open"), [this] { loader_.close(); });
    addTo(menu, "file.quit", tr("&Quit"), QKeySequence("Ctrl+Q"), tr("Leave the program"),
          [this] { close(); });
}

void MainWindow::addEditActions()
{
    QMenu& menu = *menuBar()->addMenu(tr("&Edit"));
    addTo(menu, "edit.undo", tr("&Undo"), QKeySequence("Ctrl+Z"),
          tr("Take the last change of filters, marks, rows or shifts back"), [this] { selection_.undo(); });
    addTo(menu, "edit.redo", tr("&Redo"), QKeySequence("Ctrl+Shift+Z"), tr("Make the change again"),
          [this] { selection_.redo(); });
    menu.addSeparator();
    addTo(menu, "edit.search", tr("&Find…"), QKeySequence("/"),
          tr("Find regions, locations, the longest calls of a region, messages"),
          [this] { search_->popUp(); });
    addTo(menu, "edit.nextHit", tr("&Next Hit"), QKeySequence("N"),
          tr("The next of the calls that a search has found"), [this] { hits_.step(1); });
    addTo(menu, "edit.previousHit", tr("&Previous Hit"), QKeySequence("Shift+N"), tr("The one before it"),
          [this] { hits_.step(-1); });
    addTo(menu, "edit.clearSelection", tr("&Clear Selection"), QKeySequence("Ctrl+Shift+A"),
          tr("Select nothing, in every view"), [this] {
              selection_.setSelected({}, nullptr);
              selection_.setBrushed(std::nullopt, nullptr);
              hits_.setHits({}, 0);
          });
    addTo(menu, "edit.copyPicture", tr("Copy &Picture"), QKeySequence("Ctrl+Shift+C"),
          tr("Put the panel with the keyboard, or the window, on the clipboard"), [this] { copyPicture(); });
    addTo(menu, "edit.clearFilters", tr("Remove All &Filters"), {}, tr("Show what filters hide"),
          [this] { selection_.setFilters({}, nullptr); });
    menu.addSeparator();
    QAction* settings = addTo(menu, "edit.settings", tr("Se&ttings…"), QKeySequence("Ctrl+,"),
                              tr("Look, units, names, memory, index"), [this] { showSettings(); });
    settings->setIcon(QIcon(":/icons/settings.svg"));
    settings->setIconVisibleInMenu(false);
}

/// What is wanted most often is in sight: the search, and the settings.
void MainWindow::addMenuCorner()
{
    auto* corner = new QWidget(menuBar());
    auto* layout = new QHBoxLayout(corner);
    layout->setContentsMargins(8, 2, 4, 2);
    layout->setSpacing(4);
    auto* box = new SearchBox(*registry_.find("edit.search"), corner);
    search_->setAnchor(box);
    auto* settings = new QToolButton(corner);
    settings->setObjectName("settingsButton");
    settings->setProperty("flat", true);
    settings->setDefaultAction(registry_.find("edit.settings"));
    settings->setToolButtonStyle(Qt::ToolButtonIconOnly);
    settings->setAccessibleName(tr("Settings"));
    layout->addWidget(box);
    layout->addWidget(settings);
    menuBar()->setCornerWidget(corner);
}

void MainWindow::showSettings()
{
    auto* dialog = new SettingsDialog(preferences_, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &SettingsDialog::changed, this, &MainWindow::setPreferences);
    dialog->open();
}

void MainWindow::addSessionActions()
{
    QMenu& menu = *menuBar()->addMenu(tr("&Session"));
    addTo(menu, "session.clocks", tr("&Correct Clocks…"), {},
          tr("Show how far the clocks of the processes are apart"), [this] { showClocks(); });
    addTo(menu, "session.recordedClocks", tr("&Use Recorded Clocks"), {},
          tr("Undo the correction of the clocks"), [this] { loader_.restoreRecorded(); });
}

void MainWindow::showClocks()
{
    auto* dialog = new ClockDialog(loader_.session(), tasks_, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &ClockDialog::corrected, &loader_, &SessionLoader::derive);
    dialog->open();
}

void MainWindow::addViewActions()
{
    QMenu& menu = *menuBar()->addMenu(tr("&View"));
    QMenu& panels = *menu.addMenu(tr("&Panels"));
    QMenu& focus = *menu.addMenu(tr("&Go to Panel"));
    int number = 0;
    for (const DockHost::Panel* panel : docks_->panelsInReadingOrder()) {
        panels.addAction(panel->dock->toggleViewAction());
        ++number;
        const QString id = panel->description->id;
        addTo(focus, "panel." + id, tr(panel->description->title), panelKey(number),
              tr("Show this panel and give it the keyboard"), [this, id] { docks_->focusView(id); });
    }
    addTo(menu, "view.float", tr("Float &Panel"), QKeySequence("Ctrl+Shift+F"),
          tr("Take the panel with the keyboard out of the window, or put it back"),
          [this] { docks_->toggleFloating(); });
    addLayoutMenu(menu);
    addAppearanceMenu(menu);
    menu.addSeparator();
    addTo(menu, "view.back", tr("&Back"), QKeySequence("Alt+Left"), tr("To the span shown before"),
          [this] { selection_.goBack(); });
    addTo(menu, "view.forward", tr("&Forward"), QKeySequence("Alt+Right"), tr("To the span shown after it"),
          [this] { selection_.goForward(); });
    addTo(menu, "view.goToTime", tr("&Go to Time…"), QKeySequence("Ctrl+G"),
          tr("Show a time, a span such as 10ms:12.5ms, or a tick of the archive's clock"),
          [this] { askForTime(); });
    addTo(menu, "view.fullScreen", tr("F&ull Screen"), QKeySequence("F11"),
          tr("Use the whole screen, or stop it"),
          [this] { setWindowState(windowState() ^ Qt::WindowFullScreen); });
}

void MainWindow::addLayoutMenu(QMenu& menu)
{
    layoutMenu_ = menu.addMenu(tr("&Layout"));
    for (const Workspace& workspace : workspaces())
        addTo(*layoutMenu_, QString("layout.") + workspace.id, tr(workspace.title), {},
              tr("Arrange the panels for this kind of work"),
              [this, &workspace] { applyWorkspace(workspace); });
    layoutMenu_->addSeparator();
    addTo(*layoutMenu_, "layout.reset", tr("&Reset Layout"), {},
          tr("Arrange the panels as at the first start"), [this] { resetLayout(); });
    addTo(*layoutMenu_, "layout.save", tr("&Save Layout As…"), {}, tr("Keep this arrangement under a name"),
          [this] { saveLayoutAs(); });
    fixedLayoutEntries_ = layoutMenu_->actions().size();
    connect(layoutMenu_, &QMenu::aboutToShow, this, &MainWindow::fillLayoutMenu);
}

void MainWindow::addAppearanceMenu(QMenu& menu)
{
    QMenu& theme = *menu.addMenu(tr("&Theme"));
    auto* group = new QActionGroup(this);
    const std::pair<Appearance, QString> choices[] = {{Appearance::FollowSystem, tr("&Follow System")},
                                                      {Appearance::Light, tr("&Light")},
                                                      {Appearance::Dark, tr("&Dark")}};
    const auto choose = [this](Appearance appearance) {
        Preferences chosen = preferences_;
        chosen.appearance = appearance;
        setPreferences(chosen);
    };
    for (const auto& [appearance, text] : choices) {
        QAction* action = addTo(theme, "theme." + name(appearance), text, {}, tr("Colours of the window"),
                                [choose, chosen = appearance] { choose(chosen); });
        action->setCheckable(true);
        group->addAction(action);
    }
    theme.addSeparator();
    addTo(theme, "theme.toggle", tr("&Switch Light and Dark"), QKeySequence("Ctrl+Shift+L"),
          tr("Colours of the window"),
          [this, choose] { choose(themeFor(palette()).dark ? Appearance::Light : Appearance::Dark); });
}

void MainWindow::addHelpActions()
{
    QMenu& menu = *menuBar()->addMenu(tr("&Help"));
    addTo(menu, "help.palette", tr("&Command Palette…"), QKeySequence("Ctrl+Shift+P"),
          tr("Find any command by name"), [this] { palette_->popUp(); });
    addTo(menu, "help.shortcuts", tr("&Keyboard and Mouse…"), QKeySequence("?"), tr("Every key and gesture"),
          [this] { showShortcuts(); });
    addTo(menu, "help.about", tr("&About Skein"), {}, tr("Version and licence"), [this] { showAbout(); });
}

void MainWindow::fillRecentMenu()
{
    recentMenu_->clear();
    const auto recent = RecentPaths::all();
    for (const QStringList& paths : recent) {
        QAction* action = recentMenu_->addAction(shortTitle(paths));
        action->setStatusTip(paths.join(", "));
        connect(action, &QAction::triggered, this, [this, paths] { loader_.open(paths); });
    }
    if (recent.isEmpty()) recentMenu_->addAction(tr("Nothing was opened yet"))->setEnabled(false);
    recentMenu_->addSeparator();
    QAction* clear = recentMenu_->addAction(tr("Clear List"));
    clear->setEnabled(!recent.isEmpty());
    connect(clear, &QAction::triggered, this, [this] {
        RecentPaths::clear();
        showRecent();
    });
}

void MainWindow::fillLayoutMenu()
{
    const auto actions = layoutMenu_->actions();
    for (QAction* action : actions.mid(fixedLayoutEntries_)) {
        layoutMenu_->removeAction(action);
        action->deleteLater();
    }
    const QStringList names = LayoutStore::names();
    if (names.isEmpty()) return;
    layoutMenu_->addSeparator();
    for (const QString& layout : names)
        connect(layoutMenu_->addAction(layout), &QAction::triggered, this,
                [this, layout] { arrangePanels(LayoutStore::load(layout)); });
    QMenu* removal = layoutMenu_->addMenu(tr("Delete"));
    for (const QString& layout : names)
        connect(removal->addAction(layout), &QAction::triggered, this,
                [layout] { LayoutStore::remove(layout); });
}

void MainWindow::chooseFiles(void (SessionLoader::*open)(const QStringList&))
{
    auto* dialog = new QFileDialog(this, tr("Open Archive"), startFolder());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFiles);
    dialog->setOption(QFileDialog::HideNameFilterDetails);
    dialog->setNameFilters({tr("Traces, profiles, tables of hand-overs (*.otf2 *.ppk *.xml *.trc *.edf *.evt "
                               "*.def profile.* *.csv)"),
                            tr("Sessions (*.session.json)"), tr("All files (*)")});
    connect(dialog, &QFileDialog::filesSelected, this,
            [this, open](const QStringList& paths) { (loader_.*open)(paths); });
    dialog->open();
}

void MainWindow::chooseFolder(void (SessionLoader::*open)(const QStringList&))
{
    auto* dialog = new QFileDialog(this, tr("Open Archive's Folder"), startFolder());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    connect(dialog, &QFileDialog::filesSelected, this,
            [this, open](const QStringList& paths) { (loader_.*open)(paths); });
    dialog->open();
}

void MainWindow::choosePicture()
{
    const DockHost::Panel* panel = docks_->focused();
    View* view = panel ? panel->view : nullptr;
    auto* dialog = new QFileDialog(this,
                                   panel ? tr("Save Picture of %1").arg(tr(panel->description->title))
                                         : tr("Save Picture of the Window"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilters({tr("PNG picture (*.png)"), tr("SVG drawing (*.svg)"), tr("PDF page (*.pdf)")});
    dialog->setDefaultSuffix("png");
    dialog->selectFile(QString("%1.png").arg(panel ? panel->description->id : "skein"));
    connect(dialog, &QFileDialog::filterSelected, dialog, [dialog](const QString& filter) {
        dialog->setDefaultSuffix(filter.contains("svg") ? "svg" : filter.contains("pdf") ? "pdf" : "png");
    });
    connect(dialog, &QFileDialog::fileSelected, this,
            [this, view](const QString& file) { savePictureOf(view, file); });
    dialog->open();
}

void MainWindow::savePictureOf(View* view, const QString& file)
{
    const double ratio = devicePixelRatioF();
    const DockHost::Panel* panel = view ? docks_->find(view->objectName()) : nullptr;
    const auto saved = view ? saveViewPicture(*view, file, static_cast<int>(view->width() * ratio),
                                              static_cast<int>(view->height() * ratio), captionOf(panel))
                            : savePicture(*this, file, {});
    if (saved) return statusBar()->showMessage(tr("Saved %1").arg(file), 5000);
    showProblems({{file, QString::fromStdString(saved.error().message),
                   QString::fromStdString(saved.error().context)}},
                 {});
}

/// What stands over a picture: which panel, of what, how much of it, without what.
QString MainWindow::captionOf(const DockHost::Panel* panel) const
{
    if (!panel || !loader_.session()) return {};
    QStringList parts{tr(panel->description->title)};
    for (const ExperimentPtr& experiment : loader_.session()->experiments)
        parts.push_back(QString::fromStdString(experiment->name));
    const ViewState& state = selection_.state();
    if (state.visible)
        parts.push_back(
            tr("%1 from %2")
                .arg(QString::fromStdString(formatDuration(static_cast<double>(state.visible->lengthNs()))),
                     QString::fromStdString(formatDuration(static_cast<double>(state.visible->begin)))));
    for (const Filter& filter : state.filters) parts.push_back(QString::fromStdString(filter.label));
    return parts.join(" · ");
}

void MainWindow::copyPicture()
{
    const DockHost::Panel* panel = docks_->focused();
    QApplication::clipboard()->setImage(panel ? pictureOf(*panel->view, captionOf(panel))
                                              : pictureOf(*this, {}));
    statusBar()->showMessage(panel ? tr("Copied the picture of %1").arg(tr(panel->description->title))
                                   : tr("Copied the picture of the window"),
                             5000);
}

void MainWindow::chooseTable()
{
    const DockHost::Panel* panel = docks_->focused();
    const QTreeView* table = panel ? tableOf(*panel->view) : nullptr;
    if (!table)
        return statusBar()->showMessage(tr("Click into a panel with a table first: call tree, function "
                                           "summary, statistics, wait states …"),
                                        8000);
    auto* dialog = new QFileDialog(this, tr("Save Table of %1").arg(tr(panel->description->title)));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilters({tr("Comma-separated values (*.csv)")});
    dialog->setDefaultSuffix("csv");
    dialog->selectFile(QString("%1.csv").arg(panel->description->id));
    connect(dialog, &QFileDialog::fileSelected, this, [this, table](const QString& file) {
        if (const auto saved = saveTable(*table, file))
            return statusBar()->showMessage(tr("Saved %1").arg(file), 5000);
        showProblems({{file, tr("The table cannot be written."), {}}}, loader_.paths());
    });
    dialog->open();
}

void MainWindow::saveSession()
{
    if (keeper_.file().isEmpty()) return saveSessionAs();
    keeper_.save(keeper_.file(), docks_->layout());
}

void MainWindow::saveSessionAs()
{
    if (loader_.paths().isEmpty()) return;
    const QFileInfo first(loader_.paths().front());
    auto* dialog = new QFileDialog(this, tr("Save Session"),
                                   keeper_.file().isEmpty() ? first.absolutePath() : keeper_.file());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilters({tr("Sessions (*.session.json)")});
    dialog->setDefaultSuffix("session.json");
    if (keeper_.file().isEmpty()) dialog->selectFile(first.completeBaseName() + ".session.json");
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& file) {
        keeper_.save(isSessionFile(file) ? file : file + ".session.json", docks_->layout());
    });
    dialog->open();
}

void MainWindow::showChanges(const QString& file, const QStringList& sentences)
{
    auto* box =
        new QMessageBox(QMessageBox::Information, tr("Session"),
                        tr("Not everything is as it was when %1 was saved. What could be brought back was.")
                            .arg(shortTitle({file})),
                        QMessageBox::Close, this);
    box->setObjectName("sessionChanges");
    box->setInformativeText(sentences.join("\n"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->open();
}

void MainWindow::saveLayoutAs()
{
    auto* dialog = new QInputDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Save Layout"));
    dialog->setLabelText(tr("Name of the layout"));
    connect(dialog, &QInputDialog::textValueSelected, this, [this](const QString& layout) {
        if (!layout.trimmed().isEmpty()) LayoutStore::save(layout.trimmed(), docks_->layout());
    });
    dialog->open();
}

void MainWindow::askForTime(const QString& typed, const QString& problem)
{
    auto* dialog = new QInputDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setObjectName("goToTime");
    dialog->setWindowTitle(tr("Go to Time"));
    const QString hint = tr("12.5 ms, a span such as 10ms:12.5ms, or 123456 ticks");
    dialog->setLabelText(problem.isEmpty() ? hint : problem + "\n\n" + hint);
    dialog->setTextValue(typed);
    connect(dialog, &QInputDialog::textValueSelected, this, [this](const QString& text) {
        if (!loader_.session()) return;
        const TimeSpan whole = sessionClock(*loader_.session(), selection_.state().clockShiftsNs).extent;
        const auto window = windowAsked(text.toStdString(), selection_.state().visible.value_or(whole), whole,
                                        *loader_.session());
        if (!window) return askForTime(text, QString::fromStdString(window.error().message));
        selection_.setVisible(visibleOf(*window, whole), nullptr);
        statusBar()->showMessage(tr("%1 to %2")
                                     .arg(QString::fromStdString(exactTime(window->begin)),
                                          QString::fromStdString(exactTime(window->end))),
                                 8000);
    });
    dialog->open();
}

void MainWindow::showShortcuts()
{
    std::vector<ViewKeys> keys;
    for (const DockHost::Panel& panel : docks_->panels())
        keys.push_back({tr(panel.description->title), panel.view->keyHints()});
    auto* dialog = new ShortcutDialog(registry_, keys, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

void MainWindow::showAbout()
{
    auto* box =
        new QMessageBox(QMessageBox::NoIcon, tr("About Skein"),
                        tr("<p><b>Skein %1</b></p><p>Shows where the time and the network of a parallel "
                           "program went, from the traces and profiles it left behind.</p>"
                           "<p>GPL-3.0-or-later</p>")
                            .arg(QApplication::applicationVersion()),
                        QMessageBox::Close, this);
    box->setIconPixmap(windowIcon().pixmap(64, 64));
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->open();
}

}  // namespace skein::gui
