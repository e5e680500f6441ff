// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/data/session_behavior.h"

#include "algorithms/behavior/repeating_regions.h"
#include "core/io/importer.h"
#include "tests/support/catch.h"
#include "tests/support/cli.h"
#include "tests/support/paths.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <random>
#include <sstream>

namespace skein::session_behavior_test {

namespace {

const std::string& archive()
{
    static const std::string kPath = test::sourcePath("examples/lulesh-8/trace-otf2").string();
    return kPath;
}

const Session& lulesh()
{
    static const Session kSession{{openExperiment(archive(), Task()).value()}};
    return kSession;
}

nlohmann::json askCli(const std::string& command, const BehaviorRequest& request)
{
    const auto result = test::runCli({command, archive(), "--metric", request.metric, "--bins",
                                      std::to_string(request.bins), "--format", "json"},
                                     {{archive(), *lulesh().experiments[0]}});
    REQUIRE(result.exitCode == 0);
    return nlohmann::json::parse(result.out);
}

/// The table of the command has the changes, numbers and kinds of the window, and the levels on both sides.
void checkPrintedChanges(const BehaviorRequest& request, const SessionBehavior& behavior)
{
    const auto printed = test::runCli({"changes", archive(), "--metric", request.metric, "--bins",
                                       std::to_string(request.bins), "--format", "csv"},
                                      {{archive(), *lulesh().experiments[0]}});
    std::istringstream lines(printed.out);
    std::string line;
    std::getline(lines, line);
    for (std::size_t i = 0; i < behavior.changes.changes.size(); ++i) {
        REQUIRE(std::getline(lines, line));
        const bool lasts =
            std::find(behavior.lasting.begin(), behavior.lasting.end(), i) != behavior.lasting.end();
        CHECK(line.starts_with(std::to_string(i + 1) + "," + std::to_string(behavior.changes.changes[i])
                               + ","));
        CHECK((line.find(",yes,") != std::string::npos) == lasts);
        const auto moved = movedAt(behavior, i);
        if (!moved.empty())
            CHECK(line.find("," + behavior.table.columns[moved.front()] + ",") != std::string::npos);
    }
    CHECK_FALSE(std::getline(lines, line));
}

SessionBehaviorPtr behaviorOf(const BehaviorRequest& request, const SessionBehaviorPtr& previous = nullptr)
{
    auto found = makeBehavior(lulesh(), request, previous, Task());
    REQUIRE(found);
    return *found;
}

}  // namespace

TEST_CASE("behaviour in the window is what skein-cli finds: series, changes, clusters and places")
{
    for (const char* metric : {"exclusive", "exclusive:MPI", "wait", "sent-bytes"}) {
        CAPTURE(metric);
        BehaviorRequest request;
        request.metric = metric;
        request.bins = 100;
        const SessionBehaviorPtr behavior = behaviorOf(request);
        const auto series = askCli("series", request);
        const auto rows = series[metric].get<std::vector<std::vector<double>>>();
        REQUIRE(rows.size() == behavior->table.rows());
        for (std::size_t row = 0; row < rows.size(); ++row)
            CHECK(std::equal(rows[row].begin(), rows[row].end(), behavior->table.row(row).begin()));
        const auto changes = askCli("changes", request);
        CHECK(changes["changes"].get<std::vector<std::size_t>>() == behavior->called);
        std::vector<std::size_t> lasting;
        for (const std::size_t place : behavior->lasting) lasting.push_back(behavior->changes.changes[place]);
        CHECK(changes["settled"].get<std::vector<std::size_t>>() == lasting);
        checkPrintedChanges(request, *behavior);
        const auto clusters = askCli("clusters", request);
        CHECK(clusters["labels"].get<std::vector<std::uint32_t>>() == behavior->clusters.labels);
        CHECK(clusters["silhouette"].get<double>() == behavior->silhouette);
        std::vector<double> places;
        const auto project = askCli("project", request);
        for (const auto& place : project["places"])
            for (const auto& value : place) places.push_back(value.get<double>());
        CHECK(places == behavior->projection.places);
    }
}

TEST_CASE("behaviour leaves hidden locations out, and a part of the run has the bins of that part")
{
    BehaviorRequest request;
    const SessionBehaviorPtr all = behaviorOf(request);
    REQUIRE(all->table.columns.size() == 8);
    request.filters = {
        {"without two", FilterEffect::Hide, {}, {all->locationsOf(1)[0], all->locationsOf(4)[0]}}};
    const SessionBehaviorPtr some = behaviorOf(request);
    REQUIRE(some->table.columns.size() == 6);
    for (std::size_t row = 0; row < some->table.rows(); ++row) {
        CHECK(some->table.at(row, 0) == all->table.at(row, 0));
        CHECK(some->table.at(row, 1) == all->table.at(row, 2));
        CHECK(some->table.at(row, 5) == all->table.at(row, 7));
    }
    request.filters.clear();
    request.bins = 50;
    request.span = TimeSpan{all->edges[100], all->edges[150]};
    const SessionBehaviorPtr part = behaviorOf(request);
    CHECK(part->edges.front() == all->edges[100]);
    double ofPart = 0, ofAll = 0;
    for (std::size_t row = 0; row < part->table.rows(); ++row) ofPart += part->mean[row];
    for (std::size_t row = 100; row < 150; ++row) ofAll += all->mean[row];
    CHECK(ofPart == Approx(ofAll).epsilon(1e-6));
}

TEST_CASE("clusters keep their numbers from one answer to the next, and every entity is in one")
{
    BehaviorRequest request;
    request.clusters = 3;
    const SessionBehaviorPtr first = behaviorOf(request);
    SessionBehavior turned = *first;
    for (std::uint32_t& label : turned.clusters.labels) label = (label + 1) % 3;
    const SessionBehaviorPtr second = behaviorOf(request, std::make_shared<const SessionBehavior>(turned));
    CHECK(second->clusters.labels == turned.clusters.labels);
    CHECK(second->clusters.inertia == first->clusters.inertia);
    std::size_t count = 0;
    for (std::uint32_t cluster = 0; cluster < 3; ++cluster) {
        CHECK(second->locationsOfCluster(cluster).size() == second->clusterSizes[cluster]);
        count += second->clusterSizes[cluster];
        // Its centre is the mean of its entities.
        double mean = 0;
        for (std::size_t column = 0; column < 8; ++column)
            if (second->clusters.labels[column] == cluster) mean += second->table.at(7, column);
        CHECK(second->clusters.centers[cluster * second->table.rows() + 7]
              == Approx(mean / static_cast<double>(second->clusterSizes[cluster])).margin(1e-3));
    }
    CHECK(count == 8);
}

TEST_CASE("a change tells its time, its p and who moved; its periods meet at it")
{
    BehaviorRequest request;
    request.metric = "exclusive:MPI";
    const SessionBehaviorPtr behavior = behaviorOf(request);
    REQUIRE_FALSE(behavior->changes.changes.empty());
    for (std::size_t i = 0; i < behavior->changes.changes.size(); ++i) {
        const ChangePeriods periods = periodsAround(*behavior, i);
        CHECK(periods.before.end == periods.after.begin);
        CHECK(periods.after.begin == behavior->edges[behavior->changes.changes[i]]);
        CHECK(periods.before.begin < periods.before.end);
        const auto lines = changeText(*behavior, i);
        REQUIRE(lines.size() == 6);
        CHECK(lines[0].starts_with("Change " + std::to_string(i + 1) + " of exclusive:MPI at "));
        CHECK(lines[1].starts_with("Rank "));
        const auto called = behavior->calledAt[i];
        CHECK((lines[0].find(", p = ") != std::string::npos) == called.has_value());
        const bool moved = called && *called != behavior->changes.changes[i];
        CHECK((lines[0].find(", called at ") != std::string::npos) == moved);
    }
    // Periods of changes that last reach to the next ones that last.
    for (std::size_t i = 1; i < behavior->lasting.size(); ++i)
        CHECK(periodsAround(*behavior, behavior->lasting[i]).before.begin
              == behavior->edges[behavior->changes.changes[behavior->lasting[i - 1]]]);
}

TEST_CASE("what cannot be told is a sentence")
{
    BehaviorRequest request;
    request.metric = "no such thing";
    CHECK_FALSE(makeBehavior(lulesh(), request, nullptr, Task()));
    request = {};
    request.span = TimeSpan{-20, -10};
    CHECK(makeBehavior(lulesh(), request, nullptr, Task()).error().text().find("scope") != std::string::npos);
    request = {};
    request.filters = {{"nothing", FilterEffect::Keep, {}, {LocationRef{7, LocationId(0)}}}};
    CHECK_FALSE(makeBehavior(lulesh(), request, nullptr, Task()));
    request = {};
    request.burnIn = 1;
    CHECK_FALSE(makeBehavior(lulesh(), request, nullptr, Task()));
}

TEST_CASE("regions that repeat make bins, from one of their calls to the next")
{
    const auto regions = repeatingRegions(*lulesh().experiments[0], Task());
    REQUIRE_FALSE(regions.empty());
    BehaviorRequest request;
    request.byRegion = regions.front();
    const SessionBehaviorPtr behavior = behaviorOf(request);
    CHECK(behavior->table.rows() >= 5);
    CHECK(std::is_sorted(behavior->edges.begin(), behavior->edges.end()));
    const auto metrics = behaviorMetrics(*lulesh().experiments[0]);
    for (const std::string& metric : metrics) {
        request.metric = metric;
        CAPTURE(metric);
        CHECK(makeBehavior(lulesh(), request, nullptr, Task()));
    }
}

TEST_CASE("of so many values that hindsight takes too long a drift is no change that lasts either")
{
    SessionBehavior behavior;
    constexpr int kEntities = 700, kRows = 400, kJump = 230;
    std::mt19937 random(1);
    std::normal_distribution<double> normal;
    for (int i = 0; i < kEntities; ++i) behavior.table.columns.push_back(std::to_string(i));
    for (int row = 0; row < kRows; ++row) {
        behavior.table.times.push_back(row);
        for (int i = 0; i < kEntities; ++i) {
            const double turn = 6.283185307179586 * (row / double(kRows) - i / double(kEntities));
            behavior.table.values.push_back(20.0 * std::cos(turn) + (row < kJump ? 0.0 : 20.0)
                                            + normal(random));
        }
    }
    REQUIRE(behavior.table.values.size() > kMostReviewedValues);
    const auto called = findChanges(behavior.table, ChangeParams{}, Task());
    REQUIRE(called);
    showSoFar(behavior, *called, ChangeParams{});
    CHECK(behavior.changes.changes == called->changes);
    REQUIRE(called->changes.size() > 3);
    REQUIRE(behavior.lasting.size() == 1);
    const std::size_t row = behavior.changes.changes[behavior.lasting.front()];
    CHECK(row >= kJump);
    CHECK(row <= kJump + 10);
}

}  // namespace skein::session_behavior_test
