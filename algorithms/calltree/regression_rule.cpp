// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/calltree/compare_runs.h"
#include "core/base/parse_number.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace skein {
namespace {

using ParsedRule = tl::expected<RegressionRule, TextProblem>;

class RuleReader {
public:
    explicit RuleReader(std::string_view text) : text_(text) { rule_.text = std::string(text); }

    ParsedRule whole()
    {
        if (auto problem = subject()) return tl::make_unexpected(*problem);
        if (auto problem = metric()) return tl::make_unexpected(*problem);
        if (auto problem = bound()) return tl::make_unexpected(*problem);
        return rule_;
    }

private:
    TextProblem wrong(std::string message) const { return {std::move(message), at_, at_ + 1}; }

    void skip()
    {
        while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    }

    bool take(std::string_view symbol)
    {
        skip();
        if (text_.substr(at_, symbol.size()) != symbol) return false;
        at_ += symbol.size();
        return true;
    }

    std::optional<TextProblem> subject()
    {
        if (take("total")) rule_.subject = RegressionRule::Subject::Total;
        else if (take("region")) rule_.subject = RegressionRule::Subject::Region;
        else if (take("path")) rule_.subject = RegressionRule::Subject::Path;
        else return wrong("expected region(\"…\"), path(\"…\", \"…\") or total");
        if (rule_.subject != RegressionRule::Subject::Total)
            if (auto problem = names()) return problem;
        if (!take(".")) return wrong("expected . and a metric");
        return std::nullopt;
    }

    std::optional<TextProblem> names()
    {
        if (!take("(")) return wrong("expected ( and a name in quotes");
        do {
            skip();
            const char quote = at_ < text_.size() ? text_[at_] : ' ';
            if (quote != '"' && quote != '\'') return wrong("expected a name in quotes");
            const std::size_t close = text_.find(quote, at_ + 1);
            if (close == std::string_view::npos) return wrong("this quote is not closed");
            rule_.names.emplace_back(text_.substr(at_ + 1, close - at_ - 1));
            at_ = close + 1;
        } while (take(","));
        if (!take(")")) return wrong("expected , or )");
        if (rule_.subject == RegressionRule::Subject::Region && rule_.names.size() != 1)
            return wrong("region is of one name");
        return std::nullopt;
    }

    /// The last comparison that stands in no quote ends the metric.
    std::optional<TextProblem> metric()
    {
        std::size_t found = std::string_view::npos;
        char quote = '\0';
        for (std::size_t i = at_; i < text_.size(); ++i) {
            const char c = text_[i];
            if (quote != '\0') quote = c == quote ? '\0' : quote;
            else if (c == '"' || c == '\'') quote = c;
            else if (c == '<' || c == '>') found = i;
        }
        if (found == std::string_view::npos) {
            at_ = text_.size();
            return wrong("expected a comparison and a bound: > +5%");
        }
        rule_.metricBegin = at_;
        rule_.metric = std::string(text_.substr(at_, found - at_));
        if (auto parsed = MetricExpression::parse(rule_.metric); !parsed) {
            TextProblem problem = parsed.error();
            problem.begin += at_;
            problem.end += at_;
            return problem;
        }
        at_ = found;
        rule_.above = text_[at_++] == '>';
        if (at_ < text_.size() && text_[at_] == '=') {
            rule_.orEqual = true;
            ++at_;
        }
        return std::nullopt;
    }

    std::optional<TextProblem> bound()
    {
        skip();
        const bool minus = at_ < text_.size() && text_[at_] == '-';
        const bool sign = minus || (at_ < text_.size() && text_[at_] == '+');
        if (sign) ++at_;
        skip();
        std::size_t end = at_;
        while (end < text_.size()
               && std::string_view("0123456789.eE").find(text_[end]) != std::string_view::npos)
            ++end;
        const auto number = parseNumber<double>(text_.substr(at_, end - at_));
        if (!number) return wrong("expected a number, such as +5% or 3s");
        at_ = end;
        rule_.bound = (minus ? -1.0 : 1.0) * *number;
        skip();
        return unit(sign);
    }

    std::optional<TextProblem> unit(bool sign)
    {
        const std::string_view rest = text_.substr(at_);
        rule_.relative = rest == "%";
        rule_.change = sign && !rule_.relative;
        if (rule_.relative) rule_.bound /= 100.0;
        else if (rest == "ms") rule_.bound *= 1e-3;
        else if (rest == "us") rule_.bound *= 1e-6;
        else if (rest == "ns") rule_.bound *= 1e-9;
        else if (!rest.empty() && rest != "s")
            return wrong("expected %, s, ms, us, ns or the end of the rule");
        return std::nullopt;
    }

