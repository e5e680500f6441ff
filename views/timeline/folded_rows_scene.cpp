// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/folded_rows_scene.h"

#include "core/index/column_sampler.h"
#include "views/common/scene/call_colors.h"
#include "views/common/scene/call_stack.h"
#include "views/common/scene/lane_table.h"
#include "views/timeline/timeline_bars_scene.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

namespace skein {
namespace {

struct Vote {
    std::uint32_t color = 0;
    float timeNs = 0;
};

class FoldedRows {
public:
    FoldedRows(DrawList& list, const TimelineData& data, const ViewState& state, const TimelineOptions& options, const TimelineLayout& layout,
               const Task& task)
        : list_(list), data_(data), state_(state), options_(options), layout_(layout), columns_(static_cast<std::size_t>(layout.body.width))
    {
        if (CallColors::wanted(state)) colors_.emplace(data, state, options.theme.dark, task);
    }

    void draw(const TimelineRow& row, const PlacedRow& place, const Task& task)
    {
        votes_.assign(columns_.size(), {});
        for (const LocationRef& location : row.folded) {
            if (task.stopRequested()) return;
            vote(location);
        }
        const int top = static_cast<int>(std::lround(place.y));
        const int height = static_cast<int>(std::lround(place.y + place.height)) - top - rowGap(layout_.rowHeight, options_.scale);
        PixelItem pixels{static_cast<int>(layout_.body.x), top, static_cast<int>(columns_.size()), {std::max(1, height)}, {}, {}};
        for (const auto& votes : votes_) {
            const auto best = std::max_element(votes.begin(), votes.end(), [](const Vote& a, const Vote& b) { return a.timeNs < b.timeNs; });
            pixels.argb.push_back(best == votes.end() ? 0 : best->color);
        }
        list_.items.push_back(std::move(pixels));
    }

private:
    void vote(LocationRef location)
    {
        const std::vector<std::uint32_t> colors = colorsOf(location);
        for (std::size_t column = 0; column < columns_.size(); ++column) {
            const std::uint32_t color = colors[column];
            if (color == 0) continue;
            const float timeNs = columns_[column].timeNs;
            const auto found = std::find_if(votes_[column].begin(), votes_[column].end(), [&](const Vote& vote) { return vote.color == color; });
            if (found == votes_[column].end()) votes_[column].push_back({color, timeNs});
            else found->timeNs += timeNs;
        }
    }

    /// What a location shows in each column, innermost calls; 0 where nothing.
    std::vector<std::uint32_t> colorsOf(LocationRef location)
    {
        const std::uint32_t number = location.experiment;
        const TimeSpan span = data_.clock.toExperiment(number, layout_.scale.span);
        std::fill(columns_.begin(), columns_.end(), ColumnSample{});
        ColumnSampler(*data_.session.experiments[number]->callTree, callsOf(data_, location), data_.indexes[number]->locations[location.id.index()])
            .sample({static_cast<double>(span.begin), layout_.scale.nsPerPixel(), static_cast<std::uint32_t>(columns_.size())}, columns_);
        const LaneTable& table = tableOf(number);
        PixelItem pixels{0, 0, static_cast<int>(columns_.size()), {1}, {}, {}};
        for (const ColumnSample& sample : columns_)
            pixels.argb.push_back(sample.callPath == CallPathId::kNone ? 0 : table.colors(sample.callPath)[0]);
        if (colors_) colors_->recolor(pixels, location, layout_.scale, 1);
        return std::move(pixels.argb);
    }

    const LaneTable& tableOf(std::uint32_t number)
    {
        const auto found = tables_.find(number);
        if (found != tables_.end()) return found->second;
        const Experiment& experiment = *data_.session.experiments[number];
        const RegionPalette palette = regionPalette(experiment.definitions, options_.theme);
        // A single lane holds the innermost call.
        return tables_.emplace(number, LaneTable(experiment, number, state_, palette, options_.theme.background, 1)).first->second;
    }

    DrawList& list_;
    const TimelineData& data_;
    const ViewState& state_;
    const TimelineOptions& options_;
    const TimelineLayout& layout_;
    std::optional<CallColors> colors_;  ///< where calls have colours of their own
    std::vector<ColumnSample> columns_;
    std::vector<std::vector<Vote>> votes_;
    std::map<std::uint32_t, LaneTable> tables_;
};

}  // namespace

void drawFoldedRows(DrawList& list, const TimelineData& data, const ViewState& state, const TimelineOptions& options,
                    const TimelineLayout& layout, const Task& task)
{
    FoldedRows rows(list, data, state, options, layout, task);
    list.pushClip(layout.body);
    for (const PlacedRow& place : layout.places) {
        const TimelineRow& row = layout.rows[place.row];
        const bool visible = place.y + place.height > layout.body.y && place.y < layout.body.bottom();
        if (visible && !row.folded.empty() && !task.stopRequested()) rows.draw(row, place, task);
    }
    list.popClip();
}

}  // namespace skein
