// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/behavior/behavior_scene.h"

#include "algorithms/behavior/series_entities.h"
#include "core/base/units.h"
#include "views/common/scene/axes/value_axis.h"
#include "views/common/scene/color/cluster_colors.h"
#include "views/common/scene/color/palette.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace skein {
namespace {

constexpr double kHistoryPx = 44;
constexpr int kMostValueTicks = 8;

/// Rows that overlap a span: [first, last).
struct RowRange {
    std::size_t first = 0;
    std::size_t last = 0;
};

RowRange rowsIn(const SessionBehavior& behavior, TimeSpan span)
{
    const auto& edges = behavior.edges;
    const auto after = std::upper_bound(edges.begin(), edges.end(), span.begin);
    const auto end = std::lower_bound(edges.begin(), edges.end(), span.end);
    const auto rows = behavior.table.rows();
    const auto first = static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, after - edges.begin() - 1));
    const auto last = static_cast<std::size_t>(end - edges.begin());
    return {std::min(first, rows), std::min(last, rows)};
}

double middleOf(const SessionBehavior& behavior, std::size_t row, const TimeScale& scale)
{
    return (scale.toX(behavior.edges[row]) + scale.toX(behavior.edges[row + 1])) / 2;
}

/// Points of a line; gaps break it.
using BehaviorLine = std::vector<std::vector<Point>>;

/// `valueAt(row)` over rows: a point a bin, or the extremes of every pixel that has several.
template <typename ValueAt, typename ToY>
BehaviorLine lineOf(const SessionBehavior& behavior, RowRange rows, const TimeScale& scale,
                    const ValueAt& valueAt, const ToY& toY)
{
    BehaviorLine line(1);
    if (rows.first > 0) --rows.first;
    rows.last = std::min(rows.last + 1, behavior.table.rows());
    double pixel = std::nan(""), low = 0, high = 0;
    const auto flush = [&] {
        if (std::isnan(pixel)) return;
        line.back().push_back({pixel, toY(low)});
        if (high != low) line.back().push_back({pixel, toY(high)});
        pixel = std::nan("");
    };
    const bool dense = static_cast<double>(rows.last - rows.first) > scale.width;
    for (std::size_t row = rows.first; row < rows.last; ++row) {
        const double value = valueAt(row);
        if (!std::isfinite(value)) {
            flush();
            if (!line.back().empty()) line.emplace_back();
            continue;
        }
        const double x = middleOf(behavior, row, scale);
        if (!dense) {
            line.back().push_back({x, toY(value)});
            continue;
        }
        if (std::floor(x) != pixel) {
            flush();
            pixel = std::floor(x);
            low = high = value;
        }
        low = std::min(low, value);
        high = std::max(high, value);
    }
    flush();
    return line;
}

void drawBehaviorLine(DrawList& list, const BehaviorLine& line, Color color, double width)
{
    for (const auto& piece : line) {
        if (piece.size() == 1)
            list.fillRect({piece[0].x - width, piece[0].y - width, 2 * width, 2 * width}, color);
        for (std::size_t i = 1; i < piece.size(); ++i) list.line(piece[i - 1], piece[i], color, width);
    }
}

class BehaviorPainter {
public:
    BehaviorPainter(const TimelineData& data, const BehaviorPicture& picture, const ViewState& state,
                    const Canvas& canvas)
        : picture_(picture),
          behavior_(*picture.behavior),
          canvas_(canvas),
          theme_(canvas.theme()),
          layout_(behaviorLayout(data, picture, state, canvas)),
          axis_(timeAxis(layout_.frame.scale, FontStyle::Small, canvas.measure)),
          rows_(rowsIn(behavior_, layout_.frame.scale.span)),
          selected_(selectedColumns(behavior_, state.selected)),
          anySelected_(std::find(selected_.begin(), selected_.end(), true) != selected_.end())
    {
        list_.width = canvas.width;
        list_.height = canvas.height;
        list_.background = theme_.background;
    }

