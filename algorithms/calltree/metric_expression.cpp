// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/calltree/metric_expression.h"

#include "core/base/parse_number.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace skein {

struct MetricExpression::Node {
    enum class Kind : std::uint8_t {
        Number,
        Amount,
        Count,
        Negate,
        Add,
        Subtract,
        Multiply,
        Divide,
        Power,
        Call
    };
    Kind kind = Kind::Number;
    double number = 0.0;
    MetricUnit unit;
    std::string run, name;  ///< of amounts; `name` of counts and functions
    bool inclusive = false;
    bool suffixed = false;
    std::size_t begin = 0, end = 0;
    std::vector<std::shared_ptr<const Node>> parts;
};

namespace {

using ExpressionNode = MetricExpression::Node;
using NodePtr = std::shared_ptr<const ExpressionNode>;
using ParsedNode = tl::expected<NodePtr, TextProblem>;

constexpr int kDeepestExpression = 200;
constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

bool isCountName(std::string_view name) { return name == "calls" || name == "ranks" || name == "locations"; }

bool isFunctionName(std::string_view name)
{
    static constexpr std::array<std::string_view, 9> kFunctions{"share", "imbalance", "stddev", "max", "min",
                                                                "mean",  "abs",       "sqrt",   "log2"};
    return std::find(kFunctions.begin(), kFunctions.end(), name) != kFunctions.end();
}

class ExpressionReader {
public:
    explicit ExpressionReader(std::string_view text) : text_(text) {}

    ParsedNode whole()
    {
        auto node = sum(0);
        if (!node) return node;
        skip();
        if (at_ < text_.size()) return wrong("expected an operator or the end of the expression");
        return node;
    }

private:
    tl::unexpected<TextProblem> wrong(std::string message) const
    {
        return tl::make_unexpected(TextProblem{std::move(message), at_, at_ + 1});
    }

    void skip()
    {
        while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
    }

    char ahead()
    {
        skip();
        return at_ < text_.size() ? text_[at_] : '\0';
    }

    static NodePtr joined(ExpressionNode::Kind kind, std::size_t begin, std::vector<NodePtr> parts)
    {
        auto node = std::make_shared<ExpressionNode>();
        node->kind = kind;
        node->begin = begin;
        node->end = begin + 1;
        node->parts = std::move(parts);
        return node;
    }

    ParsedNode sum(int depth)
    {
        auto left = product(depth);
        while (left && (ahead() == '+' || ahead() == '-')) {
            const std::size_t at = at_;
            const auto kind =
                text_[at_++] == '+' ? ExpressionNode::Kind::Add : ExpressionNode::Kind::Subtract;
            auto right = product(depth);
            if (!right) return right;
            left = joined(kind, at, {*left, *right});
        }
        return left;
    }

    ParsedNode product(int depth)
    {
        auto left = signedPart(depth);
        while (left && (ahead() == '*' || ahead() == '/')) {
            const std::size_t at = at_;
            const auto kind =
                text_[at_++] == '*' ? ExpressionNode::Kind::Multiply : ExpressionNode::Kind::Divide;
            auto right = signedPart(depth);
            if (!right) return right;
            left = joined(kind, at, {*left, *right});
        }
        return left;
    }

    ParsedNode signedPart(int depth)
    {
        if (depth > kDeepestExpression) return wrong("this is nested too deeply");
        if (ahead() == '-') {
            const std::size_t at = at_++;
            auto part = signedPart(depth + 1);
            if (!part) return part;
            return joined(ExpressionNode::Kind::Negate, at, {*part});
        }
        auto base = primary(depth);
        if (!base || ahead() != '^') return base;
        const std::size_t at = at_++;
        auto power = signedPart(depth + 1);
        if (!power) return power;
        return joined(ExpressionNode::Kind::Power, at, {*base, *power});
    }

