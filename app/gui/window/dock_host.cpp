// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/window/dock_host.h"

#include <QApplication>
#include <QDataStream>
#include <QDockWidget>
#include <QLayout>
#include <QResizeEvent>
#include <QTabBar>
#include <QTimer>

#include <algorithm>

namespace skein::gui {
namespace {

/// Raised when views were added or renamed such that old layouts make no sense.
constexpr int kLayoutVersion = 3;
constexpr quint32 kLayoutMark = 0x534b4c31;  // "SKL1"

constexpr int kSideWidth = 460;
constexpr int kDetailsWidth = 300;
constexpr int kOverviewHeight = 132;
constexpr int kBottomPart = 30;  // percent of the height
constexpr int kFirstPart = 68;   // percent of a column

/// In place of a title bar. A plain widget would hint at a height of −1.
class NoTitle : public QWidget {
public:
    using QWidget::QWidget;
    QSize sizeHint() const override { return {0, 0}; }
};

/// Where the docks in sight stood before the window got another size. A layout hears of the size before its
/// widget does, and only filters of the application hear of it earlier.
class PlacesBefore : public QObject {
public:
    explicit PlacesBefore(DockHost& host) : QObject(&host), host_(host)
    {
        setObjectName(kName);
        qApp->installEventFilter(this);
    }

    static constexpr auto kName = "placesBefore";
    std::vector<std::pair<QDockWidget*, QRect>> places;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if (watched == &host_ && event->type() == QEvent::Resize) {
            places.clear();
            for (const DockHost::Panel& panel : std::as_const(host_).panels())
                if (const auto place = placeOf(*panel.dock)) places.emplace_back(panel.dock, *place);
        }
        return false;
    }

private:
    /// With the tabs above it; nothing: it is closed, or others hide it.
    std::optional<QRect> placeOf(const QDockWidget& dock) const
    {
        if (dock.isFloating() || !dock.isVisible()) return std::nullopt;
        if (host_.tabifiedDockWidgets(const_cast<QDockWidget*>(&dock)).isEmpty()) return dock.geometry();
        for (const QTabBar* tabs : host_.findChildren<QTabBar*>(Qt::FindDirectChildrenOnly))
            if (tabs->isVisible() && tabs->tabText(tabs->currentIndex()) == dock.windowTitle())
                return dock.geometry().united(tabs->geometry());
        return std::nullopt;
    }

    DockHost& host_;
};

/// Without a picture of what stands in between.
bool restoreIn(QMainWindow& window, QSize size, const QByteArray& state)
{
    window.setUpdatesEnabled(false);
    window.resize(size);
    const bool restored = window.restoreState(state, kLayoutVersion);
    window.setUpdatesEnabled(true);
    return restored;
}

}  // namespace

