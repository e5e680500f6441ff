// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/outliers/outlier_ranks_scene.h"

#include "core/base/units.h"
#include "views/common/scene/axes/value_axis.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace skein {
namespace {

constexpr std::size_t kManyRanks = 256;  ///< from here on dots are smaller
constexpr std::size_t kMostNamedDots = 24;

class RankDotPainter {
public:
    RankDotPainter(const OutlierData& data, const Canvas& canvas)
        : data_(data), canvas_(canvas), theme_(canvas.theme()), layout_(outlierRanksLayout(data, canvas))
    {
        list_.width = canvas.width;
        list_.height = canvas.height;
        list_.background = theme_.background;
    }

    DrawList draw(const Task& task)
    {
        drawExcess();
        drawCalls();
        drawTitles();
        for (const OutlierRank& rank : data_.ranks) {
            if (task.stopRequested()) break;
            drawDot(list_, layout_.at(rank), layout_.radius,
                    rankColor(theme_, rank.place, data_.source->locations.size()), canvas_);
        }
        drawNames();
        drawFoot(list_, layout_.foot, sentence(), *data_.source, canvas_);
        list_.text(layout_.caption, canvas_.style.caption, theme_.secondaryText, FontStyle::Small);
        return std::move(list_);
    }

private:
    void drawExcess()
    {
        const Rect& body = layout_.body;
        const double line = canvas_.lineHeight(), pad = canvas_.px(8);
        for (const double value :
             layout_.excess.ticks(body.height, line * (layout_.excess.logarithmic ? 1.4 : 2.5), "ns")) {
            const double y = body.bottom() - layout_.excess.part(value) * body.height;
            list_.fillRect({body.x, std::floor(y), body.width, canvas_.px(1)}, theme_.grid);
            list_.text({0, y - line / 2, layout_.labels.width - pad, line},
                       value == 0 ? "0" : formatDuration(value), theme_.text, FontStyle::Small, Align::Right);
        }
        list_.fillRect({body.x, body.y, canvas_.px(1), body.height}, theme_.frame);
    }

    void drawCalls()
    {
        const Rect& body = layout_.body;
        const double gap = canvas_.measure.width("1,000,000", FontStyle::Small) + canvas_.px(8),
                     line = canvas_.lineHeight();
        for (const double value : layout_.calls.ticks(body.width, gap, "#")) {
            if (value != std::floor(value)) continue;
            const double x = body.x + layout_.calls.part(value) * body.width;
            list_.fillRect({std::floor(x), body.y, canvas_.px(1), body.height}, theme_.grid);
            const Rect box{x - gap / 2, body.bottom() + canvas_.px(3), gap, line};
            if (box.right() <= canvas_.width)
                list_.text(box, formatGrouped(static_cast<std::int64_t>(value)), theme_.text,
                           FontStyle::Small, Align::Center);
        }
        list_.fillRect({body.x, body.bottom(), body.width, canvas_.px(1)}, theme_.frame);
    }

    /// What the axes are: upwards above the data, to the right below the values.
    void drawTitles()
    {
        const Rect& body = layout_.body;
        const double line = canvas_.lineHeight(), pad = canvas_.px(8);
        const auto titled = [](std::string what, const PlotAxis& axis) {
            return axis.logarithmic ? what + " (logarithmic)" : what;
        };
        const auto put = [&](const std::string& title, double y, Align align) {
            const Rect box{pad, y, canvas_.width - 2 * pad, line};
            list_.text(box, elideMiddle(title, box.width, FontStyle::Small, canvas_.measure),
                       theme_.secondaryText, FontStyle::Small, align);
        };
        put(titled("Time beyond the usual of their regions", layout_.excess), body.y - line - canvas_.px(6),
            Align::Left);
        put(titled("Calls much longer than usual", layout_.calls), body.bottom() + line + canvas_.px(5),
            Align::Right);
    }

