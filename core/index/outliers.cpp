// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/index/outliers.h"

#include <cmath>

namespace skein {
namespace {

constexpr std::uint64_t kFewestCalls = 6;
constexpr double kMeans = 4;
constexpr double kDeviations = 8;
constexpr std::uint32_t kCallsBetweenQuestions = 1 << 16;  ///< whether to stop

}  // namespace

UsualDurations::UsualDurations(std::span<const CallSum> sums)
    : sums_(sums.begin(), sums.end()), least_(sums.size(), std::numeric_limits<TimeNs>::max())
{
    for (std::size_t region = 0; region < sums.size(); ++region) {
        const CallSum& sum = sums[region];
        if (sum.calls < kFewestCalls) continue;
        // d > 4 (S − d) / (n − 1) needs d > 4 S / (n + 3).
        least_[region] = static_cast<TimeNs>(kMeans * static_cast<double>(sum.durationNs) / (static_cast<double>(sum.calls) + kMeans - 1));
    }
}

bool UsualDurations::isFarFromOthers(std::uint32_t region, TimeNs duration) const
{
    const CallSum& sum = sums_[region];
    const double others = static_cast<double>(sum.calls) - 1;
    const double mean = static_cast<double>(sum.durationNs - duration) / others;
    if (static_cast<double>(duration) <= kMeans * mean) return false;
    // Taking one value x away from n values with mean m lessens Σ(x − m)² by (x − m)² n / (n − 1).
    const double deviation = sum.deviationNs();
    const double distance = static_cast<double>(duration) - sum.meanNs();
    const double squares = deviation * deviation * (others + 1) - distance * distance * (others + 1) / others;
    return static_cast<double>(duration) > mean + kDeviations * std::sqrt(std::max(0.0, squares) / others);
}

std::vector<std::uint32_t> findOutliers(const CallIntervals& calls, const CallPathRegions& paths, const UsualDurations& usual,
                                        const Task& task)
{
    std::vector<std::uint32_t> found;
    for (std::uint32_t call = 0; call < calls.size(); ++call) {
        if (call % kCallsBetweenQuestions == 0 && task.stopRequested()) break;
        if (usual.isOutlier(paths.region[calls.callPath[call]], calls.end[call] - calls.begin[call])) found.push_back(call);
    }
    return found;
}

}  // namespace skein
