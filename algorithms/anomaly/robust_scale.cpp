// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/anomaly/robust_scale.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace skein {
namespace {

/// The median of at least one value, which are put into another order.
double takeMedian(std::vector<double>& values)
{
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    if (values.size() % 2 == 1) return *middle;
    const double below = *std::max_element(values.begin(), middle);
    return below + (*middle - below) / 2.0;
}

}  // namespace

RobustScale robustScaleOf(std::span<const double> values)
{
    std::vector<double> kept;
    kept.reserve(values.size());
    for (const double value : values)
        if (std::isfinite(value)) kept.push_back(value);
    if (kept.empty()) return {};
    RobustScale scale;
    scale.count = kept.size();
    scale.median = takeMedian(kept);
    for (double& value : kept) value = std::abs(value - scale.median);
    scale.deviation = 1.482602218505602 * takeMedian(kept);
    return scale;
}

Judgement judgeByMedian(double value, const RobustScale& scale, double sigma)
{
    if (!std::isfinite(value) || scale.count < 2) return {};
    const double distance = std::abs(value - scale.median);
    double score = 0.0;
    if (distance > 0.0)
        score = scale.deviation > 0.0 ? distance / scale.deviation : std::numeric_limits<double>::infinity();
    return {score, score > sigma ? Verdict::Anomaly : Verdict::Normal};
}

}  // namespace skein
