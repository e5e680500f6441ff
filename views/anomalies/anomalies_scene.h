// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/anomalies/anomaly_points_scene.h"
#include "views/common/scene/drawing/draw_list.h"
#include "views/common/scene/drawing/scene_style.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace skein {

/// What an axis of the scatter can show.
enum class AnomalyAxis : std::uint8_t { Entry, Exit, Duration, OwnTime, Severity, Score, Rank };
inline constexpr std::size_t kAnomalyAxes = 7;
std::string_view name(AnomalyAxis axis);

/// What the heat map of ranks over time counts.
enum class AnomalyHeat : std::uint8_t { Anomalies, Severity, Calls };
inline constexpr std::size_t kAnomalyHeats = 3;
std::string_view name(AnomalyHeat heat);

struct AnomalyChoices {
    AnomalyAxis x = AnomalyAxis::Entry;
    AnomalyAxis y = AnomalyAxis::Duration;
    AnomalyHeat heat = AnomalyHeat::Anomalies;
    double normalShare = 1.0;  ///< of normal calls that are drawn; 0: anomalies and consequences only
    bool consequences = true;

    bool operator==(const AnomalyChoices&) const = default;
};

/// An axis of the scatter: value to pixel.
struct AnomalyScale {
    double from = 0, to = 1;  ///< values, or their logarithms
    bool logarithmic = false;
    double low = 0, high = 1;  ///< pixels of both

    double at(double value) const;
};

/// Where the parts are. Device pixels.
struct AnomaliesLayout {
    Rect caption, head, scatter, heat, list;
    AnomalyScale x, y;
};

/// The calls that pass filters and choices, as indices into points; anomalies last.
std::vector<std::uint32_t> shownPoints(const SessionAnomalies& anomalies, const ViewState& state,
                                       const AnomalyChoices& choices);

AnomaliesLayout anomaliesLayout(const SessionAnomalies& anomalies, const std::vector<std::uint32_t>& shown,
                                const AnomalyChoices& choices, const Canvas& canvas);

/// Scatter of calls with anomalies on top and never hidden, the heat map of ranks over time below, and what
/// was found of each function beside it. O(points).
DrawList anomaliesScene(const SessionAnomalies& anomalies, const ViewState& state,
                        const AnomalyChoices& choices, const Canvas& canvas, const Task& task);

/// The shown call nearest to a point within 8 logical pixels, anomalies before others. O(points).
std::optional<std::uint32_t> anomalyPointAt(const SessionAnomalies& anomalies,
                                            const std::vector<std::uint32_t>& shown,
                                            const AnomaliesLayout& layout, const AnomalyChoices& choices,
                                            const ViewState& state, Point point, double scale);

/// The shown calls within a line that closes itself (even-odd). O(points · corners).
std::vector<std::uint32_t> anomaliesWithin(const SessionAnomalies& anomalies,
                                           const std::vector<std::uint32_t>& shown,
                                           const AnomaliesLayout& layout, const AnomalyChoices& choices,
                                           const std::vector<Point>& lasso);

}  // namespace skein
