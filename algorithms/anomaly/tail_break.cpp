// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/anomaly/tail_break.h"

#include "algorithms/anomaly/sigma_rule.h"

#include <algorithm>
#include <cmath>

namespace skein {
namespace {

double medianDistance(const std::vector<ValueCount>& counts, double median)
{
    std::vector<ValueCount> distances;
    distances.reserve(counts.size());
    for (const ValueCount& each : counts) distances.push_back({std::abs(each.value - median), each.count});
    std::sort(distances.begin(), distances.end(),
              [](const ValueCount& a, const ValueCount& b) { return a.value < b.value; });
    return medianOf(distances);
}

}  // namespace

double breakFactor(double sigma, std::uint64_t count)
{
    const double share = std::clamp(tailShare(sigma), 1e-300, 1.0);
    return 1.0 - std::log(share) / std::log(static_cast<double>(std::max<std::uint64_t>(2, count)));
}

double TailBreak::score(double value) const
{
    return std::abs(value - median) / (deviation > 0.0 ? deviation : 1.0);
}

std::vector<ValueCount> mirrored(const std::vector<ValueCount>& counts)
{
    std::vector<ValueCount> below(counts.rbegin(), counts.rend());
    if (counts.empty()) return below;
    for (ValueCount& each : below) each.value = counts.back().value - each.value;
    return below;
}

TailBreak tailBreakOf(const std::vector<ValueCount>& counts, const TailBreakParams& params)
{
    TailBreak result;
    for (const ValueCount& each : counts) result.count += each.count;
    result.median = medianOf(counts);
    result.deviation = 1.4826 * medianDistance(counts, result.median);
    if (result.count < kFewestForBreak) return result;
    const double factor = breakFactor(params.sigma, result.count);
    const auto most = std::max<std::uint64_t>(
        1, static_cast<std::uint64_t>(params.mostShare * static_cast<double>(result.count)));
    double body = std::max(params.sigma * result.deviation, params.floor);
    std::uint64_t rest = result.count;
    for (const ValueCount& each : counts) {
        const double excess = each.value - result.median;
        if (rest <= most && excess > 0.0 && excess > factor * body) {
            result.limit = each.value;
            result.beyond = rest;
            break;
        }
        body = std::max(body, excess);
        rest -= each.count;
    }
    result.reach = factor * body;
    return result;
}

}  // namespace skein
