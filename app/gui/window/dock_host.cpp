// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/window/dock_host.h"

#include "app/gui/window/panel_head.h"
#include "views/common/linked_selection.h"
#include "views/common/task_runner.h"
#include "views/common/theme.h"
#include "views/common/time_view.h"

#include <QApplication>
#include <QDockWidget>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QTabBar>
#include <QTimer>

#include <algorithm>

namespace skein::gui {
namespace {

constexpr int kFloatMargin = 4;
constexpr QSize kLeastSize(60, 40),
    kMostLeastSize(200, 90);  ///< between which the least size of a panel lies

/// With a frame of its own while it floats, since its head is not that of the window manager.
class PanelDock : public QDockWidget {
public:
    using QDockWidget::QDockWidget;

protected:
    void paintEvent(QPaintEvent* event) override
    {
        QDockWidget::paintEvent(event);
        if (!isFloating()) return;
        const Theme theme = plainThemeFor(palette());
        QPainter painter(this);
        painter.fillRect(rect(), toQColor(theme.panel));
        painter.setPen(toQColor(theme.secondaryText));
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
};

}  // namespace

DockHost::DockHost(const ViewContext& context, QWidget* parent) : QMainWindow(parent), context_(context)
{
    setWindowFlags(Qt::Widget);
    setDockNestingEnabled(true);
    setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    setDockOptions(AllowNestedDocks | AllowTabbedDocks);
    panels_.reserve(viewList().size());
    for (const ViewDescription& description : viewList()) makePanel(description, description.id);
    watchPlaces();
    applyDefaultLayout();
}

/// Further panels use models and runners of this host.
DockHost::~DockHost()
{
    arranging_ = true;
    for (const Panel& panel : std::exchange(panels_, {}))
        if (panel.link) {
            delete panel.view;  // before what it listens to
            delete panel.dock;
        }
}

DockHost::Panel& DockHost::makePanel(const ViewDescription& description, const QString& id)
{
    const bool further = id != description.id;
    auto* dock = new PanelDock(this);
    LinkedSelection* link = nullptr;
    if (further) {
        link = new LinkedSelection(context_.selection, dock);
        runners_.push_back(std::make_unique<TaskRunner>(context_.tasks, id + ' '));
    }
    View* view = further
        ? description.make(ViewContext{link->own(), *runners_.back(), context_.results}, dock)
        : description.make(context_, dock);
    const QString title =
        further ? tr("%1 (%2)").arg(tr(description.title), id.section('.', 1)) : tr(description.title);
    dock->setWindowTitle(title);
    dock->setObjectName("dock." + id);
    view->setObjectName(id);
    view->setAccessibleName(title);
    // An explicit size goes before what the view's controls ask for: no panel widens the window.
    view->setMinimumSize(view->minimumSizeHint().expandedTo(kLeastSize).boundedTo(kMostLeastSize));
    dock->setWidget(view);
    auto* head = new PanelHead(*view, dock);
    head->setTitle(title);
    dock->setTitleBarWidget(head);
    // Qt moves a dock that others cover out of sight, where it still counts as visible. Hidden views hear of
    // no change and compute nothing; their room stays theirs, so that choosing a tab moves no border.
    QSizePolicy room = view->sizePolicy();
    room.setRetainSizeWhenHidden(true);
    view->setSizePolicy(room);
    panels_.push_back({&description, view, dock, id, head, link});
    connect(dock, &QDockWidget::visibilityChanged, view, &QWidget::setVisible);
    connect(view, &QWidget::windowTitleChanged, dock, &QDockWidget::setWindowTitle);
    connect(dock, &QDockWidget::windowTitleChanged, head, &PanelHead::setTitle);
    connect(dock, &QDockWidget::topLevelChanged, this, &DockHost::scheduleTitles);
    connect(dock, &QDockWidget::visibilityChanged, this, &DockHost::scheduleTitles);
    connect(dock, &QDockWidget::dockLocationChanged, this, &DockHost::scheduleTitles);
    const auto moved = [this] {
        if (!arranging_) readyMade_ = false;
    };
    connect(dock, &QDockWidget::topLevelChanged, this, moved);
    connect(dock, &QDockWidget::dockLocationChanged, this, moved);
    connect(head, &PanelHead::maximiseWanted, this, [this, id] {
        if (maximised_ == id) restoreMaximised();
        else setMaximised(id);
    });
    connect(head, &PanelHead::floatWanted, this, [this, id] {
        if (const Panel* panel = find(id)) setFloating(*panel, !panel->dock->isFloating());
    });
    connect(head, &PanelHead::closeWanted, this, [this, id, further] {
        if (maximised_ == id) restoreMaximised();
        if (further) QTimer::singleShot(0, this, [this, id] { removePanel(id); });
        else if (const Panel* panel = find(id)) panel->dock->close();
    });
    fillMenu(panels_.back());
    return panels_.back();
}

/// What the buttons do, in words, and what has no button.
void DockHost::fillMenu(const Panel& panel)
{
    QMenu& menu = panel.head->menu();
    menu.addAction(tr("&Maximise or Restore"), panel.head, &PanelHead::maximiseWanted);
    menu.addAction(tr("&Float or Put Back"), panel.head, &PanelHead::floatWanted);
    menu.addAction(tr("&Close"), panel.head, &PanelHead::closeWanted);
    menu.addSeparator();
    const QString kind = panel.description->id;
    menu.addAction(tr("&Another Panel of This Kind"), this, [this, kind] {
        if (const Panel* added = addPanel(kind)) focusView(added->id);
    });
    if (!panel.link) return;
    auto* axis = menu.addAction(tr("&Time Axis of Its Own"));
    axis->setObjectName("head.freeAxis");
    axis->setCheckable(true);
    axis->setToolTip(tr("Move its time without moving that of the other panels"));
    LinkedSelection* link = panel.link;
    connect(axis, &QAction::toggled, link, [link](bool free) {
        link->setAxis(free ? LinkedSelection::Axis::Free : LinkedSelection::Axis::Linked);
    });
    connect(link, &LinkedSelection::axisChanged, axis,
            [axis, link] { axis->setChecked(link->axis() == LinkedSelection::Axis::Free); });
}

const DockHost::Panel* DockHost::addPanel(const QString& kind)
{
    const ViewDescription* view = findView(kind);
    if (!view) return nullptr;
    int number = 2;
    while (find(QString("%1.%2").arg(kind).arg(number))) ++number;
    restoreMaximised();
    const Panel& panel = makePanel(*view, QString("%1.%2").arg(kind).arg(number));
    const Panel& first = *find(kind);
    if (first.dock->isHidden() || first.dock->isFloating())
        addDockWidget(Qt::BottomDockWidgetArea, panel.dock);
    else splitDockWidget(first.dock, panel.dock, Qt::Vertical);
    panel.dock->show();
    readyMade_ = false;
    Q_EMIT panelAdded(panel.view);
    return find(panel.id);
}

void DockHost::removePanel(const QString& id)
{
    const auto found = std::find_if(panels_.begin(), panels_.end(),
                                    [&](const Panel& panel) { return panel.link && panel.id == id; });
    if (found == panels_.end()) return;
    View* view = found->view;
    QDockWidget* dock = found->dock;
    panels_.erase(found);
    removeDockWidget(dock);
    delete view;  // before what it listens to
    delete dock;
}

void DockHost::scheduleTitles()
{
    if (titlesScheduled_) return;
    titlesScheduled_ = true;
    QTimer::singleShot(0, this, &DockHost::updateTitles);
}

/// A panel that is stacked with others has its title on its tab; the same words below it are a waste.
void DockHost::updateTitles()
{
    titlesScheduled_ = false;
    for (const Panel& panel : panels_) {
        const bool floats = panel.dock->isFloating();
        panel.head->setTitleShown(floats || tabifiedDockWidgets(panel.dock).isEmpty());
        panel.head->setFloats(floats);
        const int margin = floats ? kFloatMargin : 0;
        panel.dock->setContentsMargins(margin, margin, margin, margin);
    }
    watchTabs();
}

void DockHost::watchTabs()
{
    for (QTabBar* tabs : findChildren<QTabBar*>(Qt::FindDirectChildrenOnly)) {
        if (!tabs->property("floats").isNull()) continue;
        tabs->setProperty("floats", true);
        tabs->setToolTip(
            tr("Drag the tab out of its row, or double-click it, to take the panel out of the window"));
        tabs->setUsesScrollButtons(true);
        tabs->setElideMode(Qt::ElideRight);
        tabs->installEventFilter(this);
        connect(tabs, &QTabBar::tabBarDoubleClicked, this, [this, tabs](int index) {
            if (const Panel* panel = panelOfTab(tabs->tabText(index))) setFloating(*panel, true);
        });
    }
}

const DockHost::Panel* DockHost::panelOfTab(const QString& title) const
{
    for (const Panel& panel : panels_)
        if (panel.dock->windowTitle() == title && !panel.dock->isFloating()) return &panel;
    return nullptr;
}

bool DockHost::eventFilter(QObject* watched, QEvent* event)
{
    return dragTab(watched, event) || QMainWindow::eventFilter(watched, event);
}

/// A tab that is dragged up or down, out of its row, floats under the pointer, and the drag goes on as that
/// of a panel's head.
bool DockHost::dragTab(QObject* watched, QEvent* event)
{
    auto* tabs = qobject_cast<QTabBar*>(watched);
    const QEvent::Type type = event->type();
    const bool ofMouse =
        type == QEvent::MouseButtonPress || type == QEvent::MouseButtonRelease || type == QEvent::MouseMove;
    if (!tabs || !ofMouse) return false;
    const auto* mouse = static_cast<QMouseEvent*>(event);
    if (type == QEvent::MouseButtonPress && mouse->button() == Qt::LeftButton) {
        tabPressed_ = mouse->position().toPoint();
        tabIndex_ = tabs->tabAt(tabPressed_);
    }
    if (type == QEvent::MouseButtonRelease) tabIndex_ = -1;
    if (type != QEvent::MouseMove || tabIndex_ < 0 || !(mouse->buttons() & Qt::LeftButton)) return false;
    const int out = std::abs(mouse->position().toPoint().y() - tabPressed_.y());
    if (out < 3 * QApplication::startDragDistance()) return false;
    const Panel* panel = panelOfTab(tabs->tabText(std::exchange(tabIndex_, -1)));
    if (!panel) return false;
    setFloating(*panel, true);
    QWidget* dock = panel->dock;
    const QPoint grip(60, 14);
    dock->move(mouse->globalPosition().toPoint() - grip);
    QMouseEvent press(QEvent::MouseButtonPress, grip, dock->mapToGlobal(grip), Qt::LeftButton, Qt::LeftButton,
                      Qt::NoModifier);
    QApplication::sendEvent(dock, &press);
    dock->grabMouse();
    return true;
}

/// What was never out of the window gets a place in sight over it.
void DockHost::setFloating(const Panel& panel, bool floating)
{
    if (maximised_ == panel.id) restoreMaximised();
    panel.dock->setFloating(floating);
    if (floating) panel.dock->setUpdatesEnabled(true);
    else panel.dock->raise();
    // The keyboard goes along, and the key that took it out puts it back.
    floated_ = floating ? panel.id : QString();
    panel.dock->activateWindow();
    panel.view->setFocus(Qt::OtherFocusReason);
    focusThen_ = QApplication::focusWidget();
}

const DockHost::Panel* DockHost::focused() const
{
    const QWidget* focus = QApplication::focusWidget();
    for (const Panel& panel : panels_)
        if (focus && panel.dock->isAncestorOf(focus)) return &panel;
    return nullptr;
}

void DockHost::toggleFloating()
{
    // The window system gives the keyboard to a new window when it likes.
    const bool same = !floated_.isEmpty() && QApplication::focusWidget() == focusThen_;
    const Panel* panel = same || !focused() ? find(floated_) : focused();
    if (panel) setFloating(*panel, !panel->dock->isFloating());
}

void DockHost::toggleMaximised()
{
    if (isMaximised()) return restoreMaximised();
    const Panel* panel = focused();
    setMaximised(panel ? panel->id : mainPanel().id);
}

const DockHost::Panel* DockHost::find(const QString& id) const
{
    for (const Panel& panel : panels_)
        if (id == panel.id) return &panel;
    return nullptr;
}

const DockHost::Panel& DockHost::mainPanel() const
{
    const Panel* main = find(workspace_->main);
    return main && !main->dock->isHidden() ? *main : *find(mainView().id);
}

void DockHost::focusView(const QString& id)
{
    if (!maximised_.isEmpty() && maximised_ != id) restoreMaximised();
    const Panel* panel = find(id);
    if (!panel) return;
    panel->dock->show();
    panel->dock->raise();
    panel->view->setFocus(Qt::ShortcutFocusReason);
}

}  // namespace skein::gui
