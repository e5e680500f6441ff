// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/behavior/change_points.h"

#include "core/base/file_bytes.h"
#include "core/series/series_csv.h"
#include "tests/support/catch.h"
#include "tests/support/golden_json.h"
#include "tests/support/paths.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace skein::change_points_test {

using namespace skein::test;

namespace {

SeriesTable readTable(const std::filesystem::path& file, const SeriesColumns& columns = {})
{
    const auto bytes = openFileBytes(file);
    REQUIRE(bytes);
    auto tables = parseSeries(bytes->text(), columns, file.string(), Task());
    REQUIRE(tables);
    return std::move(tables->front());
}

/// The better of both signs: the orientation at the begin is a convention.
double differenceUpToSign(std::vector<double> a, const std::vector<double>& b)
{
    const double straight = largestDifference(a, b);
    for (double& value : a) value = -value;
    return std::min(straight, largestDifference(a, b));
}

void checkDetections(const SeriesTable& table, const nlohmann::json& one)
{
    for (const auto& run : one["detect"]) {
        INFO("alpha " << run["alpha"] << " burn-in " << run["burn_in"]);
        const ChangeParams params{run["alpha"].get<double>(), run["eta"].get<double>(),
                                  run["burn_in"].get<std::uint32_t>()};
        const auto found = findChanges(table, params, Task());
        REQUIRE(found);
        if (!one.contains("required")) {
            CHECK(found->changes == goldenIndexes<std::size_t>(run["changes_sign_adjusted_0based"]));
            continue;
        }
        const auto& within = one["required"]["change_within"];
        REQUIRE_FALSE(found->changes.empty());
        CHECK(found->changes.front() >= within[0].get<std::size_t>());
        CHECK(found->changes.front() <= within[1].get<std::size_t>());
        for (const double value : found->representative) CHECK(std::isfinite(value));
    }
}

SeriesTable randomTable(std::size_t rows, std::size_t columns, std::uint32_t seed)
{
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    SeriesTable table;
    for (std::size_t i = 0; i < columns; ++i) table.columns.push_back(std::to_string(i));
    for (std::size_t row = 0; row < rows; ++row) {
        table.times.push_back(static_cast<double>(row));
        for (std::size_t i = 0; i < columns; ++i)
            table.values.push_back(normal(random) + (row >= 100 ? 6 : 0));
    }
    return table;
}

}  // namespace

TEST_CASE("the representative series and the changes of many series are those of the reference")
{
    SKEIN_SHARED_OR_SKIP(folder, "golden/aff_cpd");
    const auto golden = readGolden(folder / "multi_expected.json");
    for (const auto& one : golden["cases"]) {
        const std::string name = one["name"].get<std::string>();
        INFO(name);
        const SeriesTable table = readTable(folder / "multi" / (name + ".csv"));
        REQUIRE(table.columns.size() == one["n"].get<std::size_t>());
        REQUIRE(table.rows() == one["T"].get<std::size_t>());
        const auto expected = goldenNumbers(one["rep_sign_adjusted"]);
        const auto series = representativeSeries(table, Task());
        REQUIRE(series);
        CHECK(differenceUpToSign(*series, expected) <= 1e-7 * largestOf(expected));
        checkDetections(table, one);
    }
}

TEST_CASE("entities that are missing, late, silent or not numbers neither stop nor bend the rest")
{
    SeriesTable table = randomTable(200, 12, 3);
    const auto clean = findChanges(table, {}, Task());
    REQUIRE(clean);
    for (std::size_t row = 0; row < table.rows(); ++row) {
        if (row < 150) table.values[row * 12 + 4] = std::nan("");  // comes late
        if (row > 50) table.values[row * 12 + 5] = std::nan("");   // goes
        table.values[row * 12 + 6] = 7.0;                          // never changes
        table.values[row * 12 + 7] = std::nan("");                 // is never there
    }
    const auto found = findChanges(table, {}, Task());
    REQUIRE(found);
    for (const double value : found->representative) CHECK(std::isfinite(value));
    const auto near = [](std::size_t change) { return change >= 100 && change <= 102; };
    CHECK(std::any_of(found->changes.begin(), found->changes.end(), near));
}

TEST_CASE("a row without any value is a gap in the representative series and no change")
{
    SeriesTable table = randomTable(90, 5, 4);
    for (std::size_t i = 0; i < 5; ++i) table.values[40 * 5 + i] = std::nan("");
    const auto found = findChanges(table, {}, Task());
    REQUIRE(found);
    CHECK(std::isnan(found->representative[40]));
    CHECK(found->pValues[40] == 0.5);
    CHECK(std::isfinite(found->representative[41]));
}

