// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/calltree/measured_table.h"
#include "algorithms/calltree/text_pattern.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace skein {

/// What a number is measured in: powers of base units, such as {"s": 1, "B": -1}.
using MetricUnit = std::map<std::string, int>;
/// "s", "B/s", "1/s", "s^2"; empty for plain numbers.
std::string unitText(const MetricUnit& unit);

/// Values of an expression, one a node; NaN where they are not known or divided by nothing.
struct DerivedMetric {
    std::vector<double> values;
    std::string unit;
};

/// A run that an expression may name: `a.time`.
struct ExpressionRun {
    std::string name;  ///< "a"; the first run is meant where an expression names none
    const MeasuredTable* table = nullptr;
    std::vector<std::uint32_t>
        nodeOf;  ///< [node of the result]: the run's node, or CallTable::kNone; empty: the same
};

/// A metric worked out of others:
///     time.inc / calls      a.time / b.time      share(time.inc)      imbalance(time)
///     stddev("PAPI_TOT_INS".inc)
/// M or M.exc is the exclusive and M.inc the inclusive amount of a metric; names that are no words stand in
/// quotes. `calls`, `ranks` and `locations` are counts. share(M) is the part of the inclusive amount of all
/// roots; of a metric's amounts over locations there are imbalance (maximum by mean), stddev, max and mean.
/// Numbers may have a unit (s, ms, us, ns, %); + and - want one unit on both sides. abs, sqrt, log2, min and
/// max of two are there too. Immutable; reading from several threads is safe.
class MetricExpression {
public:
    static tl::expected<MetricExpression, TextProblem> parse(std::string_view text);

    /// True where it is the name of a metric and nothing more.
    bool isPlainName() const;
    /// True where it takes an amount or a count of a run of this name: `a.time`.
    bool namesRun(std::string_view run) const;
    /// For `nodes` nodes of the result. Problems: metrics that a run does not have, units that do not fit.
    /// O(nodes · length).
    tl::expected<DerivedMetric, TextProblem> evaluate(const std::vector<ExpressionRun>& runs,
                                                      std::size_t nodes) const;
    tl::expected<DerivedMetric, TextProblem> evaluate(const MeasuredTable& table) const;

    struct Node;

private:
    std::shared_ptr<const Node> root_;
};

}  // namespace skein
