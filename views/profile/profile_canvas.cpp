// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/profile/profile_canvas.h"

#include "core/select/translate.h"
#include "core/session/experiment_titles.h"
#include "views/common/context_menu.h"
#include "views/common/filter_menu.h"
#include "views/common/selection_model.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QWheelEvent>

#include <algorithm>

namespace skein {

ProfileCanvas::ProfileCanvas(const ViewContext& context, QWidget* parent)
    : SceneView(context, tr("Drawing the profile"), parent)
{
    setAccessibleName(tr("Profile"));
    setAccessibleDescription(
        tr("A bar a location with the shares of the regions. The context menu copies it as a table."));
}

void ProfileCanvas::setSession(SessionPtr session)
{
    closeContextMenus(*this);
    session_ = std::move(session);
    options_.scrollY = 0;
    setPicture(nullptr, {});
}

void ProfileCanvas::setPicture(ProfilePicturePtr picture, const QString& message)
{
    shown_ = std::move(picture);
    message_ = message;
    changed();
}

void ProfileCanvas::setOptions(const ProfileOptions& options)
{
    if (options == options_) return;
    options_ = options;
    changed();
}

void ProfileCanvas::showSelection() { changed(); }

void ProfileCanvas::changed()
{
    layoutAgain();
    redraw();
}

ProfileLayout ProfileCanvas::sceneLayout() const
{
    if (!shown_) return {};
    return onCanvas([this](const Canvas& canvas) {
        return profileLayout(*shown_, selection().state().selected, options_, canvas);
    });
}

void ProfileCanvas::layoutAgain()
{
    hits_.reset();
    const ProfileLayout layout = sceneLayout();
    options_.scrollY = std::clamp(options_.scrollY, 0.0, layout.maximumScroll);
    Q_EMIT scrolled(options_.scrollY, layout.maximumScroll, layout.body.height);
}

void ProfileCanvas::scrollTo(double devicePixels)
{
    if (devicePixels == options_.scrollY) return;
    options_.scrollY = devicePixels;
    changed();
}

SceneView::Maker ProfileCanvas::maker() const
{
    if (!shown_ || shown_->bars.bars.empty()) return {};
    return [picture = shown_, selected = selection().state().selected,
            options = options_](const Canvas& canvas, const Task&) {
        return profileScene(*picture, selected, options, canvas);
    };
}

HitId ProfileCanvas::hitAt(Point point) const
{
    if (!shown_) return {};
    if (!hits_)
        hits_ = onCanvas([this](const Canvas& canvas) {
            return profileScene(*shown_, selection().state().selected, options_, canvas);
        });
    return hitTest(*hits_, point);
}

std::vector<std::string> ProfileCanvas::toolTipAt(Point point) const
{
    const HitId hit = hitAt(point);
    if (!hit.valid()) return {};
    return profileTooltip(*shown_, sceneLayout(), hit);
}

void ProfileCanvas::mousePressEvent(QMouseEvent* event)
{
    if (!shown_ || !session_ || event->button() != Qt::LeftButton) return;
    const Selection hit =
        profileSelection(*session_, *shown_, sceneLayout(), hitAt(toDevice(event->position())));
    const bool adds = event->modifiers() & Qt::ControlModifier;
    selection().setSelected(adds ? united(selection().state().selected, hit) : hit, this);
    changed();
}

void ProfileCanvas::wheelEvent(QWheelEvent* event)
{
    const double step = event->angleDelta().y() / 120.0 * 60.0 * devicePixelRatioF();
    scrollTo(std::clamp(options_.scrollY - step, 0.0, sceneLayout().maximumScroll));
    event->accept();
}

void ProfileCanvas::keyPressEvent(QKeyEvent* event)
{
    const ProfileLayout layout = sceneLayout();
    const auto scrollBy = [&](double pixels) {
        scrollTo(std::clamp(options_.scrollY + pixels, 0.0, layout.maximumScroll));
    };
    switch (event->key()) {
    case Qt::Key_Down: return scrollBy(layout.rowHeight);
    case Qt::Key_Up: return scrollBy(-layout.rowHeight);
    case Qt::Key_PageDown: return scrollBy(layout.body.height);
    case Qt::Key_PageUp: return scrollBy(-layout.body.height);
    case Qt::Key_Home: return scrollBy(-layout.maximumScroll);
    case Qt::Key_End: return scrollBy(layout.maximumScroll);
    case Qt::Key_Escape: selection().setSelected({}, this); return changed();
    default: SceneView::keyPressEvent(event);
    }
}

void ProfileCanvas::contextMenuEvent(QContextMenuEvent* event)
{
    if (!shown_ || !session_) return;
    const Selection hit = profileSelection(*session_, *shown_, sceneLayout(), hitAt(toDevice(event->pos())));
    QMenu* menu = newContextMenu(*this);
    FilterSubject subject;
    subject.regions = hit.regions;
    subject.locations = hit.locations;
    if (hit.locations.size() == 1) {
        const LocationRef only = hit.locations.front();
        subject.locationsName =
            QString::fromStdString(displayName(session_->experiments[only.experiment]->definitions, only.id));
    } else if (!hit.locations.empty()) {
        subject.locationsName = tr("these %1 locations").arg(hit.locations.size());
    }
    addFilterActions(*menu, selection(), session_, subject, this);
    menu->addSeparator();
    menu->addAction(tr("Copy the Bars as CSV"), this, [this] {
        if (shown_) QApplication::clipboard()->setText(QString::fromStdString(profileCsv(shown_->bars)));
    });
    menu->popup(event->globalPos());
}

}  // namespace skein
