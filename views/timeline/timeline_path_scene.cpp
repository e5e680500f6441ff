// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/timeline_path_scene.h"

#include "views/common/scene/drawing/text_measure.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace skein {
namespace {

constexpr std::size_t kMostOfPixel = 16;
constexpr double kPathPx = 2, kAroundPathPx = 4;

/// Where the path runs: level stretches and steps between rows, from left to right.
class PathLines {
public:
    PathLines(const TimelineData& data, const TimelineLayout& layout, std::uint32_t experiment,
              const CriticalPath& path)
        : data_(data), layout_(layout), experiment_(experiment), pieces_(path.pieces)
    {
        heights_.resize(data.session.experiments[experiment]->trace->locations.size());
        takePlaces([](const TimelineRow& row) { return row.kind == TimelineRowKind::Location; });
        takePlaces([](const TimelineRow& row) { return row.kind != TimelineRowKind::Location; });
    }

    std::vector<Rect> trace()
    {
        const TimeSpan span = data_.clock.toExperiment(experiment_, layout_.scale.span);
        std::size_t at = firstEndingAfter(span.begin);
        while (at < pieces_.size() && pieces_[at].span.begin < span.end) {
            const double from = xOf(pieces_[at].span.begin), to = xOf(pieces_[at].span.end);
            if (to - std::floor(from) >= 1) level(at++, from, to);
            else at = pixel(at, std::floor(from));
        }
        return std::move(lines_);
    }

private:
    /// A location's own row comes before that of the group that it is collapsed in, the upper of two first.
    void takePlaces(bool (*wanted)(const TimelineRow&))
    {
        for (const PlacedRow& place : layout_.places)
            if (const TimelineRow& row = layout_.rows[place.row]; wanted(row))
                forEachLocation(row, [&](LocationRef location) {
                    if (location.experiment != experiment_) return;
                    auto& height = heights_[location.id.index()];
                    if (!height) height = place.y + place.height / 2;
                });
    }

    std::size_t firstEndingAfter(TimeNs time) const
    {
        return static_cast<std::size_t>(
            std::partition_point(pieces_.begin(), pieces_.end(),
                                 [time](const PathPiece& piece) { return piece.span.end <= time; })
            - pieces_.begin());
    }
    double xOf(TimeNs time) const
    {
        return std::clamp(layout_.scale.toX(data_.clock.toSession(experiment_, time)), layout_.body.x,
                          layout_.body.right());
    }
    std::optional<double> heightOf(std::size_t piece) const
    {
        return heights_[pieces_[piece].location.index()];
    }

    void level(std::size_t piece, double from, double to)
    {
        const auto y = heightOf(piece);
        if (y) {
            stepTo(from, *y, *y);
            lines_.push_back({from, *y, to - from, 0});
        }
        pen_ = y;
    }

    /// All that ends within a pixel; gives what comes behind it.
    std::size_t pixel(std::size_t first, double x)
    {
        const TimeNs until = data_.clock.toExperiment(experiment_, layout_.scale.toTime(x + 1));
        const std::size_t next = std::max(first + 1, firstEndingAfter(until));
        std::optional<std::pair<double, double>> reach;
        for (std::size_t i = first; i < std::min(next, first + kMostOfPixel); ++i)
            if (const auto y = heightOf(i))
                reach = reach ? std::pair(std::min(reach->first, *y), std::max(reach->second, *y))
                              : std::pair(*y, *y);
        if (reach) stepTo(x, reach->first, reach->second);
        pen_ = heightOf(next - 1);
        return next;
    }

    /// From the row where the path was to all between two heights.
    void stepTo(double x, double top, double bottom)
    {
        const double from = std::min(top, pen_.value_or(top)), to = std::max(bottom, pen_.value_or(bottom));
        if (to > from) lines_.push_back({x, from, 0, to - from});
    }

    const TimelineData& data_;
    const TimelineLayout& layout_;
    std::uint32_t experiment_;
    const std::vector<PathPiece>& pieces_;
    std::vector<std::optional<double>> heights_;  ///< by location; those without a row have none
    std::optional<double> pen_;
    std::vector<Rect> lines_;
};

void drawLines(DrawList& list, const std::vector<Rect>& lines, double width, Color color)
{
    const double half = width / 2;
    for (const Rect& line : lines)
        list.fillRect({line.x - half, line.y - half, line.width + width, line.height + width}, color);
}

/// Above what was written before it.
double writePathText(DrawList& list, const std::string& text, double bottom, const Rect& room,
                     const Canvas& canvas)
{
    const Theme& theme = canvas.theme();
    const double pad = canvas.px(6);
    const std::string shown = elideMiddle(text, room.width - 4 * pad, FontStyle::Small, canvas.measure);
    if (shown.empty()) return bottom;
    const double width = std::ceil(canvas.measure.width(shown, FontStyle::Small)) + 1 + 2 * pad;
    const double height = canvas.lineHeight(FontStyle::Small) + pad;
    const Rect box{room.right() - width - pad, bottom - height - pad, width, height};
    list.items.push_back(RectItem{box, theme.tooltip, theme.tooltipText, canvas.px(1), canvas.px(3), {}});
    list.text({box.x + pad, box.y, width - 2 * pad, height}, shown, theme.tooltipText, FontStyle::Small);
    return box.y;
}

}  // namespace

void drawCriticalPath(DrawList& list, const TimelineData& data, const SessionCriticalPath& shown,
                      const TimelineLayout& layout, const Canvas& canvas)
{
    const Theme& theme = canvas.theme();
    list.pushClip(layout.body);
    for (std::uint32_t i = 0; i < data.session.experiments.size(); ++i) {
        const TraceCriticalPath* of = shown.of(i);
        if (!of) continue;
        const std::vector<Rect> lines = PathLines(data, layout, i, of->path).trace();
        drawLines(list, lines, canvas.px(kAroundPathPx), theme.background);
        drawLines(list, lines, canvas.px(kPathPx), theme.text);
    }
    list.popClip();
}

void drawCriticalPathText(DrawList& list, const Session& session, const SessionCriticalPath& shown,
                          const Rect& room, const Canvas& canvas)
{
    double bottom = room.bottom();
    for (std::size_t i = session.experiments.size(); i-- > 0;)
        if (const TraceCriticalPath* of = shown.of(static_cast<std::uint32_t>(i)))
            bottom =
                writePathText(list, criticalPathText(*session.experiments[i], *of), bottom, room, canvas);
}

}  // namespace skein
