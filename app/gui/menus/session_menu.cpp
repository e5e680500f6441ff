// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/menus/session_menu.h"

#include "app/gui/dialogs/clock_dialog.h"
#include "app/gui/menus/action_registry.h"
#include "app/gui/session/session_loader.h"

#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>

namespace skein::gui {

SessionMenu::SessionMenu(const WindowParts& parts, QObject* parent) : QObject(parent), parts_(parts)
{
    QMenu& menu = *parts_.window.menuBar()->addMenu(tr("&Session"));
    remove_ = menu.addMenu(tr("&Remove from the Session"));
    remove_->setObjectName("session.remove");
    connect(remove_, &QMenu::aboutToShow, this, &SessionMenu::fillRemove);
    menu.addSeparator();
    parts_.actions.addTo(menu, "session.clocks", tr("&Correct Clocks…"), {},
                         tr("Show how far the clocks of the processes are apart"), [this] { showClocks(); });
    parts_.actions.addTo(menu, "session.recordedClocks", tr("&Use Recorded Clocks"), {},
                         tr("Undo the correction of the clocks"),
                         [this] { parts_.loader.restoreRecorded(); });
}

/// By their names, which tell the archives apart.
void SessionMenu::fillRemove()
{
    remove_->clear();
    const SessionPtr& session = parts_.loader.session();
    for (std::size_t number = 0; session && number < session->experiments.size(); ++number) {
        const QString name = QString::fromStdString(session->experiments[number]->name).replace("&", "&&");
        connect(remove_->addAction(name), &QAction::triggered, this,
                [this, number] { parts_.loader.remove(number); });
    }
}

void SessionMenu::showClocks()
{
    auto* dialog = new ClockDialog(parts_.loader.session(), parts_.tasks, &parts_.window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &ClockDialog::corrected, &parts_.loader, &SessionLoader::derive);
    dialog->open();
}

void SessionMenu::follow(const SessionPtr& shown)
{
    for (const char* id :
         {"file.addFile", "file.addFolder", "file.exportTree", "file.picture", "file.saveSession",
          "file.table", "edit.copyPicture", "file.saveSessionAs", "file.close", "edit.search", "edit.nextHit",
          "edit.previousHit", "session.clocks", "view.goToTime"})
        parts_.actions.find(id)->setEnabled(shown != nullptr);
    remove_->setEnabled(shown != nullptr);
    parts_.actions.find("session.recordedClocks")->setEnabled(shown && parts_.loader.isDerived());
}

}  // namespace skein::gui