    DrawList draw(const Task& task)
    {
        drawGrid();
        list_.pushClip(layout_.frame.body);
        drawBlind();
        if (picture_.asBands) drawBands();
        drawLines(task);
        drawChanges();
        list_.popClip();
        drawTimeRuler(list_, layout_.frame, axis_, canvas_);
        drawNumbers();
        drawLegend();
        drawHistory();
        list_.text(
            layout_.title,
            elideMiddle(behaviorTitle(behavior_), layout_.title.width, FontStyle::Small, canvas_.measure),
            theme_.text, FontStyle::Small);
        list_.text(layout_.caption, canvas_.style.caption, theme_.secondaryText, FontStyle::Small);
        return std::move(list_);
    }

private:
    double toY(double value) const { return layout_.toY(value); }

    void drawGrid()
    {
        const Rect& body = layout_.frame.body;
        list_.fillRect({0, body.y, layout_.frame.labels.width, canvas_.height - body.y}, theme_.panel);
        for (const AxisTick& tick : axis_.ticks)
            if (!tick.label.empty())
                list_.fillRect({std::floor(tick.x), body.y, canvas_.px(1), body.height}, theme_.grid);
        const double line = canvas_.lineHeight(), pad = canvas_.px(6);
        const int most = std::clamp(static_cast<int>(body.height / (line * 2)), 2, kMostValueTicks);
        const bool bytes = behavior_.request.metric.ends_with("-bytes");
        for (const double value : roundValues(layout_.low, layout_.high, most, bytes ? "B" : "")) {
            const double y = std::floor(toY(value));
            list_.fillRect({body.x, y, body.width, canvas_.px(1)}, theme_.grid);
            const double top = std::clamp(y - line / 2, body.y, body.bottom() - line);
            list_.text({pad, top, layout_.frame.labels.width - 2 * pad, line},
                       behaviorAmount(behavior_.request, value), theme_.secondaryText, FontStyle::Small,
                       Align::Right);
        }
        list_.fillRect({layout_.frame.labels.right() - 1, body.y, canvas_.px(1), canvas_.height - body.y},
                       theme_.frame);
    }

    void drawBlind()
    {
        const Color shade = withAlpha(theme_.secondaryText, theme_.dark ? 34 : 26);
        for (const BlindZone& zone : behavior_.changes.blind) {
            if (zone.last <= zone.first) continue;
            const double from = layout_.frame.scale.toX(behavior_.edges[zone.first]);
            const double to = layout_.frame.scale.toX(behavior_.edges[zone.last]);
            const Rect& body = layout_.frame.body;
            list_.fillRect({from, body.y, std::max(1.0, to - from), body.height}, shade);
        }
    }

    void drawBands()
    {
        for (std::uint32_t cluster = 0; cluster < behavior_.bands.size(); ++cluster) {
            const Color color = anySelected_ ? theme_.secondaryText : clusterColor(cluster, theme_.dark);
            const auto& bands = behavior_.bands[cluster];
            fillBand(bands, &ClusterBand::least, &ClusterBand::greatest, withAlpha(color, 34));
            fillBand(bands, &ClusterBand::low, &ClusterBand::high, withAlpha(color, 70));
            drawBehaviorLine(list_,
                             lineOf(
                                 behavior_, rows_, layout_.frame.scale,
                                 [&](std::size_t row) { return bands[row].median; },
                                 [this](double value) { return toY(value); }),
                             color, canvas_.px(1.5));
        }
    }

    /// A rectangle a pixel column, or a bin where bins are wider.
    void fillBand(const std::vector<ClusterBand>& bands, double ClusterBand::*low, double ClusterBand::*high,
                  Color color)
    {
        const TimeScale& scale = layout_.frame.scale;
        for (std::size_t row = rows_.first; row < rows_.last;) {
            const double left = std::floor(scale.toX(behavior_.edges[row]));
            double least = bands[row].*low, most = bands[row].*high;
            std::size_t next = row + 1;
            for (; next < rows_.last && scale.toX(behavior_.edges[next]) < left + 1; ++next) {
                least = std::fmin(least, bands[next].*low);
                most = std::fmax(most, bands[next].*high);
            }
            const double right = std::max(left + 1, std::floor(scale.toX(behavior_.edges[next])));
            if (std::isfinite(least))
                list_.fillRect({left, toY(most), right - left, std::max(1.0, toY(least) - toY(most))}, color);
            row = next;
        }
    }

