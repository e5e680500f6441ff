// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of levels of the system tree are the columns of the panel Balance.
#include "tests/support/catch.h"
#include "tests/support/cli.h"
#include "tests/support/racks.h"
#include "tests/support/random_trace.h"
#include "views/balance/balance_matrix_scene.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace skein::profile_levels_test {

using nlohmann::json;
using test::runCli;

namespace {

Experiment inRacks()
{
    Experiment experiment = test::randomExperiment(11, {.processes = 6, .threadsPerProcess = 2});
    test::putIntoRacks(experiment.definitions);
    return experiment;
}

json rowsBy(const char* by, const char* level, const Experiment& experiment)
{
    const auto result =
        runCli({"profile", "a", "--by", by, "--group-by", level, "--format", "json"}, {{"a", experiment}});
    INFO(result.err);
    REQUIRE(result.exitCode == 0);
    return json::parse(result.out);
}

BalanceMatrix matrixOf(const Experiment& experiment, BalanceQuantity quantity, const char* level)
{
    const Session session{{std::make_shared<const Experiment>(experiment)}};
    return makeBalanceMatrix(session, {{}, quantity, seriesGrouping(level)}, Task()).value();
}

std::size_t columnOf(const BalanceMatrix& matrix, const json& row)
{
    const std::string name = row["location"];
    const auto found = std::find_if(matrix.columns.begin(), matrix.columns.end(),
                                    [&](const BalanceColumn& column) { return column.name == name; });
    REQUIRE(found != matrix.columns.end());
    return static_cast<std::size_t>(found - matrix.columns.begin());
}

const BalanceRow& rowOf(const BalanceMatrix& matrix, const json& row)
{
    const auto found = std::find_if(matrix.rows.begin(), matrix.rows.end(),
                                    [&](const BalanceRow& one) { return one.name == row["name"]; });
    REQUIRE(found != matrix.rows.end());
    return *found;
}

}  // namespace

TEST_CASE("region-location by a level of the system tree prints what the panel Balance shows")
{
    const Experiment experiment = inRacks();
    for (const char* level : {"rack", "socket", "process", "node"}) {
        INFO(level);
        const BalanceMatrix inclusive = matrixOf(experiment, BalanceQuantity::Inclusive, level);
        const BalanceMatrix exclusive = matrixOf(experiment, BalanceQuantity::Exclusive, level);
        const json rows = rowsBy("region-location", level, experiment);
        double whole = 0;
        for (const json& row : rows) {
            const BalanceRow& told = rowOf(inclusive, row);
            const std::size_t column = columnOf(inclusive, row);
            CHECK(row["inclusive_ns"].get<double>() == Approx(told.values[column]).margin(1e-3));
            CHECK(row["difference_ns"].get<double>() == Approx(told.values[column] - told.mean).margin(1e-2));
            CHECK(row["locations"] == inclusive.columns[column].locations.size());
            CHECK(row["location_percent"].get<double>()
                  == Approx(100 * row["exclusive_ns"].get<double>() / exclusive.columnTotals[column])
                         .margin(1e-3));
            whole += row["inclusive_ns"].get<double>();
        }
        double shown = 0;
        for (const BalanceRow& row : inclusive.rows) shown += row.total;
        CHECK(whole == Approx(shown));
    }
}

TEST_CASE("location by a level of the system tree sums up the locations of each")
{
    const Experiment experiment = inRacks();
    const json rows = rowsBy("location", "socket", experiment);
    REQUIRE(rows.size() == 3);
    const json single = json::parse(
        runCli({"profile", "a", "--by", "location", "--format", "json"}, {{"a", experiment}}).out);
    for (std::size_t socket = 0; socket < 3; ++socket) {
        const json& row = rows[socket];
        CHECK(row["name"] == "s" + std::to_string(socket));
        CHECK(row["locations"] == 4);
        double calls = 0, exclusive = 0;
        for (std::size_t i = 0; i < single.size(); ++i) {
            if (experiment.definitions.location(LocationId(i)).group.index() / 2 != socket) continue;
            calls += single[i]["calls"].get<double>();
            exclusive += single[i]["exclusive_ns"].get<double>();
        }
        CHECK(row["calls"].get<double>() == calls);
        CHECK(row["exclusive_ns"].get<double>() == Approx(exclusive));
        CHECK(row["inclusive_ns"] == row["exclusive_ns"]);
    }
    CHECK(rowsBy("location", "component", experiment).size() == 1);
    CHECK(rowsBy("location", "location", experiment) == single);
}

TEST_CASE("the table of a level names the level, and what cannot be grouped is refused")
{
    const std::map<std::string, Experiment> one{{"a", inRacks()}};
    const std::string table = runCli({"profile", "a", "--by", "location", "--group-by", "rack"}, one).out;
    INFO(table);
    CHECK(table.find("Rack  Locations  Regions") == 0);
    CHECK(table.find("Thread") == std::string::npos);
    const auto refused = [&](std::vector<std::string> words) {
        const auto result = runCli(std::move(words), one);
        CHECK(result.exitCode == 2);
        CHECK(result.out.empty());
        return result.err;
    };
    CHECK(refused({"profile", "a", "--by", "location", "--group-by", "shelf"}).find("rack, socket")
          != std::string::npos);
    CHECK(refused({"profile", "a", "--group-by", "rack"}).find("--by location") != std::string::npos);
    CHECK(refused({"profile", "a", "--by", "location", "--group-by", "communicator"}).find("several")
          != std::string::npos);
}

}  // namespace skein::profile_levels_test
