// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/calltree/run_query.h"
#include "algorithms/calltree/squash_table.h"
#include "tests/support/catch.h"
#include "tests/support/golden_json.h"
#include "tests/support/paths.h"

#include <cctype>
#include <map>
#include <random>
#include <set>

namespace skein::tree_query_test {
namespace {

using nlohmann::json;
using Nodes = std::vector<std::size_t>;

bool isNumber(const json& value)
{
    return value.is_number() || value.is_null() || value == "nan" || value == "inf" || value == "-inf";
}

/// Every field of a golden node but what the table has anyway.
void addGoldenColumns(CallTable& table, const json& nodes)
{
    std::set<std::string> fields;
    for (const json& node : nodes)
        for (const auto& [field, value] : node.items()) fields.insert(field);
    for (const std::string field : {"id", "parent", "depth", "name"}) fields.erase(field);
    for (const std::string& field : fields) {
        bool text = false;
        for (const json& node : nodes) text = text || (node.contains(field) && !isNumber(node[field]));
        std::vector<std::string> words;
        TableColumn column{field, "", {}, {}, {}, false};
        for (const json& node : nodes) {
            if (text) words.push_back(node.value(field, std::string()));
            else
                column.numbers.push_back(node.contains(field) ? test::goldenNumber(node[field])
                                                              : std::nan(""));
        }
        table.add(text ? textColumn(field, words) : column);
    }
}

CallTable goldenTable(const json& nodes)
{
    std::map<int, std::uint32_t> rowOf;
    std::vector<std::uint32_t> parents;
    std::vector<std::string> names;
    std::vector<double> ids;
    for (const json& node : nodes) {
        rowOf[node.at("id").get<int>()] = static_cast<std::uint32_t>(parents.size());
        parents.push_back(node.at("parent").is_null() ? CallTable::kNone
                                                      : rowOf.at(node["parent"].get<int>()));
        names.push_back(node.at("name").get<std::string>());
        ids.push_back(node["id"].get<double>());
    }
    CallTable table(parents, names, ids);
    addGoldenColumns(table, nodes);
    return table;
}

Result<QueryMatch> ask(const CallTable& table, const std::string& text, QueryDialect dialect,
                       QuerySemantics semantics = QuerySemantics::Hatchet)
{
    return queryTable(text, dialect, table, semantics, Task{});
}

Nodes idsOf(const CallTable& table, const QueryMatch& match)
{
    Nodes ids;
    for (std::size_t node = 0; node < table.size(); ++node)
        if (match.selected[node] != 0) ids.push_back(static_cast<std::size_t>(table.nodeId(node)));
    std::sort(ids.begin(), ids.end());
    return ids;
}

/// Paths of names with the exclusive and the inclusive time, in any order.
using PathTimes = std::multiset<std::tuple<std::vector<std::string>, double, double>>;

PathTimes squashedTimes(const CallTable& table)
{
    PathTimes out;
    for (std::size_t node = 0; node < table.size(); ++node) {
        const auto path = table.path(node);
        out.emplace(std::vector<std::string>(path.begin(), path.end()), table.column("time")->numbers[node],
                    std::round(table.column("time (inc)")->numbers[node] * 1e6));
    }
    return out;
}

PathTimes goldenTimes(const json& squashed)
{
    PathTimes out;
    std::vector<std::vector<std::string>> paths;
    for (std::size_t i = 0; i < squashed.at("names").size(); ++i) {
        const json& parents = squashed.at("parents")[i];
        std::vector<std::string> path =
            parents.empty() ? std::vector<std::string>() : paths.at(parents[0].get<std::size_t>());
        path.push_back(squashed["names"][i].get<std::string>());
        paths.push_back(path);
        out.emplace(path, test::goldenNumber(squashed.at("time")[i]),
                    std::round(test::goldenNumber(squashed.at("time (inc)")[i]) * 1e6));
    }
    return out;
}

void checkGoldenCase(const CallTable& table, const json& one)
{
    const bool text = one.at("dialect") == "string";
    const std::string query = text ? one.at("query").get<std::string>() : one.at("query").dump();
    INFO(one.at("tree") << ": " << query);
    const auto dialect = text ? QueryDialect::String : QueryDialect::Object;
    const auto match = ask(table, query, dialect);
    const char* const key = one.contains("required_matched") ? "required_matched" : "matched";
    if (!one.contains(key)) {
        // MATCH without WHERE crashes Hatchet; here it has no condition.
        const bool whereless = one.at("error") == "AttributeError";
        CHECK(match.has_value() == whereless);
        return;
    }
    REQUIRE(match.has_value());
    CHECK(idsOf(table, *match) == one.at(key).get<Nodes>());
    if (one.contains("squashed") && one["squashed"].contains("names") && std::string_view(key) == "matched")
        CHECK(squashedTimes(squashTable(table, match->selected).table) == goldenTimes(one["squashed"]));
    const auto declared = ask(table, query, dialect, QuerySemantics::Declarative);
    REQUIRE(declared.has_value());
    CHECK(idsOf(table, *declared) == one.value("matched_declarative", one.at(key)).get<Nodes>());
    CHECK(ask(table, query, QueryDialect::Detect)->selected == match->selected);
}

TEST_CASE("queries select what Hatchet selects, for every golden tree and query")
{
    SKEIN_SHARED_OR_SKIP(folder, "golden/hatchet_query");
    const json trees = test::readGolden(folder / "trees.json");
    const json queries = test::readGolden(folder / "queries.json");
    std::map<std::string, CallTable> tables;
    for (const auto& [name, nodes] : trees.at("trees").items()) tables.emplace(name, goldenTable(nodes));
    for (const json& one : queries.at("cases"))
        checkGoldenCase(tables.at(one.at("tree").get<std::string>()), one);
}

/// One step of a query as the brute force below has it.
struct PlainStep {
    bool star = false;
    std::vector<std::uint8_t> takes;  ///< [node]
};

/// Hatchet's rules written down as they are told: paths are lists of nodes, made longer step by step.
class PathEnumeration {
public:
    using Path = std::vector<std::uint32_t>;

