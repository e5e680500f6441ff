// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QWidget>

#include "views/common/scene_view.h"
#include "views/prediction/prediction_scene.h"

namespace skein {

/// The pictures of a prediction.
class PredictionCanvas : public SceneView {
    Q_OBJECT

public:
    PredictionCanvas(const ViewContext& context, QWidget* parent);

    void setSession(SessionPtr) override {}
    /// Null: `message` says why.
    void setPrediction(PredictionPtr prediction, const QString& message);
    const PredictionPtr& shown() const { return prediction_; }
    std::vector<KeyHint> keyHints() const override;

Q_SIGNALS:
    /// The user has clicked a phase, or a link (places in the prediction).
    void phaseChosen(std::size_t phase);
    void linkChosen(std::size_t link);

protected:
    Maker maker() const override;
    QString emptyText() const override { return message_; }
    std::vector<std::string> toolTipAt(Point point) const override;
    void mousePressEvent(QMouseEvent* event) override;

private:
    PredictionPtr prediction_;
    QString message_;
};

}  // namespace skein
