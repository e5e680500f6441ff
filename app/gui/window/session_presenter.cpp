// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/window/session_presenter.h"

#include "app/gui/window/dock_host.h"
#include "views/common/scene_view.h"

#include <algorithm>
#include <utility>

namespace skein::gui {
namespace {

constexpr int kFirstAloneMs = 10'000;  ///< how long all else waits for the first picture at most
constexpr int kPicturesAloneMs = 300;  ///< how long tables wait for the other pictures

int areaOf(const QWidget& widget) { return widget.width() * widget.height(); }

}  // namespace

SessionPresenter::SessionPresenter(DockHost& docks, QObject* parent) : QObject(parent), docks_(docks) {}

void SessionPresenter::present(SessionPtr session)
{
    steps_.clear();
    session_ = std::move(session);
    if (!session_) steps_.add([this] { Q_EMIT closing(); });
    if (panelsHoldSession_) takeAway();
    steps_.add([this] {
        panelsHoldSession_ = session_ != nullptr;
        Q_EMIT beginning(session_);
    });
    if (!session_) return;
    steps_.add([this] { Q_EMIT panelsWanted(); });
    steps_.add([this] { Q_EMIT panelsInSight(); });
    steps_.add([this] { give(); });
}

void SessionPresenter::giveTo(View* view)
{
    steps_.add([view = QPointer<View>(view), session = session_] {
        if (view) view->setSession(session);
    });
}

/// One that came while panels were given a session, or after.
void SessionPresenter::giveAdded(View* view)
{
    if (panelsHoldSession_) giveTo(view);
    else if (!session_) view->setSession(nullptr);
}

void SessionPresenter::takeAway()
{
    for (View* view : viewsShownFirst())
        steps_.add([view = QPointer<View>(view)] {
            if (view) view->setSession(nullptr);
        });
    steps_.add([this] { panelsHoldSession_ = false; });
}

/// First the timeline, or what else is drawn from the index and largest in sight, alone: whatever runs beside
/// it takes its part of the disk, which may have to be read first, and of the cores. Then the other pictures.
/// Tables sum up millions of calls: they begin when those are there, or are late.
void SessionPresenter::give()
{
    std::vector<View*> later = viewsShownFirst();
    const auto isPicture = [](const View* view) {
        return qobject_cast<const SceneView*>(view) && !view->visibleRegion().isEmpty();
    };
    const auto firstLater = std::stable_partition(later.begin(), later.end(), isPicture);
    std::vector<View*> pictures(later.begin(), firstLater);
    std::stable_sort(pictures.begin(), pictures.end(),
                     [](const View* a, const View* b) { return areaOf(*a) > areaOf(*b); });
    later.erase(later.begin(), firstLater);
    std::stable_partition(pictures.begin(), pictures.end(),
                          [main = docks_.mainPanel().view](const View* view) { return view == main; });
    if (pictures.empty()) return givePictures({}, later);
    giveTo(pictures.front());
    steps_.add([this, pictures, later] { awaitFirst(pictures, later, QDeadlineTimer(kFirstAloneMs)); });
}

/// A picture that fails is awaited no longer, nor one that somebody has hidden.
void SessionPresenter::awaitFirst(const std::vector<View*>& pictures, const std::vector<View*>& later,
                                  QDeadlineTimer deadline)
{
    const auto* first = isThere(pictures.front()) ? static_cast<const SceneView*>(pictures.front()) : nullptr;
    const bool awaited =
        first && first->awaitsPicture() && !first->upToDate() && !first->visibleRegion().isEmpty();
    if (awaited && !deadline.hasExpired())
        return steps_.add([this, pictures, later, deadline] { awaitFirst(pictures, later, deadline); });
    givePictures({pictures.begin() + 1, pictures.end()}, later);
}

void SessionPresenter::givePictures(const std::vector<View*>& pictures, const std::vector<View*>& later)
{
    for (View* view : pictures)
        if (isThere(view)) giveTo(view);
    steps_.add([this, pictures, later] { giveLater(pictures, later, QDeadlineTimer(kPicturesAloneMs)); });
}

void SessionPresenter::giveLater(const std::vector<View*>& pictures, const std::vector<View*>& later,
                                 QDeadlineTimer deadline)
{
    const auto isDrawn = [this](const View* view) {
        return !isThere(view) || static_cast<const SceneView*>(view)->upToDate();
    };
    if (!std::all_of(pictures.begin(), pictures.end(), isDrawn) && !deadline.hasExpired())
        return steps_.add([this, pictures, later, deadline] { giveLater(pictures, later, deadline); });
    for (View* view : later)
        if (isThere(view)) giveTo(view);
    steps_.add([this] { Q_EMIT presented(); });
}

/// Panels may go while others are given the session.
bool SessionPresenter::isThere(const View* view) const
{
    return std::any_of(docks_.panels().begin(), docks_.panels().end(),
                       [view](const DockHost::Panel& panel) { return panel.view == view; });
}

/// Those in sight before those that others hide.
std::vector<View*> SessionPresenter::viewsShownFirst() const
{
    std::vector<View*> views;
    for (const DockHost::Panel& panel : docks_.panels()) views.push_back(panel.view);
    std::stable_partition(views.begin(), views.end(),
                          [](const View* view) { return !view->visibleRegion().isEmpty(); });
    return views;
}

}  // namespace skein::gui
