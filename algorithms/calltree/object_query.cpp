// SPDX-License-Identifier: GPL-3.0-or-later
// The object dialect as JSON: ["*", {"name": "MPI_.*"}, ["+", {"time": "> 5"}]].
#include "algorithms/calltree/positioned_json.h"
#include "algorithms/calltree/tree_query.h"

#include <cmath>
#include <fmt/format.h>

namespace skein {
namespace {

using Json = PositionedJson;
using MaybeProblem = std::optional<TextProblem>;

constexpr double kLargestQuantifier = 4294967295.0;

TextProblem problemAt(std::string message, const Json& value)
{
    return {std::move(message), value.begin, value.end};
}

MaybeProblem readQuantifier(const Json& value, QueryQuantifier& out)
{
    if (value.kind == Json::Kind::Text) {
        if (value.text == "*") out = {0, true};
        else if (value.text == "+") out = {1, true};
        else if (value.text != ".")
            return problemAt(
                fmt::format("\"{}\" is no quantifier: \".\", \"*\", \"+\" and whole numbers are", value.text),
                value);
        return std::nullopt;
    }
    const bool whole = value.kind == Json::Kind::Number && value.number >= 0.0
        && value.number <= kLargestQuantifier && value.number == std::floor(value.number);
    if (!whole) return problemAt("expected a quantifier: \".\", \"*\", \"+\" or a whole number", value);
    out = {static_cast<std::uint64_t>(value.number), false};
    return std::nullopt;
}

MaybeProblem addCondition(const std::string& attribute, const Json& value, QueryNode& node)
{
    QueryCondition made;
    made.attribute = attribute;
    made.begin = value.begin;
    made.end = value.end;
    made.valueBegin = value.begin + (value.kind == Json::Kind::Text ? 1 : 0);
    if (value.kind == Json::Kind::Text) made.value = value.text;
    else if (value.kind == Json::Kind::Number || value.kind == Json::Kind::Boolean) made.value = value.number;
    else return problemAt("expected a number, a text, or a list of them", value);
    node.conditions.push_back(std::move(made));
    return std::nullopt;
}

MaybeProblem readPredicate(const Json& object, QueryNode& node)
{
    for (std::size_t i = 0; i < object.items.size(); ++i) {
        const Json& value = object.items[i];
        const std::string& attribute = object.keys[i].first;
        if (value.kind != Json::Kind::List) {
            if (auto problem = addCondition(attribute, value, node)) return problem;
            continue;
        }
        for (const Json& one : value.items)
            if (auto problem = addCondition(attribute, one, node)) return problem;
    }
    return std::nullopt;
}

MaybeProblem readPair(const Json& pair, QueryNode& node)
{
    if (pair.items.size() != 2 || pair.items[1].kind != Json::Kind::Object)
        return problemAt("expected [quantifier, {conditions}]", pair);
    if (auto problem = readQuantifier(pair.items[0], node.quantifier)) return problem;
    return readPredicate(pair.items[1], node);
}

MaybeProblem readNode(const Json& value, QueryNode& node)
{
    node.objectDialect = true;
    node.begin = value.begin;
    node.end = value.end;
    switch (value.kind) {
    case Json::Kind::Object: return readPredicate(value, node);
    case Json::Kind::List: return readPair(value, node);
    case Json::Kind::Text:
    case Json::Kind::Number: return readQuantifier(value, node.quantifier);
    default: return problemAt("expected {conditions}, a quantifier, or [quantifier, {conditions}]", value);
    }
}

ParsedQuery objectQueryOf(const Json& json, std::string_view text);

/// A part of a compound query: in either dialect.
ParsedQuery partOf(const Json& part, std::string_view text)
{
    if (part.kind != Json::Kind::Text) return objectQueryOf(part, text);
    auto query = parseStringQuery(part.text);
    if (query) return query;
    // Offsets inside of the text are those of the JSON as long as nothing is escaped before them.
    TextProblem problem = query.error();
    const bool plain =
        text.substr(part.begin + 1, problem.begin) == std::string_view(part.text).substr(0, problem.begin);
    if (!plain) return tl::make_unexpected(TextProblem{problem.message, part.begin, part.end});
    problem.begin += part.begin + 1;
    problem.end += part.begin + 1;
    return tl::make_unexpected(problem);
}

const Json* memberOf(const Json& object, std::string_view key)
{
    for (std::size_t i = 0; i < object.items.size(); ++i)
        if (object.keys[i].first == key) return &object.items[i];
    return nullptr;
}

std::optional<QuerySet> setNamed(const std::string& name)
{
    if (name == "and") return QuerySet::And;
    if (name == "or") return QuerySet::Or;
    if (name == "xor") return QuerySet::Xor;
    if (name == "not") return QuerySet::Not;
    return std::nullopt;
}

ParsedQuery compoundOf(const Json& json, std::string_view text)
{
    const Json* const op = memberOf(json, "op");
    const Json* const queries = memberOf(json, "queries");
    if (op == nullptr || queries == nullptr || queries->kind != Json::Kind::List)
        return tl::make_unexpected(
            problemAt("expected {\"op\": \"and\", \"queries\": [query, query]} or a list", json));
    const auto set = setNamed(op->text);
    if (!set) return tl::make_unexpected(problemAt("expected \"and\", \"or\", \"xor\" or \"not\"", *op));
    TreeQuery out{*set, {}, {}};
    for (const Json& part : queries->items) {
        auto query = partOf(part, text);
        if (!query) return query;
        out.parts.push_back(std::move(*query));
    }
    if (*set == QuerySet::Not && out.parts.size() != 1)
        return tl::make_unexpected(problemAt("\"not\" is of exactly one query", *queries));
    if (*set != QuerySet::Not && out.parts.size() < 2)
        return tl::make_unexpected(
            problemAt(fmt::format("\"{}\" is of two queries at least", op->text), *queries));
    return out;
}

ParsedQuery objectQueryOf(const Json& json, std::string_view text)
{
    if (json.kind == Json::Kind::Object) return compoundOf(json, text);
    if (json.kind != Json::Kind::List)
        return tl::make_unexpected(problemAt("expected a list of query nodes in brackets", json));
    TreeQuery out;
    std::uint64_t nodes = 0;
    for (const Json& value : json.items) {
        QueryNode node;
        if (auto problem = readNode(value, node)) return tl::make_unexpected(std::move(*problem));
        nodes += node.quantifier.least + (node.quantifier.more ? 1 : 0);
        out.path.push_back(std::move(node));
    }
    if (nodes == 0) return tl::make_unexpected(problemAt("this query is of no node at all", json));
    return out;
}

}  // namespace

ParsedQuery parseObjectQuery(std::string_view json)
{
    auto value = parsePositionedJson(json);
    if (!value) return tl::make_unexpected(std::move(value.error()));
    return objectQueryOf(*value, json);
}

}  // namespace skein
