// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/calltree/query_predicates.h"

#include "core/base/parse_number.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <limits>

namespace skein {
namespace {

using MaskOrProblem = tl::expected<NodeMask, TextProblem>;

constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();

enum class NumberComparison : std::uint8_t { Less, LessOrEqual, Greater, GreaterOrEqual, Equal, NotEqual };

bool comparesNumbers(double left, NumberComparison comparison, double right)
{
    switch (comparison) {
    case NumberComparison::Less: return left < right;
    case NumberComparison::LessOrEqual: return left <= right;
    case NumberComparison::Greater: return left > right;
    case NumberComparison::GreaterOrEqual: return left >= right;
    case NumberComparison::Equal: return left == right;
    case NumberComparison::NotEqual: return left != right;
    }
    return false;
}

/// What a condition asks of a number.
struct NumberTest {
    NumberComparison comparison = NumberComparison::Equal;
    double value = 0.0;
    bool namesNan = false;  ///< "np.nan" stands in it: true of every NaN
    bool namesInf = false;  ///< "np.inf" stands in it: true of everything infinite

    bool operator()(double of) const
    {
        if (std::isnan(of) && namesNan) return true;
        if (std::isinf(of) && namesInf) return true;
        // Hatchet puts "np.inf" for everything infinite.
        return comparesNumbers(std::isinf(of) ? std::numeric_limits<double>::infinity() : of, comparison,
                               value);
    }
};

TextProblem problemOf(const QueryCondition& condition, std::string message)
{
    return {std::move(message), condition.begin, condition.end};
}

bool queryTextStartsWith(std::string_view text, std::string_view begin)
{
    return text.substr(0, begin.size()) == begin;
}

std::string_view queryTextTrimmed(std::string_view text)
{
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    return text;
}

/// A number as Python's source has it; np.nan and np.inf.
std::optional<double> pythonNumber(std::string_view text)
{
    bool negative = false;
    while (!text.empty() && (text.front() == '-' || text.front() == '+')) {
        negative ^= text.front() == '-';
        text = queryTextTrimmed(text.substr(1));
    }
    double value = 0.0;
    if (text == "np.nan" || text == "float('nan')") value = kNotANumber;
    else if (text == "np.inf" || text == "float('inf')") value = std::numeric_limits<double>::infinity();
    else {
        const bool digits =
            !text.empty() && std::string_view("0123456789.").find(text.front()) != std::string_view::npos;
        const auto parsed = digits ? parseNumber<double>(text) : std::nullopt;
        if (!parsed) return std::nullopt;
        value = *parsed;
    }
    return negative ? -value : value;
}

using ComparisonSymbol = std::pair<std::string_view, NumberComparison>;
constexpr std::array<ComparisonSymbol, 6> kComparisonSymbols{
    ComparisonSymbol{"<=", NumberComparison::LessOrEqual},
    ComparisonSymbol{">=", NumberComparison::GreaterOrEqual},
    ComparisonSymbol{"==", NumberComparison::Equal},
    ComparisonSymbol{"!=", NumberComparison::NotEqual},
    ComparisonSymbol{"<", NumberComparison::Less},
    ComparisonSymbol{">", NumberComparison::Greater}};

/// "> 5", or a number, of the object dialect.
tl::expected<NumberTest, TextProblem> numberTestOf(const QueryCondition& condition)
{
    if (const double* const number = std::get_if<double>(&condition.value))
        return NumberTest{NumberComparison::Equal, *number};
    const std::string& text = std::get<std::string>(condition.value);
    const auto symbol =
        std::find_if(kComparisonSymbols.begin(), kComparisonSymbols.end(),
                     [&](const ComparisonSymbol& one) { return queryTextStartsWith(text, one.first); });
    const auto number = symbol == kComparisonSymbols.end()
        ? std::nullopt
        : pythonNumber(queryTextTrimmed(std::string_view(text).substr(symbol->first.size())));
    if (!number)
        return tl::make_unexpected(
            problemOf(condition,
                      fmt::format("{} is a number: expected a number or a comparison such as \"> 5\"",
                                  condition.attribute)));
    return NumberTest{symbol->second, *number, text.find("np.nan") != std::string::npos,
                      text.find("np.inf") != std::string::npos};
}

NumberTest numberTestOf(QueryTest test, double value)
{
    switch (test) {
    case QueryTest::Less: return {NumberComparison::Less, value};
    case QueryTest::Greater: return {NumberComparison::Greater, value};
    case QueryTest::LessOrEqual: return {NumberComparison::LessOrEqual, value};
    case QueryTest::GreaterOrEqual: return {NumberComparison::GreaterOrEqual, value};
    default: return {NumberComparison::Equal, value};
    }
}

template <typename Test>
NodeMask maskWhere(std::size_t nodes, const Test& test)
{
    NodeMask mask(nodes);
    for (std::size_t node = 0; node < nodes; ++node) mask[node] = test(node) ? 1 : 0;
    return mask;
}

NodeMask leavesOf(const CallTable& table)
{
    return maskWhere(table.size(), [&](std::size_t node) { return table.isLeaf(node); });
}

/// The depth or the number of a node, of every node.
double pseudoAttribute(const CallTable& table, bool depth, std::size_t node)
{
    return depth ? static_cast<double>(table.depth(node)) : table.nodeId(node);
}

/// A test of words, once for every different one.
MaskOrProblem maskOfWords(const TableColumn& column,
                          const std::function<std::optional<bool>(std::string_view)>& test,
                          const QueryCondition& condition)
{
    NodeMask ofWord(column.vocabulary.size());
    for (std::size_t word = 0; word < ofWord.size(); ++word) {
        const auto found = test(column.vocabulary[word]);
        if (!found)
            return tl::make_unexpected(
                problemOf(condition,
                          fmt::format("the regular expression takes too many steps for \"{}\"",
                                      column.vocabulary[word].substr(0, 60))));
        ofWord[word] = *found ? 1 : 0;
    }
    return maskWhere(column.words.size(), [&](std::size_t node) {
        return column.words[node] != TableColumn::kNoWord && ofWord[column.words[node]] != 0;
    });
}

MaskOrProblem maskOfPattern(const TableColumn& column, const QueryCondition& condition, PatternAnchor anchor)
{
    auto pattern = TextPattern::compile(std::get<std::string>(condition.value), anchor);
    if (!pattern) {
        TextProblem problem = pattern.error();
        problem.begin = std::min(problem.begin + condition.valueBegin, condition.end);
        problem.end = std::min(problem.end + condition.valueBegin, condition.end);
        return tl::make_unexpected(std::move(problem));
    }
    return maskOfWords(
        column, [&](std::string_view word) { return pattern->matches(word); }, condition);
}

bool queryTextEndsWith(std::string_view text, std::string_view end)
{
    return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

/// A test of a text in the string dialect.
MaskOrProblem maskOfText(const TableColumn& column, const QueryCondition& condition)
{
    if (condition.test == QueryTest::Matches) return maskOfPattern(column, condition, PatternAnchor::Start);
    const std::string& text = std::get<std::string>(condition.value);
    return maskOfWords(
        column,
        [&](std::string_view word) -> std::optional<bool> {
            if (condition.test == QueryTest::StartsWith) return queryTextStartsWith(word, text);
            if (condition.test == QueryTest::EndsWith) return queryTextEndsWith(word, text);
            if (condition.test == QueryTest::Contains) return word.find(text) != std::string_view::npos;
            return word == text;
        },
        condition);
}

NodeMask maskOfNumbers(const CallTable& table, const QueryCondition& condition,
                       const std::function<double(std::size_t)>& valueOf)
{
    if (condition.test == QueryTest::IsNan)
        return maskWhere(table.size(), [&](std::size_t node) { return std::isnan(valueOf(node)); });
    if (condition.test == QueryTest::IsInf)
        return maskWhere(table.size(), [&](std::size_t node) { return std::isinf(valueOf(node)); });
    const NumberTest test = numberTestOf(condition.test, std::get<double>(condition.value));
    return maskWhere(table.size(), [&](std::size_t node) {
        return comparesNumbers(valueOf(node), test.comparison, test.value);
    });
}

bool isTextTest(QueryTest test)
{
    return test == QueryTest::TextEquals || test == QueryTest::StartsWith || test == QueryTest::EndsWith
        || test == QueryTest::Contains || test == QueryTest::Matches;
}

bool isPseudo(const std::string& attribute) { return attribute == "depth" || attribute == "node_id"; }

QueryNote unknownAttribute(const QueryCondition& condition, const CallTable& table)
{
    std::string known = "depth, node_id";
    for (const TableColumn& column : table.columns()) known += ", " + column.name;
    return {fmt::format("There is no attribute \"{}\"; there are {}.", condition.attribute, known),
            condition.begin, condition.end};
}

/// Evaluates the conditions of one query node.
class NodePredicate {
public:
    NodePredicate(const QueryNode& node, const CallTable& table, std::vector<QueryNote>& notes)
        : node_(node), table_(table), notes_(notes)
    {
    }

    MaskOrProblem mask()
    {
        if (node_.conditions.empty()) return NodeMask(table_.size(), 1);
        return node_.objectDialect ? objectMask() : stringMask();
    }

private:
    bool none(const NodeMask& mask) const { return std::find(mask.begin(), mask.end(), 1) == mask.end(); }

    void noteNothing(const QueryCondition& condition, const NodeMask& mask)
    {
        if (none(mask))
            notes_.push_back({"No node satisfies this condition.", condition.begin, condition.end});
    }

    /// All must hold; what stands behind a condition that leaves no node is not looked at, as in Hatchet.
    MaskOrProblem objectMask()
    {
        NodeMask mask(table_.size(), 1);
        for (const QueryCondition& condition : node_.conditions) {
            if (none(mask)) break;
            auto one = objectCondition(condition);
            if (!one) return one;
            for (std::size_t node = 0; node < mask.size(); ++node) mask[node] &= (*one)[node];
        }
        return mask;
    }

    MaskOrProblem objectCondition(const QueryCondition& condition)
    {
        auto mask = objectConditionMask(condition);
        if (mask && (isPseudo(condition.attribute) || table_.column(condition.attribute) != nullptr))
            noteNothing(condition, *mask);
        return mask;
    }

    MaskOrProblem objectConditionMask(const QueryCondition& condition)
    {
        if (isPseudo(condition.attribute)) return pseudoCondition(condition);
        const TableColumn* const column = table_.column(condition.attribute);
        if (column == nullptr) {
            notes_.push_back(unknownAttribute(condition, table_));
            return NodeMask(table_.size(), 0);
        }
        if (column->isText()) {
            if (!std::holds_alternative<std::string>(condition.value))
                return tl::make_unexpected(
                    problemOf(condition,
                              fmt::format("{} is a text: expected a regular expression in quotes",
                                          condition.attribute)));
            return maskOfPattern(*column, condition, PatternAnchor::Both);
        }
        const auto test = numberTestOf(condition);
        if (!test) return tl::make_unexpected(test.error());
        return maskWhere(table_.size(), [&](std::size_t node) { return (*test)(column->numbers[node]); });
    }

    MaskOrProblem pseudoCondition(const QueryCondition& condition)
    {
        const bool depth = condition.attribute == "depth";
        const auto test = numberTestOf(condition);
        if (!test) return tl::make_unexpected(test.error());
        const double* const number = std::get_if<double>(&condition.value);
        if (depth && number != nullptr && *number == -1.0) return leavesOf(table_);
        return maskWhere(table_.size(), [&](std::size_t node) {
            return comparesNumbers(pseudoAttribute(table_, depth, node), test->comparison, test->value);
        });
    }

    /// Types of all conditions are looked at before any condition is, as in Hatchet.
    MaskOrProblem stringMask()
    {
        for (const QueryCondition& condition : node_.conditions) {
            const auto fits = typeFits(condition);
            if (!fits) return tl::make_unexpected(fits.error());
            if (*fits) continue;
            notes_.push_back(unknownAttribute(condition, table_));
            return NodeMask(table_.size(), 0);
        }
        return alternatives();
    }

    /// False where the attribute is unknown, so that the node takes nothing.
    tl::expected<bool, TextProblem> typeFits(const QueryCondition& condition) const
    {
        if (condition.test == QueryTest::IsLeaf || condition.test == QueryTest::IsNone) return true;
        if (isPseudo(condition.attribute)) return !isTextTest(condition.test);
        const TableColumn* const column = table_.column(condition.attribute);
        if (column == nullptr) return false;
        if (column->isText() == isTextTest(condition.test)) return true;
        return tl::make_unexpected(
            problemOf(condition,
                      fmt::format("{} is {}", condition.attribute,
                                  column->isText() ? "a text, and is compared with a number"
                                                   : "a number, and is compared with a text")));
    }

    /// Or of Ands, from left to right; what is not known to be there (IS NONE of an unknown attribute) makes
    /// a node false where it is looked at.
    MaskOrProblem alternatives()
    {
        NodeMask taken(table_.size(), 0);
        NodeMask open(table_.size(), 1);  // not decided yet
        for (std::size_t i = 0; i < node_.conditions.size();) {
            NodeMask alive = open;
            do {
                auto one = stringCondition(node_.conditions[i]);
                if (!one) return one;
                const bool unknown = isUnknown(node_.conditions[i]);
                for (std::size_t node = 0; node < alive.size(); ++node) {
                    if (unknown && alive[node] != 0) open[node] = 0;
                    alive[node] &= (*one)[node];
                }
            } while (++i < node_.conditions.size() && node_.conditions[i].link == QueryLink::And);
            for (std::size_t node = 0; node < alive.size(); ++node)
                if (alive[node] != 0) {
                    taken[node] = 1;
                    open[node] = 0;
                }
        }
        return taken;
    }

    bool isUnknown(const QueryCondition& condition) const
    {
        return condition.test == QueryTest::IsNone && !isPseudo(condition.attribute)
            && table_.column(condition.attribute) == nullptr;
    }

    MaskOrProblem stringCondition(const QueryCondition& condition)
    {
        if (isUnknown(condition)) {
            notes_.push_back(unknownAttribute(condition, table_));
            return NodeMask(table_.size(), 0);
        }
        auto mask = plainCondition(condition);
        if (!mask) return mask;
        if (condition.negated)
            for (std::uint8_t& one : *mask) one ^= 1u;
        noteNothing(condition, *mask);
        return mask;
    }

    MaskOrProblem plainCondition(const QueryCondition& condition) const
    {
        if (condition.test == QueryTest::IsLeaf) return leavesOf(table_);
        if (isPseudo(condition.attribute)) return pseudoStringCondition(condition);
        const TableColumn& column = *table_.column(condition.attribute);
        if (condition.test == QueryTest::IsNone)
            return maskWhere(table_.size(), [&](std::size_t node) {
                return column.isText() && column.words[node] == TableColumn::kNoWord;
            });
        if (column.isText()) return maskOfText(column, condition);
        return maskOfNumbers(table_, condition, [&](std::size_t node) { return column.numbers[node]; });
    }

    NodeMask pseudoStringCondition(const QueryCondition& condition) const
    {
        if (condition.test == QueryTest::IsNone) return NodeMask(table_.size(), 0);
        const bool depth = condition.attribute == "depth";
        const double* const number = std::get_if<double>(&condition.value);
        if (depth && condition.test == QueryTest::Equals && number != nullptr && *number == -1.0)
            return leavesOf(table_);
        return maskOfNumbers(table_, condition,
                             [&](std::size_t node) { return pseudoAttribute(table_, depth, node); });
    }

    const QueryNode& node_;
    const CallTable& table_;
    std::vector<QueryNote>& notes_;
};

}  // namespace

tl::expected<NodeMask, TextProblem> nodesThatSatisfy(const QueryNode& node, const CallTable& table,
                                                     std::vector<QueryNote>& notes)
{
    const std::size_t before = notes.size();
    auto mask = NodePredicate(node, table, notes).mask();
    if (mask && notes.size() == before && std::find(mask->begin(), mask->end(), 1) == mask->end()
        && table.size() > 0)
        notes.push_back(
            {"Each condition is satisfied by some node, all together by none.", node.begin, node.end});
    return mask;
}

}  // namespace skein