    /// Those that are not selected first, so that they lie below.
    void drawLines(const Task& task)
    {
        for (const bool selected : {false, true}) {
            std::size_t drawn = 0;
            for (std::size_t column = 0; column < selected_.size(); ++column) {
                if (task.stopRequested()) return;
                if (selected_[column] != selected || (picture_.asBands && !selected)) continue;
                if (++drawn > kMostBehaviorLines) break;
                const bool grey = anySelected_ && !selected;
                const Color color = grey ? withAlpha(theme_.secondaryText, 70)
                                         : clusterColor(behavior_.clusters.labels[column], theme_.dark);
                drawBehaviorLine(list_,
                                 lineOf(
                                     behavior_, rows_, layout_.frame.scale,
                                     [&](std::size_t row) { return behavior_.table.at(row, column); },
                                     [this](double value) { return toY(value); }),
                                 color, canvas_.px(selected ? 2 : 1));
            }
        }
    }

    Color colorOfChange(std::size_t change) const
    {
        const auto& lasting = behavior_.lasting;
        const bool lasts = std::find(lasting.begin(), lasting.end(), change) != lasting.end();
        return withAlpha(changeColor(theme_.dark), lasts ? 255 : 120);
    }

    void drawChanges()
    {
        const Rect& body = layout_.frame.body;
        for (std::size_t i = 0; i < behavior_.changes.changes.size(); ++i) {
            const double x = layout_.frame.scale.toX(behavior_.edges[behavior_.changes.changes[i]]);
            if (x < body.x || x > body.right()) continue;
            list_.fillRect({std::floor(x), body.y, canvas_.px(1.5), body.height}, colorOfChange(i));
        }
    }

    /// At the top of their lines; those that would overlap the one before are left away.
    void drawNumbers()
    {
        const Rect& body = layout_.frame.body;
        double free = body.x;
        for (std::size_t i = 0; i < behavior_.changes.changes.size(); ++i) {
            const double x = layout_.frame.scale.toX(behavior_.edges[behavior_.changes.changes[i]]);
            if (x < body.x || x > body.right()) continue;
            const std::string number = std::to_string(i + 1);
            const double width = canvas_.measure.width(number, FontStyle::Small) + canvas_.px(8);
            const double left = std::clamp(std::floor(x), body.x, std::max(body.x, body.right() - width));
            if (left < free) continue;
            const Rect box{left, body.y, width, canvas_.lineHeight()};
            const Color fill =
                mix(theme_.background, changeColor(theme_.dark), colorOfChange(i).alpha == 255 ? 1.0 : 0.45);
            list_.fillRect(box, fill);
            list_.text(box, number, textColorOn(fill), FontStyle::Small, Align::Center);
            free = box.right() + canvas_.px(2);
        }
    }

    void drawLegend()
    {
        const double dot = canvas_.px(10);
        for (const LegendChip& chip : layout_.chips) {
            list_.fillRect({chip.box.x, chip.box.y + (chip.box.height - dot) / 2, dot, dot},
                           clusterColor(chip.cluster, theme_.dark));
            list_.text({chip.box.x + dot + canvas_.px(5), chip.box.y, chip.box.width, chip.box.height},
                       chip.text, theme_.text, FontStyle::Small);
        }
    }

