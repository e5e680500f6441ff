// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/span_band_scene.h"

#include "views/timeline/timeline_bars_scene.h"

#include <algorithm>
#include <cmath>

namespace skein {
namespace {

constexpr double kHighestBand = 6;  ///< logical pixels
constexpr double kLowestBand = 2;
constexpr double kBandPart = 0.2;  ///< of the row
constexpr double kHighestShares = 14;
constexpr double kSharesPart = 0.5;

}  // namespace

SpanBand::SpanBand(const TimelineData& data, const TimelineOptions& options, const TimelineLayout& layout,
                   BandEdge edge, BandHeight heights)
    : data_(data),
      options_(options),
      layout_(layout),
      edge_(edge),
      heights_(heights),
      argb_(static_cast<std::size_t>(std::max(0.0, std::round(layout.body.width)))),
      covered_(heights == BandHeight::Share ? argb_.size() : 0),
      most_(covered_.size())
{
}

bool SpanBand::enter(const PlacedRow& place, DrawList& list)
{
    if (place.y + place.height < layout_.body.y || place.y > layout_.body.bottom()) return false;
    const double from = std::round(place.y);
    const double to =
        std::max(from + 1, std::round(place.y + place.height) - rowGap(layout_.rowHeight, options_.scale));
    const bool byShare = heights_ == BandHeight::Share;
    const double wanted = std::clamp(std::round(place.height * (byShare ? kSharesPart : kBandPart)),
                                     std::round(kLowestBand * options_.scale),
                                     std::round((byShare ? kHighestShares : kHighestBand) * options_.scale));
    const int height = static_cast<int>(std::clamp(wanted, 1.0, to - from));
    const double above =
        edge_ == BandEdge::Top ? 0 : (to - from - height) / (edge_ == BandEdge::Middle ? 2 : 1);
    const int top = static_cast<int>(from + above);
    if (top != top_) flush(list);
    top_ = top;
    height_ = height;
    return true;
}

std::int64_t SpanBand::columnAt(std::uint32_t experiment, TimeNs time) const
{
    return static_cast<std::int64_t>(
        std::floor(layout_.scale.toX(data_.clock.toSession(experiment, time)) - layout_.body.x));
}

std::int64_t SpanBand::lastColumn(std::uint32_t experiment, TimeNs end) const
{
    return static_cast<std::int64_t>(
               std::ceil(layout_.scale.toX(data_.clock.toSession(experiment, end)) - layout_.body.x))
        - 1;
}

TimeNs SpanBand::columnEnd(std::uint32_t experiment, std::int64_t column) const
{
    return data_.clock.toExperiment(
        experiment, layout_.scale.toTime(layout_.body.x + static_cast<double>(column) + 1) + 1);
}

void SpanBand::fill(std::int64_t from, std::int64_t to, std::uint32_t argb)
{
    const auto last = static_cast<std::int64_t>(argb_.size()) - 1;
    for (std::int64_t column = std::max<std::int64_t>(from, 0); column <= std::min(std::max(from, to), last);
         ++column)
        argb_[static_cast<std::size_t>(column)] = argb;
}

void SpanBand::cover(std::uint32_t experiment, TimeSpan span, std::uint32_t argb,
                     std::optional<std::int64_t> column)
{
    const auto x = [&](TimeNs time) {
        return layout_.scale.toX(data_.clock.toSession(experiment, time)) - layout_.body.x;
    };
    const double from = x(span.begin), to = x(span.end);
    if (column) return coverColumn(*column, to - from, argb);
    const auto first = std::max<std::int64_t>(0, columnAt(experiment, span.begin));
    const auto last = std::min(static_cast<std::int64_t>(argb_.size()) - 1, lastColumn(experiment, span.end));
    for (std::int64_t at = first; at <= std::max(first, last); ++at)
        coverColumn(at, std::min(to, static_cast<double>(at) + 1) - std::max(from, static_cast<double>(at)),
                    argb);
}

void SpanBand::coverColumn(std::int64_t column, double pixels, std::uint32_t argb)
{
    if (column < 0 || column >= static_cast<std::int64_t>(argb_.size())) return;
    const auto at = static_cast<std::size_t>(column);
    // However short, it keeps a pixel.
    const float part = std::max(1e-6F, static_cast<float>(pixels));
    covered_[at] += part;
    if (part <= most_[at]) return;
    most_[at] = part;
    argb_[at] = argb;
}

/// From below as high as the share, a pixel at least.
PixelItem SpanBand::shares() const
{
    PixelItem pixels{
        static_cast<int>(std::round(layout_.body.x)), top_, static_cast<int>(argb_.size()), {}, {}, {}};
    pixels.heights.assign(static_cast<std::size_t>(height_), 1);
    pixels.argb.resize(argb_.size() * static_cast<std::size_t>(height_));
    const auto locations = static_cast<float>(std::max<std::size_t>(locations_, 1));
    for (std::size_t column = 0; column < argb_.size(); ++column) {
        if (argb_[column] == 0) continue;
        const float share = std::min(1.0F, covered_[column] / locations);
        const int high = std::max(1, static_cast<int>(std::lround(share * static_cast<float>(height_))));
        for (int line = height_ - high; line < height_; ++line)
            pixels.argb[static_cast<std::size_t>(line) * argb_.size() + column] = argb_[column];
    }
    return pixels;
}

void SpanBand::flush(DrawList& list)
{
    const bool any = std::any_of(argb_.begin(), argb_.end(), [](std::uint32_t argb) { return argb != 0; });
    if (any && heights_ == BandHeight::Share) list.items.push_back(shares());
    else if (any)
        list.items.push_back(PixelItem{static_cast<int>(std::round(layout_.body.x)),
                                       top_,
                                       static_cast<int>(argb_.size()),
                                       {height_},
                                       argb_,
                                       {}});
    std::fill(argb_.begin(), argb_.end(), 0u);
    std::fill(covered_.begin(), covered_.end(), 0.0F);
    std::fill(most_.begin(), most_.end(), 0.0F);
    locations_ = 0;
}

}  // namespace skein
