// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/window/surface_keeper.h"

#include <QEvent>
#include <QGuiApplication>
#include <QPlatformSurfaceEvent>
#include <QWindow>

#include <cstdint>
#include <xcb/xcb.h>

namespace skein::gui {
namespace {

/// Tooltips and menus come and go, and are never below anything for long.
bool staysInSight(const QWindow& window)
{
    const Qt::WindowType type = window.type();
    return type == Qt::Window || type == Qt::Dialog || type == Qt::Tool;
}

void askToKeep(const QWindow& window)
{
    const auto* const x11 = qGuiApp->nativeInterface<QNativeInterface::QX11Application>();
    if (!x11 || !x11->connection()) return;
    const std::uint32_t kept = XCB_BACKING_STORE_WHEN_MAPPED;
    xcb_change_window_attributes(x11->connection(), static_cast<xcb_window_t>(window.winId()),
                                 XCB_CW_BACKING_STORE, &kept);
}

}  // namespace

void SurfaceKeeper::install() { qApp->installEventFilter(new SurfaceKeeper(qApp)); }

bool SurfaceKeeper::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::PlatformSurface
        && static_cast<QPlatformSurfaceEvent*>(event)->surfaceEventType()
            == QPlatformSurfaceEvent::SurfaceCreated)
        if (const auto* window = qobject_cast<const QWindow*>(watched); window && staysInSight(*window))
            askToKeep(*window);
    return false;
}

}  // namespace skein::gui
