// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/scene_view.h"
#include "views/outliers/outlier_ranks_scene.h"

namespace skein {

/// Outliers summed up by location.
class OutlierRanksCanvas : public SceneView {
    Q_OBJECT

public:
    OutlierRanksCanvas(const ViewContext& context, QWidget* parent);

    void setSession(SessionPtr) override {}
    /// Null or without outliers: `message` says why there is nothing.
    void setOutliers(OutlierDataPtr outliers, const QString& message);
    OutlierRanksLayout sceneLayout() const;
    std::vector<KeyHint> keyHints() const override;
    std::vector<std::string> toolTipAt(Point point) const override;

protected:
    Maker maker() const override;
    QString emptyText() const override { return message_; }
    DrawList overlay(const Canvas& canvas) const override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    bool ready() const { return outliers_ && !outliers_->ranks.empty(); }
    const OutlierRank* rankAt(Point point) const;

    OutlierDataPtr outliers_;
    QString message_;
};

}  // namespace skein
