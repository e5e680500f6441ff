// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/dock_host.h"

#include <QApplication>
#include <QDockWidget>
#include <QLayout>
#include <QTabBar>
#include <QTimer>

#include <algorithm>

namespace skein::gui {
namespace {

/// Raised when views were added or renamed such that old layouts make no sense.
constexpr int kLayoutVersion = 3;

constexpr int kSideWidth = 460;
constexpr int kDetailsWidth = 300;
constexpr int kOverviewHeight = 132;
constexpr int kBottomPart = 30;  // percent of the height
constexpr int kFirstPart = 68;   // percent of a column

bool sameTens(const DockHost::Panel& a, const DockHost::Panel& b) { return a.description->order / 10 == b.description->order / 10; }

}  // namespace

DockHost::DockHost(const ViewContext& context, QWidget* parent) : QMainWindow(parent)
{
    setWindowFlags(Qt::Widget);
    setDockNestingEnabled(true);
    setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    setDockOptions(AllowNestedDocks | AllowTabbedDocks);
    for (const ViewDescription& description : viewList()) addPanel(description, context);
    applyDefaultLayout();
}

void DockHost::addPanel(const ViewDescription& description, const ViewContext& context)
{
    auto* dock = new QDockWidget(tr(description.title), this);
    dock->setObjectName(QString("dock.") + description.id);
    View* view = description.make(context, dock);
    view->setObjectName(description.id);
    view->setAccessibleName(tr(description.title));
    dock->setWidget(view);
    connect(view, &QWidget::windowTitleChanged, dock, &QDockWidget::setWindowTitle);
    panels_.push_back({&description, view, dock});
    connect(dock, &QDockWidget::dockLocationChanged, this, &DockHost::scheduleTitles);
    connect(dock, &QDockWidget::topLevelChanged, this, &DockHost::scheduleTitles);
    connect(dock, &QDockWidget::visibilityChanged, this, &DockHost::scheduleTitles);
}

void DockHost::scheduleTitles()
{
    if (titlesScheduled_) return;
    titlesScheduled_ = true;
    QTimer::singleShot(0, this, &DockHost::updateTitles);
}

/// A panel that is stacked with others has its title on its tab; a bar with the same words below it is a waste.
void DockHost::updateTitles()
{
    titlesScheduled_ = false;
    for (const Panel& panel : panels_) {
        const bool tabbed = !panel.dock->isFloating() && !tabifiedDockWidgets(panel.dock).isEmpty();
        QWidget* bar = panel.dock->titleBarWidget();
        if (tabbed == (bar != nullptr)) continue;
        panel.dock->setTitleBarWidget(tabbed ? new QWidget(panel.dock) : nullptr);
        if (bar) bar->deleteLater();
    }
    for (QTabBar* tabs : findChildren<QTabBar*>(Qt::FindDirectChildrenOnly)) {
        if (!tabs->property("floats").isNull()) continue;
        tabs->setProperty("floats", true);
        tabs->setToolTip(tr("Double-click to take the panel out of the window"));
        connect(tabs, &QTabBar::tabBarDoubleClicked, this, [this, tabs](int index) { floatTab(tabs->tabText(index)); });
    }
}

void DockHost::floatTab(const QString& title)
{
    for (const Panel& panel : panels_)
        if (panel.dock->windowTitle() == title) panel.dock->setFloating(true);
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
    if (const Panel* panel = focused()) panel->dock->setFloating(!panel->dock->isFloating());
}

const DockHost::Panel* DockHost::find(const QString& id) const
{
    for (const Panel& panel : panels_)
        if (id == panel.description->id) return &panel;
    return nullptr;
}

std::vector<const DockHost::Panel*> DockHost::panelsAt(ViewPlace place) const
{
    std::vector<const Panel*> found;
    for (const Panel& panel : panels_)
        if (panel.description->place == place) found.push_back(&panel);
    std::sort(found.begin(), found.end(),
              [](const Panel* a, const Panel* b) { return a->description->order < b->description->order; });
    return found;
}

std::vector<const DockHost::Panel*> DockHost::panelsInReadingOrder() const
{
    std::vector<const Panel*> ordered;
    for (const ViewPlace place : {ViewPlace::Top, ViewPlace::Left, ViewPlace::Center, ViewPlace::Right, ViewPlace::Bottom}) {
        const auto found = panelsAt(place);
        ordered.insert(ordered.end(), found.begin(), found.end());
    }
    return ordered;
}

void DockHost::placeRow()
{
    constexpr ViewPlace kColumns[] = {ViewPlace::Left, ViewPlace::Center, ViewPlace::Right};
    QDockWidget* previous = nullptr;
    for (const ViewPlace place : kColumns) {
        const auto panels = panelsAt(place);
        if (panels.empty()) continue;
        if (previous) splitDockWidget(previous, panels.front()->dock, Qt::Horizontal);
        else addDockWidget(Qt::LeftDockWidgetArea, panels.front()->dock);
        previous = panels.front()->dock;
    }
    // A column that is split off a dock which has others below it would stand beside that dock only.
    for (const ViewPlace place : kColumns) {
        const Panel* above = nullptr;
        for (const Panel* panel : panelsAt(place)) {
            const bool stacked = above && sameTens(*above, *panel);
            if (stacked) tabifyDockWidget(above->dock, panel->dock);
            else if (above) splitDockWidget(above->dock, panel->dock, Qt::Vertical);
            if (!stacked) above = panel;
        }
    }
}

void DockHost::placeBottom()
{
    QDockWidget* first = nullptr;
    for (const Panel* panel : panelsAt(ViewPlace::Bottom)) {
        if (first) tabifyDockWidget(first, panel->dock);
        else addDockWidget(Qt::BottomDockWidgetArea, panel->dock);
        if (!first) first = panel->dock;
    }
}

void DockHost::applyDefaultLayout()
{
    // Else every dock that comes or goes lays all of them out again.
    QMainWindow::layout()->setEnabled(false);
    for (const Panel& panel : panels_) {
        panel.dock->setFloating(false);
        removeDockWidget(panel.dock);
    }
    setCorner(Qt::TopLeftCorner, Qt::TopDockWidgetArea);
    setCorner(Qt::TopRightCorner, Qt::TopDockWidgetArea);
    for (const Panel* panel : panelsAt(ViewPlace::Top)) addDockWidget(Qt::TopDockWidgetArea, panel->dock);
    placeRow();
    placeBottom();
    for (const Panel& panel : panels_) panel.dock->show();
    QMainWindow::layout()->setEnabled(true);
    QMainWindow::layout()->activate();
    QList<QDockWidget*> columns;
    QList<int> widths;
    const std::pair<ViewPlace, int> wanted[] = {{ViewPlace::Left, kSideWidth},
                                                {ViewPlace::Center, std::max(400, width() - kSideWidth - kDetailsWidth)},
                                                {ViewPlace::Right, kDetailsWidth}};
    for (const auto& [place, columnWidth] : wanted) {
        const auto found = panelsAt(place);
        if (found.empty()) continue;
        columns.push_back(found.front()->dock);
        widths.push_back(columnWidth);
    }
    resizeDocks(columns, widths, Qt::Horizontal);
    const auto bottom = panelsAt(ViewPlace::Bottom);
    // Only now: of tabs that are hidden together, the one shown first would stay in front.
    if (!bottom.empty()) bottom.front()->dock->raise();
    if (columns.isEmpty() || bottom.empty()) return;
    const int strip = panelsAt(ViewPlace::Top).empty() ? 0 : kOverviewHeight;
    const int rest = std::max(100, height() - strip);
    resizeDocks({columns.front(), bottom.front()->dock}, {rest * (100 - kBottomPart) / 100, rest * kBottomPart / 100},
                Qt::Vertical);
    for (const ViewPlace place : {ViewPlace::Left, ViewPlace::Center, ViewPlace::Right}) shareColumn(place, rest * (100 - kBottomPart) / 100);
    for (const Panel* panel : panelsAt(ViewPlace::Top)) resizeDocks({panel->dock}, {strip}, Qt::Vertical);
}

/// The first panel of a column gets most of its height, those below it share the rest.
void DockHost::shareColumn(ViewPlace place, int columnHeight)
{
    auto panels = panelsAt(place);
    panels.erase(std::unique(panels.begin(), panels.end(), [](const Panel* a, const Panel* b) { return sameTens(*a, *b); }), panels.end());
    for (const Panel* panel : panels) panel->dock->raise();
    if (panels.size() < 2) return;
    QList<QDockWidget*> docks;
    QList<int> heights;
    const int first = columnHeight * kFirstPart / 100;
    for (const Panel* panel : panels) {
        docks.push_back(panel->dock);
        heights.push_back(docks.size() == 1 ? first : (columnHeight - first) / static_cast<int>(panels.size() - 1));
    }
    resizeDocks(docks, heights, Qt::Vertical);
}

QByteArray DockHost::layout() const { return saveState(kLayoutVersion); }

bool DockHost::setLayout(const QByteArray& bytes) { return !bytes.isEmpty() && restoreState(bytes, kLayoutVersion); }

void DockHost::focusView(const QString& id)
{
    const Panel* panel = find(id);
    if (!panel) return;
    panel->dock->show();
    panel->dock->raise();
    panel->view->setFocus(Qt::ShortcutFocusReason);
}

}  // namespace skein::gui
