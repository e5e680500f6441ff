// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/metric_rank/metric_rank_scene.h"

#include "core/base/units.h"
#include "views/common/scene/color/color_scale.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace skein {
namespace {

class RankPainter {
public:
    RankPainter(const MetricRankPicture& picture, const Canvas& canvas)
        : picture_(picture),
          rank_(*picture.list),
          canvas_(canvas),
          theme_(canvas.theme()),
          layout_(metricRankLayout(canvas))
    {
        list_.width = canvas.width;
        list_.height = canvas.height;
        list_.background = theme_.background;
        greatest_ = static_cast<double>(rank_.values.front().value);
        least_ = static_cast<double>(rank_.values.back().value);
        span_ = std::max(std::abs(greatest_), std::abs(least_));
    }

    DrawList draw()
    {
        list_.text(layout_.caption, canvas_.style.caption, theme_.secondaryText, FontStyle::Small);
        small(layout_.title,
              fmt::format("{}, greatest first · line: share of the sum", titleOf(rank_.quantity)));
        drawBars();
        drawShare();
        drawChosen();
        drawAxis();
        drawHistogram();
        drawFoot();
        return std::move(list_);
    }

private:
    void small(const Rect& box, const std::string& text, Align align = Align::Left)
    {
        list_.text(box, elideMiddle(text, box.width, FontStyle::Small, canvas_.measure), theme_.secondaryText,
                   FontStyle::Small, align);
    }

    /// On the background, so that it is legible on bars.
    Rect onChip(const Rect& box, const std::string& text, Align align = Align::Left)
    {
        const double pad = canvas_.px(3);
        const double width =
            std::min(box.width, std::ceil(canvas_.measure.width(text, FontStyle::Small)) + 2 * pad);
        const Rect chip{align == Align::Right ? box.right() - width : box.x, box.y, width, box.height};
        list_.fillRect(chip, withAlpha(theme_.background, 220));
        list_.text(chip, elideMiddle(text, width, FontStyle::Small, canvas_.measure), theme_.text,
                   FontStyle::Small, Align::Center);
        return chip;
    }

    /// Height above the base line, in parts of the field; below it where negative.
    double heightOf(double value) const
    {
        if (span_ <= 0) return 0;
        const double part = std::abs(value) / span_;
        const double shown = picture_.logarithmic ? std::log1p(part * 1e6) / std::log1p(1e6) : part;
        return value < 0 ? -shown : shown;
    }

    double baseY() const
    {
        const double below = least_ < 0 ? -heightOf(least_) : 0,
                     above = greatest_ > 0 ? heightOf(greatest_) : 0;
        const double all = std::max(1e-9, below + above);
        return layout_.bars.y + layout_.bars.height * above / all;
    }
    double unit() const
    {
        const double below = least_ < 0 ? -heightOf(least_) : 0,
                     above = greatest_ > 0 ? heightOf(greatest_) : 0;
        return layout_.bars.height / std::max(1e-9, below + above);
    }

    double xOf(double place) const
    {
        return layout_.bars.x + std::floor(place / static_cast<double>(rank_.size()) * layout_.bars.width);
    }

    bool chosen(std::size_t place) const
    {
        return picture_.first == picture_.end || (picture_.first <= place && place < picture_.end);
    }

    void drawBars()
    {
        const std::size_t size = rank_.size();
        const auto columns = std::min(size, static_cast<std::size_t>(layout_.bars.width));
        for (std::size_t column = 0; column < columns; ++column) {
            const std::size_t place = column * size / columns;
            const double left =
                xOf(static_cast<double>(column) * static_cast<double>(size) / static_cast<double>(columns));
            const double right = xOf(static_cast<double>(column + 1) * static_cast<double>(size)
                                     / static_cast<double>(columns));
            const double height =
                std::round(heightOf(static_cast<double>(rank_.values[place].value)) * unit());
            const double gap = right - left > canvas_.px(4) ? canvas_.px(1) : 0;
            const double part =
                span_ > 0 ? std::abs(static_cast<double>(rank_.values[place].value)) / span_ : 0;
            const Color color = chosen(place) ? picture_.stops.color(theme_.dark, part, 0.15) : theme_.grid;
            const double base = std::round(baseY());
            list_.fillRect({left, height >= 0 ? base - height : base, std::max(1.0, right - left - gap),
                            std::max(1.0, std::abs(height))},
                           color);
        }
        list_.line({layout_.bars.x, std::round(baseY())}, {layout_.bars.right(), std::round(baseY())},
                   theme_.frame);
    }

