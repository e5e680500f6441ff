// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/calltree/joint_tree.h"
#include "algorithms/calltree/metric_expression.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace skein {

/// Repeated runs of one program: one of several tables.
struct CompareSide {
    std::vector<const MeasuredTable*> runs;
};

struct CompareParams {
    std::string metric = "time";  ///< an expression of one run
    ComparePer per = ComparePer::Total;
    std::string phaseRegion;  ///< of ComparePer::Phase: a phase is one call of it on a rank
    std::vector<PathMatch> matches;
    double noise = 0.01;  ///< relative change that means nothing where runs are not repeated
};

/// A difference with what is known of its noise.
struct ChangeEstimate {
    double a = 0.0;  ///< means over the runs of a side
    double b = 0.0;
    double low = 0.0;  ///< 95 % interval of b − a (Welch); both are b − a where no run is repeated
    double high = 0.0;
    bool interval = false;

    double difference() const { return b - a; }
    /// b / a; NaN where a is 0.
    double ratio() const;
};

enum class ChangeVerdict : std::uint8_t { Same, More, Less, OnlyA, OnlyB };
/// "same", "more", "less", "only a", "only b"
std::string_view name(ChangeVerdict verdict);

/// Samples of both sides; each has at least one.
ChangeEstimate estimateChange(const std::vector<double>& a, const std::vector<double>& b);

/// The union of all runs with what each side has at every node. What a run does not have counts as 0.
struct Comparison {
    JointTree joint;  ///< runs: those of a, then those of b
    std::vector<ChangeEstimate> changes;
    std::vector<ChangeVerdict> verdicts;
    std::string unit;

    /// Nodes with the greatest differences first. O(nodes log nodes).
    std::vector<std::uint32_t> byDifference() const;
};

/// By call path, or by region if the tables are so. Problems: those of the expression. O(nodes · runs).
tl::expected<Comparison, TextProblem> compareRuns(const CompareSide& a, const CompareSide& b,
                                                  const CompareParams& params);

/// `a / b` of the metric, and that by how many times as many ranks as a has (strong scaling); NaN where b is
/// 0.
struct SpeedUp {
    std::vector<double> speedUp, efficiency;
};
SpeedUp speedUpOf(const Comparison& comparison, double ranksA, double ranksB);

/// Any number of sides beside each other.
struct ManyComparison {
    JointTree joint;                          ///< runs: those of the first side, then those of the next …
    std::vector<std::vector<double>> values;  ///< [side][node]: mean over its runs; 0 where it has none
    std::vector<std::vector<std::uint8_t>> present;  ///< [side][node]: whether a run of it has the node
    std::string unit;

    bool inAll(std::size_t node) const;
    /// Nodes with the greatest differences from the first side first. O(nodes · (sides + log nodes)).
    std::vector<std::uint32_t> byDifference() const;
};

/// As compareRuns(); each side has at least one run. Problems: those of the expression. O(nodes · runs).
tl::expected<ManyComparison, TextProblem> compareMany(const std::vector<CompareSide>& sides,
                                                      const CompareParams& params);

/// One value of all sides a node, by an expression that names them: `b.time / a.time`.
struct AcrossComparison {
    ManyComparison sides;  ///< without values
    DerivedMetric value;
};

/// Of each side the first run, by the name given for the side; what a run does not have counts as 0.
/// `params.per` is not looked at. Problems: those of the expression. O(nodes · (runs + length)).
tl::expected<AcrossComparison, TextProblem> compareAcross(const std::vector<CompareSide>& sides,
                                                          const std::vector<std::string>& names,
                                                          const CompareParams& params);

/// A bound that a run must keep: `region("solve").time.inc > +5%`. The subject is region("…"), path("…", "…")
/// or total; then comes an expression, a comparison, and a number: with % or a sign a change against A, else
/// a value of B.
struct RegressionRule {
    enum class Subject : std::uint8_t { Region, Path, Total };
    std::string text;
    Subject subject = Subject::Total;
    NamePath names;
    std::string metric;
    std::size_t metricBegin = 0;
    bool above = true;  ///< fails above the bound; false: below
    bool orEqual = false;
    bool relative = false;  ///< the bound is of (b − a) / a
    bool change = false;    ///< the bound is of b − a; neither: of b
    double bound = 0.0;
};
tl::expected<RegressionRule, TextProblem> parseRegressionRule(std::string_view text);

/// What became of a rule. It is broken where all of the interval is beyond the bound.
struct RuleOutcome {
    ChangeEstimate change;
    std::string unit;
    bool broken = false;
    bool found = true;  ///< false: no run has the subject
};
/// Tables by call path and by region of the same runs.
struct RuleTables {
    CompareSide pathsA, pathsB, regionsA, regionsB;
};
tl::expected<RuleOutcome, TextProblem> checkRule(const RegressionRule& rule, const RuleTables& tables);

}  // namespace skein
