// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/outliers/outlier_calls_scene.h"

#include "core/base/units.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace skein {
namespace {

constexpr std::size_t kManyPoints = 2000;  ///< from here on dots are smaller
constexpr std::size_t kMostRings = 1000;   ///< of selected locations: the overlay must be cheap
constexpr double kFaintestOutlier = 0.10;  ///< grey of a single call
constexpr double kStrongest = 0.50;        ///< grey of the fullest cell

class CallDotPainter {
public:
    CallDotPainter(const OutlierData& data, const ViewState& state, const Canvas& canvas)
        : data_(data),
          canvas_(canvas),
          theme_(canvas.theme()),
          layout_(outlierCallsLayout(data, state, canvas)),
          ticks_(timeAxis(layout_.frame.scale, FontStyle::Small, canvas.measure))
    {
        list_.width = canvas.width;
        list_.height = canvas.height;
        list_.background = theme_.background;
    }

    DrawList draw(const Task& task)
    {
        list_.pushClip(layout_.frame.body);
        drawGrid();
        if (!task.stopRequested()) drawDensity();
        if (!task.stopRequested()) drawPoints();
        list_.popClip();
        drawDurations();
        drawTimeRuler(list_, layout_.frame, ticks_, canvas_);
        drawFoot(list_, layout_.foot, sentence(), *data_.source, canvas_);
        list_.text(layout_.caption, canvas_.style.caption, theme_.secondaryText, FontStyle::Small);
        return std::move(list_);
    }

private:
    double y(double duration) const
    {
        const Rect& body = layout_.frame.body;
        return body.bottom() - layout_.axis.part(duration) * body.height;
    }

    std::vector<double> durations() const
    {
        return layout_.axis.ticks(layout_.frame.body.height, canvas_.lineHeight() + canvas_.px(4), "ns");
    }

    void drawGrid()
    {
        const Rect& body = layout_.frame.body;
        for (const AxisTick& tick : ticks_.ticks)
            if (!tick.label.empty())
                list_.fillRect({std::floor(tick.x), body.y, canvas_.px(1), body.height}, theme_.grid);
        for (const double duration : durations())
            list_.fillRect({body.x, std::floor(y(duration)), body.width, canvas_.px(1)}, theme_.grid);
    }

    /// Logarithmic, so that a single call is seen beside thousands.
    std::vector<std::uint32_t> greys() const
    {
        const std::vector<float>& calls = data_.density.calls;
        const float most = calls.empty() ? 0 : *std::max_element(calls.begin(), calls.end());
        std::vector<std::uint32_t> colors(calls.size());
        for (std::size_t cell = 0; cell < calls.size(); ++cell) {
            if (calls[cell] <= 0) continue;
            const double part = most > 1 ? std::log1p(calls[cell]) / std::log1p(most) : 0;
            colors[cell] = toArgb(mix(theme_.background, theme_.text,
                                      kFaintestOutlier + (kStrongest - kFaintestOutlier) * part));
        }
        return colors;
    }

    /// Its cells are those of the span it was made for, which may lie beside the one that is shown.
    void drawDensity()
    {
        const Rect& body = layout_.frame.body;
        const DurationDensity& density = data_.density;
        const int width = static_cast<int>(body.width), height = static_cast<int>(body.height);
        if (density.calls.empty() || density.span.empty() || width < 1 || height < 1) return;
        const std::uint32_t rows = density.grid.rows;
        PixelItem pixels{static_cast<int>(body.x), static_cast<int>(body.y), width, {}, {}, {}};
        std::vector<std::uint32_t> rowOf;
        for (std::uint32_t row = 0, top = 0; row < rows; ++row) {
            const auto bottom = static_cast<std::uint32_t>(std::uint64_t{row + 1}
                                                           * static_cast<std::uint32_t>(height) / rows);
            if (bottom == top) continue;
            pixels.heights.push_back(static_cast<int>(bottom - top));
            rowOf.push_back(rows - 1 - row);
            top = bottom;
        }
        pixels.argb.assign(rowOf.size() * static_cast<std::size_t>(width), 0);
        const std::vector<std::uint32_t> colors = greys();
        const double cellsPerNs = density.grid.columns / static_cast<double>(density.span.lengthNs());
        const double first =
            static_cast<double>(layout_.frame.scale.span.begin - density.span.begin) * cellsPerNs;
        const double cellsPerPixel = layout_.frame.scale.nsPerPixel() * cellsPerNs;
        for (int x = 0; x < width; ++x) {
            const auto from = static_cast<std::int64_t>(std::floor(first + x * cellsPerPixel));
            const auto to =
                std::max(from + 1, static_cast<std::int64_t>(std::floor(first + (x + 1) * cellsPerPixel)));
            for (std::int64_t column = std::max<std::int64_t>(0, from);
                 column < std::min<std::int64_t>(to, density.grid.columns); ++column)
                for (std::size_t line = 0; line < rowOf.size(); ++line) {
                    std::uint32_t& pixel =
                        pixels.argb[line * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)];
                    pixel = stronger(
                        pixel,
                        strongestOf(colors.data() + static_cast<std::size_t>(column) * rows, rowOf, line));
                }
        }
        list_.items.push_back(std::move(pixels));
    }

    /// The one farther from the background; 0 is nothing.
    std::uint32_t stronger(std::uint32_t a, std::uint32_t b) const
    {
        return a == 0 || b == 0 || theme_.dark ? std::max(a, b) : std::min(a, b);
    }

