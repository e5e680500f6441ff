// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QWidget>

#include "views/common/scene_view.h"
#include "views/scaling/scaling_scene.h"

#include <optional>
#include <string>

namespace skein {

/// The list of models and the chart of the chosen one.
class ScalingCanvas : public SceneView {
    Q_OBJECT

public:
    ScalingCanvas(const ViewContext& context, QWidget* parent);

    void setSession(SessionPtr) override {}
    /// Without data: `message` says why there is none.
    void setData(ScalingDataPtr models, const QString& message);
    void setChart(std::size_t parameter, ScalingAxes axes);
    /// Shows the curves of a row and scrolls to it.
    void setChosen(std::size_t row);
    const ScalingPicture& picture() const { return picture_; }
    ScalingLayout sceneLayout() const;
    std::vector<KeyHint> keyHints() const override;

Q_SIGNALS:
    /// The user has chosen a row.
    void chosen(std::size_t row);

protected:
    Maker maker() const override;
    QString emptyText() const override { return message_; }
    std::vector<std::string> toolTipAt(Point point) const override;
    void mousePressEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    bool ready() const { return picture_.data && !picture_.data->rows.empty(); }
    std::size_t rowsShown() const;
    void scrollTo(std::ptrdiff_t first);
    void step(std::ptrdiff_t by);

    ScalingPicture picture_;
    QString message_;
    int turned_ = 0;  ///< of the wheel, less than a row
};

}  // namespace skein
