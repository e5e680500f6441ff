// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/location_detail/location_detail_view.h"

#include "core/base/units.h"
#include "views/common/scene/calls/call_tooltip.h"
#include "views/common/scene/calls/message_tooltip.h"
#include "views/common/scene/regions/call_legend.h"
#include "views/common/selection_model.h"
#include "views/common/task_runner.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace skein {
namespace {

constexpr const char* kMessages = "location_detail messages";  ///< job

}  // namespace

LocationDetailView::LocationDetailView(const ViewContext& context, QWidget* parent)
    : TimeView(context, tr("Drawing the location"), parent)
{
    setObjectName("location_detail");
    setAccessibleName(tr("Location detail"));
    setAccessibleDescription(
        tr("The calls of the selected location, a row for each depth of the call stack, and "
           "lines to the peers of its messages. The details of the selection say the same in words."));
}

LocationDetailOptions LocationDetailView::options() const
{
    const bool shown = selection().state().messageLines == MessageLines::Shown;
    return {scroll(), shown ? DetailMessageDisplay::WhenKnown : DetailMessageDisplay::Hidden, shown_};
}

void LocationDetailView::redraw()
{
    shown_ = data() ? detailLocation(*data(), selection().state(), shown_) : LocationRef{};
    findMessages();
    TimeView::redraw();
}

void LocationDetailView::dataChanged()
{
    tasks().drop(kMessages);
    searched_ = {};
}

/// The picture has the calls at once; of millions of messages those of the location follow when they are
/// found.
void LocationDetailView::findMessages()
{
    if (!shown_.valid() || shown_ == searched_ || options().messages == DetailMessageDisplay::Hidden) return;
    if (data()->messages->known(shown_) || !takesLongToFindMessages(*data(), shown_)) return;
    searched_ = shown_;
    tasks().run<LocationMessagesPtr>(
        {kMessages, tr("Looking for the location's messages")}, this,
        [data = data(), location = shown_](const Task& task) -> Result<LocationMessagesPtr> {
            auto found = data->messages->of(data->session, location, task);
            if (!found) return cancelled();
            return found;
        },
        [this](Result<LocationMessagesPtr> found) {
            if (found) redraw();
        });
}

LocationDetailLayout LocationDetailView::sceneLayout() const
{
    if (!data()) return {};
    return onCanvas([this](const Canvas& canvas) {
        return locationDetailLayout(*data(), selection().state(), options(), canvas);
    });
}

SceneView::Maker LocationDetailView::maker() const
{
    if (!data() || !detailLocation(*data(), selection().state(), shown_).valid()) return {};
    ViewState state = selection().state();
    state.hover = {};
    state.hits = {};
    return [data = data(), state, options = options()](const Canvas& canvas, const Task& task) {
        return locationDetailScene(*data, state, options, canvas, task);
    };
}

QString LocationDetailView::emptyText() const
{
    if (!session()) return tr("Open a trace and select a location to see its calls here.");
    if (!data()) return tr("Preparing the calls …");
    if (data()->clock.extent.empty())
        return tr("Nothing here has times of events. Open a trace to see when calls happened.");
    return tr("The filters hide every location. Remove one of them to see calls again.");
}

DrawList LocationDetailView::overlay(const Canvas& canvas) const
{
    if (!data()) return {};
    const ViewState& state = selection().state();
    return locationDetailOverlay(*data(), state, locationDetailLayout(*data(), state, options(), canvas),
                                 canvas);
}

/// Nothing is scrolled out, and the pointer is nowhere.
std::optional<DrawList> LocationDetailView::drawnPicture(int width, int height) const
{
    if (!data() || !shown_.valid()) return std::nullopt;
    ViewState state = selection().state();
    state.hover = {};
    LocationDetailOptions wanted = options();
    wanted.scroll = 0;
    const SceneFonts fonts(font(), style().scale, texts());
    const QtTextMeasure measure(fonts);
    const Canvas canvas{width, height, style(), measure};
    DrawList list = locationDetailScene(*data(), state, wanted, canvas, Task());
    DrawList over =
        locationDetailOverlay(*data(), state, locationDetailLayout(*data(), state, wanted, canvas), canvas);
    std::move(over.items.begin(), over.items.end(), std::back_inserter(list.items));
    return list;
}

/// With all rows, in the height that they have on a canvas as high as the view.
std::optional<int> LocationDetailView::pictureHeight(int width) const
{
    if (!data() || !shown_.valid()) return std::nullopt;
    LocationDetailOptions wanted = options();
    wanted.scroll = 0;
    const SceneFonts fonts(font(), style().scale, texts());
    const QtTextMeasure measure(fonts);
    const Canvas canvas{width, std::max(deviceHeight(), 1), style(), measure};
    const LocationDetailLayout layout = locationDetailLayout(*data(), selection().state(), wanted, canvas);
    if (layout.rows == 0) return std::nullopt;
    const double around = canvas.height - layout.calls.height;
    return static_cast<int>(std::ceil(around + layout.rows * layout.rowHeight));
}

std::vector<LegendEntry> LocationDetailView::pictureLegend() const
{
    if (!data()) return {};
    return callLegend(data()->session, selection().state(), style().theme);
}

std::vector<std::string> LocationDetailView::toolTipAt(Point point) const
{
    if (!data()) return {};
    const Hover hit = hitAt(point);
    if (hit.message.valid()) return messageTooltip(*data(), hit.message);
    auto lines = hit.interval.valid() ? callTooltip(*data(), hit.interval) : std::vector<std::string>();
    if (!hit.time || !hit.location.valid()) return lines;
    if (std::string flush = flushTooltip(*data(), sceneLayout().frame.scale, hit.location, *hit.time);
        !flush.empty())
        lines.push_back(std::move(flush));
    return lines;
}

Hover LocationDetailView::hitAt(Point point) const
{
    if (!data()) return {};
    return onCanvas([&](const Canvas& canvas) {
        return locationDetailHit(*data(), selection().state(), sceneLayout(), canvas, point);
    });
}

}  // namespace skein
