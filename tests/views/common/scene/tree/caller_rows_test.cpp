// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/tree/caller_rows.h"

#include "tests/support/tree_rows.h"

#include <map>
#include <random>

namespace skein::caller_rows_test {

namespace {

/// Rows of a chain of calls: each name called by the one before it, 1 of its own.
CallTreeRows chain(const std::vector<std::string>& names)
{
    CallTreeRows rows;
    rows.hasTree = true;
    rows.rowOfCallPath.resize(1);
    rows.rowOfRegion.resize(1);
    for (std::size_t row = 0; row < names.size(); ++row) {
        CallTreeRow one;
        one.name = names[row];
        one.parent = static_cast<std::int64_t>(row) - 1;
        one.callPaths = {CallPathId(static_cast<std::uint32_t>(row))};
        one.regions = {RegionId(0)};
        one.values.exclusive = 1;
        one.values.calls = 1;
        one.values.inclusive = static_cast<double>(names.size() - row);
        rows.rowOfCallPath[0].push_back(static_cast<std::int64_t>(row));
        rows.rows.push_back(std::move(one));
    }
    return rows;
}

}  // namespace

TEST_CASE("functions have the sums of all their call paths, and their callers below")
{
    const CallTreeRows rows = test::rowsOf(*test::smallTree());
    const CallerRows callers = makeCallerRows(rows, {}, Task());
    CHECK(callers.complete);
    CHECK(callers.levels == 3);
    const std::uint32_t wait = test::rowAt(callers.rows, {"MPI_Wait"});
    const double inMult =
        rows.rows[test::rowAt(rows, {"main", "solve", "mult", "MPI_Wait"})].values.exclusive;
    const double inOut = rows.rows[test::rowAt(rows, {"main", "out", "MPI_Wait"})].values.exclusive;
    CHECK(callers.rows.rows[wait].values.exclusive == inMult + inOut);
    CHECK(callers.rows.rows[wait].values.calls == 4);
    CHECK(callers.rows.rows[wait].callPaths.size() == 2);
    const std::uint32_t out = test::rowAt(callers.rows, {"MPI_Wait", "out"});
    CHECK(callers.rows.rows[out].values.exclusive == inOut);
    CHECK(callers.rows.rows[test::rowAt(callers.rows, {"MPI_Wait", "mult", "solve", "main"})].values.exclusive
          == inMult);
}

TEST_CASE("of a recursion the outermost call counts")
{
    const CallTreeRows rows = chain({"main", "f", "g", "f", "f"});
    const CallerRows callers = makeCallerRows(rows, {}, Task());
    const CallTreeRow& f = callers.rows.rows[test::rowAt(callers.rows, {"f"})];
    CHECK(f.values.inclusive == 4);
    CHECK(f.values.exclusive == 3);
    CHECK(f.values.calls == 3);
    CHECK(callers.rows.rows[test::rowAt(callers.rows, {"f", "main"})].values.inclusive == 4);
    CHECK(callers.rows.rows[test::rowAt(callers.rows, {"f", "g"})].values.inclusive == 2);
    CHECK(callers.rows.rows[test::rowAt(callers.rows, {"f", "f", "g"})].values.exclusive == 1);
}

TEST_CASE("functions alone, and one function alone")
{
    const CallTreeRows rows = test::rowsOf(*test::smallTree());
    CallerRowsOptions flat;
    flat.levels = 0;
    const CallerRows functions = makeCallerRows(rows, flat, Task());
    CHECK(functions.rows.rows.size() == 7);
    for (const CallTreeRow& row : functions.rows.rows) CHECK(row.parent == -1);
    double flatSum = 0, treeSum = 0;
    for (const CallTreeRow& row : functions.rows.rows) flatSum += row.values.exclusive;
    for (const CallTreeRow& row : rows.rows) treeSum += row.values.exclusive;
    CHECK(flatSum == treeSum);
    CallerRowsOptions one;
    one.function = "norm";
    const CallerRows norm = makeCallerRows(rows, one, Task());
    CHECK(norm.rows.rows.size() == 3);
    CHECK(norm.rows.rows[0].name == "norm");
}

TEST_CASE("callers of very deep calls end where there are too many")
{
    std::vector<std::string> names{"main"};
    for (int level = 1; level < 100'000; ++level) names.push_back("f");
    CallerRowsOptions options;
    options.mostMembers = 1'000'000;
    const CallerRows callers = makeCallerRows(chain(names), options, Task());
    CHECK_FALSE(callers.complete);
    CHECK(callers.rows.rows[test::rowAt(callers.rows, {"f"})].values.exclusive == 99'999);
}

TEST_CASE("amounts below a caller add up to at most its own")
{
    const CallTreeRows rows = test::rowsOf(*test::smallTree());
    const CallerRows callers = makeCallerRows(rows, {}, Task());
    std::map<std::int64_t, double> below;
    for (const CallTreeRow& row : callers.rows.rows)
        if (row.parent >= 0) below[row.parent] += row.values.exclusive;
    for (const auto& [row, sum] : below)
        CHECK(sum <= callers.rows.rows[static_cast<std::size_t>(row)].values.exclusive);
}

}  // namespace skein::caller_rows_test
