// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/timeline_render.h"

#include "views/common/draw_list_painter.h"
#include "views/timeline/timeline_scene.h"

#include <QGuiApplication>

#include <algorithm>
#include <iterator>

namespace skein {

DrawList timelinePicture(const TimelineData& data, const ViewState& state, TimelineOptions options, int width,
                         int height, const Task& task)
{
    constexpr std::uint64_t kExactCalls = 1ull << 28;  // a second or two
    const SceneFonts fonts(QGuiApplication::font(), options.scale);
    const QtTextMeasure measure(fonts);
    const TimelineLayout layout = timelineLayout(data, state, options, width, height, measure);
    options.detail = PictureDetail::exact(cellsOf(layout), kExactCalls);
    DrawList list = timelineScene(data, state, options, width, height, measure, task);
    DrawList overlay = timelineOverlay(data, state, options, layout, measure);
    std::move(overlay.items.begin(), overlay.items.end(), std::back_inserter(list.items));
    return list;
}

}  // namespace skein