    std::string_view text_;
    std::size_t at_ = 0;
    RegressionRule rule_;
};

/// The node of a table that a rule is about; kNone where it has none.
std::uint32_t ruleNode(const CallTable& table, const NamePath& names)
{
    for (std::uint32_t node = 0; node < table.size(); ++node) {
        if (table.depth(node) + 1 != names.size() || table.name(node) != names.back()) continue;
        const auto path = table.path(node);
        if (std::equal(path.begin(), path.end(), names.begin(), names.end())) return node;
    }
    return CallTable::kNone;
}

/// Of all roots for inclusive amounts, of all nodes for exclusive ones: any other expression has no total.
double totalOf(const CallTable& table, const std::vector<double>& values, bool inclusive)
{
    double sum = 0.0;
    for (std::size_t node = 0; node < table.size(); ++node)
        if ((!inclusive || table.parent(node) == CallTable::kNone) && !std::isnan(values[node]))
            sum += values[node];
    return sum;
}

bool endsInInclusive(std::string_view metric)
{
    while (!metric.empty() && metric.back() == ' ') metric.remove_suffix(1);
    return metric.ends_with(".inc");
}

class RuleCheck {
public:
    RuleCheck(const RegressionRule& rule, const MetricExpression& metric) : rule_(rule), metric_(metric) {}

    /// One value a run.
    tl::expected<std::vector<double>, TextProblem> samples(const CompareSide& side)
    {
        std::vector<double> out;
        for (const MeasuredTable* const run : side.runs) {
            auto derived = metric_.evaluate(*run);
            if (!derived) {
                TextProblem problem = derived.error();
                problem.begin += rule_.metricBegin;
                problem.end += rule_.metricBegin;
                return tl::make_unexpected(problem);
            }
            unit = derived->unit;
            out.push_back(valueIn(run->table, derived->values));
        }
        return out;
    }

    std::string unit;
    bool found = false;

private:
    double valueIn(const CallTable& table, const std::vector<double>& values)
    {
        if (rule_.subject == RegressionRule::Subject::Total) {
            found = true;
            return totalOf(table, values, endsInInclusive(rule_.metric));
        }
        const std::uint32_t node = ruleNode(table, rule_.names);
        if (node == CallTable::kNone) return 0.0;
        found = true;
        return std::isnan(values[node]) ? 0.0 : values[node];
    }

    const RegressionRule& rule_;
    const MetricExpression& metric_;
};

/// Broken where all of [low, high] is beyond the bound.
bool isBeyond(const RegressionRule& rule, double low, double high)
{
    if (rule.above) return rule.orEqual ? low >= rule.bound : low > rule.bound;
    return rule.orEqual ? high <= rule.bound : high < rule.bound;
}

bool isBroken(const RegressionRule& rule, const ChangeEstimate& change)
{
    if (rule.relative) {
        if (change.a != 0.0)
            return isBeyond(rule, change.low / std::fabs(change.a), change.high / std::fabs(change.a));
        return rule.above ? change.low > 0.0 : change.high < 0.0;
    }
    if (rule.change) return isBeyond(rule, change.low, change.high);
    return isBeyond(rule, change.a + change.low, change.a + change.high);
}

}  // namespace

tl::expected<RegressionRule, TextProblem> parseRegressionRule(std::string_view text)
{
    return RuleReader(text).whole();
}

tl::expected<RuleOutcome, TextProblem> checkRule(const RegressionRule& rule, const RuleTables& tables)
{
    const auto metric = MetricExpression::parse(rule.metric);
    if (!metric) return tl::make_unexpected(metric.error());
    const bool region = rule.subject == RegressionRule::Subject::Region;
    RuleCheck check(rule, *metric);
    const auto a = check.samples(region ? tables.regionsA : tables.pathsA);
    if (!a) return tl::make_unexpected(a.error());
    const auto b = check.samples(region ? tables.regionsB : tables.pathsB);
    if (!b) return tl::make_unexpected(b.error());
    RuleOutcome outcome{estimateChange(*a, *b), check.unit, false, check.found};
    outcome.broken = outcome.found && isBroken(rule, outcome.change);
    return outcome;
}

}  // namespace skein