    void drawShare()
    {
        const std::size_t size = rank_.size();
        const auto steps = std::min<std::size_t>(size, static_cast<std::size_t>(layout_.bars.width));
        Point last{layout_.bars.x, layout_.bars.bottom()};
        for (std::size_t i = 0; i < steps; ++i) {
            const std::size_t place = (i + 1) * size / steps - 1;
            const Point next{xOf(static_cast<double>(place + 1)),
                             layout_.bars.bottom()
                                 - rank_.values[place].cumulativeShare * layout_.bars.height};
            list_.line(last, next, theme_.text, canvas_.px(1.5));
            last = next;
        }
        drawShareScale();
    }

    /// The ends first: the middle is told where there is room for it.
    void drawShareScale()
    {
        const double line = canvas_.lineHeight(), bottom = layout_.bars.bottom() - line;
        const double top = layout_.bars.y - line / 2;
        for (const int percent : {100, 0, 50}) {
            const double y =
                std::min(layout_.bars.bottom() - layout_.bars.height * percent / 100 - line / 2, bottom);
            const bool crowded =
                percent == 0 ? bottom < top + line : percent == 50 && (y < top + line || bottom < y + line);
            if (!crowded)
                small({layout_.bars.right() + canvas_.px(4), y, canvas_.px(44), line},
                      fmt::format("{} %", percent));
        }
    }

    void drawChosen()
    {
        if (picture_.first == picture_.end) return;
        const double left = xOf(static_cast<double>(picture_.first));
        const double right = std::max(left + canvas_.px(2), xOf(static_cast<double>(picture_.end)));
        list_.fillRect({left, layout_.bars.y, right - left, layout_.bars.height}, theme_.selectionFill);
        list_.strokeRect({left, layout_.bars.y, right - left, layout_.bars.height}, theme_.accent,
                         canvas_.px(1));
    }

    void drawAxis()
    {
        small(layout_.axis, "1");
        small(layout_.axis, formatGrouped(static_cast<std::int64_t>(rank_.size())), Align::Right);
        onChip({layout_.bars.x + canvas_.px(4), layout_.bars.y + canvas_.px(2), layout_.bars.width,
                canvas_.lineHeight()},
               rankedText(rank_, greatest_));
    }

    /// Bins that follow each other are one where each would be too low to be seen.
    std::vector<std::size_t> visibleHistogram(double height) const
    {
        constexpr double kLowestBin = 6;  ///< logical pixels
        const std::size_t bins = rank_.histogram.size();
        const auto most =
            std::clamp(static_cast<std::size_t>(height / canvas_.px(kLowestBin)), std::size_t{1}, bins);
        std::vector<std::size_t> counts(most);
        for (std::size_t bin = 0; bin < bins; ++bin) counts[bin * most / bins] += rank_.histogram[bin];
        return counts;
    }

    void drawHistogram()
    {
        const Rect& box = layout_.histogram;
        if (box.empty() || rank_.histogram.empty()) return;
        const double line = canvas_.lineHeight();
        small({box.x, layout_.title.y, box.width, line}, "How many have which value, and % of all");
        const std::vector<std::size_t> counts = visibleHistogram(box.height);
        const double most = static_cast<double>(*std::ranges::max_element(counts));
        const double step = box.height / static_cast<double>(counts.size());
        for (std::size_t i = 0; i < counts.size(); ++i) {
            const auto count = static_cast<double>(counts[i]);
            if (count <= 0) continue;
            const double width = std::max(1.0, std::round(std::log1p(count) / std::log1p(most) * box.width));
            const double bottom = box.bottom() - std::floor(static_cast<double>(i) * step);
            const double top = box.bottom() - std::floor(static_cast<double>(i + 1) * step);
            list_.fillRect({box.x, top, width, std::max(1.0, bottom - top - canvas_.px(1))}, theme_.message);
        }
        list_.line({box.x, box.y}, {box.x, box.bottom()}, theme_.frame);
        drawQuartile(rank_.upperQuartile, "upper quartile");
        drawQuartile(rank_.median, "median");
        drawQuartile(rank_.lowerQuartile, "lower quartile");
        drawBinShares(counts);
        small({box.x, layout_.axis.y, box.width, line},
              fmt::format("bars to the right: count up to {}, logarithmic",
                          formatGrouped(static_cast<std::int64_t>(most))));
    }

