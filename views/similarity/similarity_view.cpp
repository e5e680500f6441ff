// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/similarity/similarity_view.h"

#include "core/select/translate.h"
#include "views/common/selection_model.h"

#include <QKeyEvent>
#include <QMouseEvent>

#include <algorithm>
#include <cmath>
#include <utility>

namespace skein {
namespace {

constexpr double kLassoBeginsPx = 4;

}  // namespace

SimilarityView::SimilarityView(const ViewContext& context, QWidget* parent)
    : SimilarityView(context, BehaviorPlace::First, parent)
{
}

SimilarityView::SimilarityView(const ViewContext& context, BehaviorPlace place, QWidget* parent)
    : SceneView(context, tr("Drawing the similarity"), parent), model_(BehaviorModel::of(context, place))
{
    setObjectName(place == BehaviorPlace::First ? "similarity.dots" : "similarity_second.dots");
    setAccessibleName(tr("Similarity"));
    setAccessibleDescription(
        tr("A dot a process: the nearer, the more alike over time. skein-cli project prints the places."));
    setFocusPolicy(Qt::StrongFocus);
    connect(&model_, &BehaviorModel::changed, this, [this] { redraw(); });
    selection().listen(this, [this](const ViewChange& change) {
        if (change.parts.has(ViewParts::kSelected)) redraw();
    });
}

void SimilarityView::setSession(SessionPtr session)
{
    session_ = std::move(session);
    lasso_.clear();
    model_.setSession(session_);
    redraw();
}

SimilarityLayout SimilarityView::sceneLayout() const
{
    if (!model_.behavior()) return {};
    return onCanvas([this](const Canvas& canvas) { return similarityLayout(*model_.behavior(), canvas); });
}

SceneView::Maker SimilarityView::maker() const
{
    if (!session_ || !model_.behavior()) return {};
    ViewState state;
    state.selected = selection().state().selected;
    return [behavior = model_.behavior(), state](const Canvas& canvas, const Task& task) {
        return similarityScene(*behavior, state, canvas, task);
    };
}

QString SimilarityView::emptyText() const { return model_.message(); }

DrawList SimilarityView::overlay(const Canvas& canvas) const
{
    DrawList list;
    if (lasso_.size() > 2)
        list.items.push_back(
            PolygonItem{lasso_, canvas.theme().selectionFill, canvas.theme().accent, canvas.px(1), {}});
    return list;
}

std::vector<std::string> SimilarityView::toolTipAt(Point point) const
{
    if (!model_.behavior()) return {};
    const auto entity = similarEntityAt(*model_.behavior(), sceneLayout(), point, devicePixelRatioF());
    return entity ? similarityTooltip(*model_.behavior(), *entity) : std::vector<std::string>();
}

void SimilarityView::showEvent(QShowEvent* event)
{
    SceneView::showEvent(event);
    model_.workFor(this);
}

void SimilarityView::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || !model_.behavior()) return;
    lasso_ = {toDevice(event->position())};
}

void SimilarityView::mouseMoveEvent(QMouseEvent* event)
{
    if (lasso_.empty() || !(event->buttons() & Qt::LeftButton)) return SceneView::mouseMoveEvent(event);
    lasso_.push_back(toDevice(event->position()));
    update();
}

void SimilarityView::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || lasso_.empty()) return;
    const std::vector<Point> lasso = std::exchange(lasso_, {});
    update();
    if (!model_.behavior()) return;
    const SessionBehavior& behavior = *model_.behavior();
    const bool drawn = std::any_of(lasso.begin(), lasso.end(), [&](Point point) {
        return std::hypot(point.x - lasso[0].x, point.y - lasso[0].y) > kLassoBeginsPx * devicePixelRatioF();
    });
    if (drawn) return choose(entitiesWithin(behavior, sceneLayout(), lasso), event->modifiers());
    const auto entity = similarEntityAt(behavior, sceneLayout(), lasso[0], devicePixelRatioF());
    choose(entity ? std::vector<std::size_t>{*entity} : std::vector<std::size_t>(), event->modifiers());
}

/// Opens the entity of a dot.
void SimilarityView::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || !model_.behavior()) return;
    lasso_.clear();
    const auto entity =
        similarEntityAt(*model_.behavior(), sceneLayout(), toDevice(event->position()), devicePixelRatioF());
    if (entity) model_.openEntity(*entity);
}

void SimilarityView::choose(const std::vector<std::size_t>& entities, Qt::KeyboardModifiers modifiers)
{
    std::vector<LocationRef> locations;
    for (const std::size_t entity : entities)
        for (const LocationRef& location : model_.behavior()->locationsOf(entity))
            locations.push_back(location);
    std::sort(locations.begin(), locations.end());
    Selection chosen = locations.empty() ? Selection() : select(*session_, locations);
    if (modifiers & Qt::ControlModifier) chosen = united(selection().state().selected, chosen);
    selection().setSelected(chosen, this);
    redraw();
}

void SimilarityView::keyPressEvent(QKeyEvent* event)
{
    if (event->key() != Qt::Key_Escape) return SceneView::keyPressEvent(event);
    lasso_.clear();
    selection().setSelected({}, this);
    redraw();
}

std::vector<KeyHint> SimilarityView::keyHints() const
{
    return {{tr("Click a dot, Ctrl+click"), tr("Select its locations; add them")},
            {tr("Double click a dot"), tr("Open it: a dot a part of it")},
            {tr("Drag around dots"), tr("Select those within the line")},
            {tr("Esc"), tr("Clear the selection")}};
}

}  // namespace skein