    PathEnumeration(const CallTable& table, std::vector<PlainStep> steps)
        : table_(table), steps_(std::move(steps))
    {
    }

    std::set<std::uint32_t> hatchet() const
    {
        std::set<std::uint32_t> found;
        for (std::uint32_t node = 0; node < table_.size(); ++node) {
            const bool star = steps_[0].star;
            if (star && steps_.size() > 1 && steps_[1].takes[node] != 0)
                addAll(found, goOn({node}, steps_[1].star ? 0 : 2));
            if (steps_[0].takes[node] != 0) addAll(found, goOn({node}, star ? 0 : 1));
        }
        return found;
    }

    /// Every downward path against the steps as a regular expression.
    std::set<std::uint32_t> declarative() const
    {
        std::set<std::uint32_t> found;
        for (std::uint32_t last = 0; last < table_.size(); ++last) {
            Path path;
            for (std::uint32_t first = last; first != CallTable::kNone; first = table_.parent(first)) {
                path.insert(path.begin(), first);
                if (matchesFrom(path, 0, 0)) found.insert(path.begin(), path.end());
            }
        }
        return found;
    }

private:
    static void addAll(std::set<std::uint32_t>& out, const std::vector<Path>& paths)
    {
        for (const Path& path : paths) out.insert(path.begin(), path.end());
    }

    bool matchesFrom(const Path& path, std::size_t at, std::size_t step) const
    {
        if (step == steps_.size()) return at == path.size();
        const bool takes = at < path.size() && steps_[step].takes[path[at]] != 0;
        if (!steps_[step].star) return takes && matchesFrom(path, at + 1, step + 1);
        return matchesFrom(path, at, step + 1) || (takes && matchesFrom(path, at + 1, step));
    }

    std::vector<Path> goOn(const Path& path, std::size_t step) const
    {
        if (step == steps_.size()) return {path};
        std::vector<Path> all;
        for (const Path& more : steps_[step].star ? wildcard(path.back(), step) : single(path.back(), step)) {
            Path longer = path;
            longer.insert(longer.end(), more.begin(), more.end());
            for (const Path& whole : goOn(longer, step + 1)) all.push_back(whole);
        }
        return all;
    }