    void drawQuartile(double value, const char* title)
    {
        const Rect& box = layout_.histogram;
        const double part = greatest_ > least_ ? (value - least_) / (greatest_ - least_) : 0;
        const double y = std::round(box.bottom() - part * box.height), line = canvas_.lineHeight();
        list_.line({box.x, y}, {box.right(), y}, theme_.accent, canvas_.px(1));
        if (labelled_ - line < y && labelled_ > 0 && y < labelled_ + line) return;
        quartileWords_.push_back(onChip({box.x, y - line, box.width, line},
                                        fmt::format("{} {}", title, rankedText(rank_, value)), Align::Right));
        labelled_ = y;
    }

    /// Which part of all values lies in a bin, from a twentieth on, where no other word stands.
    void drawBinShares(const std::vector<std::size_t>& counts)
    {
        constexpr double kLeastToldShare = 0.05;
        const Rect& box = layout_.histogram;
        const double line = canvas_.lineHeight(), step = box.height / static_cast<double>(counts.size());
        double free = box.bottom();
        for (std::size_t i = 0; i < counts.size(); ++i) {
            const double share = static_cast<double>(counts[i]) / static_cast<double>(rank_.size());
            const double y = std::max(box.y, box.bottom() - (static_cast<double>(i) + 0.5) * step - line / 2);
            if (share < kLeastToldShare || y + line > free) continue;
            const std::string text = fmt::format("{:.0f} %", 100 * share);
            const Rect words{box.x + canvas_.px(4), y,
                             std::ceil(canvas_.measure.width(text, FontStyle::Small)) + canvas_.px(6), line};
            if (words.right() > box.right() || std::ranges::any_of(quartileWords_, [&](const Rect& other) {
                    return other.overlaps(words);
                }))
                continue;
            onChip(words, text);
            free = y;
        }
    }

    void drawFoot()
    {
        std::string text = fmt::format(
            "{} values · sum {} · mean {} · median {} · quartiles {} and {}",
            formatGrouped(static_cast<std::int64_t>(rank_.size())), rankedText(rank_, rank_.total),
            rankedText(rank_, rank_.mean), rankedText(rank_, rank_.median),
            rankedText(rank_, rank_.lowerQuartile), rankedText(rank_, rank_.upperQuartile));
        if (picture_.first < picture_.end) {
            const double before = picture_.first == 0 ? 0 : rank_.values[picture_.first - 1].cumulativeShare;
            text = fmt::format("Chosen: {} of {} with {:.1f} % of the sum · ",
                               formatGrouped(static_cast<std::int64_t>(picture_.end - picture_.first)),
                               formatGrouped(static_cast<std::int64_t>(rank_.size())),
                               100 * (rank_.values[picture_.end - 1].cumulativeShare - before))
                + text;
        }
        small(layout_.foot, text);
    }

    const MetricRankPicture& picture_;
    const MetricRankList& rank_;
    const Canvas& canvas_;
    const Theme& theme_;
    MetricRankLayout layout_;
    DrawList list_;
    double greatest_ = 0, least_ = 0, span_ = 0;
    double labelled_ = 0;
    std::vector<Rect> quartileWords_;
};

}  // namespace

MetricRankLayout metricRankLayout(const Canvas& canvas)
{
    MetricRankLayout layout;
    const double pad = canvas.px(8), line = canvas.lineHeight();
    layout.caption = {pad, canvas.px(4), canvas.width - 2 * pad, canvas.style.caption.empty() ? 0 : line};
    const double share = canvas.px(48), histogram = std::floor(canvas.width * 0.28);
    layout.title = {pad, layout.caption.bottom() + canvas.px(2), canvas.width - histogram - 3 * pad, line};
    layout.foot = {pad, canvas.height - line - canvas.px(4), canvas.width - 2 * pad, line};
    const double top = std::round(layout.title.bottom() + canvas.px(4));
    const double height = std::max(1.0, std::floor(layout.foot.y - line - canvas.px(8) - top));
    layout.bars = {pad, top, std::max(1.0, canvas.width - histogram - share - 3 * pad), height};
    layout.axis = {layout.bars.x, layout.bars.bottom() + canvas.px(2), layout.bars.width, line};
    layout.histogram = {layout.bars.right() + share + pad, top, histogram, height};
    return layout;
}

DrawList metricRankScene(const MetricRankPicture& picture, const Canvas& canvas, const Task&)
{
    return RankPainter(picture, canvas).draw();
}

std::optional<std::size_t> rankedPlaceAt(const MetricRankPicture& picture, const MetricRankLayout& layout,
                                         Point point)
{
    if (!layout.bars.contains(point)) return std::nullopt;
    const double part = (point.x - layout.bars.x) / layout.bars.width;
    const auto place = static_cast<std::size_t>(part * static_cast<double>(picture.list->size()));
    return std::min(place, picture.list->size() - 1);
}

}  // namespace skein
