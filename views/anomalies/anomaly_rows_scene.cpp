// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/anomalies/anomaly_rows_scene.h"

#include "core/session/session_clock.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace skein {
namespace {

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
    const std::size_t listed = std::min(keys.size(), kMostAnomalyRows);
    std::partial_sort(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(listed), keys.end());
    points.resize(listed);
    for (std::size_t i = 0; i < listed; ++i) points[i] = std::get<std::uint32_t>(keys[i]);
    return points;
}

std::vector<TableCell> cellsOfCall(const SessionAnomalies& anomalies, const AnomalyPoint& point,
                                   const ViewState& state, const SessionClock& clock)
{
    const AnomalyLabel label = labelOf(point, state.verdicts);
    const bool judged = point.label != AnomalyLabel::Normal;
    const JudgedCall* call = judged ? &anomalies.call({point.call.experiment, point.place}) : nullptr;
    const auto cause = judged ? anomalies.causeOf(point) : std::nullopt;
    const auto time = [](TimeNs ns) { return TableCell(static_cast<double>(ns)); };
    return {callTitle(*anomalies.session, point.call),
            std::string(name(label)),
            label == point.label ? std::string(whyOf(anomalies, point)) : std::string("said by you"),
            time(clock.toSession(point.call.experiment, point.begin)),
            time(point.durationNs),
            time(point.ownNs),
            time(point.severityNs),
            point.score,
            time(call ? call->costNs : 0),
            cause ? nameOfCause(anomalies, point, *cause) : std::string()};
}

Result<AnomalyRows> rowsOfCalls(const SessionAnomalies& anomalies, const ViewState& state,
                                std::vector<std::uint32_t> shown, const Task& task)
{
    AnomalyRows rows;
    const SessionClock clock = sessionClock(*anomalies.session, state.clockShiftsNs);
    rows.points = worstFirst(anomalies, state, std::move(shown));
    rows.cells.reserve(rows.points.size());
    for (const std::uint32_t i : rows.points) {
        if (rows.cells.size() % kRowsBetweenLooks == 0 && task.stopRequested()) return cancelled();
        rows.cells.push_back(cellsOfCall(anomalies, anomalies.points[i], state, clock));
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

AnomalyRows rowsOfLines(const std::vector<AnomalyLine>& lines, AnomalyRowsOf of, bool showsPart)
{
    AnomalyRows rows;
    rows.of = of;
    rows.showsPart = showsPart;
    const bool functions = of == AnomalyRowsOf::Functions;
    for (const AnomalyLine& line : lines) {
        std::vector<TableCell> row{line.name};
        for (const double value : line.ranked.values) row.emplace_back(value);
        if (functions) addVerdicts(line, showsPart, row);
        rows.cells.push_back(std::move(row));
        if (functions) rows.functions.push_back(line.name);
        else rows.locations.push_back({line.experiment, LocationId(line.item)});
    }
    return rows;
}

}  // namespace

Result<AnomalyRows> anomalyRows(AnomalyRowsOf of, const SessionAnomalies& anomalies, const ViewState& state,
                                const AnomalyChoices& choices, const Task& task)
{
    AnomalyChoices wanted = choices;
    wanted.normalShare = 0.0;
    wanted.listed = kMostAnomalyRows;
    std::vector<std::uint32_t> shown = shownPoints(anomalies, state, wanted);
    if (task.stopRequested()) return cancelled();
    if (of == AnomalyRowsOf::Calls) return rowsOfCalls(anomalies, state, std::move(shown), task);
    return rowsOfLines(of == AnomalyRowsOf::Functions ? functionLines(anomalies, shown, state, wanted)
                                                      : rankLines(anomalies, shown, state, wanted),
                       of, showsPartOfRun(state, wanted));
}

}  // namespace skein
