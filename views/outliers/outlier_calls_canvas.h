// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/time_view.h"
#include "views/outliers/outlier_calls_scene.h"

namespace skein {

/// Single outliers over the time that all views share.
class OutlierCallsCanvas : public TimeView {
    Q_OBJECT

public:
    OutlierCallsCanvas(const ViewContext& context, QWidget* parent);

    /// Null: `message` says why there is nothing.
    void setOutliers(OutlierDataPtr outliers, const QString& message);
    const OutlierDataPtr& outliers() const { return outliers_; }
    OutlierCallsLayout sceneLayout() const;
    std::vector<KeyHint> keyHints() const override;
    std::vector<std::string> toolTipAt(Point point) const override;

protected:
    Maker maker() const override;
    QString emptyText() const override { return message_; }
    DrawList overlay(const Canvas& canvas) const override;
    TimeFrame frame() const override { return sceneLayout().frame; }
    Hover hitAt(Point point) const override;
    bool pressPlainKey(int key) override;
    void clicked(Point point, Qt::KeyboardModifiers modifiers) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;

private:
    bool ready() const { return data() && outliers_; }
    const OutlierPoint* pointAt(Point point) const;
    void zoomTo(IntervalRef call);
    void zoomToSelected();

    OutlierDataPtr outliers_;
    QString message_;
    bool zoomed_ = false;  ///< the release that ends a double click is no click
};

}  // namespace skein
