// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/prediction/prediction_canvas.h"

#include <QMouseEvent>

#include <utility>

namespace skein {

PredictionCanvas::PredictionCanvas(const ViewContext& context, QWidget* parent)
    : SceneView(context, tr("Drawing the prediction"), parent)
{
    setObjectName("prediction.canvas");
    setAccessibleName(tr("Prediction"));
    setAccessibleDescription(
        tr("Predicted and measured times of communication by phase. The table holds the same."));
    setFocusPolicy(Qt::StrongFocus);
}

void PredictionCanvas::setPrediction(PredictionPtr prediction, const QString& message)
{
    prediction_ = std::move(prediction);
    message_ = message;
    redraw();
}

SceneView::Maker PredictionCanvas::maker() const
{
    if (!prediction_) return {};
    return [prediction = prediction_](const Canvas& canvas, const Task& task) {
        return predictionScene(*prediction, canvas, task);
    };
}

std::vector<std::string> PredictionCanvas::toolTipAt(Point point) const
{
    if (!prediction_) return {};
    return onCanvas([&](const Canvas& canvas) -> std::vector<std::string> {
        const PredictionLayout layout = predictionLayout(*prediction_, canvas);
        if (const auto link = predictedLinkAt(*prediction_, layout, point, canvas))
            return predictedLinkText(*prediction_, *link);
        if (const auto phase = predictedPhaseAt(*prediction_, layout, point, canvas))
            return predictedPhaseText(*prediction_, *phase);
        return {};
    });
}

void PredictionCanvas::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || !prediction_) return;
    const Point at = toDevice(event->position());
    const auto [link, phase] = onCanvas([&](const Canvas& canvas) {
        const PredictionLayout layout = predictionLayout(*prediction_, canvas);
        return std::pair(predictedLinkAt(*prediction_, layout, at, canvas),
                         predictedPhaseAt(*prediction_, layout, at, canvas));
    });
    if (link) Q_EMIT linkChosen(*link);
    else if (phase) Q_EMIT phaseChosen(*phase);
}

std::vector<KeyHint> PredictionCanvas::keyHints() const
{
    return {{tr("Click"), tr("Mark the phase on the timeline, or select the link")}};
}

}  // namespace skein