TEST_CASE("a change can be asked for the entities that moved")
{
    SeriesTable table = randomTable(200, 8, 11);
    for (std::size_t row = 100; row < 200; ++row) {
        for (std::size_t i = 0; i < 8; ++i) table.values[row * 8 + i] -= 6.0;
        table.values[row * 8 + 3] += 50.0;
        table.values[row * 8 + 6] -= 20.0;
    }
    const auto found = findChanges(table, {0.001, 0.01, 30}, Task());
    REQUIRE(found);
    const auto at = std::find_if(found->changes.begin(), found->changes.end(),
                                 [](std::size_t change) { return change >= 100; });
    REQUIRE(at != found->changes.end());
    const auto shifts =
        explainChange(table, *found, static_cast<std::size_t>(at - found->changes.begin()), 2, 50);
    REQUIRE(shifts.size() == 2);
    CHECK(shifts[0].entity == 3);
    CHECK(shifts[0].after - shifts[0].before == Approx(50.0).margin(2.0));
    CHECK(shifts[1].entity == 6);
    CHECK(shifts[1].after - shifts[1].before == Approx(-20.0).margin(2.0));
    CHECK(shifts[1].deviations.value_or(0.0) < -10.0);
}

TEST_CASE("what was constant before a change has no deviations")
{
    SeriesTable table;
    table.columns = {"still", "moving"};
    for (int row = 0; row < 20; ++row) {
        table.times.push_back(row);
        table.values.push_back(row < 10 ? 3.0 : 7.0 + row % 2);
        table.values.push_back((row < 10 ? 0.0 : 2.0) + row % 2);
    }
    const auto shifts = explainChange(table, ChangePoints{{10}, {}, {}, {}}, 0, 2, 50);
    REQUIRE(shifts.size() == 2);
    CHECK(shifts[0].entity == 0);
    CHECK_FALSE(shifts[0].deviations);
    REQUIRE(shifts[1].deviations);
    CHECK(*shifts[1].deviations == Approx(2.0 / std::sqrt(10.0 * 0.25 / 9.0)));
}

TEST_CASE("of changes on noise hardly any lasts, and a shift does")
{
    std::size_t called = 0, lasting = 0, shifts = 0, lastingShifts = 0;
    const auto atShift = [](std::size_t row) { return row >= 100 && row <= 102; };
    for (std::uint32_t seed = 1; seed <= 20; ++seed) {
        SeriesTable table = randomTable(600, 10, seed);
        const auto found = findChanges(table, {}, Task());
        REQUIRE(found);
        for (const std::size_t row : found->changes) shifts += atShift(row) ? 1 : 0;
        for (const std::size_t place : lastingChanges(table, *found, {}))
            lastingShifts += atShift(found->changes[place]) ? 1 : 0;
        for (std::size_t row = 100; row < table.rows(); ++row)
            for (std::size_t i = 0; i < 10; ++i) table.values[row * 10 + i] -= 6.0;
        const auto noise = findChanges(table, {}, Task());
        REQUIRE(noise);
        called += noise->changes.size();
        lasting += lastingChanges(table, *noise, {}).size();
    }
    CHECK(shifts > 10);
    CHECK(lastingShifts == shifts);
    CHECK(called > 20);
    CHECK(lasting * 10 <= called);
}

TEST_CASE("a change is no lasting one before a burn-in has followed")
{
    SeriesTable table = randomTable(105, 6, 2);
    const auto found = findChanges(table, {}, Task());
    REQUIRE(found);
    for (const std::size_t place : lastingChanges(table, *found, {})) CHECK(found->changes[place] <= 95);
    CHECK(lastingChanges(table, {}, {}).empty());
}