    std::vector<Path> single(std::uint32_t node, std::size_t step) const
    {
        std::vector<Path> out;
        for (const std::uint32_t child : table_.children(node))
            if (steps_[step].takes[child] != 0) out.push_back({child});
        return out;
    }

    std::vector<Path> wildcard(std::uint32_t node, std::size_t step) const
    {
        if (table_.isLeaf(node)) return {{}};
        std::vector<Path> out;
        for (const std::uint32_t child : table_.children(node))
            for (const Path& more : wildcardAt(child, step)) out.push_back(more);
        return out;
    }

    std::vector<Path> wildcardAt(std::uint32_t node, std::size_t step) const
    {
        const bool last = step + 1 == steps_.size();
        if (!last && steps_[step + 1].takes[node] != 0) return {{}};
        if (steps_[step].takes[node] == 0) return last ? std::vector<Path>{{}} : std::vector<Path>{};
        if (table_.isLeaf(node)) return last ? std::vector<Path>{{node}} : std::vector<Path>{};
        std::vector<Path> out;
        for (Path more : wildcard(node, step)) {
            more.insert(more.begin(), node);
            out.push_back(std::move(more));
        }
        return out;
    }

    const CallTable& table_;
    std::vector<PlainStep> steps_;
};

std::set<std::uint32_t> selectedOf(const QueryMatch& match)
{
    std::set<std::uint32_t> out;
    for (std::uint32_t node = 0; node < match.selected.size(); ++node)
        if (match.selected[node] != 0) out.insert(node);
    return out;
}

CallTable randomTable(std::mt19937& random, std::size_t nodes)
{
    std::vector<std::uint32_t> parents;
    std::vector<std::string> names;
    for (std::size_t node = 0; node < nodes; ++node) {
        const bool root = node == 0 || random() % 8 == 0;
        const std::size_t reach = std::min<std::size_t>(node, 4);
        parents.push_back(root ? CallTable::kNone : static_cast<std::uint32_t>(node - 1 - random() % reach));
        names.emplace_back(1, static_cast<char>('a' + random() % 3));
    }
    return CallTable(parents, names);
}

/// A random query in the object dialect, and what its steps are.
std::string randomQuery(std::mt19937& random, const CallTable& table, std::vector<PlainStep>& steps)
{
    static const std::vector<std::string> kLetters{"a", "b", "[ab]", "[bc]", ".*"};
    json query = json::array();
    const std::size_t nodes = 1 + random() % 4;
    for (std::size_t i = 0; i < nodes; ++i) {
        const std::string pattern = kLetters[random() % kLetters.size()];
        PlainStep step;
        for (std::size_t node = 0; node < table.size(); ++node) {
            const std::string name(table.name(node));
            step.takes.push_back(pattern == ".*" || pattern.find(name) != std::string::npos ? 1 : 0);
        }
        const std::uint32_t kind = random() % 5;
        const std::vector<json> quantifiers{".", "*", "+", 2, "*"};
        query.push_back(json::array({quantifiers[kind], {{"name", pattern}}}));
        if (kind == 0 || kind == 2 || kind == 3) steps.push_back(step);
        if (kind == 3) steps.push_back(step);
        step.star = true;
        if (kind == 1 || kind == 2 || kind == 4) steps.push_back(step);
    }
    return query.dump();
}

TEST_CASE("both semantics of queries equal an enumeration of paths on random trees")
{
    std::mt19937 random(20);
    for (int round = 0; round < 1500; ++round) {
        const CallTable table = randomTable(random, 1 + random() % 14);
        std::vector<PlainStep> steps;
        const std::string query = randomQuery(random, table, steps);
        INFO("round " << round << ": " << query);
        const PathEnumeration brute(table, steps);
        CHECK(selectedOf(*ask(table, query, QueryDialect::Object)) == brute.hatchet());
        CHECK(selectedOf(*ask(table, query, QueryDialect::Object, QuerySemantics::Declarative))
              == brute.declarative());
    }
}

/// main → solve → MPI_Send, main → MPI_Init
CallTable smallTable()
{
    const std::vector<std::string> names{"main", "solve", "MPI_Send", "MPI_Init"};
    CallTable table({CallTable::kNone, 0, 1, 0}, names);
    table.add({"time", "s", {1.0, 2.0, std::nan(""), 5e-3}, {}, {}, false});
    return table;
}

std::string problemText(const std::string& query, QueryDialect dialect = QueryDialect::Detect)
{
    const auto match = ask(smallTable(), query, dialect);
    REQUIRE_FALSE(match.has_value());
    CHECK(match.error().code == ErrorCode::InvalidArgument);
    return match.error().message;
}

TEST_CASE("what is wrong with a query is told with its character")
{
    CHECK(problemText("MATCH p WHERE p.\"name\" = \"x\"")
          == "At character 7: expected ( and a node, such as (n) or (\"*\", n).");
    CHECK(problemText("match (p)") == "At character 1: keywords are written in capitals: MATCH.");
    CHECK(problemText("MATCH (\"?\", p)")
          == "At character 8: \"?\" is no quantifier: \".\", \"*\", \"+\" and whole numbers are.");
    CHECK(problemText("MATCH (p) WHERE q.\"name\" = \"x\"")
          == "At character 17: no node of the path is called q.");
    CHECK(problemText("MATCH (p) WHERE p.\"name\" =~ \"a(b\"").substr(0, 16) == "At character 33:");
    CHECK(problemText("MATCH (p) WHERE p.\"name\" > 3")
          == "At character 17: name is a text, and is compared with a number.");
    CHECK(problemText("MATCH (p) WHERE p.\"time\" STARTS WITH \"a\"")
          == "At character 17: time is a number, and is compared with a text.");
    CHECK(problemText("MATCH (p) WHERE p.\"time\" = 1 2")
          == "At character 30: expected AND, OR or the end of the query.");
    CHECK(problemText("MATCH (p)->(p)") == "At character 13: two nodes are called p.");
    CHECK(problemText("{MATCH (p)} AND MATCH (q)")
          == "At character 17: expected another query in braces: {MATCH …}.");
    CHECK(problemText("{MATCH (p)") == "At character 1: this { has no }.");
    CHECK(problemText("") == "At character 1: the query is empty: MATCH (\"*\")->(n) is one.");
    CHECK(problemText("[{\"name\": 5}]")
          == "At character 11: name is a text: expected a regular expression in quotes.");
    CHECK(problemText("[{\"time\": \"=> 5\"}]")
          == "At character 11: time is a number: expected a number or a comparison such as \"> 5\".");
    CHECK(problemText("[\"*\", {\"name\" \"x\"}]") == "At character 15: expected :.");
    CHECK(problemText("[[\"*\", {\"name\": \"é(\"}]]").substr(0, 16) == "At character 20:");
    CHECK(problemText("{\"op\": \"and\", \"queries\": [\"MATCH (p) WERE\", [\"*\"]]}").substr(0, 16)
          == "At character 38:");
    CHECK(pointedAt({"", 6, 7}, "MATCH p") == "MATCH p\n      ^");
}

TEST_CASE("clauses of a query that find nothing are named")
{
    const auto notesOf = [](const std::string& query) {
        const auto match = ask(smallTable(), query, QueryDialect::Detect);
        REQUIRE(match.has_value());
        CHECK(match->count() == 0);
        std::vector<std::string> notes;
        for (const QueryNote& note : match->notes)
            notes.push_back(query.substr(note.begin, note.end - note.begin) + " | " + note.message);
        return notes;
    };
    CHECK(notesOf("MATCH (p)->(q) WHERE p.\"name\" = \"main\" AND q.\"name\" = \"nobody\"")
          == std::vector<std::string>{"q.\"name\" = \"nobody\" | No node satisfies this condition."});
    CHECK(notesOf("MATCH (p) WHERE p.\"nosuch\" > 3")
          == std::vector<std::string>{
              "p.\"nosuch\" > 3 | There is no attribute \"nosuch\"; there are depth, node_id, name, time."});
    CHECK(notesOf("MATCH (p)->(q) WHERE p.\"name\" = \"MPI_Init\" AND q.\"name\" = \"solve\"")
          == std::vector<std::string>{"(q) | Some paths match up to here, but none goes on with q."});
    CHECK(
        notesOf("MATCH (p) WHERE p.\"name\" = \"main\" AND p IS LEAF")
        == std::vector<std::string>{"(p) | Each condition is satisfied by some node, all together by none."});
    CHECK(notesOf("[20]") == std::vector<std::string>{"20 | No path of the tree is as long as the query."});
}

TEST_CASE("quotes and backslashes of the string dialect")
{
    const std::vector<std::string> names{"a\"b", "a'b", "a\\b", "a.b", "axb"};
    const CallTable table(std::vector<std::uint32_t>(5, CallTable::kNone), names);
    const auto found = [&](const std::string& test) {
        return selectedOf(*ask(table, "MATCH (p) WHERE p.\"name\" " + test, QueryDialect::String));
    };
    using Set = std::set<std::uint32_t>;
    CHECK(found(R"(= "a\"b")") == Set{0});
    CHECK(found(R"(= 'a"b')") == Set{0});
    CHECK(found(R"(= "a'b")") == Set{1});
    CHECK(found(R"(= "a\\b")") == Set{2});
    CHECK(found(R"(=~ "a\.b")") == Set{3});
    CHECK(found(R"(=~ "a\\.b")") == Set{3});
    CHECK(found(R"(=~ "a.b")") == Set{0, 1, 2, 3, 4});
    CHECK(found(R"(CONTAINS ".")") == Set{3});
}

TEST_CASE("regular expressions are Python's")
{
    const auto matches = [](const std::string& pattern, const std::string& text,
                            PatternAnchor anchor = PatternAnchor::Both) {
        const auto compiled = TextPattern::compile(pattern, anchor);
        INFO(pattern);
        REQUIRE(compiled.has_value());
        return compiled->matches(text).value();
    };
    CHECK(matches("MPI_.*", "MPI_Send"));
    CHECK_FALSE(matches("MPI", "MPI_Send"));
    CHECK(matches("MPI", "MPI_Send", PatternAnchor::Start));
    CHECK_FALSE(matches("Send", "MPI_Send", PatternAnchor::Start));
    CHECK(matches("Send", "MPI_Send", PatternAnchor::Anywhere));
    // As Hatchet has it: only the last alternative is anchored at its end.
    CHECK(matches("MPI|x", "MPI_Send"));
    CHECK_FALSE(matches("x|MPI", "MPI_Send"));
    CHECK(matches("\\w+", "größe"));
    CHECK(matches("a{,2}", "aa"));
    CHECK(matches("a\\Z", "a"));
    CHECK_FALSE(matches("a", "a\n"));
    CHECK(matches("[[a]+", "[a"));
    CHECK(matches("(?i)mpi_(?P<op>send)", "MPI_SEND"));
    CHECK(matches("(?u)a\\u0062", "ab"));
    CHECK(matches("a\\vb", "a\vb"));
    for (const std::string wrong :
         {"a(", "a++", "(?R)", "(*UTF)a", "\\Ka", "\\h", "(?>a)", "[a", "a\\", "\\u12"})
        CHECK_FALSE(TextPattern::compile(wrong, PatternAnchor::Both).has_value());
}

TEST_CASE("a hostile regular expression ends with a sentence")
{
    const std::vector<std::string> names{std::string(60, 'a') + "!"};
    const CallTable table({CallTable::kNone}, names);
    const auto match = ask(table, R"([{"name": "(a+)+"}])", QueryDialect::Object);
    REQUIRE_FALSE(match.has_value());
    CHECK(match.error().message.find("takes too many steps") != std::string::npos);
}

TEST_CASE("a path of 100 000 nodes and long quantifiers")
{
    std::vector<std::uint32_t> parents(100'000);
    for (std::uint32_t node = 0; node < parents.size(); ++node)
        parents[node] = node == 0 ? CallTable::kNone : node - 1;
    const CallTable table(parents, std::vector<std::string>(parents.size(), "f"));
    CHECK(ask(table, "[\"*\", {\"depth\": -1}]", QueryDialect::Object)->count() == 100'000);
    CHECK(ask(table, "MATCH (p)->(500) WHERE p.\"depth\" = 10", QueryDialect::String)->count() == 501);
    CHECK(ask(table, "[4000000000]", QueryDialect::Object)->count() == 0);
    CHECK_FALSE(ask(table, "[99999]", QueryDialect::Object).has_value());
}

}  // namespace
}  // namespace skein::tree_query_test
