// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/behavior/behavior_canvas.h"

#include "core/select/translate.h"
#include "views/behavior/change_dialog.h"
#include "views/common/behavior_model.h"
#include "views/common/context_menu.h"
#include "views/common/scene/axes/time_window.h"
#include "views/common/selection_model.h"
#include "views/common/task_runner.h"
#include "views/common/utf8_text.h"

#include <QContextMenuEvent>
#include <QMenu>
#include <QMouseEvent>

#include <utility>

namespace skein {

BehaviorCanvas::BehaviorCanvas(const ViewContext& context, BehaviorModel& model, const QString& name,
                               QWidget* parent)
    : TimeView(context, tr("Drawing the behaviour"), parent), model_(model)
{
    setObjectName(name);
    connect(&model_, &BehaviorModel::baseChanged, this, [this] { updateOverlay(); });
    setAccessibleName(tr("Behaviour over time"));
    setAccessibleDescription(tr("A line a process over time in the colour of its cluster, and when their "
                                "behaviour changed. skein-cli changes and clusters print them."));
}

void BehaviorCanvas::setSession(SessionPtr session)
{
    tasks().drop(compareJob());
    for (ChangeDialog* dialog : findChildren<ChangeDialog*>()) dialog->close();
    TimeView::setSession(std::move(session));
}

void BehaviorCanvas::setPicture(BehaviorPicturePtr picture, const QString& message)
{
    picture_ = std::move(picture);
    message_ = message;
    redraw();
}

BehaviorLayout BehaviorCanvas::sceneLayout() const
{
    if (!data()) return {};
    return onCanvas([this](const Canvas& canvas) {
        if (picture_) return behaviorLayout(*data(), *picture_, selection().state(), canvas);
        BehaviorLayout layout;
        layout.frame = timeFrame(*data(), selection().state(), 0, canvas);
        return layout;
    });
}

SceneView::Maker BehaviorCanvas::maker() const
{
    if (!ready()) return {};
    ViewState state;
    state.visible = selection().state().visible;
    state.filters = selection().state().filters;
    state.selected = selection().state().selected;
    return [data = data(), picture = picture_, state](const Canvas& canvas, const Task& task) {
        return behaviorScene(*data, *picture, state, canvas, task);
    };
}

DrawList BehaviorCanvas::overlay(const Canvas& canvas) const
{
    if (!ready()) return {};
    const ViewState& state = selection().state();
    return behaviorOverlay(*picture_, state, behaviorLayout(*data(), *picture_, state, canvas),
                           {chosenChange(), model_.baseRow()}, canvas);
}

std::vector<std::string> BehaviorCanvas::toolTipAt(Point point) const
{
    if (!ready()) return {};
    return behaviorTooltip(*picture_, sceneLayout(), point, devicePixelRatioF());
}

Hover BehaviorCanvas::hitAt(Point point) const
{
    Hover hover;
    if (!ready()) return hover;
    const BehaviorLayout layout = sceneLayout();
    const Rect& body = layout.frame.body;
    if (point.x >= body.x && point.x < body.right()) hover.time = layout.frame.scale.toTime(point.x);
    if (const auto entity = behaviorEntityAt(*picture_, layout, point, devicePixelRatioF()))
        hover.location = picture_->behavior->locationsOf(*entity).front();
    return hover;
}

void BehaviorCanvas::clicked(Point point, Qt::KeyboardModifiers modifiers)
{
    if (!ready()) return;
    const BehaviorLayout layout = sceneLayout();
    const double scale = devicePixelRatioF();
    if (const auto change = behaviorChangeAt(*picture_, layout, point, scale)) return goToChange(*change);
    BehaviorPick pick = behaviorPickAt(*picture_, layout, point, scale);
    Selection chosen = pick.locations.empty() ? Selection() : select(data()->session, pick.locations);
    chosen.clusters = std::move(pick.clusters);
    if (modifiers & Qt::ControlModifier) chosen = united(selection().state().selected, chosen);
    else if (chosen.empty()) selection().setBrushed(std::nullopt, this);
    selection().setSelected(chosen, this);
    redraw();
}

std::optional<std::size_t> BehaviorCanvas::chosenChange() const
{
    const auto& changes = selection().state().selected.changePoints;
    if (!ready() || changes.empty()) return std::nullopt;
    return placeOfChange(*picture_->behavior, changes.front());
}

void BehaviorCanvas::goToChange(std::size_t change)
{
    if (!ready() || change >= picture_->behavior->changes.changes.size()) return;
    const ChangePeriods periods = periodsAround(*picture_->behavior, change);
    showSpan({periods.before.begin, periods.after.end});
    Selection selected;
    selected.changePoints = {changeRef(*picture_->behavior, change)};
    selection().setSelected(selected, this);
    selection().say(toQString(changeText(*picture_->behavior, change).front()));
    redraw();
}

void BehaviorCanvas::markBefore(std::size_t change)
{
    if (!ready() || change >= picture_->behavior->changes.changes.size()) return;
    selection().setBrushed(periodsAround(*picture_->behavior, change).before, nullptr);
    update();
}

void BehaviorCanvas::markAfter(std::size_t change)
{
    if (!ready() || change >= picture_->behavior->changes.changes.size()) return;
    selection().setBrushed(periodsAround(*picture_->behavior, change).after, nullptr);
    update();
}

void BehaviorCanvas::compareAround(std::size_t change)
{
    if (!ready() || change >= picture_->behavior->changes.changes.size()) return;
    tasks().run<ChangeComparison>(
        {compareJob(), tr("Comparing call paths around change %1").arg(change + 1)}, this,
        [session = data()->session, behavior = picture_->behavior, change](const Task& task) {
            return compareAroundChange(session, *behavior, change, task);
        },
        [this, change, session = session()](Result<ChangeComparison> found) {
            if (!found) return selection().say(toQString(found.error().text()));
            (new ChangeDialog(selection(), session, *found, change + 1, this))->open();
        });
}

void BehaviorCanvas::selectMoved(std::size_t change)
{
    if (!ready() || change >= picture_->behavior->changes.changes.size()) return;
    const SessionBehavior& behavior = *picture_->behavior;
    Selection moved = select(data()->session, behavior.locationsOf(movedAt(behavior, change)));
    moved.changePoints = {changeRef(behavior, change)};
    selection().setSelected(moved, this);
    redraw();
}

void BehaviorCanvas::openAt(Point point)
{
    if (!ready()) return;
    const auto entity = behaviorEntityAt(*picture_, sceneLayout(), point, devicePixelRatioF());
    if (entity) model_.openEntity(*entity);
}

/// On a line; elsewhere it does what it does in all panels over time.
void BehaviorCanvas::mouseDoubleClickEvent(QMouseEvent* event)
{
    const Point point = toDevice(event->position());
    if (event->button() == Qt::LeftButton && ready()
        && behaviorEntityAt(*picture_, sceneLayout(), point, devicePixelRatioF()))
        return openAt(point);
    TimeView::mouseDoubleClickEvent(event);
}

void BehaviorCanvas::setBaseAt(Point point)
{
    if (!ready()) return;
    const BehaviorLayout layout = sceneLayout();
    const TimeScale& scale = layout.history.contains(point) ? layout.whole : layout.frame.scale;
    if (const auto row = behaviorRowAt(*picture_->behavior, scale.toTime(point.x))) model_.setBaseRow(*row);
}

void BehaviorCanvas::step(int by)
{
    if (!ready() || picture_->behavior->changes.changes.empty()) return;
    const auto count = static_cast<int>(picture_->behavior->changes.changes.size());
    const auto chosen = chosenChange();
    const int now = chosen ? static_cast<int>(*chosen) + by : by > 0 ? 0 : count - 1;
    goToChange(static_cast<std::size_t>((now + count) % count));
}

bool BehaviorCanvas::pressPlainKey(int key)
{
    switch (key) {
    case Qt::Key_BracketRight: step(1); return true;
    case Qt::Key_BracketLeft: step(-1); return true;
    default: return TimeView::pressPlainKey(key);
    }
}

void BehaviorCanvas::contextMenuEvent(QContextMenuEvent* event)
{
    if (!ready()) return;
    const Point point = toDevice(event->pos());
    const auto near = behaviorChangeAt(*picture_, sceneLayout(), point, devicePixelRatioF());
    const auto change = near ? near : chosenChange();
    QMenu* menu = newContextMenu(*this);
    if (change) {
        const QString number = QString::number(*change + 1);
        menu->addAction(tr("Go to Change %1").arg(number), this, [this, change] { goToChange(*change); });
        menu->addAction(tr("Mark the Period Before Change %1").arg(number), this,
                        [this, change] { markBefore(*change); });
        menu->addAction(tr("Mark the Period After Change %1").arg(number), this,
                        [this, change] { markAfter(*change); });
        menu->addAction(tr("Compare Call Paths Before and After Change %1…").arg(number), this,
                        [this, change] { compareAround(*change); });
        menu->addAction(tr("Select Who Moved at Change %1").arg(number), this,
                        [this, change] { selectMoved(*change); });
        menu->addSeparator();
    }
    if (const auto entity = behaviorEntityAt(*picture_, sceneLayout(), point, devicePixelRatioF()))
        menu->addAction(tr("Open %1").arg(toQString(picture_->behavior->table.columns[*entity])), this,
                        [this, entity] { model_.openEntity(*entity); });
    if (!model_.request().within.empty())
        menu->addAction(tr("Out of %1").arg(toQString(model_.request().withinName)), this,
                        [this] { model_.closeEntity(); });
    menu->addAction(tr("Base of Differences Here"), this, [this, point] { setBaseAt(point); });
    menu->addAction(tr("Show Everything"), this, [this] { showEverything(); });
    menu->popup(event->globalPos());
}

std::vector<KeyHint> BehaviorCanvas::keyHints() const
{
    std::vector<KeyHint> hints{{tr("Click a change point"), tr("Show it, and who moved")},
                               {tr("Click a line or a cluster"), tr("Select its locations")},
                               {tr("Double click a line"), tr("Open it: a line a part of it")},
                               {tr("[ and ]"), tr("The change before, and the next one")}};
    for (KeyHint& hint : TimeView::keyHints()) hints.push_back(std::move(hint));
    return hints;
}

}  // namespace skein
