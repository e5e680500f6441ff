// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/tree/prune_rules.h"

#include "tests/support/tree_rows.h"

#include <cmath>
#include <numeric>
#include <set>

namespace skein::prune_rules_test {

namespace {

struct Ruled {
    SessionPtr session = test::smallTree();
    CallTreeRows rows = test::rowsOf(*session);
    ShownTree shown = makeShownTree(rows, {}, {}, {}, {});
    RegionGroups groups{*session, RegionGrouping::Role};

    std::set<std::string> names(const PruneRule& rule) const
    {
        std::set<std::string> found;
        for (const std::uint32_t row : rowsThatMatch(groups, rows, shown, rule))
            found.insert(rows.rows[row].name);
        return found;
    }
    std::vector<double> inclusive() const
    {
        std::vector<double> values;
        for (const CallTreeRow& row : rows.rows) values.push_back(row.values.inclusive);
        return values;
    }
};

using Names = std::set<std::string>;

}  // namespace

TEST_CASE("call paths are meant by name, pattern, group, depth, or as leaves")
{
    const Ruled ruled;
    CHECK(ruled.names({PruneRule::Kind::Name, "MPI_"}) == Names{"MPI_Wait"});
    CHECK(ruled.names({PruneRule::Kind::Name, "mpi_w"}) == Names{"MPI_Wait"});
    CHECK(ruled.names({PruneRule::Kind::Name, ""}).empty());
    CHECK(ruled.names({PruneRule::Kind::Group, "mpi"}) == Names{"MPI_Wait"});
    CHECK(ruled.names({PruneRule::Kind::Depth, "", 1}) == Names{"mult", "norm", "MPI_Wait"});
    CHECK(ruled.names({PruneRule::Kind::Leaves}) == Names{"init", "norm", "MPI_Wait"});
    PruneRule pattern{PruneRule::Kind::Match};
    pattern.matches = [](const std::string& name) { return name.size() == 4; };
    CHECK(ruled.names(pattern) == Names{"main", "init", "mult", "norm"});
}

TEST_CASE("outside of a range go whole subtrees that have nothing in it")
{
    const Ruled ruled;
    const auto values = ruled.inclusive();
    const auto outside = rowsOutside(ruled.rows, values, 30, 1e9);
    const std::set<std::uint32_t> gone(outside.begin(), outside.end());
    for (std::uint32_t row = 0; row < values.size(); ++row) CHECK(gone.contains(row) == (values[row] < 30));
    // Only the wait of out is within; the ways to it stay.
    const double least = values[test::rowAt(ruled.rows, {"main", "out", "MPI_Wait"})];
    CHECK(rowsOutside(ruled.rows, values, least, least).size() == values.size() - 3);
    CHECK(rowsOutside(ruled.rows, std::vector<double>(values.size(), std::nan("")), 0, 1).size()
          == values.size());
}

TEST_CASE("the histogram counts every call path once, in linear and logarithmic bins")
{
    const Ruled ruled;
    auto values = ruled.inclusive();
    for (const BinScale scale : {BinScale::Linear, BinScale::Logarithmic}) {
        const PruneHistogram histogram = pruneHistogram(ruled.rows, values, 10, scale);
        CHECK(histogram.scale == scale);
        CHECK(std::is_sorted(histogram.edges.begin(), histogram.edges.end()));
        CHECK(histogram.edges.size() == 11);
        const auto sum = [](const std::vector<std::uint32_t>& counts) {
            return std::accumulate(counts.begin(), counts.end(), 0u);
        };
        // Inclusive amounts never grow inwards: all can be pruned from below.
        CHECK(sum(histogram.prunable) == values.size());
        CHECK(sum(histogram.internal) == 0);
    }
    const std::uint32_t main = test::rowAt(ruled.rows, {"main"});
    values[main] = 0;
    const PruneHistogram inner = pruneHistogram(ruled.rows, values, 10, BinScale::Logarithmic);
    CHECK(inner.least == 0);
    CHECK(std::accumulate(inner.internal.begin(), inner.internal.end(), 0u) == 1);
    CHECK(inner.internal.front() == 1);
}

TEST_CASE("a histogram of nothing, of one value, and of unknown values")
{
    const Ruled ruled;
    const std::vector<double> unknown(ruled.rows.rows.size(), std::nan("")),
        same(ruled.rows.rows.size(), 7.0);
    CHECK(pruneHistogram(ruled.rows, unknown, 10, BinScale::Linear).edges.empty());
    CHECK(pruneHistogram(ruled.rows, unknown, 10, BinScale::Linear).unknown == unknown.size());
    for (const BinScale scale : {BinScale::Linear, BinScale::Logarithmic}) {
        const PruneHistogram one = pruneHistogram(ruled.rows, same, 5, scale);
        CHECK(std::accumulate(one.prunable.begin(), one.prunable.end(), 0u) == same.size());
        CHECK(one.edges.front() < one.edges.back());
    }
    CHECK(pruneHistogram({}, {}, 10, BinScale::Linear).edges.empty());
}

}  // namespace skein::prune_rules_test
