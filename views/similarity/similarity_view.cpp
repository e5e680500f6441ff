// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/similarity/similarity_view.h"

#include "core/select/translate.h"
#include "views/common/selection_model.h"

#include <QKeyEvent>
#include <QMouseEvent>

namespace skein {

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
    lasso_.drop();
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
    return [behavior = model_.behavior(), selected = selection().state().selected](const Canvas& canvas,
                                                                                   const Task& task) {
        return similarityScene(*behavior, selected, canvas, task);
    };
}

QString SimilarityView::emptyText() const { return model_.message(); }

DrawList SimilarityView::overlay(const Canvas& canvas) const
{
    DrawList list;
    lasso_.draw(list, canvas);
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
    lasso_.begin(toDevice(event->position()));
}

void SimilarityView::mouseMoveEvent(QMouseEvent* event)
{
    if (!lasso_.begun() || !(event->buttons() & Qt::LeftButton)) return SceneView::mouseMoveEvent(event);
    lasso_.goOn(toDevice(event->position()));
    update();
}

void SimilarityView::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || !lasso_.begun()) return;
    const std::vector<Point> lasso = lasso_.end(devicePixelRatioF());
    update();
    if (model_.behavior())
        choose(entitiesChosenBy(*model_.behavior(), sceneLayout(), lasso, devicePixelRatioF()),
               event->modifiers());
}

/// Opens the entity of a dot.
void SimilarityView::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || !model_.behavior()) return;
    lasso_.drop();
    const auto entity =
        similarEntityAt(*model_.behavior(), sceneLayout(), toDevice(event->position()), devicePixelRatioF());
    if (entity) model_.openEntity(*entity);
}

void SimilarityView::choose(const std::vector<std::size_t>& entities, Qt::KeyboardModifiers modifiers)
{
    const std::vector<LocationRef> locations = model_.behavior()->locationsOf(entities);
    Selection chosen = locations.empty() ? Selection() : select(*session_, locations);
    if (modifiers & Qt::ControlModifier) chosen = united(selection().state().selected, chosen);
    selection().setSelected(chosen, this);
    redraw();
}

void SimilarityView::keyPressEvent(QKeyEvent* event)
{
    if (event->key() != Qt::Key_Escape) return SceneView::keyPressEvent(event);
    lasso_.drop();
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
