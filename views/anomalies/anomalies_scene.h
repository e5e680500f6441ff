// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/anomaly/anomaly_ranking.h"
#include "core/base/task.h"
#include "views/anomalies/anomaly_query_scene.h"
#include "views/common/scene/color/palette.h"
#include "views/common/scene/data/session_anomalies.h"
#include "views/common/scene/drawing/draw_list.h"
#include "views/common/scene/drawing/scene_style.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace skein {

/// What an axis of the scatter can show.
enum class AnomalyAxis : std::uint8_t {
    Entry,
    Exit,
    Duration,
    OwnTime,
    Severity,
    Score,
    Rank,
    Messages,
    Bytes,
    Children,
    MpiTime,
    Waiting,
    Projection1,  ///< of AnomalyChoices::projected
    Projection2
};
inline constexpr std::size_t kAnomalyAxes = 14;
/// Whether it wants SessionAnomalies::features().
bool isCountedAxis(AnomalyAxis axis);
std::string_view name(AnomalyAxis axis);

/// What the heat map of ranks over time counts.
enum class AnomalyHeat : std::uint8_t { Anomalies, Severity, Calls };
inline constexpr std::size_t kAnomalyHeats = 3;
std::string_view name(AnomalyHeat heat);

/// What is shown of the axes of the scatter, as parts of what holds all points.
struct AnomalyZoom {
    double left = 0, right = 1, low = 0, high = 1;

    bool operator==(const AnomalyZoom&) const = default;
};

/// Which calls are shown by when they are: those that touch a window of fixed length, by default the latest.
struct AnomalyWindow {
    TimeNs lengthNs = 0;    ///< 0: all times
    std::int64_t back = 0;  ///< how many windows before the latest

    /// `end`: of the session.
    TimeSpan span(TimeNs end) const { return {end - (back + 1) * lengthNs, end - back * lengthNs}; }
    bool operator==(const AnomalyWindow&) const = default;
};

/// How the functions stand beside the scatter.
enum class FunctionsAs : std::uint8_t { List, Radar };

struct AnomalyChoices {
    AnomalyAxis x = AnomalyAxis::Entry;
    AnomalyAxis y = AnomalyAxis::Duration;
    FeatureSet projected = kProjectedFeatures;
    AnomalyHeat heat = AnomalyHeat::Anomalies;
    double normalShare = 1.0;  ///< of normal calls that are drawn; 0: anomalies and consequences only
    bool consequences = true;
    AnomalyStatistic statistic = AnomalyStatistic::Count;  ///< by which functions and ranks are listed
    RankingEnd end = RankingEnd::Top;
    std::size_t listed = 10;     ///< of both
    TimeNs leastSeverityNs = 0;  ///< of anomalies and consequences that are shown
    double leastScore = 0.0;     ///< the same
    std::string functions = {};  ///< of interest: parts of names between "|"; empty: all
    AnomalyWindow window = {};
    AnomalyQuery query = {};
    FunctionsAs functionsAs = FunctionsAs::List;
    AnomalyZoom zoom = {};

    bool operator==(const AnomalyChoices&) const = default;
};

/// An axis of the scatter: value to pixel.
struct AnomalyScale {
    double from = 0, to = 1;  ///< values, or their logarithms
    bool logarithmic = false;
    /// Where values below 1 are on a logarithmic axis that has such: a decade below all others.
    std::optional<double> none;
    double low = 0, high = 1;  ///< pixels of both

    double at(double value) const;
};

/// Where the parts are. Device pixels.
struct AnomaliesLayout {
    Rect caption, head, scatter, heat, list;
    AnomalyScale x, y;
};

/// A call, and what was lost in it: of too many calls to be selected those are that lost most.
struct SevereCall {
    IntervalRef call;
    TimeNs severityNs = 0;
};

/// By experiment and function, which are of interest; empty: all of them.
using FunctionsOfInterest = std::vector<std::vector<bool>>;
FunctionsOfInterest functionsOfInterest(const SessionAnomalies& anomalies, const std::string& names);
/// The names of functions that are proposed, as AnomalyChoices::functions wants them.
std::string proposedNames(const SessionAnomalies& anomalies);

/// The calls that pass filters and choices, as indices into points; anomalies last. A call passes a filter
/// by time where it overlaps the span. O(points). A task that is to stop gets some of them only.
std::vector<std::uint32_t> shownPoints(const SessionAnomalies& anomalies, const ViewState& state,
                                       const AnomalyChoices& choices, const Task& task = {});
/// The same at all times, whatever AnomalyChoices::window says.
std::vector<std::uint32_t> pointsOfAllTimes(const SessionAnomalies& anomalies, const ViewState& state,
                                            const AnomalyChoices& choices);

/// `clockShiftsNs` as in ViewState: entry and exit are in session time.
AnomaliesLayout anomaliesLayout(const SessionAnomalies& anomalies, const std::vector<std::uint32_t>& shown,
                                const AnomalyChoices& choices, const Canvas& canvas,
                                const std::vector<TimeNs>& clockShiftsNs = {});

/// The same without axes: O(1).
AnomaliesLayout anomaliesPlaces(const Canvas& canvas);
/// Gives a layout its axes: `x` and `y` hold all points.
void showPartOf(AnomaliesLayout& layout, const AnomalyScale& x, const AnomalyScale& y,
                const AnomalyZoom& zoom);

/// A line of one of the two lists: a function or a rank with its anomalies among the shown points.
struct AnomalyLine {
    std::uint32_t experiment = 0;
    std::uint32_t item = 0;  ///< function, or location
    std::string name;
    RankedItem ranked;
    FunctionVerdicts verdicts;  ///< of functions
    double highestScore = 0.0;  ///< of functions: among its shown anomalies
};
/// Whether times or locations are left out of what is shown. How many calls there are is known of the whole
/// run alone: then it says so, and is not compared with the anomalies that are shown.
bool showsPartOfRun(const ViewState& state, const AnomalyChoices& choices);

/// Windows of time divide what is shown of the run.
std::vector<AnomalyLine> functionLines(const SessionAnomalies& anomalies,
                                       const std::vector<std::uint32_t>& shown, const ViewState& state,
                                       const AnomalyChoices& choices);
std::vector<AnomalyLine> rankLines(const SessionAnomalies& anomalies, const std::vector<std::uint32_t>& shown,
                                   const ViewState& state, const AnomalyChoices& choices);

/// What stands in the lists at a point of the canvas.
struct AnomalyListHit {
    bool isFunction = false;
    AnomalyLine line;
};
std::optional<AnomalyListHit> anomalyListAt(const SessionAnomalies& anomalies,
                                            const std::vector<std::uint32_t>& shown,
                                            const AnomaliesLayout& layout, const ViewState& state,
                                            const AnomalyChoices& choices, const Canvas& canvas, Point point);
/// What the two lists show.
struct AnomalyLists {
    const std::vector<AnomalyLine>& functions;
    const std::vector<AnomalyLine>& ranks;
    const std::vector<RegionPalette>& palettes;  ///< by experiment
};
/// The two lists: functions above, ranks below.
void drawAnomalyLists(DrawList& list, const AnomalyLists& lists, const AnomaliesLayout& layout,
                      const ViewState& state, const AnomalyChoices& choices, const Canvas& canvas);

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
                                           const std::vector<Point>& lasso,
                                           const std::vector<TimeNs>& clockShiftsNs = {});

}  // namespace skein
