// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/menus/layout_menu.h"

#include "app/gui/menus/action_registry.h"
#include "app/gui/window/dock_host.h"
#include "app/gui/window/layout_store.h"
#include "app/gui/window/panel_arranger.h"

#include <QInputDialog>
#include <QMenu>

namespace skein::gui {

LayoutMenu::LayoutMenu(const WindowParts& parts, QMenu& menu, QObject* parent)
    : QObject(parent), parts_(parts), menu_(*menu.addMenu(tr("&Layout")))
{
    for (const Workspace& workspace : workspaces())
        parts_.actions.addTo(menu_, QString("layout.") + workspace.id, tr(workspace.title), {},
                             tr("Arrange the panels for this kind of work"),
                             [this, &workspace] { parts_.panels.apply(workspace); });
    menu_.addSeparator();
    parts_.actions.addTo(menu_, "layout.reset", tr("&Reset Layout"), {},
                         tr("Arrange the panels as at the first start"), [this] { parts_.panels.reset(); });
    parts_.actions.addTo(menu_, "layout.save", tr("&Save Layout As…"), {},
                         tr("Keep this arrangement under a name"), [this] { saveAs(); });
    fixedEntries_ = menu_.actions().size();
    connect(&menu_, &QMenu::aboutToShow, this, &LayoutMenu::fill);
}

void LayoutMenu::fill()
{
    const auto actions = menu_.actions();
    for (QAction* action : actions.mid(fixedEntries_)) {
        menu_.removeAction(action);
        action->deleteLater();
    }
    const QStringList names = LayoutStore::names();
    if (names.isEmpty()) return;
    menu_.addSeparator();
    for (const QString& layout : names)
        connect(menu_.addAction(layout), &QAction::triggered, this,
                [this, layout] { parts_.panels.arrange(LayoutStore::load(layout)); });
    QMenu* removal = menu_.addMenu(tr("Delete"));
    for (const QString& layout : names)
        connect(removal->addAction(layout), &QAction::triggered, this,
                [layout] { LayoutStore::remove(layout); });
}

void LayoutMenu::saveAs()
{
    auto* dialog = new QInputDialog(&parts_.window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Save Layout"));
    dialog->setLabelText(tr("Name of the layout"));
    connect(dialog, &QInputDialog::textValueSelected, this, [this](const QString& layout) {
        if (!layout.trimmed().isEmpty()) LayoutStore::save(layout.trimmed(), parts_.docks.layout());
    });
    dialog->open();
}

}  // namespace skein::gui
