// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/overview/overview_scene.h"

#include "algorithms/timeline/call_depths.h"
#include "algorithms/timeline/message_histogram.h"
#include "core/base/parallel_for.h"
#include "core/base/units.h"
#include "core/index/row_sampler.h"
#include "views/common/scene/calls/share_bands.h"
#include "views/common/scene/color/color_scale.h"
#include "views/common/scene/color/lane_table.h"
#include "views/common/scene/color/palette.h"
#include "views/common/scene/regions/region_groups.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace skein {
namespace {

constexpr double kNarrowestHistogramBar = 3;  ///< logical pixels

Color sentColor(const Theme& theme) { return groupColor(PaletteGroup::Mpi, theme); }
Color receivedColor(const Theme& theme)
{
    return mix(groupColor(PaletteGroup::Mpi, theme), theme.background, 0.5);
}

class Overview {
public:
    Overview(const TimelineData& data, const OverviewOptions& options, const Canvas& canvas, const Task& task)
        : data_(data),
          options_(options),
          canvas_(canvas),
          theme_(canvas.theme()),
          task_(task),
          layout_(overviewLayout(data, canvas, options.filters))
    {
        list_.width = canvas.width;
        list_.height = canvas.height;
        list_.background = theme_.background;
    }

    DrawList draw()
    {
        drawCaption();
        drawRuler();
        if (options_.content == OverviewContent::Depth) {
            sampleDepths();
            for (std::size_t block = 0; block < depths_.size(); ++block)
                drawBlock(layout_.blocks[block], depths_[block]);
        } else {
            const RegionGroups groups(data_.session, options_.grouping);
            for (const OverviewBlock& block : layout_.blocks) drawActivity(block, groups);
        }
        if (!layout_.histogram.empty()) drawHistogram();
        if (options_.content == OverviewContent::Depth) drawDepthLegend();
        else drawGroupLegend();
        return std::move(list_);
    }

private:
    void drawCaption()
    {
        const double pad = canvas_.px(8);
        const Rect box{pad, layout_.caption.y, layout_.caption.width - 2 * pad, layout_.caption.height};
        if (!canvas_.style.caption.empty())
            list_.text(box, elideMiddle(canvas_.style.caption, box.width, FontStyle::Bold, canvas_.measure),
                       theme_.text, FontStyle::Bold);
    }

    void drawRuler()
    {
        const double line = canvas_.px(1);
        list_.fillRect({layout_.ruler.x, layout_.ruler.y, layout_.ruler.width, line}, theme_.frame);
        const TimeAxis axis = timeAxis(layout_.scale, FontStyle::Small, canvas_.measure);
        for (const AxisTick& tick : axis.ticks) {
            const double height = canvas_.px(tick.label.empty() ? 3 : 6);
            list_.fillRect({std::floor(tick.x), layout_.ruler.y, line, height}, theme_.secondaryText);
            if (tick.label.empty()) continue;
            const double width = canvas_.measure.width(tick.label, FontStyle::Small);
            // The axis leaves room for labels at the right of their ticks.
            const Rect box{tick.x + canvas_.px(4), layout_.ruler.y + line, width + 1,
                           layout_.ruler.height - line};
            if (box.right() <= canvas_.width)
                list_.text(box, tick.label, theme_.secondaryText, FontStyle::Small);
        }
        list_.text(
            {canvas_.px(8), layout_.ruler.y, layout_.labels.width - canvas_.px(16), layout_.ruler.height},
            "Time", theme_.secondaryText, FontStyle::Small, Align::Right);
    }

    void sampleDepths()
    {
        for (const OverviewBlock& block : layout_.blocks) {
            const TimeSpan span = data_.clock.toExperiment(block.experiment, layout_.scale.span);
            const ColumnGrid grid{static_cast<double>(span.begin), layout_.scale.nsPerPixel(),
                                  static_cast<std::uint32_t>(layout_.body.width)};
            const Experiment& experiment = *data_.session.experiments[block.experiment];
            auto depths = callDepths(experiment, *data_.indexes[block.experiment],
                                     shownLevels(experiment, block.experiment), block.rows, grid, task_);
            if (!depths) return;
            for (const float depth : depths->depth) deepest_ = std::max(deepest_, static_cast<double>(depth));
            depths_.push_back(std::move(*depths));
        }
    }

