// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"
#include "views/balance/balance_phases_scene.h"
#include "views/common/scene/drawing/draw_list.h"
#include "views/common/scene/drawing/scene_style.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace skein {

/// One run: its words, and the curves below them; empty where it has no phases.
struct PhasePane {
    Rect title, plot;
};

/// Where the parts are. Device pixels.
struct PhaseLayout {
    Rect caption, legend, foot;
    std::vector<PhasePane> panes;  ///< of the first runs, those that have room
    std::size_t count = 0;         ///< phases side by side, in all panes
    double low = 0;                ///< value at the bottom of the plots; 1 is at the top

    double toX(const Rect& plot, double phase) const
    {
        return plot.x + (phase - 0.5) * plot.width / static_cast<double>(count);
    }
    double toY(const Rect& plot, double value) const
    {
        return plot.bottom() - (value - low) / (1 - low) * plot.height;
    }
};

PhaseLayout phaseLayout(const BalancePhases& phases, const Canvas& canvas);

/// Parallel efficiency, load balance and communication efficiency as curves over the numbers of phases, a
/// pane a run. The axis begins at 0, or at a round value below all others where all are over a half. With
/// more phases than pixels a pixel shows the extremes of its phases. O(pixels + phases).
DrawList phaseCurvesScene(const BalancePhases& phases, const Canvas& canvas, const Task& task);

/// The phases that are the visible span.
DrawList phaseCurvesOverlay(const BalancePhases& phases, const std::optional<TimeSpan>& visible,
                            const PhaseLayout& layout, const Canvas& canvas);

/// The phase at a point of a plot; of several in a pixel the one with the least parallel efficiency.
std::optional<PhasePlace> phaseAt(const BalancePhases& phases, const PhaseLayout& layout, Point point);

/// What phase it is, and its numbers.
std::vector<std::string> phaseTooltip(const BalancePhases& phases, PhasePlace place);

}  // namespace skein
