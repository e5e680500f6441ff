// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/data/session_replay.h"

#include "core/io/importer.h"
#include "tests/support/catch.h"
#include "tests/support/paths.h"
#include "views/common/scene/data/change_comparison.h"

#include <algorithm>
#include <cmath>

namespace skein::session_replay_test {

namespace {

const Session& lulesh()
{
    static const Session session{
        {openExperiment(test::sourcePath("examples/lulesh-8/trace-otf2"), Task()).value()}};
    return session;
}

SessionBehaviorPtr behaviorOf(const std::string& metric)
{
    BehaviorRequest request;
    request.metric = metric;
    request.bins = 120;
    const auto made = makeBehavior(lulesh(), request, nullptr, Task());
    REQUIRE(made);
    return *made;
}

BehaviorReplayParams endless()
{
    BehaviorReplayParams params;
    params.clock = [] { return 0.0; };
    return params;
}

}  // namespace

TEST_CASE("what was known by a time is what a run that ended then would tell")
{
    const SessionBehaviorPtr whole = behaviorOf("exclusive:MPI");
    SessionBehaviorPtr previous;
    for (const std::size_t rows : {40u, 80u, 120u}) {
        const auto part = behaviorUntil(*whole, rows, previous, nullptr, endless(), Task());
        REQUIRE(part);
        const SessionBehavior& known = **part;
        CHECK(known.table.rows() == rows);
        CHECK(known.edges.size() == rows + 1);
        CHECK(known.wholeEnd == whole->edges.back());
        const auto alone = findChanges(known.table, ChangeParams{}, Task());
        REQUIRE(alone);
        CHECK(alone->changes == known.called);
        const auto reviewed = reviewedChanges(known.table, *alone, ChangeParams{});
        REQUIRE(known.changes.changes.size() == reviewed.size());
        for (std::size_t i = 0; i < reviewed.size(); ++i) {
            const bool lasts =
                std::find(known.lasting.begin(), known.lasting.end(), i) != known.lasting.end();
            CHECK(ReviewedChange{known.changes.changes[i], known.calledAt[i], lasts} == reviewed[i]);
        }
        CHECK(alone->representative == known.changes.representative);
        CHECK(known.clusterShare == 1);
        CHECK(known.bands.size() == known.clusters.clusters);
        for (const auto& bands : known.bands) CHECK(bands.size() == rows);
        const auto again = clusterBands(known, 0);
        for (std::size_t cluster = 0; cluster < again.size(); ++cluster)
            for (std::size_t row = 0; row < rows; ++row)
                CHECK((again[cluster][row].median == known.bands[cluster][row].median
                       || std::isnan(again[cluster][row].median)));
        previous = *part;
    }
    CHECK(previous->changes.changes == whole->changes.changes);
    CHECK(previous->lasting == whole->lasting);
}

TEST_CASE("a replay with no time says how little it has seen, and times are those of bins that are over")
{
    const SessionBehaviorPtr whole = behaviorOf("calls");
    BehaviorReplayParams hasty = endless();
    hasty.clock = [time = 0.0]() mutable { return time += 1; };
    const auto part = behaviorUntil(*whole, 60, nullptr, nullptr, hasty, Task());
    REQUIRE(part);
    CHECK((*part)->clusterShare <= 1);
    CHECK((*part)->placeShare <= 1);
    CHECK(rowsUntil(*whole, whole->edges.front()) == 2);
    CHECK(rowsUntil(*whole, whole->edges[50]) == 50);
    CHECK(rowsUntil(*whole, whole->edges[50] - 1) == 49);
    CHECK(rowsUntil(*whole, whole->edges.back() + 5) == whole->table.rows());
}

TEST_CASE("a second metric has the changes and clusters of the first")
{
    const SessionBehaviorPtr first = behaviorOf("exclusive:MPI"), second = behaviorOf("sent-bytes");
    REQUIRE(mayLead(*first, *second));
    const auto led = behaviorUntil(*second, second->table.rows(), nullptr, first, endless(), Task());
    REQUIRE(led);
    CHECK((*led)->changes.changes == first->changes.changes);
    CHECK((*led)->lasting == first->lasting);
    CHECK((*led)->calledAt == first->calledAt);
    CHECK((*led)->clusters.labels == first->clusters.labels);
    CHECK((*led)->table.values.size() == second->table.values.size());
    CHECK((*led)->findingsOf == "exclusive:MPI");
    BehaviorRequest other;
    other.per = SeriesEntity::Node;
    const auto nodes = makeBehavior(lulesh(), other, nullptr, Task());
    REQUIRE(nodes);
    CHECK_FALSE(mayLead(*first, **nodes));
}

TEST_CASE("call paths on both sides of a change are shares of the time, and are those of the periods")
{
    const SessionBehaviorPtr behavior = behaviorOf("exclusive:MPI");
    REQUIRE_FALSE(behavior->changes.changes.empty());
    const auto found = compareAroundChange(lulesh(), *behavior, 0, Task());
    REQUIRE(found);
    REQUIRE_FALSE(found->paths.empty());
    double before = 0, after = 0;
    for (std::size_t i = 0; i < found->paths.size(); ++i) {
        before += found->paths[i].before;
        after += found->paths[i].after;
        CHECK_FALSE(found->paths[i].callPaths.empty());
        if (i > 0)
            CHECK(std::abs(found->paths[i].difference()) <= std::abs(found->paths[i - 1].difference()));
    }
    CHECK(before > 0);
    CHECK(before <= 1.0000001);
    CHECK(after > 0);
    CHECK(after <= 1.0000001);
}

}  // namespace skein::session_replay_test
