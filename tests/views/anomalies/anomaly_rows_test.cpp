// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/anomalies/anomaly_rows_scene.h"

#include "tests/support/catch.h"
#include "tests/views/anomalies/heatflow_anomalies.h"

#include <algorithm>
#include <map>
#include <stop_token>

namespace skein::anomaly_rows_test {

namespace {

AnomalyRows made(AnomalyRowsOf of, const ViewState& state = {})
{
    auto rows = anomalyRows(of, *test::heatflowAnomalies(), state, {}, Task());
    REQUIRE(rows.has_value());
    return *rows;
}

double number(const TableCell& cell) { return std::get<double>(cell); }
std::string text(const TableCell& cell) { return std::get<std::string>(cell); }

}  // namespace

TEST_CASE("the table of calls has every call that is not normal once, anomalies first, worst first")
{
    const SessionAnomalies& anomalies = *test::heatflowAnomalies();
    const AnomalyRows rows = made(AnomalyRowsOf::Calls);
    CHECK(rows.functions.empty());
    CHECK(rows.locations.empty());
    REQUIRE(rows.points.size() == rows.cells.size());
    std::vector<std::uint32_t> odd;
    for (std::uint32_t i = 0; i < anomalies.points.size(); ++i)
        if (anomalies.points[i].label != AnomalyLabel::Normal) odd.push_back(i);
    std::vector<std::uint32_t> listed = rows.points;
    std::ranges::sort(listed);
    CHECK(listed == odd);
    const auto keyOf = [&](std::uint32_t i) {
        const AnomalyPoint& point = anomalies.points[i];
        return std::pair(point.label != AnomalyLabel::Anomaly, -point.severityNs);
    };
    CHECK(std::ranges::is_sorted(rows.points, {}, keyOf));
    for (std::size_t row = 0; row < rows.cells.size(); ++row) {
        const AnomalyPoint& point = anomalies.points[rows.points[row]];
        const auto& cells = rows.cells[row];
        REQUIRE(cells.size() == 10);
        CHECK(text(cells[0]) == callTitle(*anomalies.session, point.call));
        CHECK(text(cells[1]) == name(point.label));
        CHECK(text(cells[2]) == whyOf(anomalies, point));
        CHECK(number(cells[3]) == static_cast<double>(point.begin));
        CHECK(number(cells[4]) == static_cast<double>(point.durationNs));
        CHECK(number(cells[5]) == static_cast<double>(point.ownNs));
        CHECK(number(cells[6]) == static_cast<double>(point.severityNs));
        CHECK(number(cells[7]) == point.score);
        CHECK(text(cells[9]).empty() == !anomalies.causeOf(point).has_value());
    }
}

TEST_CASE("a call that the user has judged says so, and one that is said to be normal is in no row")
{
    const SessionAnomalies& anomalies = *test::heatflowAnomalies();
    const auto normal = std::ranges::find(anomalies.points, AnomalyLabel::Normal, &AnomalyPoint::label);
    REQUIRE(normal != anomalies.points.end());
    const AnomalyRows before = made(AnomalyRowsOf::Calls);
    ViewState state;
    const IntervalRef worst = anomalies.points[before.points[0]].call;
    state.verdicts = {{worst, CallVerdict::Kind::Normal}, {normal->call, CallVerdict::Kind::Anomaly}};
    std::ranges::sort(state.verdicts, {}, &CallVerdict::call);
    const AnomalyRows after = made(AnomalyRowsOf::Calls, state);
    CHECK(after.points.size() == before.points.size());
    CHECK(std::ranges::find(after.points, before.points[0]) == after.points.end());
    const auto row =
        std::ranges::find(after.points, static_cast<std::uint32_t>(normal - anomalies.points.begin()));
    REQUIRE(row != after.points.end());
    const auto& cells = after.cells[static_cast<std::size_t>(row - after.points.begin())];
    CHECK(text(cells[2]) == "said by you");
}

TEST_CASE("tables of functions and ranks count the anomalies that the table of calls lists")
{
    const SessionAnomalies& anomalies = *test::heatflowAnomalies();
    std::map<LocationRef, double> ofRank;
    double all = 0, lostNs = 0;
    for (const AnomalyPoint& point : anomalies.points) {
        if (point.label != AnomalyLabel::Anomaly) continue;
        ++all;
        lostNs += static_cast<double>(point.severityNs);
        ofRank[{point.call.experiment, point.call.location}] += 1;
    }
    const AnomalyRows functions = made(AnomalyRowsOf::Functions);
    REQUIRE(functions.functions.size() == functions.cells.size());
    CHECK_FALSE(functions.showsPart);
    double inFunctions = 0, lostInFunctions = 0;
    for (std::size_t row = 0; row < functions.cells.size(); ++row) {
        const auto& cells = functions.cells[row];
        REQUIRE(cells.size() == 1 + kAnomalyStatistics + 6);
        CHECK(text(cells[0]) == functions.functions[row]);
        inFunctions += number(cells[1]);
        lostInFunctions += number(cells[2]);
        const double calls = number(cells[1 + kAnomalyStatistics]);
        CHECK(number(cells[2 + kAnomalyStatistics]) <= calls - number(cells[1]));
        CHECK(number(cells[3 + kAnomalyStatistics]) * calls == Approx(number(cells[1])));
    }
    CHECK(inFunctions == all);
    CHECK(lostInFunctions == lostNs);
    const AnomalyRows ranks = made(AnomalyRowsOf::Ranks);
    REQUIRE(ranks.locations.size() == ranks.cells.size());
    double inRanks = 0;
    for (std::size_t row = 0; row < ranks.cells.size(); ++row) {
        REQUIRE(ranks.cells[row].size() == 1 + kAnomalyStatistics);
        const auto counted = ofRank.find(ranks.locations[row]);
        CHECK(number(ranks.cells[row][1]) == (counted == ofRank.end() ? 0 : counted->second));
        inRanks += number(ranks.cells[row][1]);
    }
    CHECK(inRanks == all);
}

TEST_CASE("rows of anomalies that nobody wants any more are not made")
{
    std::stop_source stop;
    stop.request_stop();
    for (const AnomalyRowsOf of : {AnomalyRowsOf::Calls, AnomalyRowsOf::Functions, AnomalyRowsOf::Ranks}) {
        const auto rows = anomalyRows(of, *test::heatflowAnomalies(), {}, {}, Task(stop.get_token()));
        REQUIRE_FALSE(rows.has_value());
        CHECK(rows.error().cancelled());
    }
}

}  // namespace skein::anomaly_rows_test
