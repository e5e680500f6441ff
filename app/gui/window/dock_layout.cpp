// SPDX-License-Identifier: GPL-3.0-or-later
// How the panels of a DockHost stand: ready-made arrangements, and what is kept of those of the user.
#include "app/gui/window/dock_host.h"
#include "app/gui/window/panel_head.h"
#include "views/common/linked_selection.h"

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
constexpr int kLayoutVersion = 4;
constexpr quint32 kLayoutMark = 0x534b4c32;  // "SKL2"

constexpr int kNarrow = 1200;  // below: no column at the left
constexpr int kLow = 720;      // below: nothing under the timeline but tabs
constexpr int kLarge = 1500;   // from here on the lower panels get more
constexpr int kOverviewHeight = 132;
constexpr int kLowOverviewHeight = 104;

/// Without a picture of what stands in between. What the window has let go of in between does not hear that
/// pictures are wanted again.
bool restoreIn(DockHost& host, QSize size, const QByteArray& state)
{
    host.setUpdatesEnabled(false);
    host.resize(size);
    const bool restored = host.restoreState(state, kLayoutVersion);
    host.setUpdatesEnabled(true);
    for (const DockHost::Panel& panel : host.panels())
        if (panel.dock->isWindow()) panel.dock->setUpdatesEnabled(true);
    return restored;
}

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

int part(int whole, int percent, int least, int most)
{
    return std::clamp(whole * percent / 100, least, most);
}

}  // namespace

DockHost::Room DockHost::room() const { return {width() < kNarrow, height() < kLow, height() >= kLarge}; }

/// On small screens what stood in a column of its own is a tab.
DockHost::Spot DockHost::fitted(Spot spot) const
{
    const Room now = room();
    if (now.narrow && spot.place == ViewPlace::Left) return {ViewPlace::Bottom, spot.order - 200};
    if (now.low && spot.place == ViewPlace::Center && spot.order >= 10)
        return {ViewPlace::Bottom, spot.order - 100};
    if (now.low && spot.place == ViewPlace::Right) return {spot.place, spot.order / 10};
    return spot;
}

/// Where the workspace wants it; nothing: closed. Further panels stand with the first of their kind.
std::optional<DockHost::Spot> DockHost::spotOf(const Panel& panel) const
{
    const WorkspaceSpot* spot = panel.link ? nullptr : findSpot(*workspace_, panel.description->id);
    return spot ? std::optional(fitted({spot->place, spot->order})) : std::nullopt;
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
    const Workspace& first = workspaces().front();
    const auto rank = [&](const Panel* panel) {
        const WorkspaceSpot* spot = findSpot(first, panel->description->id);
        return spot ? std::pair(static_cast<int>(spot->place), spot->order) : std::pair(99, 0);
    };
    std::vector<const Panel*> ordered;
    for (const Panel& panel : panels_) ordered.push_back(&panel);
    std::stable_sort(ordered.begin(), ordered.end(),
                     [&](const Panel* a, const Panel* b) { return rank(a) < rank(b); });
    return ordered;
}

void DockHost::watchPlaces() { new PlacesBefore(*this); }

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
    // A column that is split off a dock which has others below it would stand beside that dock only, and what
    // is split off a dock that has others on top of it would be one more of those.
    for (const ViewPlace place : kColumns) splitColumn(panelsAt(place));
    for (const ViewPlace place : kColumns) stackColumn(panelsAt(place));
}

void DockHost::splitColumn(const std::vector<const Panel*>& panels)
{
    const Panel* above = nullptr;
    for (const Panel* panel : panels) {
        if (above && stacked(*above, *panel)) continue;
        if (above) splitDockWidget(above->dock, panel->dock, Qt::Vertical);
        above = panel;
    }
}

