// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/tree/shown_tree.h"

#include "tests/support/tree_rows.h"
#include "views/common/scene/tree/tree_quantities.h"

#include <cmath>
#include <numeric>
#include <random>
#include <set>

namespace skein::shown_tree_test {

namespace {

std::vector<double> amountsOf(const CallTreeRows& rows, TreeAmount amount)
{
    std::vector<double> values;
    for (const CallTreeRow& row : rows.rows)
        values.push_back(amount == TreeAmount::Exclusive ? row.values.exclusive : row.values.inclusive);
    return values;
}

ShownTree shownOf(const CallTreeRows& rows, const TreeEdits& edits, std::size_t most = 1000)
{
    return makeShownTree(rows, edits, {}, amountsOf(rows, TreeAmount::Inclusive), {std::nullopt, most});
}

/// Rows with random parents, names and amounts; inclusive amounts hold those below.
CallTreeRows randomRows(std::size_t count, std::mt19937& random)
{
    CallTreeRows rows;
    rows.hasTree = true;
    std::vector<std::int64_t> open;
    rows.rowOfCallPath.resize(1);
    for (std::size_t row = 0; row < count; ++row) {
        while (!open.empty() && random() % 3 == 0) open.pop_back();
        CallTreeRow one;
        one.name = "f" + std::to_string(random() % 6);
        one.parent = open.empty() ? -1 : open.back();
        one.callPaths = {CallPathId(static_cast<std::uint32_t>(row))};
        one.regions = {RegionId(0)};
        one.values.exclusive = static_cast<double>(random() % 1000);
        rows.rowOfCallPath[0].push_back(static_cast<std::int64_t>(row));
        open.push_back(static_cast<std::int64_t>(row));
        rows.rows.push_back(std::move(one));
    }
    for (std::size_t row = count; row-- > 0;) {
        rows.rows[row].values.inclusive += rows.rows[row].values.exclusive;
        if (rows.rows[row].parent >= 0)
            rows.rows[static_cast<std::size_t>(rows.rows[row].parent)].values.inclusive +=
                rows.rows[row].values.inclusive;
    }
    return rows;
}

}  // namespace

TEST_CASE("without edits every call path is a node")
{
    const CallTreeRows rows = test::rowsOf(*test::smallTree());
    const ShownTree shown = shownOf(rows, {});
    REQUIRE(shown.nodes.size() == 8);
    CHECK(shown.trees.size() == 1);
    CHECK(shown.trees[0].name == "main");
    CHECK(shown.trees[0].rows == 8);
    for (std::uint32_t node = 0; node < shown.nodes.size(); ++node) {
        const std::int64_t parent = rows.rows[shown.nodes[node].row].parent;
        CHECK(shown.nodes[node].parent
              == (parent < 0 ? kNoShownNode : shown.nodeOf[static_cast<std::size_t>(parent)]));
    }
}

TEST_CASE("a collapsed node stands for its subtree, with the exclusive amounts of all of it")
{
    const CallTreeRows rows = test::rowsOf(*test::smallTree());
    const std::uint32_t solve = test::rowAt(rows, {"main", "solve"});
    const TreeEdits edits = withToggled({}, rows, solve);
    const ShownTree shown = shownOf(rows, edits);
    REQUIRE(shown.nodes.size() == 5);
    const std::uint32_t node = shown.nodeOf[solve];
    CHECK(shown.nodes[node].kind == ShownKind::Collapsed);
    CHECK(shown.nodes[node].hiddenRows == 3);
    CHECK(shown.nodes[node].hiddenRoots == 2);
    const auto inclusive = valuesOfNodes(shown, amountsOf(rows, TreeAmount::Inclusive), Combining::RowOnly);
    const auto exclusive = valuesOfNodes(shown, amountsOf(rows, TreeAmount::Exclusive), Combining::Sum);
    CHECK(inclusive[node] == 100);  // 60 and 40
    CHECK(exclusive[node] == 100);
    CHECK(withToggled(edits, rows, solve) == TreeEdits());
}

TEST_CASE("pruned subtrees of a node have one surrogate: sums of exclusive amounts and of their roots'")
{
    const CallTreeRows rows = test::rowsOf(*test::smallTree());
    const std::uint32_t mult = test::rowAt(rows, {"main", "solve", "mult"});
    const std::uint32_t wait = test::rowAt(rows, {"main", "solve", "mult", "MPI_Wait"});
    const std::uint32_t norm = test::rowAt(rows, {"main", "solve", "norm"});
    const ShownTree shown = shownOf(rows, withRemoved({}, rows, {mult, wait, norm}));
    const std::uint32_t surrogate = shown.nodeOf[mult];
    REQUIRE(surrogate != kNoShownNode);
    CHECK(shown.nodes[surrogate].kind == ShownKind::Surrogate);
    CHECK(shown.nodeOf[wait] == surrogate);
    CHECK(shown.nodeOf[norm] == surrogate);
    CHECK(shown.nodes[surrogate].hiddenRows == 3);
    CHECK(shown.nodes[surrogate].hiddenRoots == 2);
    const auto inclusive = valuesOfNodes(shown, amountsOf(rows, TreeAmount::Inclusive), Combining::RowOnly);
    const auto exclusive = valuesOfNodes(shown, amountsOf(rows, TreeAmount::Exclusive), Combining::Sum);
    CHECK(inclusive[surrogate] == rows.rows[mult].values.inclusive + rows.rows[norm].values.inclusive);
    CHECK(exclusive[surrogate] == inclusive[surrogate]);
    const auto largest = valuesOfNodes(shown, amountsOf(rows, TreeAmount::Inclusive), Combining::Largest);
    CHECK(largest[surrogate] == rows.rows[mult].values.inclusive);
    CHECK(withDecomposed(withRemoved({}, rows, {mult, wait, norm}), rows, shown, surrogate) == TreeEdits());
}

TEST_CASE("a node taken out from between others is composed with the one above")
{
    const CallTreeRows rows = test::rowsOf(*test::smallTree());
    const std::uint32_t solve = test::rowAt(rows, {"main", "solve"});
    const std::uint32_t mult = test::rowAt(rows, {"main", "solve", "mult"});
    const TreeEdits edits = withRemoved({}, rows, {mult});
    const ShownTree shown = shownOf(rows, edits);
    const std::uint32_t node = shown.nodeOf[solve];
    CHECK(shown.nodes[node].composed == 1);
    CHECK(shown.placeOf[mult] == RowPlace::Composed);
    const std::uint32_t wait = test::rowAt(rows, {"main", "solve", "mult", "MPI_Wait"});
    CHECK(shown.nodes[shown.nodeOf[wait]].parent == node);
    const auto exclusive = valuesOfNodes(shown, amountsOf(rows, TreeAmount::Exclusive), Combining::Sum);
    CHECK(exclusive[node] == rows.rows[solve].values.exclusive + rows.rows[mult].values.exclusive);
    CHECK(withDecomposed(edits, rows, shown, node) == TreeEdits());
}

TEST_CASE("keep only leaves the ways to what is kept")
{
    const CallTreeRows rows = test::rowsOf(*test::smallTree());
    const std::uint32_t wait = test::rowAt(rows, {"main", "out", "MPI_Wait"});
    const ShownTree shown = shownOf(rows, withOnly({}, rows, {wait}));
    std::set<std::string> names;
    for (const ShownNode& node : shown.nodes)
        if (node.kind != ShownKind::Surrogate) names.insert(rows.rows[node.row].name);
    CHECK(names == std::set<std::string>{"main", "out", "MPI_Wait"});
}

TEST_CASE("exclusive amounts add up to the same whatever is pruned below a root that stays")
{
    std::mt19937 random(5);
    for (int round = 0; round < 40; ++round) {
        const CallTreeRows rows = randomRows(1 + random() % 80, random);
        TreeEdits edits;
        std::vector<std::uint32_t> pruned;
        for (std::uint32_t row = 0; row < rows.rows.size(); ++row) {
            if (rows.rows[row].parent >= 0 && random() % 3 == 0) pruned.push_back(row);
            if (random() % 6 == 0) edits = withToggled(std::move(edits), rows, row);
        }
        edits = withRemoved(std::move(edits), rows, pruned);
        const ShownTree shown = shownOf(rows, edits, 1 + random() % 100);
        const auto ofRows = amountsOf(rows, TreeAmount::Exclusive);
        double expected = 0;
        for (std::size_t row = 0; row < rows.rows.size(); ++row)
            if (shown.placeOf[row] != RowPlace::Absent) expected += ofRows[row];
        const auto values = valuesOfNodes(shown, ofRows, Combining::Sum);
        double sum = 0;
        for (const double value : values) sum += std::isnan(value) ? 0 : value;
        CHECK(sum == expected);
        for (std::uint32_t node = 0; node < shown.nodes.size(); ++node)
            CHECK((shown.nodes[node].parent == kNoShownNode || shown.nodes[node].parent < node));
    }
}

TEST_CASE("of too many nodes the least are left out, and what stays is connected")
{
    std::mt19937 random(9);
    const CallTreeRows rows = randomRows(300, random);
    const ShownTree shown = shownOf(rows, {}, 40);
    std::size_t drawn = 0;
    double least = 1e300;
    for (const ShownNode& node : shown.nodes) {
        if (node.kind == ShownKind::Surrogate) continue;
        ++drawn;
        least = std::min(least, rows.rows[node.row].values.inclusive);
    }
    CHECK(drawn <= 40);
    CHECK(drawn >= 38);
    CHECK(shown.tooSmall == 300 - drawn);
    for (std::size_t row = 0; row < rows.rows.size(); ++row)
        if (shown.placeOf[row] != RowPlace::Itself) CHECK(rows.rows[row].values.inclusive <= least);
}

TEST_CASE("trees are told by their root, however they are ordered")
{
    std::mt19937 random(3);
    const CallTreeRows rows = randomRows(200, random);
    const ShownTree all = shownOf(rows, {});
    REQUIRE(all.trees.size() >= 2);
    CHECK(all.trees[0].rows >= all.trees[1].rows);
    for (const TreeOfForest& tree : all.trees) {
        const ShownTree one = makeShownTree(rows, {}, {}, {}, {tree.root, 1000});
        REQUIRE(one.nodes.size() == tree.rows);
        CHECK(one.nodes[0].row == tree.root);
        CHECK(rows.rows[tree.root].name == tree.name);
    }
}

TEST_CASE("notes are bound to call paths")
{
    const CallTreeRows rows = test::rowsOf(*test::smallTree());
    const std::uint32_t norm = test::rowAt(rows, {"main", "solve", "norm"});
    const TreeEdits noted = withNote({}, rows, norm, "called too often");
    CHECK(noteOn(noted, rows, norm) == "called too often");
    CHECK(noteOn(noted, rows, norm - 1).empty());
    CHECK(withNote(noted, rows, norm, "").notes.empty());
}

TEST_CASE("what only a query finds is shown, below what it found above")
{
    const CallTreeRows rows = test::rowsOf(*test::smallTree());
    std::vector<std::uint8_t> found(rows.rows.size(), 0);
    const std::uint32_t main = test::rowAt(rows, {"main"});
    const std::uint32_t wait = test::rowAt(rows, {"main", "solve", "mult", "MPI_Wait"});
    found[main] = found[wait] = 1;
    const ShownTree shown = makeShownTree(rows, {}, found, {}, {std::nullopt, 1000});
    CHECK(shown.nodes[shown.nodeOf[wait]].parent == shown.nodeOf[main]);
    CHECK(shown.nodes[shown.nodeOf[main]].composed == 2);
}

TEST_CASE("locations are spread between nothing and the greatest amount")
{
    const SessionPtr session = test::smallTree();
    const CallTreeRows rows = test::rowsOf(*session);
    const auto spreads = locationSpreads(*session, {}, rows, Task());
    REQUIRE(spreads);
    REQUIRE(spreads->size() == rows.rows.size());
    const LocationSpread& solve = (*spreads)[test::rowAt(rows, {"main", "solve"})];
    CHECK(solve[7] == 1);  // 60 of 60
    CHECK(solve[5] == 1);  // 40 of 60
    CHECK(std::accumulate(solve.begin(), solve.end(), 0u) == 2);
}

}  // namespace skein::shown_tree_test