DockHost::DockHost(const ViewContext& context, QWidget* parent) : QMainWindow(parent)
{
    setWindowFlags(Qt::Widget);
    setDockNestingEnabled(true);
    setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    setDockOptions(AllowNestedDocks | AllowTabbedDocks);
    for (const ViewDescription& description : viewList()) addPanel(description, context);
    new PlacesBefore(*this);
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
    // Qt moves a dock that others cover out of sight, where it still counts as visible. Hidden views hear of
    // no change and compute nothing; their room stays theirs, so that choosing a tab moves no border.
    QSizePolicy room = view->sizePolicy();
    room.setRetainSizeWhenHidden(true);
    view->setSizePolicy(room);
    connect(dock, &QDockWidget::visibilityChanged, view, &QWidget::setVisible);
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

/// A panel that is stacked with others has its title on its tab; a bar with the same words below it is a
/// waste.
void DockHost::updateTitles()
{
    titlesScheduled_ = false;
    for (const Panel& panel : panels_) {
        const bool tabbed = !panel.dock->isFloating() && !tabifiedDockWidgets(panel.dock).isEmpty();
        QWidget* bar = panel.dock->titleBarWidget();
        if (tabbed == (bar != nullptr)) continue;
        panel.dock->setTitleBarWidget(tabbed ? new NoTitle(panel.dock) : nullptr);
        if (bar) bar->deleteLater();
    }
    for (QTabBar* tabs : findChildren<QTabBar*>(Qt::FindDirectChildrenOnly)) {
        if (!tabs->property("floats").isNull()) continue;
        tabs->setProperty("floats", true);
        tabs->setToolTip(tr("Double-click to take the panel out of the window"));
        connect(tabs, &QTabBar::tabBarDoubleClicked, this,
                [this, tabs](int index) { floatTab(tabs->tabText(index)); });
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

/// Where the workspace wants it; nothing: closed.
std::optional<DockHost::Spot> DockHost::spotOf(const Panel& panel) const
{
    if (workspace_->spots.empty()) return Spot{panel.description->place, panel.description->order};
    const WorkspaceSpot* spot = findSpot(*workspace_, panel.description->id);
    return spot ? std::optional(Spot{spot->place, spot->order}) : std::nullopt;
}

bool DockHost::stacked(const Panel& above, const Panel& panel) const
{
    return spotOf(above)->order / 10 == spotOf(panel)->order / 10;
}

std::vector<const DockHost::Panel*> DockHost::panelsAt(ViewPlace place) const
{
    std::vector<std::pair<int, const Panel*>> found;
    for (const Panel& panel : panels_)
        if (const auto spot = spotOf(panel); spot && spot->place == place)
            found.emplace_back(spot->order, &panel);
    std::stable_sort(found.begin(), found.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<const Panel*> panels;
    for (const auto& [order, panel] : found) panels.push_back(panel);
    return panels;
}

std::vector<const DockHost::Panel*> DockHost::panelsInReadingOrder() const
{
    std::vector<const Panel*> ordered;
    for (const ViewPlace place :
         {ViewPlace::Top, ViewPlace::Left, ViewPlace::Center, ViewPlace::Right, ViewPlace::Bottom}) {
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
            const bool onTop = above && stacked(*above, *panel);
            if (onTop) tabifyDockWidget(above->dock, panel->dock);
            else if (above) splitDockWidget(above->dock, panel->dock, Qt::Vertical);
            if (!onTop) above = panel;
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

/// Panels that the workspace does not have stand with those at the bottom when the user opens them.
void DockHost::placeClosed()
{
    const auto bottom = panelsAt(ViewPlace::Bottom);
    for (const Panel& panel : panels_) {
        const bool open = spotOf(panel).has_value();
        if (!open && bottom.empty()) addDockWidget(Qt::BottomDockWidgetArea, panel.dock);
        else if (!open) tabifyDockWidget(bottom.front()->dock, panel.dock);
        panel.dock->setVisible(open);
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
    placeClosed();
    QMainWindow::layout()->setEnabled(true);
    QMainWindow::layout()->activate();
    QList<QDockWidget*> columns;
    QList<int> widths;
    const std::pair<ViewPlace, int> wanted[] = {
        {ViewPlace::Left, kSideWidth},
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
    resizeDocks({columns.front(), bottom.front()->dock},
                {rest * (100 - kBottomPart) / 100, rest * kBottomPart / 100}, Qt::Vertical);
    for (const ViewPlace place : {ViewPlace::Left, ViewPlace::Center, ViewPlace::Right})
        shareColumn(place, rest * (100 - kBottomPart) / 100);
    for (const Panel* panel : panelsAt(ViewPlace::Top)) resizeDocks({panel->dock}, {strip}, Qt::Vertical);
}

/// The first panel of a column gets most of its height, those below it share the rest.
void DockHost::shareColumn(ViewPlace place, int columnHeight)
{
    auto panels = panelsAt(place);
    panels.erase(std::unique(panels.begin(), panels.end(),
                             [this](const Panel* a, const Panel* b) { return stacked(*a, *b); }),
                 panels.end());
    for (const Panel* panel : panels) panel->dock->raise();
    if (panels.size() < 2) return;
    QList<QDockWidget*> docks;
    QList<int> heights;
    const int first = columnHeight * kFirstPart / 100;
    for (const Panel* panel : panels) {
        docks.push_back(panel->dock);
        heights.push_back(docks.size() == 1 ? first
                                            : (columnHeight - first) / static_cast<int>(panels.size() - 1));
    }
    resizeDocks(docks, heights, Qt::Vertical);
}

/// More room is for the main view, and so is less: the panels around it stay as they were.
void DockHost::resizeEvent(QResizeEvent* event)
{
    const Panel* main = find(mainView().id);
    const bool seen = updatesEnabled() && isVisible() && main;
    QMainWindow::resizeEvent(event);
    const auto* before = static_cast<const PlacesBefore*>(
        findChild<QObject*>(PlacesBefore::kName, Qt::FindDirectChildrenOnly));
    if (seen && event->oldSize().isValid())
        keepSizesBut(*main, before->places, event->size() - event->oldSize());
}

/// All that have something to say about a direction in one go: Qt shares out what is missing or left after
/// each.
void DockHost::keepSizesBut(const Panel& growing, const std::vector<std::pair<QDockWidget*, QRect>>& before,
                            QSize more)
{
    constexpr int kLeast = 160;
    const auto itself = std::find_if(before.begin(), before.end(),
                                     [&](const auto& entry) { return entry.first == growing.dock; });
    if (itself == before.end()) return;
    const QRect middle = itself->second;
    const QSize wanted = middle.size() + more;
    if (wanted.width() < kLeast || wanted.height() < kLeast) return;
    QList<QDockWidget*> row{growing.dock}, column{growing.dock};
    QList<int> widths{wanted.width()}, heights{wanted.height()};
    for (const auto& [dock, place] : before) {
        const bool beside = place.right() < middle.left() || place.left() > middle.right();
        const bool apart = place.bottom() < middle.top() || place.top() > middle.bottom();
        if (beside && !apart) {
            row.push_back(dock);
            widths.push_back(place.width());
        }
        if (apart && !beside) {
            column.push_back(dock);
            heights.push_back(place.height());
        }
    }
    resizeDocks(row, widths, Qt::Horizontal);
    resizeDocks(column, heights, Qt::Vertical);
}

QByteArray DockHost::layout() const
{
    QByteArray bytes;
    QDataStream out(&bytes, QIODevice::WriteOnly);
    out << kLayoutMark << size() << saveState(kLayoutVersion);
    return bytes;
}

/// In a window of another size than it was made in, a layout is restored in its own and then grown or shrunk:
/// Qt would scale every panel.
bool DockHost::setLayout(const QByteArray& bytes)
{
    QDataStream in(bytes);
    quint32 mark = 0;
    QSize made;
    QByteArray state;
    in >> mark >> made >> state;
    if (mark != kLayoutMark || in.status() != QDataStream::Ok)
        return !bytes.isEmpty() && restoreIn(*this, size(), bytes);
    const QSize now = size();
    const bool sensible =
        made.width() >= 200 && made.height() >= 200 && made.width() <= 32767 && made.height() <= 32767;
    if (made == now || !isVisible() || !sensible) return restoreIn(*this, now, state);
    QLayout* around = parentWidget() ? parentWidget()->layout() : nullptr;
    if (around) around->setEnabled(false);  // it would give back the present size in between
    const bool restored = restoreIn(*this, made, state);
    resize(now);
    if (around) around->setEnabled(true);
    return restored;
}

void DockHost::focusView(const QString& id)
{
    const Panel* panel = find(id);
    if (!panel) return;
    panel->dock->show();
    panel->dock->raise();
    panel->view->setFocus(Qt::ShortcutFocusReason);
}

}  // namespace skein::gui
