// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/session_clock.h"
#include "views/anomalies/anomalies_scene.h"

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace skein {

/// Programs that are open together each have a rank 3.
struct AnomalyHeatRank {
    std::uint32_t experiment = 0;
    std::int64_t rank = 0;

    auto operator<=>(const AnomalyHeatRank&) const = default;
};

/// What the map counts of a rank, or of some that share a row, in a stretch of time.
struct AnomalyHeatCell {
    AnomalyHeatRank first, last;
    TimeSpan span;                       ///< the session's time
    double value = 0;                    ///< calls, or ns lost
    std::vector<std::uint32_t> points;   ///< of SessionAnomalies::points
    std::vector<std::string> text = {};  ///< "Rank 3", when, and how much
};

/// Ranks from top to bottom, time from left to right: how many anomalies are there, what they lost, or how
/// many calls. Of all times, whatever window the scatter shows; where that shows all entries from left to
/// right, the same times stand above each other.
class AnomalyHeatMap {
public:
    /// `shown`: the points of the scatter; `x`: its axis over all of them. O(points).
    AnomalyHeatMap(const SessionAnomalies& anomalies, const ViewState& state, const AnomalyChoices& choices,
                   const std::vector<std::uint32_t>& shown, const AnomalyScale& x);

    /// O(calls that are counted + pixels).
    void draw(DrawList& list, const Rect& area, const AnomalyZoom& zoom, const Canvas& canvas) const;
    /// Nothing where nothing is counted. O(calls that are counted).
    std::optional<AnomalyHeatCell> cellAt(const Rect& area, const AnomalyZoom& zoom, const Canvas& canvas,
                                          Point point) const;

private:
    struct HeatCall {
        float time;  ///< part of the whole time
        std::uint32_t row, point;
        double weight;
    };
    /// How the area is divided, and which part of the time it shows.
    struct Grid {
        int columns = 0;
        std::size_t rows = 0;
        double left = 0, right = 1;
    };

    void addTimes(const SessionAnomalies& anomalies, const AnomalyChoices& choices,
                  const std::vector<std::uint32_t>& points, const SessionClock& clock, const AnomalyScale& x);
    std::vector<std::vector<std::size_t>> rowsOfLocations(const SessionAnomalies& anomalies,
                                                          const std::vector<std::uint32_t>& points);
    std::optional<Grid> gridOf(const Rect& area, const AnomalyZoom& zoom, const Canvas& canvas) const;
    /// Column and row; nothing out of sight.
    std::optional<std::size_t> cellOf(const HeatCall& call, const Grid& grid) const;
    std::string nameOf(const AnomalyHeatRank& rank) const;
    std::string labelOf(const AnomalyHeatRank& rank, double width, const TextMeasure& measure) const;
    std::vector<std::string> textOf(const AnomalyHeatCell& cell) const;
    void drawLabels(DrawList& list, const Rect& area, std::size_t rows, const Canvas& canvas) const;

    AnomalyHeat heat_;
    bool sampled_;                              ///< calls, of which not all normal ones are drawn
    bool followsAxis_ = true;                   ///< the zoom of the scatter is that of the map
    double from_ = 0.0, to_ = 1.0;              ///< the session's time
    double windowFrom_ = 0.0, windowTo_ = 0.0;  ///< parts of it; equal: no window
    std::vector<AnomalyHeatRank> ranks_;        ///< ascending
    std::vector<std::string> titles_;           ///< of the archives, where there are several
    std::vector<HeatCall> calls_;
};

}  // namespace skein
