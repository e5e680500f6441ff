// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/calltree/compare_runs.h"

#include "algorithms/behavior/tail_probabilities.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <numeric>

namespace skein {
namespace {

constexpr double kUnknownRatio = std::numeric_limits<double>::quiet_NaN();

struct SampleMoments {
    double mean = 0.0;
    double variance = 0.0;  ///< divisor n − 1; 0 for one sample
    double count = 0.0;
};

SampleMoments sampleMomentsOf(const std::vector<double>& samples)
{
    SampleMoments out;
    out.count = static_cast<double>(samples.size());
    if (samples.empty()) return out;
    out.mean = std::accumulate(samples.begin(), samples.end(), 0.0) / out.count;
    if (samples.size() < 2) return out;
    for (const double sample : samples) out.variance += (sample - out.mean) * (sample - out.mean);
    out.variance /= out.count - 1.0;
    return out;
}

/// The t beyond which, on either side, 5 % of Student's distribution lie.
double studentBound(double freedom)
{
    double low = 0.0, high = 1e4;
    for (int i = 0; i < 100; ++i) {
        const double middle = 0.5 * (low + high);
        (fTail(middle * middle, 1.0, freedom) > 0.05 ? low : high) = middle;
    }
    return 0.5 * (low + high);
}

/// Half the width of the interval of a difference of means; Welch's degrees of freedom. A side with one run
/// is taken to be as noisy as the other.
double halfWidth(SampleMoments a, SampleMoments b)
{
    double freedom = 0.0;
    if (a.count < 2.0 || b.count < 2.0) {
        const SampleMoments& known = a.count < 2.0 ? b : a;
        freedom = known.count - 1.0;
        a.variance = b.variance = known.variance;
    }
    const double partA = a.variance / a.count, partB = b.variance / b.count;
    const double both = partA + partB;
    if (both <= 0.0) return 0.0;
    if (freedom == 0.0)
        freedom = both * both / (partA * partA / (a.count - 1.0) + partB * partB / (b.count - 1.0));
    return studentBound(std::max(freedom, 1.0)) * std::sqrt(both);
}

/// How many phases a rank went through: calls of a region by ranks; 1 where there are none.
double phasesOf(const MeasuredTable& table, const std::string& region)
{
    double calls = 0.0;
    for (std::size_t node = 0; node < table.table.size(); ++node)
        if (table.table.name(node) == region) calls += table.calls[node];
    const double phases = table.ranks > 0 ? calls / static_cast<double>(table.ranks) : calls;
    return phases > 0.0 ? phases : 1.0;
}

double dividerOf(const MeasuredTable& table, const CompareParams& params)
{
    switch (params.per) {
    case ComparePer::Rank: return std::max<double>(1.0, static_cast<double>(table.ranks));
    case ComparePer::Location: return std::max<double>(1.0, static_cast<double>(table.locations));
    case ComparePer::Phase: return phasesOf(table, params.phaseRegion);
    default: return 1.0;
    }
}

using RunValues = tl::expected<DerivedMetric, TextProblem>;

RunValues runValuesOf(const MetricExpression& metric, const MeasuredTable& table, const CompareParams& params)
{
    auto derived = metric.evaluate(table);
    if (!derived) return derived;
    const double divider = dividerOf(table, params);
    for (std::size_t node = 0; node < derived->values.size(); ++node) {
        const double by = params.per == ComparePer::Call ? table.calls[node] : divider;
        derived->values[node] = by > 0.0 ? derived->values[node] / by : 0.0;
    }
    return derived;
}

ChangeVerdict verdictOf(const ChangeEstimate& change, bool inA, bool inB, double noise)
{
    if (!inB) return ChangeVerdict::OnlyA;
    if (!inA) return ChangeVerdict::OnlyB;
    const double margin = change.interval ? 0.0 : noise * std::max(std::fabs(change.a), std::fabs(change.b));
    if (change.low > margin) return ChangeVerdict::More;
    if (change.high < -margin) return ChangeVerdict::Less;
    return ChangeVerdict::Same;
}

}  // namespace

double ChangeEstimate::ratio() const { return a == 0.0 ? kUnknownRatio : b / a; }

std::string_view name(ChangeVerdict verdict)
{
    switch (verdict) {
    case ChangeVerdict::Same: return "same";
    case ChangeVerdict::More: return "more";
    case ChangeVerdict::Less: return "less";
    case ChangeVerdict::OnlyA: return "only a";
    case ChangeVerdict::OnlyB: return "only b";
    }
    return "";
}

ChangeEstimate estimateChange(const std::vector<double>& a, const std::vector<double>& b)
{
    const SampleMoments left = sampleMomentsOf(a), right = sampleMomentsOf(b);
    ChangeEstimate change;
    change.a = left.mean;
    change.b = right.mean;
    change.interval = a.size() > 1 || b.size() > 1;
    const double half = change.interval ? halfWidth(left, right) : 0.0;
    change.low = change.difference() - half;
    change.high = change.difference() + half;
    return change;
}

std::vector<std::uint32_t> Comparison::byDifference() const
{
    std::vector<std::uint32_t> order(changes.size());
    std::iota(order.begin(), order.end(), 0u);
    const auto size = [&](std::uint32_t node) {
        const double difference = std::fabs(changes[node].difference());
        return std::isnan(difference) ? -1.0 : difference;
    };
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t x, std::uint32_t y) { return size(x) > size(y); });
    return order;
}