    /// The worst first, each at the side where nothing is written or drawn yet.
    void drawNames()
    {
        std::vector<Rect> taken;
        for (const OutlierRank& rank : data_.ranks) {
            const Point at = layout_.at(rank);
            taken.push_back(
                {at.x - layout_.radius, at.y - layout_.radius, 2 * layout_.radius, 2 * layout_.radius});
        }
        const double gap = layout_.radius + canvas_.px(3), line = canvas_.lineHeight();
        const std::size_t most = std::min(kMostNamedDots, data_.ranks.size());
        for (std::size_t number = 0; number < most; ++number) {
            const OutlierRank& rank = data_.ranks[data_.ranks.size() - 1 - number];
            const Point at = layout_.at(rank);
            const std::string name = elideMiddle(outlierLocationName(*data_.source, rank.location),
                                                 canvas_.px(220), FontStyle::Small, canvas_.measure);
            const double width = std::ceil(canvas_.measure.width(name, FontStyle::Small)) + 1;
            for (const double x : {at.x + gap, at.x - gap - width}) {
                const Rect box{x, at.y - line / 2, width, line};
                const bool inside = box.x >= layout_.body.x && box.right() <= layout_.body.right()
                    && box.y >= layout_.body.y && box.bottom() <= layout_.body.bottom();
                if (!inside || std::any_of(taken.begin(), taken.end(), [&](const Rect& other) {
                        return box.overlaps(other);
                    }))
                    continue;
                list_.text(box, name, theme_.text, FontStyle::Small);
                taken.push_back(box);
                break;
            }
        }
    }

    std::string sentence() const
    {
        return outlierSentence(data_)
            + fmt::format(" · on {} of {} locations", data_.ranks.size(), data_.source->locations.size());
    }

    const OutlierData& data_;
    const Canvas& canvas_;
    const Theme& theme_;
    OutlierRanksLayout layout_;
    DrawList list_;
};

}  // namespace

OutlierRanksLayout outlierRanksLayout(const OutlierData& data, const Canvas& canvas)
{
    OutlierRanksLayout layout;
    const double line = canvas.lineHeight();
    const double captionHeight = canvas.style.caption.empty() ? 0 : line + canvas.px(8);
    const double width = canvas.width, height = canvas.height;
    layout.caption = {canvas.px(8), 0, std::max(0.0, width - canvas.px(16)), captionHeight};
    const double top = captionHeight + line + canvas.px(12), foot = footHeight(canvas),
                 values = 2 * line + canvas.px(10);
    const double labels = std::ceil(canvas.measure.width("888.8 ms", FontStyle::Small) + canvas.px(16));
    layout.body = {labels, top, std::max(1.0, width - labels - canvas.px(16)),
                   std::max(1.0, height - top - values - foot)};
    layout.labels = {0, top, labels, layout.body.height};
    layout.values = {0, layout.body.bottom(), width, values};
    layout.foot = {0, layout.values.bottom(), width, foot};
    double fewest = 0, most = 0;
    for (const OutlierRank& rank : data.ranks) {
        const auto calls = static_cast<double>(rank.calls);
        fewest = fewest == 0 ? calls : std::min(fewest, calls);
        most = std::max(most, calls);
    }
    layout.calls = plotAxis(fewest, most);
    layout.excess =
        data.ranks.empty() ? PlotAxis{} : plotAxis(data.ranks.front().excessNs, data.ranks.back().excessNs);
    layout.radius = canvas.px(data.ranks.size() > kManyRanks ? 4 : 6);
    return layout;
}

DrawList outlierRanksScene(const OutlierData& data, const Canvas& canvas, const Task& task)
{
    return RankDotPainter(data, canvas).draw(task);
}

DrawList outlierRanksOverlay(const OutlierData& data, const ViewState& state,
                             const OutlierRanksLayout& layout, const Canvas& canvas)
{
    DrawList list;
    const auto& selected = state.selected.locations;
    for (const OutlierRank& rank : data.ranks) {
        const bool chosen = std::binary_search(selected.begin(), selected.end(), rank.location);
        const bool hovered = state.hover.location.valid() && state.hover.location == rank.location;
        if (chosen || hovered)
            drawRing(list, layout.at(rank), layout.radius + canvas.px(2),
                     chosen ? canvas.theme().accent : canvas.theme().hover, canvas);
    }
    return list;
}

const OutlierRank* outlierRankAt(const OutlierData& data, const OutlierRanksLayout& layout, Point point,
                                 double scale)
{
    const OutlierRank* nearest = nullptr;
    double least = layout.radius + 4 * scale;
    for (const OutlierRank& rank : data.ranks) {
        const Point at = layout.at(rank);
        const double distance = std::hypot(at.x - point.x, at.y - point.y);
        if (distance > least) continue;
        least = distance;
        nearest = &rank;
    }
    return nearest;
}

}  // namespace skein
