// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/select/view_state.h"
#include "core/session/experiment.h"
#include "views/common/scene/color/palette.h"

#include <cstdint>
#include <vector>

namespace skein {

/// For every call path of an experiment the colours of a row's lanes, from the outermost call to the
/// innermost one. Calls of hidden regions are left out of the stack; where it is shorter than the lanes, its
/// innermost call fills the rest. Colours are those of the state's colour mode. Where call paths are
/// selected, all others fade. Immutable.
class LaneTable {
public:
    LaneTable(const Experiment& experiment, std::uint32_t number, const ViewState& state,
              const RegionPalette& palette, Color background, std::uint32_t lanes);

    std::uint32_t lanes() const { return lanes_; }
    /// `lanes()` colours, 0xAARRGGBB; 0 where nothing is shown.
    const std::uint32_t* colors(std::uint32_t callPath) const
    {
        return colors_.data() + std::size_t{callPath} * lanes_;
    }
    /// The lane in which the call itself begins to be drawn; lanes() where its region is hidden.
    std::uint32_t laneOf(std::uint32_t callPath) const { return laneOf_[callPath]; }

    /// How many calls around and including this one are shown.
    std::uint32_t level(std::uint32_t callPath) const { return level_[callPath]; }

private:
    std::uint32_t lanes_;
    std::vector<std::uint32_t> colors_;
    std::vector<std::uint32_t> laneOf_;
    std::vector<std::uint32_t> level_;
};

}  // namespace skein
