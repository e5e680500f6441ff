// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/menus/layout_menu.h"

#include "app/gui/menus/action_registry.h"
#include "app/gui/window/dock_host.h"
#include "app/gui/window/layout_store.h"
#include "app/gui/window/panel_arranger.h"

#include <QHBoxLayout>
#include <QInputDialog>
#include <QMenu>
#include <QMenuBar>
#include <QToolButton>

#include <algorithm>

namespace skein::gui {
namespace {

constexpr char16_t kLayoutArrow[] = u" ▾";
constexpr int kLayoutButtonMargin = 12;  ///< pixels of a button that its text does not get

}  // namespace

LayoutMenu::LayoutMenu(const WindowParts& parts, QMenu& menu, QObject* parent)
    : QObject(parent), parts_(parts), menu_(*menu.addMenu(tr("&Layout")))
{
    for (const Workspace& workspace : workspaces()) {
        QAction* action = parts_.actions.addTo(menu_, QString("layout.") + workspace.id, tr(workspace.title),
                                               {}, tr(workspace.question),
                                               [this, &workspace] { parts_.panels.apply(workspace); });
        action->setToolTip(tr(workspace.question));
        action->setCheckable(true);
    }
    menu_.setToolTipsVisible(true);
    menu_.addSeparator();
    parts_.actions.addTo(menu_, "layout.reset", tr("&Reset Layout"), {},
                         tr("Arrange the panels as this layout was made"), [this] { parts_.panels.reset(); });
    parts_.actions.addTo(menu_, "layout.save", tr("&Save Layout As…"), {},
                         tr("Keep this arrangement under a name"), [this] { saveAs(); });
    fixedEntries_ = menu_.actions().size();
    addButton();
    connect(&menu_, &QMenu::aboutToShow, this, &LayoutMenu::fill);
    connect(&parts_.panels, &PanelArranger::changed, this, &LayoutMenu::tick);
    connect(&parts_.docks, &DockHost::arranged, this, &LayoutMenu::tick);
    tick();
}

void LayoutMenu::fill()
{
    const auto actions = menu_.actions();
    for (QAction* action : actions.mid(fixedEntries_)) {
        menu_.removeAction(action);
        action->deleteLater();
    }
    tick();
    const QStringList names = LayoutStore::names();
    if (names.isEmpty()) return;
    menu_.addSeparator();
    for (const QString& layout : names) {
        QAction* action = menu_.addAction(layout);
        action->setCheckable(true);
        action->setChecked(parts_.panels.isOfUser() && parts_.panels.present() == layout);
        connect(action, &QAction::triggered, this,
                [this, layout] { parts_.panels.arrange(LayoutStore::load(layout), layout); });
    }
    QMenu* removal = menu_.addMenu(tr("Delete"));
    for (const QString& layout : names)
        connect(removal->addAction(layout), &QAction::triggered, this,
                [layout] { LayoutStore::remove(layout); });
}

/// The present layout is in sight, and another one a click away.
void LayoutMenu::addButton()
{
    QWidget* corner = parts_.window.menuBar()->cornerWidget();
    if (!corner) return;
    button_ = new QToolButton(corner);
    button_->setObjectName("layoutButton");
    button_->setProperty("flat", true);
    button_->setPopupMode(QToolButton::InstantPopup);
    button_->setMenu(&menu_);
    button_->setToolTip(tr("Which question the panels answer"));
    static_cast<QHBoxLayout*>(corner->layout())->insertWidget(0, button_);
}

/// As wide as the longest of our layouts asks for: a menu bar gives its corner the room that it asked for
/// first, and longer names would push what stands beside. Asked again each time, since style sheets may come
/// later than the button.
void LayoutMenu::fitButton()
{
    button_->ensurePolished();
    int widest = 0;
    for (const Workspace& workspace : workspaces()) {
        button_->setText(tr(workspace.title) + QString::fromUtf16(kLayoutArrow));
        widest = std::max(widest, button_->sizeHint().width());
    }
    if (button_->minimumWidth() == widest) return;
    button_->setFixedWidth(widest);
    QMenuBar* bar = parts_.window.menuBar();
    bar->setCornerWidget(bar->cornerWidget());
}

void LayoutMenu::tick()
{
    const QString present = parts_.panels.present();
    const Workspace* ready = parts_.panels.isOfUser() ? nullptr : findWorkspace(present);
    if (button_) {
        fitButton();
        const QString title = ready ? tr(ready->title) : present;
        const QFontMetrics metrics = button_->fontMetrics();
        const QString arrow = QString::fromUtf16(kLayoutArrow);
        const int room = button_->width() - metrics.horizontalAdvance(arrow) - kLayoutButtonMargin;
        button_->setText(metrics.elidedText(title, Qt::ElideRight, room) + arrow);
        button_->setAccessibleName(tr("Layout: %1").arg(title));
    }
    for (const Workspace& workspace : workspaces())
        parts_.actions.find(QString("layout.") + workspace.id)
            ->setChecked(!parts_.panels.isOfUser() && parts_.panels.present() == workspace.id);
}

void LayoutMenu::saveAs()
{
    auto* dialog = new QInputDialog(&parts_.window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Save Layout"));
    dialog->setLabelText(tr("Name of the layout"));
    connect(dialog, &QInputDialog::textValueSelected, this, [this](const QString& layout) {
        if (layout.trimmed().isEmpty()) return;
        LayoutStore::save(layout.trimmed(), parts_.docks.layout());
        parts_.panels.named(layout.trimmed());
    });
    dialog->open();
}

}  // namespace skein::gui