    void drawHistory()
    {
        const Rect& strip = layout_.history;
        list_.fillRect({0, strip.y - canvas_.px(1), strip.right(), canvas_.px(1)}, theme_.frame);
        list_.text({canvas_.px(6), strip.y, layout_.frame.labels.width - canvas_.px(12), strip.height},
                   "Mean", theme_.secondaryText, FontStyle::Small, Align::Right);
        double low = 0, high = 0;
        for (const double value : behavior_.mean) {
            low = std::fmin(low, value);
            high = std::fmax(high, value);
        }
        const double room = strip.height - canvas_.px(6);
        const auto y = [&](double value) {
            const double part = high > low ? (value - low) / (high - low) : 0.5;
            return strip.bottom() - canvas_.px(3) - part * room;
        };
        list_.pushClip(strip);
        drawBehaviorLine(list_,
                         lineOf(
                             behavior_, {0, behavior_.table.rows()}, layout_.whole,
                             [&](std::size_t row) { return behavior_.mean[row]; }, y),
                         theme_.text, canvas_.px(1));
        for (std::size_t i = 0; i < behavior_.changes.changes.size(); ++i) {
            const double x = layout_.whole.toX(behavior_.edges[behavior_.changes.changes[i]]);
            list_.fillRect({std::floor(x), strip.y, canvas_.px(1), strip.height}, colorOfChange(i));
        }
        const TimeSpan span = layout_.frame.scale.span;
        const double from = layout_.whole.toX(span.begin), to = layout_.whole.toX(span.end);
        list_.strokeRect({from, strip.y, std::max(canvas_.px(3), to - from), strip.height}, theme_.accent,
                         canvas_.px(1.5));
        list_.popClip();
    }

    const BehaviorPicture& picture_;
    const SessionBehavior& behavior_;
    const Canvas& canvas_;
    const Theme& theme_;
    BehaviorLayout layout_;
    TimeAxis axis_;
    RowRange rows_;
    std::vector<bool> selected_;
    bool anySelected_;
    DrawList list_;
};

/// What lies in sight, with 0 where it is near.
void fitValues(const BehaviorPicture& picture, BehaviorLayout& layout)
{
    const RowRange rows = rowsIn(*picture.behavior, layout.frame.scale.span);
    double low = std::nan(""), high = std::nan("");
    for (const auto& bands : picture.behavior->bands)
        for (std::size_t row = rows.first; row < rows.last; ++row) {
            low = std::fmin(low, bands[row].least);
            high = std::fmax(high, bands[row].greatest);
        }
    if (!std::isfinite(low)) low = high = 0;
    if (low > 0 && low < high * 0.7) low = 0;
    if (high <= low) high = low + std::max(1.0, std::abs(low) * 0.1);
    const double room = (high - low) * 0.08;
    layout.low = low == 0 ? 0 : low - room / 2;
    layout.high = high + room;
}

void placeChips(const SessionBehavior& behavior, BehaviorLayout& layout, const Canvas& canvas)
{
    double x = layout.legend.x;
    for (std::uint32_t cluster = 0; cluster < behavior.clusterSizes.size(); ++cluster) {
        std::string text = fmt::format("Cluster {} ({})", cluster + 1, behavior.clusterSizes[cluster]);
        const double width = canvas.px(15) + canvas.measure.width(text, FontStyle::Small);
        if (x + width > layout.legend.right()) break;
        layout.chips.push_back({cluster, {x, layout.legend.y, width, layout.legend.height}, std::move(text)});
        x += width + canvas.px(14);
    }
}

}  // namespace

double BehaviorLayout::toY(double value) const
{
    return frame.body.bottom() - (value - low) / (high - low) * frame.body.height;
}

std::string behaviorTitle(const SessionBehavior& behavior)
{
    const BehaviorRequest& request = behavior.request;
    if (behavior.streamed)
        return fmt::format("{} · {} entities", request.metric, behavior.table.columns.size());
    std::string title = fmt::format("{} · by {}", request.metric, seriesGroupingWord(request.per));
    if (!request.byRegion.empty()) return title + " · a bin a call of " + request.byRegion;
    if (behavior.edges.size() < 2) return title;
    return title + " · bins of " + formatDuration(static_cast<double>(behavior.edges[1] - behavior.edges[0]));
}

BehaviorPicturePtr makeBehaviorPicture(SessionBehaviorPtr behavior)
{
    const bool asBands = behavior->table.columns.size() > kMostBehaviorLines;
    return std::make_shared<const BehaviorPicture>(BehaviorPicture{std::move(behavior), asBands});
}

