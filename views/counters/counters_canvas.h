// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/time_view.h"
#include "views/counters/counters_scene.h"

namespace skein {

/// The lanes of counters, below each other on the time that all views share.
class CountersCanvas : public TimeView {
    Q_OBJECT

public:
    CountersCanvas(const ViewContext& context, QWidget* parent);

    /// Null or without sections: `message` says why there is nothing.
    void setCounters(CounterDataPtr counters, const QString& message);
    void setStyle(CounterStyle style);
    void setScale(CounterScale scale);
    const CounterDataPtr& counters() const { return counters_; }
    const CounterOptions& options() const { return options_; }
    CounterLayout sceneLayout() const;
    std::optional<DrawList> drawnPicture(int width, int height) const override;
    std::optional<int> pictureHeight(int width) const override;

protected:
    Maker maker() const override;
    QString emptyText() const override { return message_; }
    DrawList overlay(const Canvas& canvas) const override;
    std::vector<std::string> toolTipAt(Point point) const override;
    TimeFrame frame() const override { return sceneLayout().frame; }
    Hover hitAt(Point point) const override;
    double maximumScroll() const override { return sceneLayout().maximumScroll; }

private:
    CounterOptions presentOptions() const;

    CounterDataPtr counters_;
    CounterOptions options_;
    QString message_;
};

}  // namespace skein
