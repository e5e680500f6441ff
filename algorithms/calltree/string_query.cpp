// SPDX-License-Identifier: GPL-3.0-or-later
// The string dialect: MATCH ("*")->(n) WHERE n."name" = "x" …, and queries or conditions in braces.
#include "algorithms/calltree/tree_query.h"
#include "core/base/parse_number.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>
#include <utility>

namespace skein {
namespace {

constexpr int kDeepestBraces = 100;

using Problem = tl::unexpected<TextProblem>;

bool isWordStart(char c) { return c == '_' || std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool isWordPart(char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0; }

/// Reads a query from left to right.
class StringQueryReader {
public:
    explicit StringQueryReader(std::string_view text) : text_(text) {}

    ParsedQuery whole()
    {
        auto query = combination();
        if (!query) return query;
        skipBlanks();
        if (at_ < text_.size()) return wrong("expected the end of the query, AND, OR or XOR");
        return query;
    }

private:
    Problem wrong(std::string message) { return wrongFrom(std::move(message), at_); }
    Problem wrongFrom(std::string message, std::size_t begin)
    {
        std::size_t end = begin;
        while (end < text_.size() && isWordPart(text_[end])) ++end;
        return tl::make_unexpected(TextProblem{std::move(message), begin, std::max(end, begin + 1)});
    }

    void skipBlanks()
    {
        while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
    }

    bool take(std::string_view symbol)
    {
        skipBlanks();
        if (text_.substr(at_, symbol.size()) != symbol) return false;
        at_ += symbol.size();
        return true;
    }

    std::string_view wordAhead()
    {
        skipBlanks();
        std::size_t end = at_;
        if (end < text_.size() && isWordStart(text_[end]))
            while (end < text_.size() && isWordPart(text_[end])) ++end;
        return text_.substr(at_, end - at_);
    }

    bool takeWord(std::string_view word)
    {
        if (wordAhead() != word) return false;
        at_ += word.size();
        return true;
    }

    /// Several words with blanks between them; takes all or none.
    bool takeWords(std::initializer_list<std::string_view> words)
    {
        const std::size_t before = at_;
        for (const std::string_view word : words)
            if (!takeWord(word)) {
                at_ = before;
                return false;
            }
        return true;
    }

    static std::optional<QuerySet> setOf(std::string_view word)
    {
        if (word == "AND") return QuerySet::And;
        if (word == "OR") return QuerySet::Or;
        if (word == "XOR") return QuerySet::Xor;
        return std::nullopt;
    }

    /// {query} AND {query} OR …, from left to right; or one query without braces.
    ParsedQuery combination()
    {
        skipBlanks();
        if (at_ >= text_.size()) return wrong("the query is empty: MATCH (\"*\")->(n) is one");
        if (text_[at_] != '{') return query();
        auto left = inBraces();
        while (left) {
            const auto set = setOf(wordAhead());
            if (!set) break;
            at_ += wordAhead().size();
            skipBlanks();
            if (at_ >= text_.size() || text_[at_] != '{')
                return wrong("expected another query in braces: {MATCH …}");
            auto right = inBraces();
            if (!right) return right;
            left = TreeQuery{*set, {}, {std::move(*left), std::move(*right)}};
        }
        return left;
    }

    ParsedQuery inBraces()
    {
        const std::size_t open = at_++;
        if (++braces_ > kDeepestBraces) return wrongFrom("more than 100 braces in one another", open);
        auto inner = combination();
        if (!inner) return inner;
        if (!take("}")) {
            skipBlanks();
            return at_ < text_.size() ? wrong("expected }, AND or OR") : wrongFrom("this { has no }", open);
        }
        --braces_;
        return inner;
    }

    ParsedQuery query()
    {
        if (!takeWord("MATCH")) return notMatch();
        path_.clear();
        do {
            if (auto problem = node()) return tl::make_unexpected(*problem);
        } while (take("->"));
        skipBlanks();
        if (takeWord("WHERE")) return where();
        if (at_ < text_.size() && text_[at_] != '}')
            return wrong("expected -> and another node, WHERE, or the end of the query");
        return TreeQuery{QuerySet::Path, path_, {}};
    }

    Problem notMatch()
    {
        std::string word(wordAhead());
        std::transform(word.begin(), word.end(), word.begin(),
                       [](unsigned char c) { return std::toupper(c); });
        if (word == "MATCH") return wrong("keywords are written in capitals: MATCH");
        return wrong("expected MATCH or { with a query in it");
    }

    std::optional<TextProblem> node()
    {
        QueryNode made;
        if (!take("(")) return wrong("expected ( and a node, such as (n) or (\"*\", n)").value();
        made.begin = at_ - 1;
        skipBlanks();
        bool quantified = false;
        if (auto problem = quantifier(made.quantifier, quantified)) return problem;
        if (!quantified || take(",")) {
            const std::string_view name = wordAhead();
            if (name.empty())
                return wrong(
                           quantified
                               ? "expected the node's name"
                               : "expected a quantifier (\".\", \"*\", \"+\" or a number) or the node's name")
                    .value();
            const auto same = [&](const QueryNode& one) { return one.name == name; };
            if (std::any_of(path_.begin(), path_.end(), same))
                return wrong(fmt::format("two nodes are called {}", name)).value();
            made.name = std::string(name);
            at_ += name.size();
        }
        if (!take(")"))
            return wrong(quantified && made.name.empty() ? "expected , and a name, or )" : "expected )")
                .value();
        made.end = at_;
        path_.push_back(std::move(made));
        return std::nullopt;
    }

    std::optional<TextProblem> quantifier(QueryQuantifier& out, bool& found)
    {
        const std::size_t begin = at_;
        if (at_ < text_.size() && (text_[at_] == '"' || text_[at_] == '\'')) {
            auto word = quoted();
            if (!word) return word.error();
            found = true;
            if (*word == ".") return std::nullopt;
            if (*word != "*" && *word != "+")
                return TextProblem{
                    fmt::format("\"{}\" is no quantifier: \".\", \"*\", \"+\" and whole numbers are", *word),
                    begin, at_};
            out = {*word == "+" ? 1u : 0u, true};
            return std::nullopt;
        }
        std::size_t end = at_;
        while (end < text_.size()
               && (std::isdigit(static_cast<unsigned char>(text_[end])) != 0 || text_[end] == '-'))
            ++end;
        if (end == at_) return std::nullopt;
        const auto number = parseNumber<std::uint64_t>(text_.substr(at_, end - at_));
        if (!number) return TextProblem{"expected a whole number that is not negative", begin, end};
        at_ = end;
        found = true;
        out = {std::max<std::uint64_t>(*number, 1), false};  // Hatchet takes 0 for no quantifier
        return std::nullopt;
    }

    /// A text in quotes of either kind; a backslash stands for itself but before a quote or a backslash.
    tl::expected<std::string, TextProblem> quoted()
    {
        skipBlanks();
        const std::size_t begin = at_;
        const char quote = begin < text_.size() ? text_[begin] : ' ';
        if (quote != '"' && quote != '\'') return wrong("expected a text in quotes");
        std::string out;
        for (++at_; at_ < text_.size(); ++at_) {
            const char c = text_[at_];
            if (c == quote) {
                ++at_;
                return out;
            }
            const char next = at_ + 1 < text_.size() ? text_[at_ + 1] : ' ';
            if (c == '\\' && (next == '"' || next == '\'' || next == '\\')) out += text_[++at_];
            else out += c;
        }
        return wrongFrom("this quote is not closed", begin);
    }

    /// Conditions, or sets of them in braces, each of which makes a query with the same path.
    ParsedQuery where()
    {
        skipBlanks();
        if (at_ < text_.size() && text_[at_] == '{') return conditionSets();
        return conditions();
    }

    ParsedQuery conditionSets()
    {
        const std::vector<QueryNode> path = path_;
        std::optional<TreeQuery> left;
        QuerySet set = QuerySet::And;
        for (;;) {
            const std::size_t open = at_;
            if (!take("{")) return wrong("expected conditions in braces, as before");
            path_ = path;
            auto right = conditions();
            if (!right) return right;
            if (!take("}"))
                return at_ < text_.size() ? wrong("expected }, AND or OR")
                                          : wrongFrom("this { has no }", open);
            left = left ? TreeQuery{set, {}, {std::move(*left), std::move(*right)}} : std::move(*right);
            const auto next = setOf(wordAhead());
            if (!next) return std::move(*left);
            set = *next;
            at_ += wordAhead().size();
            skipBlanks();
        }
    }

    ParsedQuery conditions()
    {
        QueryLink link = QueryLink::And;
        for (;;) {
            if (auto problem = condition(link)) return tl::make_unexpected(*problem);
            if (takeWord("AND")) link = QueryLink::And;
            else if (takeWord("OR")) link = QueryLink::Or;
            else break;
        }
        skipBlanks();
        if (at_ < text_.size() && text_[at_] != '}') return wrong("expected AND, OR or the end of the query");
        return TreeQuery{QuerySet::Path, path_, {}};
    }

    std::optional<TextProblem> condition(QueryLink link)
    {
        QueryCondition made;
        made.link = link;
        skipBlanks();
        made.begin = at_;
        made.negated = takeWord("NOT");
        const std::string_view name = wordAhead();
        if (name.empty()) return wrong("expected a node's name: n.\"name\" = \"x\"").value();
        const auto node =
            std::find_if(path_.begin(), path_.end(), [&](const QueryNode& one) { return one.name == name; });
        if (node == path_.end()) return wrong(fmt::format("no node of the path is called {}", name)).value();
        at_ += name.size();
        auto problem = take(".") ? attributeTest(made) : nodeTest(made);
        if (problem) return problem;
        made.end = at_;
        // The first condition of a node is joined to nothing.
        if (node->conditions.empty()) made.link = QueryLink::And;
        node->conditions.push_back(std::move(made));
        return std::nullopt;
    }

    std::optional<TextProblem> nodeTest(QueryCondition& made)
    {
        made.test = QueryTest::IsLeaf;
        if (takeWords({"IS", "LEAF"})) return std::nullopt;
        if (takeWords({"IS", "NOT", "LEAF"})) {
            made.negated = !made.negated;
            return std::nullopt;
        }
        skipBlanks();
        return wrong("expected . and an attribute in quotes, IS LEAF, or IS NOT LEAF").value();
    }

    std::optional<TextProblem> attributeTest(QueryCondition& made)
    {
        auto attribute = quoted();
        if (!attribute) return attribute.error();
        made.attribute = std::move(*attribute);
        if (takeWord("IS")) return stateTest(made);
        using Text = std::pair<std::string_view, QueryTest>;
        static constexpr std::array<Text, 3> kWords{Text{"STARTS", QueryTest::StartsWith},
                                                    Text{"ENDS", QueryTest::EndsWith},
                                                    Text{"CONTAINS", QueryTest::Contains}};
        for (const auto& [word, test] : kWords) {
            if (test == QueryTest::Contains ? !takeWord(word) : !takeWords({word, "WITH"})) continue;
            made.test = test;
            return textValue(made);
        }
        return symbolTest(made);
    }

    std::optional<TextProblem> stateTest(QueryCondition& made)
    {
        if (takeWord("NOT")) made.negated = !made.negated;
        if (takeWord("NONE")) made.test = QueryTest::IsNone;
        else if (takeWord("NAN")) made.test = QueryTest::IsNan;
        else if (takeWord("INF")) made.test = QueryTest::IsInf;
        else return wrong("expected NONE, NAN or INF").value();
        return std::nullopt;
    }

    std::optional<TextProblem> symbolTest(QueryCondition& made)
    {
        using Symbol = std::pair<std::string_view, QueryTest>;
        static constexpr std::array<Symbol, 6> kSymbols{
            Symbol{"=~", QueryTest::Matches},        Symbol{"<=", QueryTest::LessOrEqual},
            Symbol{">=", QueryTest::GreaterOrEqual}, Symbol{"<", QueryTest::Less},
            Symbol{">", QueryTest::Greater},         Symbol{"=", QueryTest::Equals}};
        const auto found = std::find_if(kSymbols.begin(), kSymbols.end(),
                                        [&](const Symbol& one) { return take(one.first); });
        if (found == kSymbols.end())
            return wrong("expected =, <, >, <=, >=, =~, STARTS WITH, ENDS WITH, CONTAINS, or IS [NOT] NONE, "
                         "NAN or INF")
                .value();
        made.test = found->second;
        skipBlanks();
        const bool quote = at_ < text_.size() && (text_[at_] == '"' || text_[at_] == '\'');
        if (made.test == QueryTest::Equals && quote) made.test = QueryTest::TextEquals;
        if (made.test == QueryTest::TextEquals || made.test == QueryTest::Matches) return textValue(made);
        return numberValue(made);
    }

    std::optional<TextProblem> textValue(QueryCondition& made)
    {
        skipBlanks();
        made.valueBegin = at_ + 1;
        auto text = quoted();
        if (!text) return text.error();
        made.value = std::move(*text);
        return std::nullopt;
    }

    std::optional<TextProblem> numberValue(QueryCondition& made)
    {
        made.valueBegin = at_;
        std::size_t end = at_;
        while (end < text_.size() && (isWordPart(text_[end]) || text_[end] == '.' || isSign(end))) ++end;
        std::string_view digits = text_.substr(at_, end - at_);
        if (!digits.empty() && digits[0] == '+') digits.remove_prefix(1);
        const bool starts = !digits.empty() && (std::isalpha(static_cast<unsigned char>(digits.back())) == 0);
        const auto number = starts ? parseNumber<double>(digits) : std::nullopt;
        if (!number)
            return TextProblem{made.test == QueryTest::Equals ? "expected a number or a text in quotes"
                                                              : "expected a number",
                               at_, std::max(end, at_ + 1)};
        at_ = end;
        made.value = *number;
        return std::nullopt;
    }

    /// A sign at the beginning of a number or of its exponent.
    bool isSign(std::size_t at) const
    {
        if (text_[at] != '-' && text_[at] != '+') return false;
        return at == at_ || text_[at - 1] == 'e' || text_[at - 1] == 'E';
    }

    std::string_view text_;
    std::size_t at_ = 0;
    int braces_ = 0;
    std::vector<QueryNode> path_;
};

}  // namespace

ParsedQuery parseStringQuery(std::string_view text) { return StringQueryReader(text).whole(); }

ParsedQuery parseTreeQuery(std::string_view text, QueryDialect dialect)
{
    if (dialect == QueryDialect::String) return parseStringQuery(text);
    if (dialect == QueryDialect::Object) return parseObjectQuery(text);
    constexpr std::string_view kBlanks = " \t\r\n";
    const std::size_t first = text.find_first_not_of(kBlanks);
    if (first == std::string_view::npos) return parseStringQuery(text);
    const std::size_t second = text.find_first_not_of(kBlanks, first + 1);
    const bool object = text[first] == '{' && second != std::string_view::npos && text[second] == '"';
    return text[first] == '[' || object ? parseObjectQuery(text) : parseStringQuery(text);
}

}  // namespace skein