TEST_CASE("traffic of a simulated dragonfly changes where its phases do")
{
    SKEIN_SHARED_OR_SKIP(folder, "data/ours/ross-dflow-8");
    SeriesColumns columns;
    columns.time = "virtual_time";
    columns.entity = {"pe"};
    columns.metrics = {"network_sends"};
    const auto facts = readGolden(folder / "FACTS.json");
    const SeriesTable table = readTable(folder / "pe_series.csv", columns);
    CHECK(table.columns.size() == facts["pe_series"]["entities"].get<std::size_t>());
    CHECK(table.rows() == facts["pe_series"]["samples"].get<std::size_t>());
    double sends = 0.0;
    for (const double value : table.values) sends += value;
    CHECK(sends == facts["pe_series"]["sums"]["network_sends"].get<double>());
    const auto found = findChanges(table, {0.01, 0.01, 50}, Task());
    REQUIRE(found);
    // The simulation ends at 600: what is left in its queues drains in the last samples, is called out, and
    // is too late to last.
    std::vector<double> times;
    for (const std::size_t place : lastingChanges(table, *found, {0.01, 0.01, 50}))
        times.push_back(table.times[found->changes[place]]);
    for (const std::size_t change : found->changes)
        CHECK((table.times[change] > 595.0
               || std::find(times.begin(), times.end(), table.times[change]) != times.end()));
    const auto phases = goldenNumbers(facts["traffic_phase_changes_at_virtual_time"]);
    REQUIRE(times.size() == phases.size());
    for (std::size_t i = 0; i < phases.size(); ++i) CHECK(std::abs(times[i] - phases[i]) < 5.0);
}

TEST_CASE("changes that settle are where levels really changed, also where the detector was blind")
{
    std::mt19937 random(4);
    std::normal_distribution<double> normal;
    SeriesTable table;
    for (int i = 0; i < 6; ++i) table.columns.push_back(std::to_string(i));
    for (int row = 0; row < 200; ++row) {
        table.times.push_back(row);
        // The second change falls into the burn-in after the first one.
        const double level = row < 60 ? 0.0 : row < 66 ? 40.0 : 20.0;
        for (int i = 0; i < 6; ++i) table.values.push_back(level * (i % 2) + normal(random));
    }
    const auto found = findChanges(table, ChangeParams{}, Task());
    REQUIRE(found);
    CHECK(std::find(found->changes.begin(), found->changes.end(), 66u) == found->changes.end());
    const auto settled = settledChanges(table, *found, ChangeParams{});
    REQUIRE(settled.size() >= 1);
    CHECK(settled.front().row == 60);
    for (const SettledChange& change : settled) CHECK((change.row == 60 || change.row == 66));
    // What no detector has called is found in hindsight.
    const auto again = settledChanges(table, ChangePoints{{}, {}, {}, {}}, ChangeParams{});
    REQUIRE_FALSE(again.empty());
    CHECK(again.front().row == 60);
    CHECK_FALSE(again.front().place);
}

TEST_CASE("entities that change places are found in hindsight, though what stands for all stays")
{
    std::mt19937 random(21);
    std::normal_distribution<double> normal;
    SeriesTable table;
    for (int i = 0; i < 8; ++i) table.columns.push_back(std::to_string(i));
    for (int row = 0; row < 300; ++row) {
        table.times.push_back(row);
        // A burst of all of them for 12 rows, while the first half goes down by what the second one goes up.
        const double all = row >= 150 && row < 162 ? 60.0 : 0.0, moved = row < 156 ? 0.0 : 8.0;
        for (int i = 0; i < 8; ++i)
            table.values.push_back(100.0 + all + (i < 4 ? -moved : moved) + normal(random));
    }
    const auto settled = settledChanges(table, ChangePoints{{}, {}, {}, {}}, ChangeParams{});
    REQUIRE(settled.size() == 1);
    CHECK(settled.front().row >= 150);
    CHECK(settled.front().row <= 162);
}

TEST_CASE("nothing settles in noise, however many rows are looked at")
{
    std::size_t settled = 0;
    for (std::uint32_t seed = 1; seed <= 60; ++seed)
        for (const std::size_t entities : {std::size_t{1}, std::size_t{3}, std::size_t{24}}) {
            std::mt19937 random(seed);
            std::normal_distribution<double> normal;
            SeriesTable table;
            for (std::size_t i = 0; i < entities; ++i) table.columns.push_back(std::to_string(i));
            for (int row = 0; row < 500; ++row) {
                table.times.push_back(row);
                for (std::size_t i = 0; i < entities; ++i) table.values.push_back(normal(random));
            }
            settled += settledChanges(table, ChangePoints{{}, {}, {}, {}}, ChangeParams{}).size();
        }
    // 180 runs at 0.01.
    CHECK(settled <= 5);
}