BehaviorLayout behaviorLayout(const TimelineData& data, const BehaviorPicture& picture,
                              const ViewState& state, const Canvas& canvas)
{
    BehaviorLayout layout;
    const double pad = canvas.px(8), line = canvas.lineHeight();
    const double captionHeight = canvas.style.caption.empty() ? 0 : line + pad;
    layout.caption = {pad, 0, std::max(0.0, canvas.width - 2 * pad), captionHeight};
    const Rect top{pad, captionHeight + canvas.px(2), std::max(0.0, canvas.width - 2 * pad),
                   line + canvas.px(4)};
    // Clusters are told behind the title, which leaves half of the width to them.
    const double title =
        std::min(std::ceil(canvas.measure.width(behaviorTitle(*picture.behavior), FontStyle::Small)) + 1,
                 std::floor(top.width / 2));
    layout.title = {top.x, top.y, title, top.height};
    const double behind = title + canvas.px(14);
    layout.legend = {top.x + behind, top.y, std::max(0.0, top.width - behind), top.height};
    layout.frame = timeFrame(data, state, layout.legend.bottom(), canvas);
    Rect& body = layout.frame.body;
    // Where there is little room the lines need it more.
    const double history =
        std::clamp(std::floor(body.height / 4), std::min(line, canvas.px(kHistoryPx)), canvas.px(kHistoryPx));
    body.height = std::max(canvas.px(20), body.height - history);
    layout.frame.labels.height = body.height;
    layout.history = {body.x, body.bottom() + canvas.px(1), body.width, history - canvas.px(1)};
    const SessionBehavior& behavior = *picture.behavior;
    layout.whole = {
        {behavior.edges.front(), std::max(behavior.edges.back(), behavior.wholeEnd)}, body.x, body.width};
    fitValues(picture, layout);
    placeChips(behavior, layout, canvas);
    return layout;
}

DrawList behaviorScene(const TimelineData& data, const BehaviorPicture& picture, const ViewState& state,
                       const Canvas& canvas, const Task& task)
{
    return BehaviorPainter(data, picture, state, canvas).draw(task);
}

DrawList behaviorOverlay(const BehaviorPicture& picture, const ViewState& state, const BehaviorLayout& layout,
                         const BehaviorPointers& pointers, const Canvas& canvas)
{
    DrawList list;
    drawTimeOverlay(list, state, layout.frame, canvas);
    if (pointers.baseRow && *pointers.baseRow < picture.behavior->table.rows()) {
        const double x = layout.whole.toX(picture.behavior->edges[*pointers.baseRow]);
        list.fillRect({std::floor(x), layout.history.y, canvas.px(2), layout.history.height},
                      baseColor(canvas.theme().dark));
    }
    const auto& chosenChange = pointers.chosenChange;
    if (!chosenChange || *chosenChange >= picture.behavior->changes.changes.size()) return list;
    const std::vector<std::string> lines = changeText(*picture.behavior, *chosenChange);
    const double pad = canvas.px(6), line = canvas.lineHeight();
    double width = 0;
    for (const std::string& text : lines)
        width = std::max(width, canvas.measure.width(text, FontStyle::Small));
    const Rect& body = layout.frame.body;
    const double at =
        layout.frame.scale.toX(picture.behavior->edges[picture.behavior->changes.changes[*chosenChange]]);
    Rect box{at + pad, body.y + line + pad, width + 2 * pad,
             line * static_cast<double>(lines.size()) + 2 * pad};
    box.x = std::max(body.x, std::min(box.x, body.right() - box.width - pad));
    list.fillRect(box, canvas.theme().tooltip);
    for (std::size_t i = 0; i < lines.size(); ++i)
        list.text({box.x + pad, box.y + pad + line * static_cast<double>(i), width + pad, line}, lines[i],
                  canvas.theme().tooltipText, FontStyle::Small);
    return list;
}

}  // namespace skein