tl::expected<Comparison, TextProblem> compareRuns(const CompareSide& a, const CompareSide& b,
                                                  const CompareParams& params)
{
    const auto metric = MetricExpression::parse(params.metric);
    if (!metric) return tl::make_unexpected(metric.error());
    std::vector<const MeasuredTable*> runs = a.runs;
    runs.insert(runs.end(), b.runs.begin(), b.runs.end());
    std::vector<const CallTable*> trees;
    std::vector<std::vector<double>> values;
    Comparison out;
    for (const MeasuredTable* const run : runs) {
        auto derived = runValuesOf(*metric, *run, params);
        if (!derived) return tl::make_unexpected(derived.error());
        trees.push_back(&run->table);
        values.push_back(std::move(derived->values));
        out.unit = derived->unit;
    }
    out.joint = joinTrees(trees, params.matches);
    for (std::size_t node = 0; node < out.joint.table.size(); ++node) {
        std::vector<double> left, right;
        bool inA = false, inB = false;
        for (std::size_t run = 0; run < runs.size(); ++run) {
            const bool first = run < a.runs.size();
            (first ? inA : inB) = (first ? inA : inB) || out.joint.has(run, node);
            (first ? left : right)
                .push_back(out.joint.has(run, node) ? values[run][out.joint.nodeOf[run][node]] : 0.0);
        }
        out.changes.push_back(estimateChange(left, right));
        out.verdicts.push_back(verdictOf(out.changes.back(), inA, inB, params.noise));
    }
    return out;
}

bool ManyComparison::inAll(std::size_t node) const
{
    return std::all_of(present.begin(), present.end(), [&](const auto& side) { return side[node] != 0; });
}

std::vector<std::uint32_t> ManyComparison::byDifference() const
{
    std::vector<double> most(joint.table.size(), 0.0);
    for (std::size_t side = 1; side < values.size(); ++side)
        for (std::size_t node = 0; node < most.size(); ++node)
            if (const double by = std::fabs(values[side][node] - values[0][node]); by > most[node])
                most[node] = by;
    std::vector<std::uint32_t> order(most.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t x, std::uint32_t y) { return most[x] > most[y]; });
    return order;
}

tl::expected<ManyComparison, TextProblem> compareMany(const std::vector<CompareSide>& sides,
                                                      const CompareParams& params)
{
    const auto metric = MetricExpression::parse(params.metric);
    if (!metric) return tl::make_unexpected(metric.error());
    std::vector<const CallTable*> trees;
    std::vector<std::vector<double>> amounts;
    ManyComparison out;
    for (const CompareSide& side : sides)
        for (const MeasuredTable* const run : side.runs) {
            auto derived = runValuesOf(*metric, *run, params);
            if (!derived) return tl::make_unexpected(derived.error());
            trees.push_back(&run->table);
            amounts.push_back(std::move(derived->values));
            out.unit = derived->unit;
        }
    out.joint = joinTrees(trees, params.matches);
    const std::size_t nodes = out.joint.table.size();
    std::size_t run = 0;
    for (const CompareSide& side : sides) {
        std::vector<double> means(nodes, 0.0);
        std::vector<std::uint8_t> present(nodes, 0);
        for (std::size_t of = 0; of < side.runs.size(); ++of, ++run)
            for (std::size_t node = 0; node < nodes; ++node) {
                if (!out.joint.has(run, node)) continue;
                present[node] = 1;
                means[node] +=
                    amounts[run][out.joint.nodeOf[run][node]] / static_cast<double>(side.runs.size());
            }
        out.values.push_back(std::move(means));
        out.present.push_back(std::move(present));
    }
    return out;
}

tl::expected<AcrossComparison, TextProblem> compareAcross(const std::vector<CompareSide>& sides,
                                                          const std::vector<std::string>& names,
                                                          const CompareParams& params)
{
    const auto expression = MetricExpression::parse(params.metric);
    if (!expression) return tl::make_unexpected(expression.error());
    std::vector<const CallTable*> trees;
    for (const CompareSide& side : sides) trees.push_back(&side.runs.front()->table);
    AcrossComparison out;
    out.sides.joint = joinTrees(trees, params.matches);
    const JointTree& joint = out.sides.joint;
    std::vector<ExpressionRun> runs;
    for (std::size_t run = 0; run < sides.size(); ++run) {
        runs.push_back({names[run], sides[run].runs.front(), joint.nodeOf[run]});
        std::vector<std::uint8_t> present(joint.table.size());
        for (std::size_t node = 0; node < present.size(); ++node) present[node] = joint.has(run, node);
        out.sides.present.push_back(std::move(present));
    }
    auto value = expression->evaluate(runs, joint.table.size());
    if (!value) return tl::make_unexpected(value.error());
    out.value = std::move(*value);
    return out;
}

SpeedUp speedUpOf(const Comparison& comparison, double ranksA, double ranksB)
{
    SpeedUp out;
    for (const ChangeEstimate& change : comparison.changes) {
        const double speedUp = change.b == 0.0 ? kUnknownRatio : change.a / change.b;
        out.speedUp.push_back(speedUp);
        out.efficiency.push_back(ranksB > 0.0 ? speedUp * ranksA / ranksB : kUnknownRatio);
    }
    return out;
}

}  // namespace skein