TEST_CASE("many entities that are moved by the same noise are few: nothing settles in it, and a step does")
{
    std::size_t settled = 0, steps = 0;
    for (std::uint32_t seed = 1; seed <= 40; ++seed) {
        std::mt19937 random(seed);
        std::normal_distribution<double> normal;
        SeriesTable table, step;
        for (int i = 0; i < 24; ++i) table.columns.push_back(std::to_string(i));
        step.columns = table.columns;
        for (int row = 0; row < 300; ++row) {
            table.times.push_back(row);
            step.times.push_back(row);
            const double common = normal(random);
            for (int i = 0; i < 24; ++i) {
                table.values.push_back(common + 0.2 * normal(random));
                step.values.push_back(table.values.back() + (row < 140 ? 0.0 : 2.5));
            }
        }
        const auto noise = findChanges(table, ChangeParams{}, Task());
        const auto found = findChanges(step, ChangeParams{}, Task());
        REQUIRE(noise);
        REQUIRE(found);
        settled += settledChanges(table, *noise, ChangeParams{}).size();
        for (const SettledChange& change : settledChanges(step, *found, ChangeParams{}))
            steps += change.row >= 136 && change.row <= 144 ? 1 : 0;
    }
    CHECK(settled <= 2);
    CHECK(steps == 40);
}

TEST_CASE("what is shown of changes is those that last, where they were, and the others that were called")
{
    std::mt19937 random(4);
    std::normal_distribution<double> normal;
    SeriesTable table;
    for (int i = 0; i < 6; ++i) table.columns.push_back(std::to_string(i));
    for (int row = 0; row < 400; ++row) {
        table.times.push_back(row);
        for (int i = 0; i < 6; ++i) table.values.push_back((row < 200 ? 0.0 : 3.0) + normal(random));
    }
    const auto found = findChanges(table, ChangeParams{}, Task());
    REQUIRE(found);
    const auto settled = settledChanges(table, *found, ChangeParams{});
    const auto shown = reviewedChanges(table, *found, ChangeParams{});
    std::size_t lasting = 0;
    for (std::size_t i = 0; i < shown.size(); ++i) {
        if (i > 0) CHECK(shown[i - 1].row < shown[i].row);
        if (!shown[i].lasts) CHECK(shown[i].called == shown[i].row);
        else CHECK(shown[i].row == settled[lasting++].row);
    }
    CHECK(lasting == settled.size());
    for (const std::size_t row : found->changes)
        CHECK(std::any_of(shown.begin(), shown.end(), [row](const ReviewedChange& change) {
            return change.called == row || change.row == row;
        }));
}

namespace {

/// Entities among which a load wanders, and which all jump at a row.
SeriesTable wanderingLoad(std::uint32_t seed, double jump, int jumpRow)
{
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    SeriesTable table;
    for (int i = 0; i < 12; ++i) table.columns.push_back(std::to_string(i));
    for (int row = 0; row < 400; ++row) {
        table.times.push_back(row);
        for (int i = 0; i < 12; ++i) {
            const double turn = 6.283185307179586 * (row / 400.0 - i / 12.0);
            table.values.push_back(20.0 * std::cos(turn) + (row < jumpRow ? 0.0 : jump) + normal(random));
        }
    }
    return table;
}

}  // namespace

TEST_CASE("of what was called while a load drifts hardly anything lasts but the jump in it")
{
    std::size_t jumps = 0, others = 0, called = 0;
    for (std::uint32_t seed = 1; seed <= 10; ++seed) {
        const SeriesTable table = wanderingLoad(seed, 20.0, 230);
        const auto found = findChanges(table, ChangeParams{}, Task());
        REQUIRE(found);
        called += found->changes.size();
        for (const std::size_t place : lastingChanges(table, *found, ChangeParams{})) {
            const std::size_t row = found->changes[place];
            (row >= 220 && row <= 240 ? jumps : others) += 1;
        }
    }
    INFO(called << " called, " << jumps << " at the jump, " << others << " elsewhere");
    CHECK(called > 200);
    CHECK(jumps >= 9);
    CHECK(others <= 3);
}

TEST_CASE("a load that drifts is no change of itself, and a jump in it is one")
{
    std::size_t found = 0, jumps = 0;
    for (std::uint32_t seed = 1; seed <= 10; ++seed) {
        const SeriesTable table = wanderingLoad(seed, 8.0, 230);
        const auto called = findChanges(table, ChangeParams{}, Task());
        REQUIRE(called);
        const auto settled = settledChanges(table, *called, ChangeParams{});
        found += settled.size();
        jumps += std::any_of(settled.begin(), settled.end(), [](const SettledChange& change) {
            return change.row >= 229 && change.row <= 231;
        });
    }
    CHECK(jumps == 10);
    CHECK(found <= 12);
}

