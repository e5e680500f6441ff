// SPDX-License-Identifier: GPL-3.0-or-later
// The pictures of a timeline, of which one follows the other.
#include "views/common/draw_list_painter.h"
#include "views/common/picture_difference.h"
#include "views/timeline/timeline_scene.h"
#include "views/timeline/timeline_view.h"

#include <QElapsedTimer>

#include <cmath>

namespace skein {
namespace {

constexpr double kWholePixel = 0.01;  ///< a step that is so near to whole pixels shows columns as they were

QRect deviceArea(const TimelineLayout& layout)
{
    return QRectF(layout.body.x, layout.ruler.y, layout.body.width, layout.body.bottom() - layout.ruler.y)
        .toRect();
}

bool isOfSameSize(const TimelineLayout& a, const TimelineLayout& b)
{
    return a.scale.span.lengthNs() == b.scale.span.lengthNs() && a.body == b.body
        && a.contentHeight == b.contentHeight;
}

}  // namespace

TimelineView::PicturePtr TimelineView::makePicture(const Frame& frame, const PicturePtr& before,
                                                   const SceneFonts& fonts, const Task& task)
{
    QElapsedTimer timer;
    timer.start();
    auto picture = std::make_shared<Picture>();
    const QtTextMeasure measure(fonts);
    picture->frame = frame;
    const int width = frame.width, height = frame.height;
    picture->plan = planTimeline(*frame.data, frame.state, frame.options, width, height, measure);
    auto samples = std::make_shared<KeptSamples>(*frame.data, picture->plan.layout.scale.span,
                                                 static_cast<std::size_t>(picture->plan.layout.body.width));
    const SampleKeeping keeping{before ? before->samples.get() : nullptr, samples.get()};
    picture->image = toImage(timelineScene(*frame.data, frame.state, frame.options, picture->plan, width,
                                           height, measure, task, keeping),
                             fonts, task);
    picture->samples = std::move(samples);
    picture->draft = picture->image;
    picture->draftDetail = frame.options.detail;
    picture->drawnInMs = timer.elapsed();
    if (before) keepExactPixels(*picture, *before);
    return picture;
}

/// Where the picture is the same as the draft of the one before it, moved along the time, it shows what that
/// one showed: columns that were decided exactly stay so, and a step along the time sends the strip that has
/// come into sight, not all columns twice. One that was exact at once has no draft: of it all stays that is
/// still in sight, if nothing but the time has changed.
void TimelineView::keepExactPixels(Picture& now, const Picture& before)
{
    if (showsSame(now.frame, before.frame) && before.draftDetail.isAsWideAs(now.draftDetail)) {
        now.draft = before.draft;
        now.draftDetail = before.draftDetail;
        return;
    }
    if (!isOfSameSize(now.plan.layout, before.plan.layout)) return;
    const double shift =
        now.plan.layout.scale.toX(before.plan.layout.scale.span.begin) - now.plan.layout.body.x;
    const auto by = static_cast<int>(std::lround(shift));
    const QRect area = deviceArea(now.plan.layout);
    if (before.image.cacheKey() != before.draft.cacheKey()) {
        if (before.draftDetail == now.draftDetail)
            now.image = withKeptPixels(now.draft, before.draft, before.image, area, by);
        return;
    }
    const bool isFiner = before.draftDetail.servesFor(now.draftDetail)
        && before.draftDetail.isAsWideAs(now.draftDetail) && !(before.draftDetail == now.draftDetail);
    if (isFiner && isOnlyMoved(now.frame, before.frame) && std::abs(shift - by) < kWholePixel)
        now.image = withMovedPixels(now.draft, before.image, area & area.translated(by, 0), by);
}

}  // namespace skein
