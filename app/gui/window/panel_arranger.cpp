// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/window/panel_arranger.h"

#include "app/gui/window/dock_host.h"
#include "app/gui/window/session_presenter.h"
#include "views/common/view.h"

#include <QDockWidget>
#include <QStackedWidget>

namespace skein::gui {

PanelArranger::PanelArranger(DockHost& docks, QStackedWidget& pages, const SessionPresenter& presenter,
                             QObject* parent)
    : QObject(parent), docks_(docks), pages_(pages), presenter_(presenter)
{
}

void PanelArranger::apply(const Workspace& workspace)
{
    docks_.setDefault(workspace);
    arrange({});
}

void PanelArranger::arrange(const QByteArray& layout)
{
    savedLayout_ = layout;
    seen_ = false;
    arrangedFor_ = QSize();
    show();
}

QByteArray PanelArranger::layoutToKeep() const { return seen_ ? docks_.layout() : savedLayout_; }

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
        if (!hidden(panel)) preparations_.add([dock = panel.dock] { dock->grab(); });
    for (const DockHost::Panel& panel : docks_.panels())
        if (hidden(panel)) preparations_.add([this, view = panel.view] { prepareHidden(view); });
}

void PanelArranger::prepareHidden(View* view)
{
    if (presenter_.settled()) view->grab();
    else preparations_.add([this, view] { prepareHidden(view); });
}

}  // namespace skein::gui
