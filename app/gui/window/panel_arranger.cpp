// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/window/panel_arranger.h"

#include "app/gui/window/dock_host.h"
#include "app/gui/window/session_presenter.h"
#include "views/common/view.h"

#include <QDockWidget>
#include <QStackedWidget>

#include <utility>

namespace skein::gui {

PanelArranger::PanelArranger(DockHost& docks, QStackedWidget& pages, const SessionPresenter& presenter,
                             QObject* parent)
    : QObject(parent), docks_(docks), pages_(pages), presenter_(presenter)
{
}

void PanelArranger::apply(const Workspace& workspace)
{
    docks_.setDefault(workspaceSuiting(workspace, times_));
    arrange({});
}

void PanelArranger::reset()
{
    // What stands there may be that of archives without times.
    const Workspace* whole = findWorkspace(docks_.workspace().id);
    apply(whole ? *whole : docks_.workspace());
}

void PanelArranger::arrange(const QByteArray& layout, const QString& name)
{
    savedLayout_ = layout;
    name_ = name;
    seen_ = false;
    arrangedFor_ = QSize();
    show();
    Q_EMIT changed();
}

void PanelArranger::follow(const Session& session)
{
    const Workspace& wanted = workspaceFor(session);
    times_ = eventTimesOf(session);
    const Workspace* insisted = std::exchange(insisted_, nullptr);
    if (kind_ == wanted.id && !insisted) return;
    kept_ = layoutsToKeep();
    kind_ = wanted.id;
    if (insisted) return apply(*insisted);
    const QVariantMap known = kept_.value(kind_).toMap();
    docks_.setDefault(workspaceSuiting(wanted, times_));
    arrange(known.value("layout").toByteArray(), known.value("name").toString());
}

QString PanelArranger::present() const { return isOfUser() ? name_ : QString(docks_.workspace().id); }

QVariantMap PanelArranger::layoutsToKeep() const
{
    QVariantMap kept = kept_;
    if (!kind_.isEmpty()) kept.insert(kind_, QVariantMap{{"layout", layout()}, {"name", name_}});
    return kept;
}

/// Panels are laid out before they are seen, and once more where the window has got another size until then:
/// sizes that are given to a window of another size come out otherwise.
void PanelArranger::show()
{
    const QSize size = pages_.size();
    if (seen_ || !pages_.window()->isVisible()) return;
    seen_ = pages_.currentWidget() == &docks_;
    if (arrangedFor_ == size) return;
    arrangedFor_ = size;
    docks_.resize(size);
    if (!docks_.setLayout(savedLayout_)) docks_.applyDefaultLayout();
}

/// Style, layout, letters. Panels that others hide wait for what the user waits for.
void PanelArranger::prepare()
{
    if (prepared_) return;
    prepared_ = true;
    const auto hidden = [this](const DockHost::Panel& panel) {
        return !docks_.rect().intersects(panel.dock->geometry());
    };
    for (const DockHost::Panel& panel : docks_.panels())
        if (!hidden(panel))
            preparations_.add([dock = QPointer<QDockWidget>(panel.dock)] {
                if (dock) dock->grab();
            });
    for (const DockHost::Panel& panel : docks_.panels())
        if (hidden(panel))
            preparations_.add([this, view = QPointer<View>(panel.view)] { prepareHidden(view); });
}

void PanelArranger::prepareHidden(const QPointer<View>& view)
{
    if (!view) return;
    if (presenter_.settled()) view->grab();
    else preparations_.add([this, view] { prepareHidden(view); });
}

}  // namespace skein::gui
