// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/collapsed_tooltip_scene.h"

#include "views/timeline/row_samples_scene.h"

#include <cmath>

namespace skein {
namespace {

/// The innermost caller that is shown, beginning with the call itself.
RegionRef shownRegion(const Experiment& experiment, std::uint32_t number, const ViewState& state,
                      CallPathId callPath)
{
    for (CallPathId at = callPath; at.valid(); at = experiment.callTree->parent(at)) {
        const RegionRef region{number, experiment.callTree->region(at)};
        if (region.id.valid() && passes(state.filters, region)) return region;
    }
    return {};
}

}  // namespace

RegionRef regionTogetherAt(const TimelineData& data, const ViewState& state, const TimelineOptions& options,
                           const TimelineLayout& layout, const TimelineRow& row, double x)
{
    if (row.folded.empty() || x < layout.body.x || x >= layout.body.right()) return {};
    // A picture that is one pixel wide.
    const double column = std::floor(x - layout.body.x);
    const TimeNs begin = layout.scale.toTime(layout.body.x + column);
    TimelineLayout narrow;
    narrow.scale = {{begin, std::max(begin + 1, layout.scale.toTime(layout.body.x + column + 1))}, 0, 1};
    narrow.body = {0, 0, 1, 1};
    RowSamples samples(data, options, narrow);
    samples.takeTogether(row.folded, Task());
    const std::uint32_t callPath = samples.columns().front().callPath;
    if (callPath == CallPathId::kNone) return {};
    const std::uint32_t number = row.folded.front().experiment;
    return shownRegion(*data.session.experiments[number], number, state, CallPathId(callPath));
}

}  // namespace skein