    /// How many calls that filters leave are around and including each call path.
    std::vector<std::uint32_t> shownLevels(const Experiment& experiment, std::uint32_t number) const
    {
        const CallTree& tree = *experiment.callTree;
        std::vector<std::uint32_t> levels(tree.size());
        for (std::uint32_t node = 0; node < tree.size(); ++node) {
            const CallPathId parent = tree.parent(CallPathId(node));
            const RegionId region = tree.region(CallPathId(node));
            levels[node] = parent.valid() ? levels[parent.index()] : 0;
            if (region.valid() && passes(options_.filters, RegionRef{number, region})) ++levels[node];
        }
        return levels;
    }

    /// Bands by share, in the colours of groups; mixed where rows are low.
    void drawActivity(const OverviewBlock& block, const RegionGroups& groups)
    {
        const Experiment& experiment = *data_.session.experiments[block.experiment];
        const RegionPalette palette = regionPalette(groups, block.experiment, theme_);
        ViewState state;
        state.filters = options_.filters;
        state.grouping = options_.grouping;
        state.colors = ColorMode::Group;
        const LaneTable table(experiment, block.experiment, state, palette, theme_.stripe, 1);
        const TimeSpan span = data_.clock.toExperiment(block.experiment, layout_.scale.span);
        const ColumnGrid grid{static_cast<double>(span.begin), layout_.scale.nsPerPixel(),
                              static_cast<std::uint32_t>(layout_.body.width)};
        const bool gaps = block.rect.height / static_cast<double>(block.rows.size()) >= canvas_.px(5);
        const auto gap = static_cast<int>(gaps ? canvas_.px(1) : 0);
        list_.fillRect(block.rect, theme_.stripe);
        std::vector<PixelItem> rows(block.rows.size());
        const bool complete = parallelFor(block.rows.size(), task_, [&](std::size_t row) {
            const int height = block.tops[row + 1] - block.tops[row] - gap;
            rows[row] = {
                static_cast<int>(block.rect.x), block.tops[row], static_cast<int>(grid.count), {}, {}, {}};
            if (height < 1) return;
            rows[row].heights = {height};
            rows[row].argb.assign(grid.count, 0);
            std::vector<RowSource> sources;
            for (const LocationId location : block.rows[row])
                sources.emplace_back(experiment.trace->locations[location.index()].intervals,
                                     data_.indexes[block.experiment]->locations[location.index()]);
            std::vector<ColumnSample> samples(grid.count);
            RowSampler(experiment.callTree->regions().span())
                .sample(sources, grid, RowSampler::kFewCalls, samples, task_);
            ShareBands bands(experiment, block.experiment, state, palette, theme_.stripe, table);
            bands.divide(rows[row], samples, std::vector<std::uint8_t>(grid.count, 1), canvas_.style.scale);
        });
        if (!complete) return;
        for (PixelItem& row : rows)
            if (!row.heights.empty()) list_.items.push_back(std::move(row));
        noteGroups(experiment, block.experiment, groups, palette);
        drawBlockLabels(block);
    }

    /// Groups of regions that were called and are shown.
    void noteGroups(const Experiment& experiment, std::uint32_t number, const RegionGroups& groups,
                    const RegionPalette& palette)
    {
        for (const std::uint32_t region : experiment.callTree->regions().span()) {
            if (region >= palette.groups.size()
                || !passes(options_.filters, RegionRef{number, RegionId(region)}))
                continue;
            const std::uint32_t group = palette.groups[region];
            const auto isKnown = [&](const ShownName& shown) { return shown.place == group; };
            if (std::none_of(groupNames_.begin(), groupNames_.end(), isKnown))
                groupNames_.push_back({group, groups.list()[group].name, palette.groupColors[group]});
        }
        std::sort(groupNames_.begin(), groupNames_.end(),
                  [](const ShownName& a, const ShownName& b) { return a.place < b.place; });
    }

