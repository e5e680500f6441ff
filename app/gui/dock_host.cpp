// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/dock_host.h"

#include <QDockWidget>

#include <algorithm>

namespace skein::gui {
namespace {

/// Raised when views were added or renamed such that old layouts make no sense.
constexpr int kLayoutVersion = 1;

constexpr int kSideWidth = 400;
constexpr int kDetailsWidth = 300;
constexpr int kBottomPart = 30;  // percent of the height

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

void DockHost::placeRow()
{
    QDockWidget* previous = nullptr;
    for (const ViewPlace place : {ViewPlace::Left, ViewPlace::Center, ViewPlace::Right}) {
        QDockWidget* above = nullptr;
        for (const Panel* panel : panelsAt(place)) {
            if (above) splitDockWidget(above, panel->dock, Qt::Vertical);
            else if (previous) splitDockWidget(previous, panel->dock, Qt::Horizontal);
            else addDockWidget(Qt::LeftDockWidgetArea, panel->dock);
            above = panel->dock;
        }
        // Columns are split off the first dock of the one before; stacks below it must come after.
        if (above) previous = panelsAt(place).front()->dock;
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
    if (first) first->raise();
}

void DockHost::applyDefaultLayout()
{
    for (const Panel& panel : panels_) {
        panel.dock->setFloating(false);
        removeDockWidget(panel.dock);
    }
    placeRow();
    placeBottom();
    for (const Panel& panel : panels_) panel.dock->show();
    QList<QDockWidget*> columns;
    QList<int> widths;
    const int wanted[] = {kSideWidth, std::max(400, width() - kSideWidth - kDetailsWidth), kDetailsWidth};
    for (const ViewPlace place : {ViewPlace::Left, ViewPlace::Center, ViewPlace::Right}) {
        const auto found = panelsAt(place);
        if (found.empty()) continue;
        columns.push_back(found.front()->dock);
        widths.push_back(wanted[static_cast<int>(place)]);
    }
    resizeDocks(columns, widths, Qt::Horizontal);
    const auto bottom = panelsAt(ViewPlace::Bottom);
    if (columns.isEmpty() || bottom.empty()) return;
    resizeDocks({columns.front(), bottom.front()->dock},
                {height() * (100 - kBottomPart) / 100, height() * kBottomPart / 100}, Qt::Vertical);
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
