// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/session_clock.h"
#include "views/anomalies/anomalies_scene.h"
#include "views/anomalies/anomaly_axes_scene.h"
#include "views/anomalies/anomaly_heat_scene.h"
#include "views/common/scene/color/palette.h"
#include "views/common/scene/drawing/theme.h"

#include <array>
#include <cstdint>
#include <vector>

namespace skein {

/// How fine the density of normal calls is: blocks of 2 logical pixels, or of 4 where a picture of many
/// pixels moves.
enum class AnomaliesDetail : std::uint8_t { AtRest, Moving };

/// All of an anomalies' picture that does not depend on which part of the axes is shown, so that pictures of
/// other parts look at each normal call in sight once and at nothing else of it. Immutable: drawn by any
/// thread. What it is made of must outlive it.
class AnomaliesPicture {
public:
    /// O(points). `choices.zoom` is not looked at.
    AnomaliesPicture(const SessionAnomalies& anomalies, ViewState state, AnomalyChoices choices,
                     const Theme& theme);

    const std::vector<std::uint32_t>& shown() const { return shown_; }
    const AnomalyHeatMap& heat() const { return heat_; }
    /// `canvas` must have the theme that the picture was made with. O(normal calls in sight + pixels).
    DrawList draw(const AnomalyZoom& zoom, AnomaliesDetail detail, const Canvas& canvas,
                  const Task& task) const;
    AnomaliesLayout layout(const AnomalyZoom& zoom, const Canvas& canvas) const;

private:
    friend class AnomaliesPainter;

    /// A normal call.
    struct Dot {
        float across, up;    ///< parts of the whole axes
        std::uint32_t dice;  ///< the least of a block gives it its colour
        std::uint32_t argb;
    };
    /// Another call.
    struct Mark {
        std::uint32_t point;
        double across, up;
    };
    static constexpr std::size_t kCells = 128;  ///< of each axis; dots of a cell lie beside each other
    static std::size_t cellOf(double part);

    void addDots(const AxisValues& across, const AxisValues& up, const Theme& theme);
    void sortDots();
    void addMarks(const AxisValues& across, const AxisValues& up);
    void fadeLeastSevere(const Theme& theme);
    void addChosen(const AxisValues& across, const AxisValues& up);

    const SessionAnomalies& anomalies_;
    ViewState state_;
    AnomalyChoices choices_;
    std::vector<std::uint32_t> shown_;
    SessionClock clock_;
    AnomalyScale x_, y_;  ///< of all points
    std::vector<RegionPalette> palettes_;
    std::vector<Dot> dots_;
    std::vector<std::uint32_t> cells_;  ///< the first dot of each, row by row, and the end
    std::vector<Mark> follows_, odd_;   ///< the least severe first
    std::size_t consequences_ = 0;      ///< those among the dots as well
    std::vector<Mark> chosen_;          ///< what is selected of all that is shown
    std::vector<AnomalyLine> functions_, ranks_;
    AnomalyHeatMap heat_;
};

}  // namespace skein