    /// From the right end of the header on, as many as fit; in the order of bands.
    void drawGroupLegend()
    {
        const Rect& header = layout_.header;
        const double box = canvas_.px(9), gap = canvas_.px(4), pad = canvas_.px(10);
        std::size_t shown = 0;
        double width = 0;
        for (; shown < groupNames_.size(); ++shown) {
            const double wanted =
                box + gap + canvas_.measure.width(groupNames_[shown].name, FontStyle::Small) + pad;
            if (layout_.body.right() - width - wanted < legendEnd_) break;
            width += wanted;
        }
        double x = layout_.body.right() - width + pad;
        for (std::size_t i = 0; i < shown; ++i) {
            list_.fillRect({std::round(x), std::round(header.y + (header.height - box) / 2), box, box},
                           groupNames_[i].color);
            x += box + gap;
            const double text = canvas_.measure.width(groupNames_[i].name, FontStyle::Small);
            list_.text({x, header.y, text + 1, header.height}, groupNames_[i].name, theme_.text,
                       FontStyle::Small);
            x += text + pad;
        }
    }

    void drawBlock(const OverviewBlock& block, const CallDepths& depths)
    {
        PixelItem pixels{
            static_cast<int>(block.rect.x), block.tops.front(), static_cast<int>(depths.columns), {}, {}, {}};
        const bool gaps = block.rect.height / static_cast<double>(block.rows.size()) >= canvas_.px(5);
        const auto gap = static_cast<int>(gaps ? canvas_.px(1) : 0);
        for (std::size_t row = 0; row < block.rows.size(); ++row) {
            const int height = block.tops[row + 1] - block.tops[row];
            pixels.heights.push_back(height - gap);
            for (std::uint32_t column = 0; column < depths.columns; ++column) {
                const double depth = static_cast<double>(depths.at(row, column));
                pixels.argb.push_back(depth > 0 ? toArgb(depthColor(theme_, depth, deepest_)) : 0);
            }
            if (gap == 0) continue;
            pixels.heights.push_back(gap);
            pixels.argb.insert(pixels.argb.end(), depths.columns, 0);
        }
        list_.fillRect(block.rect, theme_.stripe);
        list_.items.push_back(std::move(pixels));
        drawBlockLabels(block);
    }

    void drawBlockLabels(const OverviewBlock& block)
    {
        const double pad = canvas_.px(8);
        const double line = canvas_.lineHeight();
        const double width = layout_.labels.width - 2 * pad;
        std::size_t locations = 0;
        for (const auto& row : block.rows) locations += row.size();
        std::vector<std::string> lines;
        if (layout_.blocks.size() > 1) lines.push_back(block.title);
        lines.push_back(fmt::format("{} location{}", locations, locations == 1 ? "" : "s"));
        double y = block.rect.y;
        for (std::size_t i = 0; i < lines.size() && y + line <= block.rect.bottom() + 1; ++i, y += line)
            list_.text({pad, y, width, line}, elideMiddle(lines[i], width, FontStyle::Small, canvas_.measure),
                       i == 0 && lines.size() > 1 ? theme_.text : theme_.secondaryText, FontStyle::Small,
                       Align::Right);
        if (&block != &layout_.blocks.front())
            list_.fillRect(
                {0, block.rect.y - canvas_.px(3), static_cast<double>(canvas_.width), canvas_.px(1)},
                theme_.frame);
    }