void DockHost::stackColumn(const std::vector<const Panel*>& panels)
{
    const Panel* below = nullptr;
    for (const Panel* panel : panels) {
        if (below && stacked(*below, *panel)) tabifyDockWidget(below->dock, panel->dock);
        else below = panel;
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
    forgetMaximised();
    arranging_ = true;
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
    giveSizes();
    arranging_ = false;
    readyMade_ = true;
    arrangedIn_ = room();
    Q_EMIT arranged();
}

/// The middle keeps half of the width at least, and most of the height.
void DockHost::giveSizes()
{
    const Room now = room();
    const int side = part(width(), 29, 240, 620), details = part(width(), now.narrow ? 22 : 19, 180, 420);
    QList<QDockWidget*> columns;
    QList<int> widths;
    int left = width();
    for (const auto& [place, columnWidth] :
         {std::pair(ViewPlace::Left, side), std::pair(ViewPlace::Right, details)})
        if (!panelsAt(place).empty()) left -= columnWidth;
    for (const auto& [place, columnWidth] :
         {std::pair(ViewPlace::Left, side), std::pair(ViewPlace::Center, std::max(left, width() / 2)),
          std::pair(ViewPlace::Right, details)}) {
        const auto found = panelsAt(place);
        if (found.empty()) continue;
        columns.push_back(found.front()->dock);
        widths.push_back(columnWidth);
    }
    resizeDocks(columns, widths, Qt::Horizontal);
    const auto bottom = panelsAt(ViewPlace::Bottom);
    // Only now: of tabs that are hidden together, the one shown first would stay in front.
    if (!bottom.empty()) {
        const auto answer = std::find_if(bottom.begin(), bottom.end(), [this](const Panel* panel) {
            return workspace_->answer && panel->id == workspace_->answer;
        });
        (answer == bottom.end() ? bottom.front() : *answer)->dock->raise();
    }
    if (columns.isEmpty() || bottom.empty()) return;
    const int strip = panelsAt(ViewPlace::Top).empty() ? 0
        : now.low                                      ? kLowOverviewHeight
        : now.large                                    ? std::max(kOverviewHeight, height() / 12)
                                                       : kOverviewHeight;
    const int rest = std::max(100, height() - strip);
    const int below = rest
        * (now.low         ? workspace_->lowBottomPercent
               : now.large ? std::max(34, workspace_->bottomPercent)
                           : workspace_->bottomPercent)
        / 100;
    resizeDocks({columns.front(), bottom.front()->dock}, {rest - below, below}, Qt::Vertical);
    for (const ViewPlace place : {ViewPlace::Left, ViewPlace::Center, ViewPlace::Right})
        shareColumn(place, rest - below);
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
    const int first = columnHeight * workspace_->firstPercent / 100;
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
    const Panel* main = &mainPanel();
    const bool seen = updatesEnabled() && isVisible() && !isMaximised();
    QMainWindow::resizeEvent(event);
    const auto* before = static_cast<const PlacesBefore*>(
        findChild<QObject*>(PlacesBefore::kName, Qt::FindDirectChildrenOnly));
    if (seen && event->oldSize().isValid())
        keepSizesBut(*main, before->places, event->size() - event->oldSize());
    if (seen && readyMade_ && room() != arrangedIn_) fitLater();
}

/// A ready-made arrangement is another one on a screen of another kind. Not while the window is being
/// resized.
void DockHost::fitLater()
{
    QTimer::singleShot(0, this, [this] {
        if (readyMade_ && room() != arrangedIn_) applyDefaultLayout();
    });
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
    QSize wanted = middle.size() + more;
    const int sides = width() - more.width() - middle.width();  // what stood beside it before
    const bool cramped = sides > 0 && wanted.width() < width() / 2;
    if (cramped) wanted.setWidth(width() / 2);
    if (wanted.width() < kLeast || wanted.height() < kLeast) return;
    QList<QDockWidget*> row{growing.dock}, column{growing.dock};
    QList<int> widths{wanted.width()}, heights{wanted.height()};
    for (const auto& [dock, place] : before) {
        const bool beside = place.right() < middle.left() || place.left() > middle.right();
        const bool apart = place.bottom() < middle.top() || place.top() > middle.bottom();
        if (beside && !apart) {
            row.push_back(dock);
            widths.push_back(cramped ? place.width() * (width() - wanted.width()) / sides : place.width());
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
    if (isMaximised()) return beforeMaximised_;
    QStringList further;
    for (const Panel& panel : panels_)
        if (panel.link)
            further.push_back((panel.link->axis() == LinkedSelection::Axis::Free ? "free:" : "linked:")
                              + panel.id);
    QByteArray bytes;
    QDataStream out(&bytes, QIODevice::WriteOnly);
    out << kLayoutMark << QString(workspace_->id) << further << size() << saveState(kLayoutVersion);
    return bytes;
}

/// As layout() names them: those that there are stay, the others go or come.
void DockHost::makeFurther(const QStringList& names)
{
    QStringList kept;
    for (const QString& name : names) kept.push_back(name.mid(name.indexOf(':') + 1));
    QStringList gone;
    for (const Panel& panel : panels_)
        if (panel.link && !kept.contains(panel.id)) gone.push_back(panel.id);
    for (const QString& id : gone) removePanel(id);
    for (qsizetype at = 0; at < names.size(); ++at) {
        const QString& id = kept[at];
        const Panel* panel = find(id);
        const ViewDescription* view = findView(id.section('.', 0, 0));
        if (!panel && view && id.contains('.')) {
            panel = &makePanel(*view, id);
            Q_EMIT panelAdded(panel->view);
        }
        if (panel && panel->link)
            panel->link->setAxis(names[at].startsWith("free:") ? LinkedSelection::Axis::Free
                                                               : LinkedSelection::Axis::Linked);
    }
}

/// In a window of another size than it was made in, a layout is restored in its own and then grown or shrunk:
/// Qt would scale every panel.
bool DockHost::takeLayout(QSize made, const QByteArray& state)
{
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

bool DockHost::setLayout(const QByteArray& bytes)
{
    QDataStream in(bytes);
    quint32 mark = 0;
    QString name;
    QStringList further;
    QSize made;
    QByteArray state;
    in >> mark;
    if (mark != kLayoutMark) return false;
    in >> name >> further >> made >> state;
    if (in.status() != QDataStream::Ok || state.isEmpty()) return false;
    forgetMaximised();
    arranging_ = true;
    makeFurther(further);
    const bool taken = takeLayout(made, state);
    arranging_ = false;
    if (!taken) return false;
    readyMade_ = false;
    if (const Workspace* workspace = findWorkspace(name)) workspace_ = workspace;
    Q_EMIT arranged();
    return true;
}

void DockHost::setMaximised(const QString& id)
{
    const Panel* panel = find(id);
    if (!panel) return;
    restoreMaximised();
    if (panel->dock->isFloating()) {
        panel->dock->setWindowState(panel->dock->windowState() ^ Qt::WindowMaximized);
        return;
    }
    beforeMaximised_ = layout();
    maximised_ = id;
    arranging_ = true;
    QMainWindow::layout()->setEnabled(false);
    panel->dock->show();
    for (const Panel& other : panels_)
        if (&other != panel && !other.dock->isFloating()) other.dock->hide();
    QMainWindow::layout()->setEnabled(true);
    QMainWindow::layout()->activate();
    arranging_ = false;
    panel->head->setMaximised(true);
    panel->view->setFocus(Qt::OtherFocusReason);
    scheduleTitles();
}

/// All panels are arranged anew.
void DockHost::forgetMaximised()
{
    if (const Panel* panel = find(std::exchange(maximised_, {}))) panel->head->setMaximised(false);
}

void DockHost::restoreMaximised()
{
    if (!isMaximised()) return;
    const QString id = maximised_;
    forgetMaximised();
    const bool readyMade = readyMade_;
    setLayout(beforeMaximised_);
    readyMade_ = readyMade;
    if (const Panel* panel = find(id)) {
        panel->dock->raise();
        panel->view->setFocus(Qt::OtherFocusReason);
    }
    if (readyMade_ && room() != arrangedIn_) fitLater();
}

}  // namespace skein::gui
