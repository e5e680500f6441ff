// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/index/outliers.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace skein {
namespace {

constexpr double kMeans = 4;
constexpr double kDeviations = 8;

/// Takes the outliers of one column after the other.
class ColumnOutliers {
public:
    ColumnOutliers(const ColumnGrid& grid, double narrowNs, std::vector<OutlierColumn>& found)
        : grid_(grid), narrowNs_(narrowNs), found_(found), first_(found.size())
    {
    }

    void take(const Outlier& outlier)
    {
        const bool narrow = static_cast<double>(outlier.end) - static_cast<double>(outlier.begin) < narrowNs_;
        if (narrow && narrow_ && outlier.begin >= narrow_->end) return;
        found_.push_back({column_, outlier.call, narrow, outlier.callPath});
        ends_.push_back(outlier.end);
        if (narrow) narrow_ = &outlier;
    }
    void enter(std::uint32_t column)
    {
        leave();
        column_ = column;
        first_ = found_.size();
        ends_.clear();
        narrow_ = nullptr;
    }
    void leave()
    {
        if (!narrow_) return;
        const double right = grid_.begin + static_cast<double>(column_ + 1) * grid_.nsPerColumn;
        for (std::size_t one = first_; one < found_.size(); ++one)
            if (!found_[one].isNarrow && static_cast<double>(ends_[one - first_]) > right)
                found_[one].column = std::min(column_ + 1, grid_.count - 1);
        std::stable_partition(found_.begin() + static_cast<std::ptrdiff_t>(first_), found_.end(),
                              [](const OutlierColumn& one) { return !one.isNarrow; });
    }

private:
    const ColumnGrid& grid_;
    double narrowNs_;
    std::vector<OutlierColumn>& found_;
    std::size_t first_;         ///< of those found in the column
    std::vector<TimeNs> ends_;  ///< of those
    std::uint32_t column_ = 0;
    const Outlier* narrow_ = nullptr;  ///< the innermost so far
};

}  // namespace

UsualDurations::UsualDurations(std::span<const CallSum> sums)
    : sums_(sums.begin(), sums.end()), least_(sums.size(), std::numeric_limits<TimeNs>::max())
{
    for (std::size_t region = 0; region < sums.size(); ++region) {
        const CallSum& sum = sums[region];
        if (sum.calls < kFewestCalls) continue;
        // d > 4 (S − d) / (n − 1) needs d > 4 S / (n + 3).
        least_[region] = static_cast<TimeNs>(kMeans * static_cast<double>(sum.durationNs)
                                             / (static_cast<double>(sum.calls) + kMeans - 1));
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

std::vector<Outlier> findOutliers(const CallIntervals& calls, const CallPathRegions& paths,
                                  const UsualDurations& usual, const Task& task)
{
    std::vector<Outlier> found;
    for (std::uint32_t call = 0; call < calls.size(); ++call) {
        if (call % kCallsBetweenQuestions == 0 && task.stopRequested()) break;
        if (usual.isOutlier(paths.region[calls.callPath[call]], calls.end[call] - calls.begin[call]))
            found.push_back({calls.begin[call], calls.end[call], call, calls.callPath[call]});
    }
    return found;
}

void findOutlierColumns(std::span<const Outlier> outliers, const ColumnGrid& grid, double narrowNs,
                        std::vector<OutlierColumn>& found)
{
    constexpr std::ptrdiff_t kMost = 16;  ///< of a column, and before the first one, that are looked at
    ColumnOutliers column(grid, narrowNs, found);
    const auto begin = [](const Outlier& outlier) { return static_cast<double>(outlier.begin); };
    const auto firstFrom = [&](auto from, double time) {
        return std::lower_bound(from, outliers.end(), time, [&](const Outlier& outlier, double wanted) {
            return begin(outlier) < wanted;
        });
    };
    auto at = firstFrom(outliers.begin(), grid.begin);
    for (auto before = at - std::min(at - outliers.begin(), kMost); before != at; ++before)
        if (static_cast<double>(before->end) > grid.begin) column.take(*before);
    for (std::uint32_t number = 0; at != outliers.end() && begin(*at) < grid.end();) {
        const auto next = std::min(static_cast<std::uint32_t>((begin(*at) - grid.begin) / grid.nsPerColumn),
                                   grid.count - 1);
        if (next != number) column.enter(number = next);
        const double right = grid.begin + static_cast<double>(number + 1) * grid.nsPerColumn;
        const auto last = at + std::min(outliers.end() - at, kMost);
        do column.take(*at++);
        while (at != last && begin(*at) < right);
        at = firstFrom(at, right);
    }
    column.leave();
}

}  // namespace skein
