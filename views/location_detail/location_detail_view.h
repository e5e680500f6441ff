// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/time_view.h"
#include "views/location_detail/location_detail_scene.h"

namespace skein {

/// The selected location alone, every depth of its calls in a row of its own, under the times of the
/// timeline.
class LocationDetailView : public TimeView {
    Q_OBJECT

public:
    explicit LocationDetailView(const ViewContext& context, QWidget* parent = nullptr);

    QSize sizeHint() const override { return {900, 200}; }
    QSize minimumSizeHint() const override { return {240, 90}; }
    std::optional<DrawList> drawnPicture(int width, int height) const override;
    std::optional<int> pictureHeight(int width) const override;
    std::vector<LegendEntry> pictureLegend() const override;
    /// Where everything is now, in device pixels.
    LocationDetailLayout sceneLayout() const;

protected:
    Maker maker() const override;
    QString emptyText() const override;
    DrawList overlay(const Canvas& canvas) const override;
    std::vector<std::string> toolTipAt(Point point) const override;
    TimeFrame frame() const override { return sceneLayout().frame; }
    Hover hitAt(Point point) const override;
    double maximumScroll() const override { return sceneLayout().maximumScroll; }
    ViewParts drawnParts() const override
    {
        return ViewParts::kSelected | ViewParts::kColors | ViewParts::kMetric | ViewParts::kOverlays;
    }

    void redraw() override;
    void dataChanged() override;

private:
    LocationDetailOptions options() const;
    void findMessages();

    LocationRef shown_;     ///< what the last picture showed
    LocationRef searched_;  ///< whose messages are being looked for, or were last
};

}  // namespace skein