    /// A line of pixels stands for its row and for those above that have none.
    std::uint32_t strongestOf(const std::uint32_t* column, const std::vector<std::uint32_t>& rowOf,
                              std::size_t line) const
    {
        const std::uint32_t end = line == 0 ? data_.density.grid.rows : rowOf[line - 1];
        std::uint32_t found = 0;
        for (std::uint32_t row = rowOf[line]; row < end; ++row) found = stronger(found, column[row]);
        return found;
    }

    void drawPoints()
    {
        const Rect around = layout_.frame.body.inset(-layout_.radius);
        const auto width = static_cast<std::size_t>(around.width) + 1;
        std::vector<bool> taken(width * (static_cast<std::size_t>(around.height) + 1));
        std::vector<const OutlierPoint*> shown;
        for (std::size_t number = data_.points.size(); number-- > 0;) {
            const Point at = layout_.at(data_.points[number]);
            if (!around.contains(at)) continue;
            const std::size_t pixel =
                static_cast<std::size_t>(at.y - around.y) * width + static_cast<std::size_t>(at.x - around.x);
            if (taken[pixel]) continue;
            taken[pixel] = true;
            shown.push_back(&data_.points[number]);
        }
        for (auto point = shown.rbegin(); point != shown.rend(); ++point)
            drawDot(list_, layout_.at(**point), layout_.radius,
                    rankColor(theme_, (*point)->place, data_.source->locations.size()), canvas_);
    }

    void drawDurations()
    {
        const TimeFrame& frame = layout_.frame;
        const double pad = canvas_.px(8), line = canvas_.lineHeight();
        list_.fillRect(frame.labels, theme_.panel);
        list_.pushClip(frame.labels);
        for (const double duration : durations()) {
            const double middle = y(duration);
            if (middle - line / 2 < frame.labels.y || middle + line / 2 > frame.labels.bottom()) continue;
            list_.fillRect(
                {frame.labels.right() - canvas_.px(4), std::floor(middle), canvas_.px(4), canvas_.px(1)},
                theme_.secondaryText);
            list_.text({pad, middle - line / 2, frame.labels.width - 2 * pad, line}, formatDuration(duration),
                       theme_.text, FontStyle::Small, Align::Right);
        }
        list_.popClip();
        list_.fillRect({frame.labels.right() - 1, frame.labels.y, canvas_.px(1), frame.labels.height},
                       theme_.frame);
    }

    std::string sentence() const
    {
        std::string text = outlierSentence(data_);
        if (data_.points.size() < data_.total)
            text += fmt::format(" · dots: the {} of most excess",
                                formatGrouped(static_cast<std::int64_t>(data_.points.size())));
        return text
            + (data_.density.sampled ? " · grey: all calls, estimated from some" : " · grey: all calls");
    }

    const OutlierData& data_;
    const Canvas& canvas_;
    const Theme& theme_;
    OutlierCallsLayout layout_;
    TimeAxis ticks_;
    DrawList list_;
};

}  // namespace

OutlierCallsLayout outlierCallsLayout(const OutlierData& data, const ViewState& state, const Canvas& canvas)
{
    OutlierCallsLayout layout;
    const double captionHeight = canvas.style.caption.empty() ? 0 : canvas.lineHeight() + canvas.px(8);
    layout.caption = {canvas.px(8), 0, std::max(0.0, canvas.width - canvas.px(16)), captionHeight};
    layout.frame = timeFrame(*data.source->data, state, captionHeight, canvas);
    const double foot = std::min(footHeight(canvas), layout.frame.body.height);
    layout.frame.body.height -= foot;
    layout.frame.labels.height -= foot;
    layout.foot = {0, layout.frame.body.bottom(), static_cast<double>(canvas.width), foot};
    layout.axis = {data.density.grid.shortestNs, data.density.grid.longestNs, true};
    layout.radius = canvas.px(data.points.size() > kManyPoints ? 3 : 4);
    return layout;
}

DrawList outlierCallsScene(const OutlierData& data, const ViewState& state, const Canvas& canvas,
                           const Task& task)
{
    return CallDotPainter(data, state, canvas).draw(task);
}

DrawList outlierCallsOverlay(const OutlierData& data, const ViewState& state,
                             const OutlierCallsLayout& layout, const Canvas& canvas)
{
    DrawList list;
    list.pushClip(layout.frame.body);
    const Selection& selected = state.selected;
    std::size_t rings = 0;
    for (std::size_t number = data.points.size(); number-- > 0 && rings < kMostRings;) {
        const OutlierPoint& point = data.points[number];
        const LocationRef location{point.call.experiment, point.call.location};
        const bool chosen = selected.intervals.empty()
            ? std::binary_search(selected.locations.begin(), selected.locations.end(), location)
            : std::binary_search(selected.intervals.begin(), selected.intervals.end(), point.call);
        const bool hovered = state.hover.interval.valid() && state.hover.interval == point.call;
        if (!chosen && !hovered) continue;
        ++rings;
        drawRing(list, layout.at(point), layout.radius + canvas.px(2),
                 chosen ? canvas.theme().accent : canvas.theme().hover, canvas);
    }
    list.popClip();
    drawTimeOverlay(list, state, layout.frame, canvas);
    return list;
}

const OutlierPoint* outlierCallAt(const OutlierData& data, const OutlierCallsLayout& layout, Point point,
                                  double scale)
{
    if (!layout.frame.body.contains(point)) return nullptr;
    const OutlierPoint* nearest = nullptr;
    double least = layout.radius + 4 * scale;
    // Of several at one place the uppermost.
    for (const OutlierPoint& each : data.points) {
        const Point at = layout.at(each);
        const double distance = std::hypot(at.x - point.x, at.y - point.y);
        if (distance > least) continue;
        least = distance;
        nearest = &each;
    }
    return nearest;
}

}  // namespace skein
