// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/anomalies/anomaly_rows_scene.h"

#include "algorithms/anomaly/functions_of_calls.h"
#include "tests/support/catch.h"
#include "tests/support/heatflow_anomalies.h"

#include <algorithm>
#include <map>
#include <set>
#include <stop_token>

namespace skein::anomaly_rows_test {

namespace {

AnomalyRows made(AnomalyRowKind kind, const ViewState& state = {})
{
    auto rows = anomalyRows(kind, *test::heatflowAnomalies(), state, {}, Task());
    REQUIRE(rows.has_value());
    return *rows;
}

double number(const TableCell& cell) { return std::get<double>(cell); }
std::string text(const TableCell& cell) { return std::get<std::string>(cell); }

}  // namespace

TEST_CASE("the table of calls has every call that is not normal once, anomalies first, worst first")
{
    const SessionAnomalies& anomalies = *test::heatflowAnomalies();
    const AnomalyRows rows = made(AnomalyRowKind::Calls);
    CHECK(rows.functions.empty());
    CHECK(rows.locations.empty());
    REQUIRE(rows.calls.size() == rows.cells.size());
    std::map<IntervalRef, const AnomalyPoint*> odd;
    for (const AnomalyPoint& point : anomalies.points)
        if (point.label != AnomalyLabel::Normal) odd[point.call] = &point;
    std::set<IntervalRef> listed;
    for (const SevereCall& each : rows.calls) {
        CHECK(listed.insert(each.call).second);
        REQUIRE(odd.contains(each.call));
        CHECK(each.severityNs == odd[each.call]->severityNs);
    }
    CHECK(listed.size() == odd.size());
    const auto keyOf = [&](const SevereCall& each) {
        return std::pair(odd[each.call]->label != AnomalyLabel::Anomaly, -each.severityNs);
    };
    CHECK(std::ranges::is_sorted(rows.calls, {}, keyOf));
    for (std::size_t row = 0; row < rows.cells.size(); ++row) {
        const AnomalyPoint& point = *odd[rows.calls[row].call];
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
    const AnomalyRows before = made(AnomalyRowKind::Calls);
    ViewState state;
    const IntervalRef worst = before.calls[0].call;
    state.verdicts = {{worst, CallVerdict::Kind::Normal}, {normal->call, CallVerdict::Kind::Anomaly}};
    std::ranges::sort(state.verdicts, {}, &CallVerdict::call);
    const AnomalyRows after = made(AnomalyRowKind::Calls, state);
    CHECK(after.calls.size() == before.calls.size());
    CHECK(std::ranges::find(after.calls, worst, &SevereCall::call) == after.calls.end());
    const auto row = std::ranges::find(after.calls, normal->call, &SevereCall::call);
    REQUIRE(row != after.calls.end());
    const auto& cells = after.cells[static_cast<std::size_t>(row - after.calls.begin())];
    CHECK(text(cells[2]) == "said by you");
}

TEST_CASE("a call that is judged after what the user said of others says that this was learned")
{
    const SessionAnomalies& anomalies = *test::heatflowAnomalies();
    const FunctionsOfCalls& functions = *anomalies.found[0]->functionsOfCalls;
    std::map<std::uint32_t, std::vector<const AnomalyPoint*>> byFunction;
    for (const AnomalyPoint& point : anomalies.points)
        if (point.label == AnomalyLabel::Normal && !functions.blocks(point.function))
            byFunction[point.function].push_back(&point);
    auto alike =
        std::ranges::max_element(byFunction, {}, [](const auto& of) { return of.second.size(); })->second;
    std::ranges::stable_sort(alike, {}, &AnomalyPoint::ownNs);
    const AnomalyPoint& said = *alike[alike.size() * 9 / 10];  // longer ones are taken for anomalies, too
    ViewState state;
    state.verdicts = {{said.call, CallVerdict::Kind::Anomaly}};
    state.verdictUse = VerdictUse::Teach;
    const AnomalyRows rows = made(AnomalyRowKind::Calls, state);
    const auto learned = *anomalies.inForce(state.verdicts, state.verdictUse);
    std::size_t learnedRows = 0;
    for (std::size_t row = 0; row < rows.cells.size(); ++row) {
        const IntervalRef call = rows.calls[row].call;
        const std::string why = text(rows.cells[row][2]);
        CHECK((why == "said by you") == (call == said.call));
        if (why != "learned from what you said") continue;
        ++learnedRows;
        CHECK(std::ranges::find(learned, call, &CallVerdict::call) != learned.end());
    }
    CHECK(learnedRows > 0);
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
    const AnomalyRows functions = made(AnomalyRowKind::Functions);
    const Definitions& definitions = anomalies.session->experiments[0]->definitions;
    REQUIRE(functions.functions.size() == functions.cells.size());
    CHECK_FALSE(functions.showsPart);
    double inFunctions = 0, lostInFunctions = 0;
    for (std::size_t row = 0; row < functions.cells.size(); ++row) {
        const auto& cells = functions.cells[row];
        REQUIRE(cells.size() == 1 + kAnomalyStatistics + 6);
        CHECK(text(cells[0]) == functionName(definitions, functions.functions[row].id.value()));
        inFunctions += number(cells[1]);
        lostInFunctions += number(cells[2]);
        const double calls = number(cells[1 + kAnomalyStatistics]);
        CHECK(number(cells[2 + kAnomalyStatistics]) <= calls - number(cells[1]));
        CHECK(number(cells[3 + kAnomalyStatistics]) * calls == Approx(number(cells[1])));
    }
    CHECK(inFunctions == all);
    CHECK(lostInFunctions == lostNs);
    const AnomalyRows ranks = made(AnomalyRowKind::Ranks);
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
    for (const AnomalyRowKind kind :
         {AnomalyRowKind::Calls, AnomalyRowKind::Functions, AnomalyRowKind::Ranks}) {
        const auto rows = anomalyRows(kind, *test::heatflowAnomalies(), {}, {}, Task(stop.get_token()));
        REQUIRE_FALSE(rows.has_value());
        CHECK(rows.error().cancelled());
    }
}

}  // namespace skein::anomaly_rows_test