    void drawHistogram()
    {
        const auto most = static_cast<std::uint32_t>(
            std::max(1.0, layout_.histogram.width / canvas_.px(kNarrowestHistogramBar)));
        const TimeSpan span{layout_.scale.span.begin, layout_.scale.span.end + 1};
        const auto histogram = messageHistogram(
            data_.session, data_.clock, span, roundBinNs(span, most), data_.indexes,
            *messageFiltersOf(*data_.messageFilters, data_.session, options_.filters), task_);
        if (!histogram) return;
        const double greatest = std::max(1.0, static_cast<double>(histogram->greatest()));
        const Rect& area = layout_.histogram;
        const double middle = std::round(area.y + area.height / 2);
        const double half = std::min(middle - area.y, area.bottom() - middle) - 1;
        list_.fillRect(area, theme_.stripe);
        list_.pushClip(area);
        for (std::size_t bin = 0; bin < histogram->sent.size(); ++bin) {
            const TimeNs from = histogram->begin + static_cast<TimeNs>(bin) * histogram->binNs;
            const double x = std::round(layout_.scale.toX(from));
            const double right = std::round(layout_.scale.toX(from + histogram->binNs));
            const auto bar = [&](std::uint64_t count) {
                return count == 0 ? 0
                                  : std::max(1.0, std::round(half * static_cast<double>(count) / greatest));
            };
            const double up = bar(histogram->sent[bin]);
            const double down = bar(histogram->received[bin]);
            if (up > 0) list_.fillRect({x, middle - up, std::max(1.0, right - x), up}, sentColor(theme_));
            if (down > 0)
                list_.fillRect({x, middle + 1, std::max(1.0, right - x), down}, receivedColor(theme_));
        }
        list_.fillRect({area.x, middle, area.width, 1}, theme_.secondaryText);
        list_.popClip();
        drawHistogramAxis(*histogram, middle);
    }

    void drawHistogramAxis(const MessageHistogram& histogram, double middle)
    {
        const double pad = canvas_.px(8);
        const double line = canvas_.lineHeight();
        const Rect& area = layout_.histogram;
        const double width = layout_.labels.width - 2 * pad;
        const std::string most = formatCount(static_cast<double>(histogram.greatest()));
        const auto label = [&](double y, const std::string& text) {
            if (canvas_.measure.width(text, FontStyle::Small) <= width)
                list_.text({pad, y, width, line}, text, theme_.secondaryText, FontStyle::Small, Align::Right);
        };
        if (middle - area.y >= 2 * line) {
            label(area.y, most);
            label(area.bottom() - line, most);
            label(area.y + line, "sent");
            label(area.bottom() - 2 * line, "received");
        } else if (area.height >= 2 * line) {
            label(area.y, most);
            label(area.bottom() - line, most);
        } else {
            label(middle - line / 2, most);
        }
        drawHistogramLegend(histogram);
    }

    void drawHistogramLegend(const MessageHistogram& histogram)
    {
        const double pad = canvas_.px(8);
        double x = layout_.body.x;
        const Rect& header = layout_.header;
        const auto put = [&](const std::string& text, Color color) {
            const double width = canvas_.measure.width(text, FontStyle::Small);
            if (x + width > layout_.body.x + layout_.body.width * 0.6) return;
            list_.text({x, header.y, width + 1, header.height}, text, color, FontStyle::Small);
            x += width + pad;
            legendEnd_ = x;
        };
        const double box = canvas_.px(9);
        const auto swatch = [&](Color color) {
            list_.fillRect({std::round(x), std::round(header.y + (header.height - box) / 2), box, box},
                           color);
            x += box + canvas_.px(4);
        };
        put("Messages per " + formatDuration(static_cast<double>(histogram.binNs)) + ":", theme_.text);
        swatch(sentColor(theme_));
        put("sent (up)", theme_.text);
        swatch(receivedColor(theme_));
        put("received (down)", theme_.text);
    }

