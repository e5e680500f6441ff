// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/anomalies/anomaly_rows_scene.h"

#include "core/session/session_clock.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace skein {
namespace {

constexpr std::size_t kMostRows = 100'000;
constexpr std::size_t kRowsBetweenLooks = 1024;  ///< at whether the work was cancelled

/// Anomalies before consequences, of both those first that lost most; no more than are listed.
std::vector<std::uint32_t> worstFirst(const SessionAnomalies& anomalies, const ViewState& state,
                                      std::vector<std::uint32_t> points)
{
    using Key = std::tuple<bool, TimeNs, std::size_t, std::uint32_t>;  // its place: of equal ones the first
    std::vector<Key> keys;
    keys.reserve(points.size());
    for (const std::uint32_t i : points) {
        const AnomalyPoint& point = anomalies.points[i];
        keys.emplace_back(labelOf(point, state.verdicts) != AnomalyLabel::Anomaly, -point.severityNs,
                          keys.size(), i);
    }
    const std::size_t listed = std::min(keys.size(), kMostRows);
    const auto end = keys.begin() + static_cast<std::ptrdiff_t>(listed);
    if (end != keys.end()) std::nth_element(keys.begin(), end, keys.end());
    std::sort(keys.begin(), end);
    points.resize(listed);
    for (std::size_t i = 0; i < listed; ++i) points[i] = std::get<std::uint32_t>(keys[i]);
    return points;
}

std::string whyLabelled(const SessionAnomalies& anomalies, const AnomalyPoint& point, AnomalyLabel label,
                        const std::vector<CallVerdict>& said)
{
    if (label == point.label) return std::string(whyOf(anomalies, point));
    return labelOf(point, said) == label ? "said by you" : "learned from what you said";
}

/// The verdicts of `state` are in force.
std::vector<TableCell> cellsOfCall(const SessionAnomalies& anomalies, const AnomalyPoint& point,
                                   const ViewState& state, const std::vector<CallVerdict>& said,
                                   const SessionClock& clock)
{
    const AnomalyLabel label = labelOf(point, state.verdicts);
    const bool judged = point.label != AnomalyLabel::Normal;
    const JudgedCall* call = judged ? &anomalies.call({point.call.experiment, point.place}) : nullptr;
    const auto cause = judged ? anomalies.causeOf(point) : std::nullopt;
    const auto time = [](TimeNs ns) { return TableCell(static_cast<double>(ns)); };
    return {callTitle(*anomalies.session, point.call),
            std::string(name(label)),
            whyLabelled(anomalies, point, label, said),
            time(clock.toSession(point.call.experiment, point.begin)),
            time(point.durationNs),
            time(point.ownNs),
            time(point.severityNs),
            point.score,
            time(call ? call->costNs : 0),
            cause ? nameOfCause(anomalies, point, *cause) : std::string()};
}

Result<AnomalyRows> rowsOfCalls(const SessionAnomalies& anomalies, const ViewState& state,
                                const std::vector<CallVerdict>& said, std::vector<std::uint32_t> shown,
                                const Task& task)
{
    AnomalyRows rows;
    const SessionClock clock = sessionClock(*anomalies.session, state.clockShiftsNs);
    for (const std::uint32_t i : worstFirst(anomalies, state, std::move(shown))) {
        if (rows.cells.size() % kRowsBetweenLooks == 0 && task.stopRequested()) return cancelled();
        const AnomalyPoint& point = anomalies.points[i];
        rows.cells.push_back(cellsOfCall(anomalies, point, state, said, clock));
        rows.calls.push_back({point.call, point.severityNs});
    }
    return rows;
}

/// Calls are counted of the whole run: so are the anomalies that they are compared with.
void addVerdicts(const AnomalyLine& line, bool showsPart, std::vector<TableCell>& row)
{
    const FunctionVerdicts& of = line.verdicts;
    const std::uint64_t anomalous = showsPart ? of.anomalies : line.ranked.anomalies;
    const std::uint64_t odd = anomalous + of.consequences;
    row.emplace_back(static_cast<double>(of.calls));
    row.emplace_back(static_cast<double>(of.calls > odd ? of.calls - odd : 0));
    row.emplace_back(of.calls > 0 ? static_cast<double>(anomalous) / static_cast<double>(of.calls) : 0.0);
    row.emplace_back(of.meanNs);
    row.emplace_back(of.deviationNs);
    row.emplace_back(of.interest);
}

RegionRef regionOf(const SessionAnomalies& anomalies, const AnomalyLine& line)
{
    const auto defined = anomalies.session->experiments[line.experiment]->definitions.regions.size();
    return line.item < defined ? RegionRef{line.experiment, RegionId(line.item)} : RegionRef{};
}

AnomalyRows rowsOfLines(const SessionAnomalies& anomalies, const std::vector<AnomalyLine>& lines,
                        AnomalyRowKind kind, bool showsPart)
{
    AnomalyRows rows;
    rows.kind = kind;
    rows.showsPart = showsPart;
    const bool functions = kind == AnomalyRowKind::Functions;
    for (const AnomalyLine& line : lines) {
        std::vector<TableCell> row{line.name};
        for (const double value : line.ranked.values) row.emplace_back(value);
        if (functions) addVerdicts(line, showsPart, row);
        rows.cells.push_back(std::move(row));
        if (functions) rows.functions.push_back(regionOf(anomalies, line));
        else rows.locations.push_back({line.experiment, LocationId(line.item)});
    }
    return rows;
}

}  // namespace

Result<AnomalyRows> anomalyRows(AnomalyRowKind kind, const SessionAnomalies& anomalies,
                                const ViewState& state, const AnomalyChoices& choices, const Task& task)
{
    if (task.stopRequested()) return cancelled();
    ViewState inForce = state;
    inForce.verdicts = *anomalies.inForce(state.verdicts, state.verdictUse);
    AnomalyChoices wanted = choices;
    wanted.normalShare = 0.0;
    wanted.listed = kMostRows;
    std::vector<std::uint32_t> shown = shownPoints(anomalies, inForce, wanted, task);
    if (task.stopRequested()) return cancelled();
    if (kind == AnomalyRowKind::Calls)
        return rowsOfCalls(anomalies, inForce, state.verdicts, std::move(shown), task);
    const bool functions = kind == AnomalyRowKind::Functions;
    return rowsOfLines(anomalies,
                       functions ? functionLines(anomalies, shown, inForce, wanted)
                                 : rankLines(anomalies, shown, inForce, wanted),
                       kind, showsPartOfRun(inForce, wanted));
}

}  // namespace skein
