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

}  // namespace

SpanBand::SpanBand(const TimelineData& data, const TimelineOptions& options, const TimelineLayout& layout,
                   BandEdge edge)
    : data_(data),
      options_(options),
      layout_(layout),
      edge_(edge),
      argb_(static_cast<std::size_t>(std::max(0.0, std::round(layout.body.width))))
{
}

bool SpanBand::enter(const PlacedRow& place, DrawList& list)
{
    if (place.y + place.height < layout_.body.y || place.y > layout_.body.bottom()) return false;
    const double from = std::round(place.y);
    const double to =
        std::max(from + 1, std::round(place.y + place.height) - rowGap(layout_.rowHeight, options_.scale));
    const double wanted =
        std::clamp(std::round(place.height * kBandPart), std::round(kLowestBand * options_.scale),
                   std::round(kHighestBand * options_.scale));
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

void SpanBand::flush(DrawList& list)
{
    const bool any = std::any_of(argb_.begin(), argb_.end(), [](std::uint32_t argb) { return argb != 0; });
    if (any)
        list.items.push_back(PixelItem{static_cast<int>(std::round(layout_.body.x)),
                                       top_,
                                       static_cast<int>(argb_.size()),
                                       {height_},
                                       argb_,
                                       {}});
    std::fill(argb_.begin(), argb_.end(), 0u);
}

}  // namespace skein