    void drawDepthLegend()
    {
        if (deepest_ <= 0) return;
        const Rect& header = layout_.header;
        const double gap = canvas_.px(6);
        const std::string last = formatNumber(std::ceil(deepest_));
        const std::string first = "Call depth  1";
        const double ramp = canvas_.px(72);
        const double lastWidth = canvas_.measure.width(last, FontStyle::Small);
        const double firstWidth = canvas_.measure.width(first, FontStyle::Small);
        double x = layout_.body.right() - lastWidth - gap - ramp - gap - firstWidth;
        if (x < legendEnd_) return;
        list_.text({x, header.y, firstWidth + 1, header.height}, first, theme_.text, FontStyle::Small);
        x = std::round(x + firstWidth + gap);
        PixelItem pixels{static_cast<int>(x),
                         static_cast<int>(std::round(header.y + header.height * 0.25)),
                         static_cast<int>(ramp),
                         {static_cast<int>(header.height * 0.5)},
                         {},
                         {}};
        for (int column = 0; column < pixels.columns; ++column)
            pixels.argb.push_back(
                toArgb(depthColor(theme_, 1 + (deepest_ - 1) * column / std::max(1.0, ramp - 1), deepest_)));
        list_.items.push_back(std::move(pixels));
        list_.text({x + ramp + gap, header.y, lastWidth + 1, header.height}, last, theme_.text,
                   FontStyle::Small);
    }

    struct ShownName {
        std::uint32_t place = 0;  ///< of the group in legends
        std::string name;
        Color color;
    };

    const TimelineData& data_;
    const OverviewOptions& options_;
    const Canvas& canvas_;
    const Theme& theme_;
    const Task& task_;
    OverviewLayout layout_;
    DrawList list_;
    std::vector<CallDepths> depths_;
    double deepest_ = 0;
    std::vector<ShownName> groupNames_;
    double legendEnd_ = 0;  ///< right end of the histogram's legend
};

}  // namespace

DrawList overviewScene(const TimelineData& data, const OverviewOptions& options, const Canvas& canvas,
                       const Task& task)
{
    return Overview(data, options, canvas, task).draw();
}

DrawList overviewOverlay(const TimelineData& data, const ViewState& state, const OverviewLayout& layout,
                         const std::optional<TimeSpan>& drawnWindow, const Canvas& canvas)
{
    DrawList list;
    const Theme& theme = canvas.theme();
    const double top = layout.header.bottom();
    const double bottom = layout.ruler.y;
    const TimeSpan window = drawnWindow.value_or(visibleSpan(data, state));
    const double left =
        std::floor(std::clamp(layout.scale.toX(window.begin), layout.body.x, layout.body.right()));
    const double right =
        std::ceil(std::clamp(layout.scale.toX(window.end), layout.body.x, layout.body.right()));
    const Color veil = withAlpha(theme.background, 165);
    const double line = canvas.px(2);
    list.fillRect({layout.body.x, top, left - layout.body.x, bottom - top}, veil);
    list.fillRect({right, top, layout.body.right() - right, bottom - top}, veil);
    if (state.brushed) {
        const double from =
            std::clamp(layout.scale.toX(state.brushed->begin), layout.body.x, layout.body.right());
        const double to =
            std::clamp(layout.scale.toX(state.brushed->end), layout.body.x, layout.body.right());
        list.fillRect({std::floor(from), top, std::max(1.0, std::ceil(to - from)), bottom - top},
                      theme.selectionFill);
    }
    for (const Mark& mark : state.marks)
        for (const TimeNs time : {mark.span.begin, mark.span.end})
            list.fillRect(
                {std::floor(std::clamp(layout.scale.toX(time), layout.body.x, layout.body.right() - 1)), top,
                 canvas.px(1), bottom - top},
                withAlpha(theme.text, 170));
    list.strokeRect({left - line / 2, top, std::max(right - left, 1.0) + line, bottom - top}, theme.accent,
                    line);
    const double grip = std::min(canvas.px(20), (bottom - top) / 2);
    for (const double x : {left, right}) {
        const Rect handle{x - canvas.px(3), (top + bottom - grip) / 2, canvas.px(6), grip};
        list.items.push_back(RectItem{handle, theme.accent, theme.background, 1, canvas.px(2), {}});
    }
    if (state.hover.time) {
        const double x = std::floor(layout.scale.toX(*state.hover.time));
        if (x >= layout.body.x && x < layout.body.right())
            list.fillRect({x, top, canvas.px(1), bottom - top}, withAlpha(theme.hover, 110));
    }
    return list;
}

}  // namespace skein
