// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/menus/file_menu.h"

#include "app/gui/export/panel_export.h"
#include "app/gui/menus/action_registry.h"
#include "app/gui/session/recent_paths.h"
#include "app/gui/session/session_keeper.h"
#include "app/gui/window/dock_host.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>

namespace skein::gui {
namespace {

QString startFolder()
{
    const auto recent = RecentPaths::all();
    return recent.isEmpty() ? QString() : QFileInfo(recent.front().front()).absolutePath();
}

}  // namespace

FileMenu::FileMenu(const WindowParts& parts, PanelExport& exports, QObject* parent)
    : QObject(parent), parts_(parts)
{
    QMenu& menu = *parts_.window.menuBar()->addMenu(tr("&File"));
    ActionRegistry& actions = parts_.actions;
    addArchives(menu);
    menu.addSeparator();
    addSessions(menu);
    actions.addTo(menu, "file.picture", tr("Save &Picture…"), QKeySequence("Ctrl+Shift+S"),
                  tr("Write the panel with the keyboard, or the window, to a PNG, SVG or PDF file"),
                  [&exports] { exports.choosePicture(); });
    actions.addTo(menu, "file.table", tr("Save &Table…"), QKeySequence("Ctrl+Shift+E"),
                  tr("Write the table of the panel with the keyboard to a CSV file"),
                  [&exports] { exports.chooseTable(); });
    actions.addTo(menu, "file.exportTree", tr("E&xport Call Tree…"), {},
                  tr("Write the call tree for Hatchet, pandas, flame graphs or speedscope"),
                  [&exports] { exports.chooseTree(); });
    menu.addSeparator();
    actions.addTo(menu, "file.close", tr("&Close Session"), QKeySequence("Ctrl+W"),
                  tr("Close everything that is open"), [this] { parts_.loader.close(); });
    actions.addTo(menu, "file.quit", tr("&Quit"), QKeySequence("Ctrl+Q"), tr("Leave the program"),
                  [this] { parts_.window.close(); });
}

void FileMenu::addArchives(QMenu& menu)
{
    ActionRegistry& actions = parts_.actions;
    actions.addTo(menu, "file.open", tr("&Open File…"), QKeySequence::Open,
                  tr("Open an archive by any of its files"), [this] { chooseFiles(&SessionLoader::open); });
    actions.addTo(menu, "file.openFolder", tr("Open &Folder…"), QKeySequence("Ctrl+Shift+O"),
                  tr("Open an archive's folder"), [this] { chooseFolder(&SessionLoader::open); });
    recent_ = menu.addMenu(tr("Open &Recent"));
    recent_->setToolTipsVisible(true);
    connect(recent_, &QMenu::aboutToShow, this, &FileMenu::fillRecent);
    menu.addSeparator();
    actions.addTo(menu, "file.addFile", tr("&Add File to Session…"), {},
                  tr("Open an archive beside what is open"), [this] { chooseFiles(&SessionLoader::add); });
    actions.addTo(menu, "file.addFolder", tr("A&dd Folder to Session…"), {},
                  tr("Open an archive beside what is open"), [this] { chooseFolder(&SessionLoader::add); });
}

void FileMenu::addSessions(QMenu& menu)
{
    ActionRegistry& actions = parts_.actions;
    actions.addTo(menu, "file.saveSession", tr("&Save Session"), QKeySequence::Save,
                  tr("Keep archives, filters, marks, selection and layout in a file"),
                  [this] { saveSession(); });
    actions.addTo(menu, "file.saveSessionAs", tr("Save Session &As…"), QKeySequence("Ctrl+Alt+S"),
                  tr("Keep archives, filters, marks, selection and layout in another file"),
                  [this] { saveSessionAs(); });
}

void FileMenu::fillRecent()
{
    recent_->clear();
    const auto all = RecentPaths::all();
    const QStringList titles = shortTitles(all);
    for (qsizetype at = 0; at < all.size(); ++at) {
        const QStringList& paths = all[at];
        QAction* action = recent_->addAction(
            recent_->fontMetrics().elidedText(QString(titles[at]).replace("&", "&&"), Qt::ElideMiddle, 480));
        action->setStatusTip(paths.join(", "));
        action->setToolTip(paths.join("\n"));
        connect(action, &QAction::triggered, this, [this, paths] { parts_.loader.open(paths); });
    }
    if (all.isEmpty()) recent_->addAction(tr("Nothing was opened yet"))->setEnabled(false);
    recent_->addSeparator();
    QAction* clear = recent_->addAction(tr("Clear List"));
    clear->setEnabled(!all.isEmpty());
    connect(clear, &QAction::triggered, this, [this] {
        RecentPaths::clear();
        Q_EMIT recentCleared();
    });
}

void FileMenu::chooseFiles(Open open)
{
    auto* dialog = new QFileDialog(&parts_.window, tr("Open Archive"), startFolder());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFiles);
    dialog->setOption(QFileDialog::HideNameFilterDetails);
    dialog->setNameFilters(
        {tr("Traces, profiles, tables of hand-overs (*.otf2 *.cubex *.ppk *.xml *.trc *.edf *.evt "
            "*.def profile.* *.csv)"),
         tr("Sessions (*.session.json)"), tr("All files (*)")});
    connect(dialog, &QFileDialog::filesSelected, this,
            [this, open](const QStringList& paths) { (parts_.loader.*open)(paths); });
    dialog->open();
}

void FileMenu::chooseFolder(Open open)
{
    auto* dialog = new QFileDialog(&parts_.window, tr("Open Archive's Folder"), startFolder());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    connect(dialog, &QFileDialog::filesSelected, this,
            [this, open](const QStringList& paths) { (parts_.loader.*open)(paths); });
    dialog->open();
}

void FileMenu::saveSession()
{
    if (parts_.keeper.file().isEmpty()) return saveSessionAs();
    parts_.keeper.save(parts_.keeper.file(), parts_.docks.layout());
}

void FileMenu::saveSessionAs()
{
    if (parts_.loader.paths().isEmpty()) return;
    const QFileInfo first(parts_.loader.paths().front());
    const QString& present = parts_.keeper.file();
    auto* dialog = new QFileDialog(&parts_.window, tr("Save Session"),
                                   present.isEmpty() ? first.absolutePath() : present);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilters({tr("Sessions (*.session.json)")});
    dialog->setDefaultSuffix("session.json");
    if (present.isEmpty()) dialog->selectFile(first.completeBaseName() + ".session.json");
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& file) {
        parts_.keeper.save(isSessionFile(file) ? file : file + ".session.json", parts_.docks.layout());
    });
    dialog->open();
}

}  // namespace skein::gui
