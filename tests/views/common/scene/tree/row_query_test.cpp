// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/tree/row_query.h"

#include "tests/support/tree_rows.h"

#include <algorithm>

namespace skein::row_query_test {

namespace {

struct Queried {
    SessionPtr session = test::smallTree();
    CallTreeRows rows = test::rowsOf(*session);
    QueriedRows queried = tableOfRows(*session, rows, {});

    std::vector<std::string> find(const std::string& query) const
    {
        const auto found = findRows(query, queried, rows.rows.size(), Task());
        REQUIRE(found);
        std::vector<std::string> names;
        for (std::size_t row = 0; row < rows.rows.size(); ++row)
            if (found->found[row]) names.push_back(rows.rows[row].name);
        CHECK(names.size() == found->count);
        std::sort(names.begin(), names.end());
        return names;
    }
};

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("queries ask rows by name, amounts in seconds, calls and depth")
{
    const Queried queried;
    CHECK(queried.find("MATCH (n) WHERE n.\"name\" = \"norm\"") == Names{"norm"});
    CHECK(queried.find("MATCH (n) WHERE n.\"time (inc)\" >= 0.0000001") == Names{"main", "solve"});
    CHECK(queried.find("MATCH (n) WHERE n.\"depth\" = 0") == Names{"main"});
    CHECK(queried.find("MATCH (\"*\")->(n) WHERE n.\"name\" = \"norm\"") == Names{"main", "norm", "solve"});
    CHECK(queried.find("  ").size() == 8);
}

TEST_CASE("what is wrong with a query is told with its place")
{
    const Queried queried;
    const auto wrong = findRows("MATCH (n WHERE", queried.queried, queried.rows.rows.size(), Task());
    REQUIRE_FALSE(wrong);
    CHECK_FALSE(wrong.error().message.empty());
    CHECK(wrong.error().begin > 0);
}

TEST_CASE("a picture becomes a query that finds it again")
{
    const Queried queried;
    std::vector<std::uint32_t> rows{test::rowAt(queried.rows, {"main"}),
                                    test::rowAt(queried.rows, {"main", "solve"}),
                                    test::rowAt(queried.rows, {"main", "out", "MPI_Wait"})};
    std::sort(rows.begin(), rows.end());
    const SetQuery query = queryOfRows(queried.queried, rows);
    CHECK(query.exact);
    const auto found = findRows(query.text, queried.queried, queried.rows.rows.size(), Task());
    REQUIRE(found);
    for (std::uint32_t row = 0; row < queried.rows.rows.size(); ++row)
        CHECK((found->found[row] != 0) == std::binary_search(rows.begin(), rows.end(), row));
}

TEST_CASE("queries are completed by keywords, attributes and names")
{
    const Queried queried;
    const auto offers = [&](const std::string& typed, const std::string& whole) {
        const auto all = queryCompletions(queried.queried, typed);
        return std::find(all.begin(), all.end(), whole) != all.end();
    };
    CHECK(offers("MAT", "MATCH (\"*\")->(n) WHERE n.\"name\" = \""));
    CHECK(offers("MATCH (n) WHERE n.\"ti", "MATCH (n) WHERE n.\"time (inc)\""));
    CHECK(offers("MATCH (n) WHERE n.\"name\" = \"MPI", "MATCH (n) WHERE n.\"name\" = \"MPI_Wait\""));
    CHECK(offers("MATCH (n) WHERE n.\"name\" ", "MATCH (n) WHERE n.\"name\" STARTS WITH \""));
    CHECK(queryCompletions(queried.queried, "MATCH (n) WHERE n.\"nothing").empty());
}

}  // namespace skein::row_query_test
