// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/select/view_state.h"
#include "core/session/experiment.h"
#include "views/common/scene/drawing/draw_list.h"
#include "views/common/scene/drawing/scene_style.h"
#include "views/legend/legend_shares_scene.h"

#include <optional>
#include <string>
#include <vector>

namespace skein {

/// A line of the legend as a picture.
struct LegendRow {
    Color color;
    std::string name;
    std::optional<double> share;  ///< of the own time; nullopt: none is told
    bool ofGroup = false;         ///< bold, and what follows is set in
};

/// Every colour that calls, messages and wait states have in the state's colour mode: each group of which
/// filters leave something and below it its regions, those with most time first; or the ends of a scale.
/// O(regions · log regions).
std::vector<LegendRow> legendRows(const Session& session, const ViewState& state, const OwnTimeShares& shares,
                                  const Theme& theme);

/// How high all rows are on a canvas of this width, in device pixels.
int legendHeight(const std::vector<LegendRow>& rows, const Canvas& canvas);

/// A swatch, a name and a share each, from top to bottom in as many columns as have room. What has none is
/// counted in the last place.
DrawList legendScene(const std::vector<LegendRow>& rows, const Canvas& canvas);

}  // namespace skein
