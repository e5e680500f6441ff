// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/menus/help_menu.h"

#include "app/gui/dialogs/guide_window.h"
#include "app/gui/dialogs/shortcut_dialog.h"
#include "app/gui/menus/action_registry.h"
#include "app/gui/search/finder_popup.h"
#include "app/gui/search/searches.h"
#include "app/gui/window/dock_host.h"

#include <QApplication>
#include <QIcon>
#include <QMenuBar>
#include <QMessageBox>

namespace skein::gui {

HelpMenu::HelpMenu(const WindowParts& parts, QObject* parent) : QObject(parent), parts_(parts)
{
    palette_ = new FinderPopup(
        tr("Find a command"), [this](const QString& query) { return findActions(parts_.actions, query); },
        &parts_.window);
    palette_->setObjectName("commandPalette");
    QMenu& menu = *parts_.window.menuBar()->addMenu(tr("&Help"));
    parts_.actions.addTo(menu, "help.palette", tr("&Command Palette…"), QKeySequence("Ctrl+Shift+P"),
                         tr("Find any command by name"), [this] { palette_->popUp(); });
    parts_.actions.addTo(menu, "help.shortcuts", tr("&Keyboard and Mouse…"), QKeySequence("?"),
                         tr("Every key and gesture"), [this] { showShortcuts(); });
    parts_.actions.addTo(menu, "help.guide", tr("&User Guide…"), QKeySequence("F1"),
                         tr("How everything is done"), [this] { showGuide(); });
    parts_.actions.addTo(menu, "help.about", tr("&About Skein"), {}, tr("Version and licence"),
                         [this] { showAbout(); });
}

void HelpMenu::showGuide()
{
    auto* guide = new GuideWindow(&parts_.window);
    guide->setAttribute(Qt::WA_DeleteOnClose);
    guide->show();
}

void HelpMenu::showShortcuts()
{
    std::vector<ViewKeys> keys;
    for (const DockHost::Panel& panel : parts_.docks.panels())
        keys.push_back({tr(panel.description->title), panel.view->keyHints()});
    auto* dialog = new ShortcutDialog(parts_.actions, keys, &parts_.window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

void HelpMenu::showAbout()
{
    auto* box =
        new QMessageBox(QMessageBox::NoIcon, tr("About Skein"),
                        tr("<p><b>Skein %1</b></p><p>Shows where the time and the network of a parallel "
                           "program went, from the traces and profiles it left behind.</p>"
                           "<p>GPL-3.0-or-later</p>")
                            .arg(QApplication::applicationVersion()),
                        QMessageBox::Close, &parts_.window);
    box->setIconPixmap(QIcon(":/icons/skein.svg").pixmap(64, 64));
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->open();
}

}  // namespace skein::gui
