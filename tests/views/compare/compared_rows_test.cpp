// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/tree/compared_rows.h"

#include "core/select/metric_choice.h"
#include "tests/support/catch.h"
#include "tests/support/small_session.h"
#include "views/tree_graph/tree_graph_scene.h"

#include <cmath>

namespace skein::compared_rows_test {
namespace {

/// main calls init and solve; in the second run write instead of init, and solve takes longer.
Session twoRuns()
{
    Session session;
    session.experiments.push_back(
        test::ExperimentBuilder("old")
            .process("n", {{0, 100, "main", 0}, {10, 30, "init", 1}, {30, 80, "solve", 1}})
            .finish());
    session.experiments.push_back(
        test::ExperimentBuilder("new")
            .process("n", {{0, 140, "main", 0}, {10, 100, "solve", 1}, {100, 130, "write", 1}})
            .finish());
    return session;
}

std::size_t rowNamed(const ComparedRows& compared, const std::string& name)
{
    for (std::size_t row = 0; row < compared.rows.rows.size(); ++row)
        if (compared.rows.rows[row].name == name) return row;
    FAIL("no row " << name);
    return 0;
}

}  // namespace

TEST_CASE("compared rows are the union of both runs with what each has")
{
    const Session session = twoRuns();
    ComparedRowsRequest request;
    const ComparedRowsPtr compared = makeComparedRows(session, request, Task()).value();
    REQUIRE(compared->rows.rows.size() == 4);
    CHECK(compared->rows.time);
    CHECK(compared->rows.hasTree);
    CHECK(compared->titleA == "old");
    const std::size_t solve = rowNamed(*compared, "solve"), init = rowNamed(*compared, "init"),
                      write = rowNamed(*compared, "write"), top = rowNamed(*compared, "main");
    CHECK(compared->exclusive[solve].a == Approx(50));
    CHECK(compared->exclusive[solve].b == Approx(90));
    CHECK(compared->verdicts[solve] == ChangeVerdict::More);
    CHECK(compared->verdicts[init] == ChangeVerdict::OnlyA);
    CHECK(compared->verdicts[write] == ChangeVerdict::OnlyB);
    CHECK(compared->inclusive[top].difference() == Approx(40));
    CHECK(compared->exclusive[top].a == Approx(30));
    CHECK(compared->exclusive[top].b == Approx(20));
    CHECK(compared->callPaths[solve].size() == 2);
    for (const CallPathRef ref : compared->callPaths[solve])
        CHECK(compared->rows.rowOf(ref.experiment, ref.id) == static_cast<std::int64_t>(solve));
    CHECK(byGrowth(*compared)
          == std::vector<std::uint32_t>{static_cast<std::uint32_t>(solve), static_cast<std::uint32_t>(write),
                                        static_cast<std::uint32_t>(top), static_cast<std::uint32_t>(init)});
    CHECK(selectionOfCompared(session, *compared, solve).callPaths.size() == 2);
    CHECK(compared->efficiency(2.0) == 2.0);
}

TEST_CASE("two phases of one run are compared, and matches that the user confirms")
{
    Session session = twoRuns();
    ComparedRowsRequest request;
    request.choice.a = {0, TimeSpan{0, 30}};
    request.choice.b = {0, TimeSpan{30, 100}};
    const ComparedRowsPtr phases = makeComparedRows(session, request, Task()).value();
    CHECK(phases->exclusive[rowNamed(*phases, "init")].a == Approx(20));
    CHECK(phases->exclusive[rowNamed(*phases, "init")].b == Approx(0));
    CHECK(phases->exclusive[rowNamed(*phases, "solve")].b == Approx(50));
    CHECK(phases->titleB == "old, 30 ns … 100 ns");
    ComparedRowsRequest matched;
    matched.choice.matches = {{{"main", "write"}, {"main", "init"}}};
    const ComparedRowsPtr both = makeComparedRows(session, matched, Task()).value();
    CHECK(both->rows.rows.size() == 3);
    CHECK(both->exclusive[rowNamed(*both, "init")].b == Approx(30));
    matched.byRegion = true;
    matched.metric = kCallsMetric;
    matched.choice.matches.clear();
    const ComparedRowsPtr calls = makeComparedRows(session, matched, Task()).value();
    CHECK_FALSE(calls->rows.hasTree);
    CHECK_FALSE(calls->rows.time);
    CHECK(calls->exclusive[rowNamed(*calls, "solve")].a == 1);
}

TEST_CASE("an expression has one value of both runs where it names them, else one of each")
{
    const Session session = twoRuns();
    ComparedRowsRequest request;
    request.expression = "b.time.inc / a.time.inc";
    const ComparedRowsPtr one = makeComparedRows(session, request, Task()).value();
    REQUIRE(one->derived.size() == 1);
    CHECK(one->derived[0].expression == request.expression);
    CHECK(one->derived[0].values[rowNamed(*one, "main")] == Approx(1.4));
    CHECK(one->derived[0].values[rowNamed(*one, "solve")] == Approx(1.8));
    CHECK(one->derived[0].values[rowNamed(*one, "init")] == 0);
    CHECK(std::isnan(one->derived[0].values[rowNamed(*one, "write")]));
    request.expression = "time.inc * 2";
    const ComparedRowsPtr each = makeComparedRows(session, request, Task()).value();
    REQUIRE(each->derived.size() == 2);
    CHECK(each->derived[0].unit == "ns");
    CHECK(each->derived[0].expression == "A: time.inc * 2");
    CHECK(each->derived[0].values[rowNamed(*each, "solve")] == Approx(100));
    CHECK(each->derived[1].values[rowNamed(*each, "solve")] == Approx(180));
    request.expression = "b.nothing / a.time";
    const ComparedRowsPtr wrong = makeComparedRows(session, request, Task()).value();
    REQUIRE(wrong->derived.size() == 1);
    CHECK(wrong->derived[0].problem.find("nothing") != std::string::npos);
    CHECK(wrong->derived[0].values.size() == wrong->rows.rows.size());
}

TEST_CASE("a call graph of two runs has colours around 0, and each run at the same places")
{
    TreeGraphRequest request;
    request.color = {{}, TreeAmount::Exclusive};
    request.size = {{}, TreeAmount::Inclusive};
    request.compared = ComparisonChoice{};
    const auto session = std::make_shared<const Session>(twoRuns());
    const auto sums = sumUpTree(session, request, Task()).value();
    const TreeGraphPtr graph = layOutTree(sums, request, Task()).value();
    REQUIRE(graph->shown.nodes.size() == 4);
    CHECK(graph->color.isDifference);
    CHECK(graph->color.greatest == Approx(40));
    CHECK(graph->color.least == Approx(-40));
    CHECK(graph->size.greatest == Approx(140));
    // The greatest changes first, whichever way: solve +40, write +30, init −20, main −10.
    std::vector<double> inOrder;
    for (const std::uint32_t node : graph->byValue) inOrder.push_back(std::round(graph->color.values[node]));
    CHECK(inOrder == std::vector<double>{40, 30, -20, -10});
    const TreeGraphPtr a = sideOf(*graph, ComparedSide::A), b = sideOf(*graph, ComparedSide::B);
    CHECK(a->layout.across == b->layout.across);
    CHECK(a->color.greatest == b->color.greatest);
    CHECK(a->color.greatest == Approx(90));
    std::size_t absent = 0;
    for (const double value : a->color.values) absent += std::isnan(value);
    CHECK(absent == 1);
}

TEST_CASE("a call graph of two runs is coloured by an expression of both, or by how much one of each grew")
{
    const auto session = std::make_shared<const Session>(twoRuns());
    TreeGraphRequest request;
    request.size = {{}, TreeAmount::Inclusive};
    request.compared = ComparisonChoice{};
    request.color = {{}, TreeAmount::Derived, "b.time.inc / a.time.inc"};
    const TreeGraphPtr ratio =
        layOutTree(sumUpTree(session, request, Task()).value(), request, Task()).value();
    CHECK(ratio->color.name == "b.time.inc / a.time.inc");
    CHECK_FALSE(ratio->color.isDifference);
    CHECK(ratio->color.greatest == Approx(1.8));
    CHECK(ratio->color.least == 0);
    CHECK(sideOf(*ratio, ComparedSide::A)->color.greatest == Approx(1.8));
    request.color.expression = "time.inc * 2";
    const TreeGraphPtr grown =
        layOutTree(sumUpTree(session, request, Task()).value(), request, Task()).value();
    CHECK(grown->color.isDifference);
    CHECK(grown->color.greatest == Approx(80));
    CHECK(grown->color.least == Approx(-80));  // as far on the other side
    CHECK(sideOf(*grown, ComparedSide::B)->color.greatest == Approx(280));
    CHECK(grown->size.greatest == Approx(140));
}

TEST_CASE("filters hide regions from a comparison, and what they call stands in their place")
{
    Session session;
    for (const TimeNs more : {0, 30})
        session.experiments.push_back(test::ExperimentBuilder("run")
                                          .process("n",
                                                   {{0, 100 + more, "main", 0},
                                                    {10, 80 + more, "work", 1},
                                                    {20, 60 + more, "hot", 2},
                                                    {82 + more, 90 + more, "hot", 1}})
                                          .finish());
    ComparedRowsRequest request;
    std::vector<RegionRef> work;
    for (std::uint32_t run = 0; run < 2; ++run)
        for (std::uint32_t id = 0; id < session.experiments[run]->definitions.regions.size(); ++id)
            if (session.experiments[run]->definitions.regions[id].name == "work")
                work.push_back({run, RegionId(id)});
    request.filters = {{"x", FilterEffect::Hide, work, {}}};
    for (const bool byRegion : {false, true}) {
        request.byRegion = byRegion;
        const ComparedRowsPtr compared = makeComparedRows(session, request, Task()).value();
        REQUIRE(compared->rows.rows.size() == 2);
        const std::size_t hot = rowNamed(*compared, "hot");
        CHECK(compared->exclusive[hot].a == Approx(48));
        CHECK(compared->exclusive[hot].b == Approx(78));
    }
}

}  // namespace skein::compared_rows_test
