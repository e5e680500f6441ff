// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/calltree/text_pattern.h"
#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

/// The call path query language of Hatchet (Lumsden et al., "Enabling Call Path Querying in Hatchet to
/// Identify Performance Bottlenecks in Scientific Applications", eScience 2022): its string dialect and its
/// object dialect. docs/QUERIES.md says what each means.
namespace skein {

enum class QueryDialect : std::uint8_t {
    Detect,  ///< by the first character that is no blank: [ or {" begin JSON
    String,
    Object,  ///< as JSON: [quantifier, {…}] for a tuple; {"op": "and", "queries": […]} for compound queries
};

/// What a condition asks of an attribute.
enum class QueryTest : std::uint8_t {
    Equals,  ///< of a number
    Less,
    Greater,
    LessOrEqual,
    GreaterOrEqual,
    TextEquals,
    StartsWith,
    EndsWith,
    Contains,
    Matches,  ///< a regular expression, anchored at its start
    IsNone,
    IsNan,
    IsInf,
    IsLeaf,
    Value,  ///< of the object dialect: what it asks depends on the attribute
};

/// How a condition is joined to the one before it.
enum class QueryLink : std::uint8_t { And, Or };

/// A value in JSON: a text, or a number.
using QueryValue = std::variant<std::string, double>;

struct QueryCondition {
    std::string attribute;
    QueryTest test = QueryTest::Value;
    QueryLink link = QueryLink::And;
    bool negated = false;
    QueryValue value;
    std::size_t begin = 0;  ///< bytes of the query that it stands in
    std::size_t end = 0;
    std::size_t valueBegin = 0;  ///< where its value's text begins, without the quote
};

/// How many nodes, one after the other, a node of a query stands for.
struct QueryQuantifier {
    std::uint64_t least = 1;
    bool more = false;  ///< any number above that
};

struct QueryNode {
    QueryQuantifier quantifier;
    std::string name;                        ///< empty where it has none
    std::vector<QueryCondition> conditions;  ///< And binds tighter than Or
    bool objectDialect = false;  ///< conditions are looked at one by one, and end at the first that fails
    std::size_t begin = 0;
    std::size_t end = 0;
};

enum class QuerySet : std::uint8_t { Path, And, Or, Xor, Not };

/// A query of one path, or a combination of the nodes that queries find.
struct TreeQuery {
    QuerySet set = QuerySet::Path;
    std::vector<QueryNode> path;
    std::vector<TreeQuery> parts;
};

using ParsedQuery = tl::expected<TreeQuery, TextProblem>;

/// O(length).
ParsedQuery parseTreeQuery(std::string_view text, QueryDialect dialect = QueryDialect::Detect);
ParsedQuery parseStringQuery(std::string_view text);
ParsedQuery parseObjectQuery(std::string_view json);

}  // namespace skein