TEST_CASE("a drift between levels that stand longer than it took is one change, within the drift")
{
    for (const int length : {10, 20, 30}) {
        INFO(length << " rows");
        std::mt19937 random(3);
        std::normal_distribution<double> normal;
        SeriesTable table;
        for (int i = 0; i < 8; ++i) table.columns.push_back(std::to_string(i));
        for (int row = 0; row < 300; ++row) {
            table.times.push_back(row);
            const double level = 20.0 * std::clamp((row - 120.0) / length, 0.0, 1.0);
            for (int i = 0; i < 8; ++i) table.values.push_back(level + normal(random));
        }
        const auto called = findChanges(table, ChangeParams{}, Task());
        REQUIRE(called);
        const auto settled = settledChanges(table, *called, ChangeParams{});
        REQUIRE(settled.size() == 1);
        CHECK(settled.front().row >= 120);
        CHECK(settled.front().row <= 120U + static_cast<unsigned>(length));
    }
}

TEST_CASE("where entities become unsteady, and less, the change is where they do")
{
    for (std::uint32_t seed = 1; seed <= 5; ++seed) {
        std::mt19937 random(seed);
        std::normal_distribution<double> normal;
        SeriesTable table;
        for (int i = 0; i < 8; ++i) table.columns.push_back(std::to_string(i));
        for (int row = 0; row < 400; ++row) {
            table.times.push_back(row);
            for (int i = 0; i < 8; ++i)
                table.values.push_back(row < 75 ? 22.0 + normal(random) : 10.0 + 20.0 * normal(random));
        }
        const auto called = findChanges(table, ChangeParams{}, Task());
        REQUIRE(called);
        const auto settled = settledChanges(table, *called, ChangeParams{});
        REQUIRE(settled.size() == 1);
        CHECK(settled.front().row >= 74);
        CHECK(settled.front().row <= 76);
    }
}

TEST_CASE("a short phase that is over is two changes, and one on the way to another level none of its own")
{
    for (const double after : {0.0, 3.0}) {
        INFO("level " << after << " after the phase");
        std::mt19937 random(5);
        std::normal_distribution<double> normal;
        SeriesTable table;
        for (int i = 0; i < 8; ++i) table.columns.push_back(std::to_string(i));
        for (int row = 0; row < 320; ++row) {
            table.times.push_back(row);
            const double level = row < 150 ? 0.0 : row < 170 ? 9.0 : after;
            for (int i = 0; i < 8; ++i) table.values.push_back(level + 0.3 * normal(random));
        }
        const auto found = findChanges(table, ChangeParams{}, Task());
        REQUIRE(found);
        const auto settled = settledChanges(table, *found, ChangeParams{});
        REQUIRE(settled.size() == (after > 0.0 ? 1 : 2));
        CHECK(settled.front().row == 150);
        if (after == 0.0) CHECK(settled.back().row == 170);
    }
}

TEST_CASE("a burst while behaviour turns over is no level of its own, and one that is over leaves nothing")
{
    for (const double after : {3.0, 0.0}) {
        INFO("level " << after << " after the burst");
        std::mt19937 random(9);
        std::normal_distribution<double> normal;
        SeriesTable table;
        for (int i = 0; i < 8; ++i) table.columns.push_back(std::to_string(i));
        for (int row = 0; row < 160; ++row) {
            table.times.push_back(row);
            const double level = row < 80 ? 0.0 : row < 84 ? 30.0 : after;
            for (int i = 0; i < 8; ++i) table.values.push_back(level + 0.3 * normal(random));
        }
        const auto found = findChanges(table, ChangeParams{}, Task());
        REQUIRE(found);
        REQUIRE_FALSE(found->changes.empty());
        const auto settled = settledChanges(table, *found, ChangeParams{});
        REQUIRE(settled.size() == (after > 0.0 ? 1 : 0));
        if (after > 0.0) CHECK(settled.front().row == 80);
    }
}

TEST_CASE("while every series stands still, nothing changes")
{
    SeriesTable table;
    for (int i = 0; i < 8; ++i) table.columns.push_back(std::to_string(i));
    for (int row = 0; row < 200; ++row) {
        table.times.push_back(row);
        for (int i = 0; i < 8; ++i) table.values.push_back(row < 20 ? 0.0 : 1000.0 + i);
    }
    const auto found = findChanges(table, ChangeParams{}, Task());
    REQUIRE(found);
    for (const std::size_t change : found->changes) CHECK(change <= 20 + 11);
    REQUIRE_FALSE(found->changes.empty());
    CHECK(found->changes.front() == 20);
}

}  // namespace skein::change_points_test
