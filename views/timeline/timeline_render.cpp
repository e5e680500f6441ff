// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/timeline_render.h"

#include "views/common/draw_list_painter.h"
#include "views/timeline/timeline_scene.h"

#include <QGuiApplication>

#include <algorithm>

namespace skein {
namespace {

constexpr std::uint64_t kExactCalls = 1ull << 28;  ///< a second or two

Result<TimelineDataPtr> dataOf(const Session& session, const Task& task)
{
    std::vector<TimelineIndexPtr> indexes;
    for (const ExperimentPtr& experiment : session.experiments) {
        indexes.emplace_back();
        if (!experiment->trace) continue;
        if ((indexes.back() = experiment->timelineIndex)) continue;
        auto index = buildTimelineIndex(*experiment->trace, *experiment->callTree,
                                        firstOfName(experiment->definitions), task);
        if (!index) return Unexpected(index.error());
        indexes.back() = std::make_shared<const TimelineIndex>(std::move(*index));
    }
    return makeTimelineData(session, std::move(indexes));
}

}  // namespace

Result<void> saveTimeline(const TimelineData& data, const ViewState& state, const TimelinePicture& picture,
                          const std::filesystem::path& path, const Task& task)
{
    TimelineOptions options = picture.options;
    if (options.caption.empty()) options.caption = timelineCaption(data, state);
    const SceneFonts fonts(QGuiApplication::font(), options.scale);
    const QtTextMeasure measure(fonts);
    const TimelineLayout layout =
        timelineLayout(data, state, options, picture.width, picture.height, measure);
    options.detail = PictureDetail::exact(cellsOf(layout), kExactCalls);
    DrawList list = timelineScene(data, state, options, picture.width, picture.height, measure, task);
    if (task.stopRequested()) return cancelled();
    DrawList overlay = timelineOverlay(data, state, options, layout, measure);
    std::move(overlay.items.begin(), overlay.items.end(), std::back_inserter(list.items));
    return saveDrawList(list, fonts, path, options.caption);
}

Result<void> renderTimeline(const Session& session, const ViewState& state, const TimelinePicture& picture,
                            const std::filesystem::path& path, const Task& task)
{
    const auto data = dataOf(session, task);
    if (!data) return Unexpected(data.error());
    return saveTimeline(**data, state, picture, path, task);
}

}  // namespace skein