    ParsedNode primary(int depth)
    {
        const char c = ahead();
        if (c == '(') {
            ++at_;
            auto inner = sum(depth + 1);
            if (!inner) return inner;
            if (ahead() != ')') return wrong("expected )");
            ++at_;
            return inner;
        }
        if (std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.') return number();
        if (c == '"' || c == '\'' || c == '_' || std::isalpha(static_cast<unsigned char>(c)) != 0)
            return named(depth);
        return wrong("expected a metric, a number, a function or (");
    }

    ParsedNode number()
    {
        auto node = std::make_shared<ExpressionNode>();
        node->begin = at_;
        std::size_t end = at_;
        while (end < text_.size()
               && (std::isdigit(static_cast<unsigned char>(text_[end])) != 0 || text_[end] == '.'))
            ++end;
        if (end + 1 < text_.size() && (text_[end] == 'e' || text_[end] == 'E')
            && (std::isdigit(static_cast<unsigned char>(text_[end + 1])) != 0 || text_[end + 1] == '-')) {
            end += 2;
            while (end < text_.size() && std::isdigit(static_cast<unsigned char>(text_[end])) != 0) ++end;
        }
        const auto value = parseNumber<double>(text_.substr(at_, end - at_));
        if (!value) return wrong("expected a number");
        at_ = end;
        node->number = *value;
        takeUnit(*node);
        node->end = at_;
        return node;
    }

    void takeUnit(ExpressionNode& node)
    {
        if (ahead() == '%') {
            ++at_;
            node.number /= 100.0;
            return;
        }
        struct TimeUnit {
            std::string_view word;
            double seconds;
        };
        static constexpr std::array<TimeUnit, 4> kTimes{TimeUnit{"ms", 1e-3}, TimeUnit{"us", 1e-6},
                                                        TimeUnit{"ns", 1e-9}, TimeUnit{"s", 1.0}};
        const std::string_view word = wordHere();
        for (const TimeUnit& unit : kTimes)
            if (word == unit.word) {
                at_ += word.size();
                node.number *= unit.seconds;
                node.unit = {{"s", 1}};
                return;
            }
    }

    std::string_view wordHere() const
    {
        std::size_t end = at_;
        while (end < text_.size()
               && (text_[end] == '_' || std::isalnum(static_cast<unsigned char>(text_[end])) != 0
                   || text_[end] == ':'))
            ++end;
        return text_.substr(at_, end - at_);
    }

    tl::expected<std::string, TextProblem> nameHere()
    {
        const char quote = ahead();
        if (quote == '"' || quote == '\'') {
            const std::size_t close = text_.find(quote, at_ + 1);
            if (close == std::string_view::npos) return wrong("this quote is not closed");
            std::string name(text_.substr(at_ + 1, close - at_ - 1));
            at_ = close + 1;
            return name;
        }
        const std::string_view word = wordHere();
        if (word.empty()) return wrong("expected a name");
        at_ += word.size();
        return std::string(word);
    }

    /// A function, a count, or an amount: [run.]metric[.inc|.exc]
    ParsedNode named(int depth)
    {
        const std::size_t begin = at_;
        const bool quoted = ahead() == '"' || ahead() == '\'';
        std::vector<std::string> names;
        auto first = nameHere();
        if (!first) return tl::make_unexpected(first.error());
        if (!quoted && ahead() == '(') return function(*first, begin, depth);
        names.push_back(*first);
        while (at_ < text_.size() && text_[at_] == '.') {
            ++at_;
            auto more = nameHere();
            if (!more) return tl::make_unexpected(more.error());
            names.push_back(*more);
        }
        auto node = std::make_shared<ExpressionNode>();
        node->begin = begin;
        node->end = at_;
        if (names.size() > 1 && (names.back() == "inc" || names.back() == "exc")) {
            node->inclusive = names.back() == "inc";
            node->suffixed = true;
            names.pop_back();
        }
        if (names.size() > 2)
            return tl::make_unexpected(TextProblem{"expected [run.]metric[.inc or .exc]", begin, at_});
        node->name = names.back();
        if (names.size() == 2) node->run = names.front();
        node->kind =
            !quoted && isCountName(node->name) ? ExpressionNode::Kind::Count : ExpressionNode::Kind::Amount;
        return node;
    }

    ParsedNode function(const std::string& name, std::size_t begin, int depth)
    {
        if (!isFunctionName(name))
            return tl::make_unexpected(
                TextProblem{fmt::format("there is no function {}: share, imbalance, stddev, max, min, mean, "
                                        "abs, sqrt and log2 are",
                                        name),
                            begin, begin + name.size()});
        auto node = std::make_shared<ExpressionNode>();
        node->kind = ExpressionNode::Kind::Call;
        node->name = name;
        node->begin = begin;
        do {
            ++at_;
            auto part = sum(depth + 1);
            if (!part) return part;
            node->parts.push_back(*part);
        } while (ahead() == ',');
        if (ahead() != ')') return wrong("expected , or )");
        node->end = ++at_;
        const bool two = name == "min" || (name == "max" && node->parts.size() == 2);
        if (node->parts.size() != (two ? 2u : 1u))
            return tl::make_unexpected(
                TextProblem{fmt::format("{} is of {}", name, two ? "two values" : "one value"), begin, at_});
        return node;
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

/// Values with their unit.
struct Amounts {
    std::vector<double> values;
    MetricUnit unit;
};
using AmountsOrProblem = tl::expected<Amounts, TextProblem>;

MetricUnit unitOf(const std::string& text) { return text.empty() ? MetricUnit{} : MetricUnit{{text, 1}}; }

MetricUnit unitProduct(MetricUnit left, const MetricUnit& right, int sign)
{
    for (const auto& [base, power] : right) {
        left[base] += sign * power;
        if (left[base] == 0) left.erase(base);
    }
    return left;
}

class ExpressionEvaluation {
public:
    ExpressionEvaluation(const std::vector<ExpressionRun>& runs, std::size_t nodes)
        : runs_(runs), nodes_(nodes)
    {
    }

    AmountsOrProblem of(const ExpressionNode& node) const
    {
        switch (node.kind) {
        case ExpressionNode::Kind::Number:
            return Amounts{std::vector<double>(nodes_, node.number), node.unit};
        case ExpressionNode::Kind::Count: return count(node);
        case ExpressionNode::Kind::Amount: return amount(node);
        case ExpressionNode::Kind::Call: return call(node);
        case ExpressionNode::Kind::Negate: {
            auto value = of(*node.parts[0]);
            if (value)
                for (double& one : value->values) one = -one;
            return value;
        }
        default: return binary(node);
        }
    }

private:
    static tl::unexpected<TextProblem> wrong(const ExpressionNode& node, std::string message)
    {
        return tl::make_unexpected(TextProblem{std::move(message), node.begin, node.end});
    }

    tl::expected<const ExpressionRun*, TextProblem> runOf(const ExpressionNode& node) const
    {
        if (node.run.empty()) return &runs_.front();
        for (const ExpressionRun& run : runs_)
            if (run.name == node.run) return &run;
        std::string known;
        for (const ExpressionRun& run : runs_) known += (known.empty() ? "" : ", ") + run.name;
        return known.empty() ? unknownEnding(node)
                             : wrong(node, fmt::format("there is no run {}: there are {}", node.run, known));
    }

    /// Where runs have no names, what stands before a point is a metric, and `inc` or `exc` comes after it.
    tl::unexpected<TextProblem> unknownEnding(const ExpressionNode& node) const
    {
        if (!runs_.front().table->metric(node.run))
            return wrong(node, fmt::format("there is no metric {}, and runs are not named here", node.run));
        const std::size_t length = std::min(node.name.size(), node.end - node.begin);
        return tl::make_unexpected(TextProblem{
            fmt::format("{0} is unknown: {1}.inc and {1}.exc are amounts of {1}", node.name, node.run),
            node.end - length, node.end});
    }

    /// A run's values at the nodes of the result; 0 where the run does not have the node.
    std::vector<double> placed(const ExpressionRun& run, const std::vector<double>& values) const
    {
        if (run.nodeOf.empty()) return values;
        std::vector<double> out(nodes_, 0.0);
        for (std::size_t node = 0; node < nodes_; ++node)
            if (run.nodeOf[node] != CallTable::kNone) out[node] = values[run.nodeOf[node]];
        return out;
    }

    AmountsOrProblem count(const ExpressionNode& node) const
    {
        const auto run = runOf(node);
        if (!run) return tl::make_unexpected(run.error());
        const MeasuredTable& table = *(*run)->table;
        if (node.name == "calls") return Amounts{placed(**run, table.calls), {}};
        const auto number = static_cast<double>(node.name == "ranks" ? table.ranks : table.locations);
        return Amounts{std::vector<double>(nodes_, number), {}};
    }

    tl::expected<const MeasuredMetric*, TextProblem> metricOf(const ExpressionNode& node,
                                                              const ExpressionRun& run) const
    {
        if (const MeasuredMetric* const metric = run.table->metric(node.name)) return metric;
        std::string known = "calls";
        for (const MeasuredMetric& one : run.table->metrics) known += ", " + one.name;
        return wrong(node, fmt::format("there is no metric {}: there are {}", node.name, known));
    }

    AmountsOrProblem amount(const ExpressionNode& node) const
    {
        const auto run = runOf(node);
        if (!run) return tl::make_unexpected(run.error());
        const auto metric = metricOf(node, **run);
        if (!metric) return tl::make_unexpected(metric.error());
        return Amounts{placed(**run, node.inclusive ? (*metric)->inclusive : (*metric)->exclusive),
                       unitOf((*metric)->unit)};
    }

    AmountsOrProblem binary(const ExpressionNode& node) const
    {
        auto left = of(*node.parts[0]);
        if (!left) return left;
        const auto right = of(*node.parts[1]);
        if (!right) return right;
        const bool adds =
            node.kind == ExpressionNode::Kind::Add || node.kind == ExpressionNode::Kind::Subtract;
        if (adds && left->unit != right->unit)
            return wrong(
                node, fmt::format("{} and {} cannot be added", unitWord(left->unit), unitWord(right->unit)));
        if (node.kind == ExpressionNode::Kind::Power
            && (!right->unit.empty() || node.parts[1]->kind != ExpressionNode::Kind::Number))
            return wrong(node, "a power is a plain number");
        for (std::size_t i = 0; i < nodes_; ++i)
            left->values[i] = combinedValue(node.kind, left->values[i], right->values[i]);
        if (node.kind == ExpressionNode::Kind::Multiply) left->unit = unitProduct(left->unit, right->unit, 1);
        if (node.kind == ExpressionNode::Kind::Divide) left->unit = unitProduct(left->unit, right->unit, -1);
        if (node.kind == ExpressionNode::Kind::Power && !left->unit.empty()) return raised(*left, node);
        return left;
    }

    static AmountsOrProblem raised(Amounts value, const ExpressionNode& node)
    {
        const double power = node.parts[1]->number;
        if (power != std::floor(power) || std::fabs(power) > 9.0)
            return wrong(node, "what has a unit is raised to whole powers only");
        for (auto& [base, exponent] : value.unit) exponent *= static_cast<int>(power);
        if (power == 0.0) value.unit.clear();
        return value;
    }

    static std::string unitWord(const MetricUnit& unit)
    {
        return unit.empty() ? "plain numbers" : unitText(unit);
    }

    static double combinedValue(ExpressionNode::Kind kind, double left, double right)
    {
        switch (kind) {
        case ExpressionNode::Kind::Add: return left + right;
        case ExpressionNode::Kind::Subtract: return left - right;
        case ExpressionNode::Kind::Multiply: return left * right;
        case ExpressionNode::Kind::Divide: return right == 0.0 ? kUndefined : left / right;
        default: return std::pow(left, right);
        }
    }

    AmountsOrProblem call(const ExpressionNode& node) const
    {
        const std::string& name = node.name;
        if (node.parts.size() == 2) return ofTwo(node);
        if (name == "abs" || name == "sqrt" || name == "log2") return ofOne(node);
        const ExpressionNode& of = *node.parts[0];
        if (of.kind != ExpressionNode::Kind::Amount)
            return wrong(of, fmt::format("{} is of a metric: {}(time.inc)", name, name));
        const auto run = runOf(of);
        if (!run) return tl::make_unexpected(run.error());
        const auto metric = metricOf(of, **run);
        if (!metric) return tl::make_unexpected(metric.error());
        return name == "share" ? share(of, **run, **metric) : overLocations(name, of, **run, **metric);
    }

    AmountsOrProblem share(const ExpressionNode& node, const ExpressionRun& run,
                           const MeasuredMetric& metric) const
    {
        if (!metric.adds)
            return wrong(
                node, fmt::format("{} is a minimum or a maximum, which is no part of a whole", metric.name));
        double whole = 0.0;
        for (std::size_t at = 0; at < run.table->table.size(); ++at)
            if (run.table->table.parent(at) == CallTable::kNone) whole += metric.inclusive[at];
        std::vector<double> values = node.inclusive ? metric.inclusive : metric.exclusive;
        for (double& value : values) value = whole == 0.0 ? kUndefined : value / whole;
        return Amounts{placed(run, values), {}};
    }

    AmountsOrProblem overLocations(const std::string& name, const ExpressionNode& node,
                                   const ExpressionRun& run, const MeasuredMetric& metric) const
    {
        const LocationSpreads& spreads = node.inclusive ? metric.inclusiveSpread : metric.exclusiveSpread;
        if (name == "max") return Amounts{placed(run, spreads.maximum), unitOf(metric.unit)};
        if (name == "mean") return Amounts{placed(run, spreads.mean), unitOf(metric.unit)};
        if (name == "stddev") return Amounts{placed(run, spreads.deviation), unitOf(metric.unit)};
        std::vector<double> values(spreads.maximum.size());
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = spreads.mean[i] == 0.0 ? kUndefined : spreads.maximum[i] / spreads.mean[i];
        return Amounts{placed(run, values), {}};
    }

    AmountsOrProblem ofOne(const ExpressionNode& node) const
    {
        auto value = of(*node.parts[0]);
        if (!value) return value;
        if (node.name != "abs" && !value->unit.empty())
            return wrong(node,
                         fmt::format("{} is of plain numbers, not of {}", node.name, unitText(value->unit)));
        for (double& one : value->values)
            one = node.name == "abs" ? std::fabs(one) : node.name == "sqrt" ? std::sqrt(one) : std::log2(one);
        return value;
    }

    AmountsOrProblem ofTwo(const ExpressionNode& node) const
    {
        auto left = of(*node.parts[0]);
        if (!left) return left;
        const auto right = of(*node.parts[1]);
        if (!right) return right;
        if (left->unit != right->unit)
            return wrong(
                node,
                fmt::format("{} and {} cannot be compared", unitWord(left->unit), unitWord(right->unit)));
        for (std::size_t i = 0; i < nodes_; ++i)
            left->values[i] = node.name == "min" ? std::min(left->values[i], right->values[i])
                                                 : std::max(left->values[i], right->values[i]);
        return left;
    }

    const std::vector<ExpressionRun>& runs_;
    std::size_t nodes_;
};

}  // namespace

std::string unitText(const MetricUnit& unit)
{
    std::string above, below;
    for (const auto& [base, power] : unit) {
        std::string& side = power > 0 ? above : below;
        side += (side.empty() ? "" : "·") + base
            + (std::abs(power) > 1 ? fmt::format("^{}", std::abs(power)) : "");
    }
    if (below.empty()) return above;
    return (above.empty() ? "1" : above) + "/" + below;
}

tl::expected<MetricExpression, TextProblem> MetricExpression::parse(std::string_view text)
{
    auto root = ExpressionReader(text).whole();
    if (!root) return tl::make_unexpected(root.error());
    MetricExpression expression;
    expression.root_ = *root;
    return expression;
}

bool MetricExpression::isPlainName() const
{
    return (root_->kind == ExpressionNode::Kind::Amount || root_->kind == ExpressionNode::Kind::Count)
        && root_->run.empty() && !root_->suffixed;
}

bool MetricExpression::namesRun(std::string_view run) const
{
    std::vector<const ExpressionNode*> left{root_.get()};
    while (!left.empty()) {
        const ExpressionNode& node = *left.back();
        left.pop_back();
        if (node.run == run) return true;
        for (const auto& part : node.parts) left.push_back(part.get());
    }
    return false;
}

tl::expected<DerivedMetric, TextProblem> MetricExpression::evaluate(const std::vector<ExpressionRun>& runs,
                                                                    std::size_t nodes) const
{
    auto amounts = ExpressionEvaluation(runs, nodes).of(*root_);
    if (!amounts) return tl::make_unexpected(amounts.error());
    return DerivedMetric{std::move(amounts->values), unitText(amounts->unit)};
}

tl::expected<DerivedMetric, TextProblem> MetricExpression::evaluate(const MeasuredTable& table) const
{
    return evaluate({{"", &table, {}}}, table.table.size());
}

}  // namespace skein
