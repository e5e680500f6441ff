// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/calltree/run_query.h"
#include "algorithms/calltree/set_query.h"
#include "tests/support/catch.h"

#include <algorithm>
#include <random>
#include <set>

namespace skein::set_query_test {
namespace {

using Mask = std::vector<std::uint8_t>;

const std::vector<std::string> kNames{"main",        "solve",       "MPI_Send", "MPI_Recv",
                                      "a \"b\" {c}", "f(int, \\x)", "MPI_Wait"};

/// Siblings have different names.
CallTable randomTable(std::mt19937& random, std::size_t nodes)
{
    std::vector<std::uint32_t> parents;
    std::vector<std::string> names;
    std::set<std::pair<std::uint32_t, std::string>> known;
    while (parents.size() < nodes) {
        const bool root = parents.empty() || random() % 12 == 0;
        const auto parent = root ? CallTable::kNone : static_cast<std::uint32_t>(random() % parents.size());
        const std::string& name = kNames[random() % kNames.size()];
        if (root && known.size() > 6 * kNames.size()) continue;
        if (!known.insert({parent, name}).second) {
            if (--nodes == 0) break;
            continue;
        }
        parents.push_back(parent);
        names.push_back(name);
    }
    return CallTable(parents, names);
}

std::set<std::vector<std::string_view>> pathsOf(const CallTable& table, const Mask& selected)
{
    std::set<std::vector<std::string_view>> paths;
    for (std::size_t node = 0; node < table.size(); ++node)
        if (selected[node] != 0) paths.insert(table.path(node));
    return paths;
}

Mask foundBy(const CallTable& table, const std::string& query)
{
    INFO(query);
    const auto match = queryTable(query, QueryDialect::String, table, QuerySemantics::Hatchet, Task{});
    REQUIRE(match.has_value());
    const auto declared = queryTable(query, QueryDialect::String, table, QuerySemantics::Declarative, Task{});
    CHECK(declared->selected == match->selected);
    return match->selected;
}

/// The same call paths in another order, with other numbers; some are missing.
CallTable anotherRun(const CallTable& table, std::mt19937& random)
{
    std::vector<std::uint32_t> parents, rowOf(table.size(), CallTable::kNone), open;
    std::vector<std::string> names;
    for (std::uint32_t node = 0; node < table.size(); ++node)
        if (table.parent(node) == CallTable::kNone) open.push_back(node);
    while (!open.empty()) {
        std::swap(open[random() % open.size()], open.back());
        const std::uint32_t node = open.back();
        open.pop_back();
        if (random() % 10 == 0) continue;
        rowOf[node] = static_cast<std::uint32_t>(parents.size());
        parents.push_back(table.parent(node) == CallTable::kNone ? CallTable::kNone
                                                                 : rowOf[table.parent(node)]);
        names.emplace_back(table.name(node));
        for (const std::uint32_t child : table.children(node)) open.push_back(child);
    }
    return CallTable(parents, names);
}

TEST_CASE("the query of a random set finds the set, and its call paths in another run")
{
    std::mt19937 random(7);
    for (int round = 0; round < 400; ++round) {
        const CallTable table = randomTable(random, 2 + random() % 40);
        Mask selected(table.size());
        const std::uint32_t rarity = 1 + random() % 6;
        for (std::uint8_t& one : selected) one = random() % rarity == 0 ? 1 : 0;
        const SetQuery query = queryOfSet(table, selected);
        INFO("round " << round << ": " << query.text);
        CHECK(query.exact);
        CHECK(foundBy(table, query.text) == selected);
        CHECK(foundBy(table, query.byPath) == selected);
        CHECK(query.text.find("node_id") == std::string::npos);
        const CallTable other = anotherRun(table, random);
        auto expected = pathsOf(table, selected);
        std::set<std::vector<std::string_view>> both;
        for (const auto& path : pathsOf(other, Mask(other.size(), 1)))
            if (expected.count(path) != 0) both.insert(path);
        CHECK(pathsOf(other, foundBy(other, query.byPath)) == both);
    }
}

/// main → solve → (MPI_Send, MPI_Recv), main → init → MPI_Send
CallTable smallTable()
{
    const std::vector<std::string> names{"main", "solve", "MPI_Send", "MPI_Recv", "init", "MPI_Send"};
    return CallTable({CallTable::kNone, 0, 1, 1, 0, 4}, names);
}

TEST_CASE("queries of sets are as short as they can say the same")
{
    const CallTable table = smallTable();
    const auto textOf = [&](const Mask& selected) { return queryOfSet(table, selected).text; };
    CHECK(textOf({1, 1, 1, 1, 1, 1}) == "MATCH (a)");
    CHECK(textOf({0, 0, 0, 0, 0, 0}) == "MATCH (a) WHERE a.\"depth\" < 0");
    CHECK(textOf({0, 0, 1, 1, 0, 1}) == "MATCH (a) WHERE a.\"name\" STARTS WITH \"MPI_\"");
    CHECK(textOf({0, 0, 1, 0, 0, 1}) == "MATCH (a) WHERE a.\"name\" = \"MPI_Send\"");
    CHECK(textOf({1, 1, 1, 1, 0, 0})
          == "{MATCH (a) WHERE a.\"depth\" = 0 AND a.\"name\" = \"main\"} OR {MATCH (a)->(b)->(\"*\") WHERE "
             "a.\"depth\" = 0 AND a.\"name\" = \"main\" AND b.\"name\" = \"solve\"}");
    CHECK(
        textOf({1, 1, 0, 0, 1, 0})
        == "{MATCH (a) WHERE a.\"depth\" = 0 AND a.\"name\" = \"main\"} OR {MATCH (a)->(b) WHERE a.\"depth\" "
           "= 0 AND a.\"name\" = \"main\" AND b.\"name\" = \"solve\" OR b.\"name\" = \"init\"}");
    CHECK(textOf({0, 0, 0, 0, 0, 1})
          == "{MATCH (a)->(b)->(c) WHERE a.\"depth\" = 0 AND a.\"name\" = \"main\" AND b.\"name\" = \"init\" "
             "AND c.\"name\" = "
             "\"MPI_Send\"} AND {MATCH (a) WHERE a.\"depth\" > 1}");
}

TEST_CASE("names with quotes and braces are told in a way that Hatchet reads")
{
    const std::vector<std::string> names{"f [{a.c} {1,2}]", "g"};
    const CallTable table({CallTable::kNone, 0}, names);
    const SetQuery query = queryOfSet(table, Mask{1, 0});
    CHECK(query.hatchet);
    CHECK(query.text == "MATCH (a) WHERE a.\"depth\" = 0 AND a.\"name\" =~ \"f [[].a[.]c. .1,2.[]]$\"");
    CHECK(foundBy(table, query.text) == Mask{1, 0});
}

TEST_CASE("siblings of one name that differ in whether they are in the set cannot be told by names")
{
    const std::vector<std::string> names{"main", "f", "f"};
    const CallTable table({CallTable::kNone, 0, 0}, names);
    const SetQuery query = queryOfSet(table, Mask{1, 1, 0});
    CHECK_FALSE(query.exact);
    CHECK(foundBy(table, query.text) == Mask{1, 1, 1});
}

}  // namespace
}  // namespace skein::set_query_test
