// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/counters/counters_canvas.h"

#include "core/base/units.h"
#include "views/common/selection_model.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace skein {

CountersCanvas::CountersCanvas(const ViewContext& context, QWidget* parent)
    : TimeView(context, tr("Drawing the counters"), parent)
{
    setObjectName("counters.lanes");
    setAccessibleName(tr("Counters"));
    setAccessibleDescription(
        tr("Metrics over time, a lane a location. skein-cli metrics --samples prints them."));
}

void CountersCanvas::setCounters(CounterDataPtr counters, const QString& message)
{
    counters_ = std::move(counters);
    message_ = message;
    redraw();
}

void CountersCanvas::setStyle(CounterStyle style)
{
    options_.style = style;
    redraw();
}

void CountersCanvas::setScale(CounterScale scale)
{
    options_.scale = scale;
    redraw();
}

CounterOptions CountersCanvas::presentOptions() const
{
    CounterOptions options = options_;
    options.scrollY = scroll();
    return options;
}

CounterLayout CountersCanvas::sceneLayout() const
{
    if (!data() || !counters_) return {};
    return onCanvas([this](const Canvas& canvas) {
        return counterLayout(*data(), *counters_, selection().state(), presentOptions(), canvas);
    });
}

SceneView::Maker CountersCanvas::maker() const
{
    if (!data() || !counters_ || counters_->sections.empty()) return {};
    ViewState state;
    state.visible = selection().state().visible;
    state.filters = selection().state().filters;
    return [data = data(), counters = counters_, state, options = presentOptions()](const Canvas& canvas,
                                                                                    const Task& task) {
        return countersScene(*data, *counters, state, options, canvas, task);
    };
}

std::optional<DrawList> CountersCanvas::drawnPicture(int width, int height) const
{
    if (!data() || !counters_ || counters_->sections.empty()) return std::nullopt;
    ViewState state = selection().state();
    state.hover = {};
    CounterOptions options = options_;
    options.scrollY = 0;
    const SceneFonts fonts(font(), style().scale, texts());
    const QtTextMeasure measure(fonts);
    const Canvas canvas{width, height, style(), measure};
    DrawList list = countersScene(*data(), *counters_, state, options, canvas, Task());
    DrawList over = countersOverlay(*data(), state, *counters_,
                                    counterLayout(*data(), *counters_, state, options, canvas), canvas);
    std::move(over.items.begin(), over.items.end(), std::back_inserter(list.items));
    return list;
}

/// With all lanes, in the heights that they have on a canvas as high as the view.
std::optional<int> CountersCanvas::pictureHeight(int width) const
{
    if (!data() || !counters_ || counters_->sections.empty()) return std::nullopt;
    CounterOptions options = options_;
    options.scrollY = 0;
    const SceneFonts fonts(font(), style().scale, texts());
    const QtTextMeasure measure(fonts);
    const Canvas canvas{width, std::max(deviceHeight(), 1), style(), measure};
    const CounterLayout layout = counterLayout(*data(), *counters_, selection().state(), options, canvas);
    if (layout.places.empty()) return std::nullopt;
    return static_cast<int>(std::ceil(layout.places.back().y + layout.places.back().height));
}

DrawList CountersCanvas::overlay(const Canvas& canvas) const
{
    if (!data() || !counters_) return {};
    const ViewState& state = selection().state();
    return countersOverlay(*data(), state, *counters_,
                           counterLayout(*data(), *counters_, state, presentOptions(), canvas), canvas);
}

std::vector<std::string> CountersCanvas::toolTipAt(Point point) const
{
    if (!data() || !counters_) return {};
    return countersTooltip(*data(), *counters_, sceneLayout(), point);
}

Hover CountersCanvas::hitAt(Point point) const
{
    return counters_ ? countersHit(*counters_, sceneLayout(), point) : Hover();
}

}  // namespace skein
