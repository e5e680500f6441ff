// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/index/step_series.h"

#include <algorithm>
#include <cmath>

namespace skein {

void StepRange::add(const StepRange& other)
{
    minimum = std::min(minimum, other.minimum);
    maximum = std::max(maximum, other.maximum);
    integral += other.integral;
    knownNs += other.knownNs;
}

StepSeries::StepSeries(std::vector<TimeNs> begins, std::vector<double> values, TimeNs end)
    : begins_(std::move(begins)), values_(std::move(values)), end_(end)
{
    std::size_t below = begins_.size();
    while (below > 1) {
        const std::size_t count = (below + kFanOut - 1) / kFanOut;
        std::vector<StepRange> level(count);
        for (std::size_t item = 0; item < below; ++item)
            level[item / kFanOut].add(levels_.empty() ? part(item, {begins_[item], endOf(item)})
                                                      : levels_.back()[item]);
        levels_.push_back(std::move(level));
        below = count;
    }
}

StepRange StepSeries::part(std::size_t step, TimeSpan span) const
{
    const double value = values_[step];
    if (!std::isfinite(value)) return {};
    const double length = static_cast<double>(
        std::max<TimeNs>(0, std::min(endOf(step), span.end) - std::max(begins_[step], span.begin)));
    return {value, value, value * length, length};
}

/// Whole steps: single ones up to the borders of groups, the largest groups between.
void StepSeries::addSteps(std::size_t first, std::size_t end, StepRange& range) const
{
    while (first < end) {
        std::size_t size = 1;
        std::size_t level = 0;
        while (level < levels_.size() && first % (size * kFanOut) == 0 && first + size * kFanOut <= end) {
            size *= kFanOut;
            ++level;
        }
        range.add(level == 0 ? part(first, {begins_[first], endOf(first)})
                             : levels_[level - 1][first / size]);
        first += size;
    }
}

StepRange StepSeries::over(TimeSpan span) const
{
    StepRange range;
    if (begins_.empty() || span.end <= span.begin || span.begin >= end_) {
        // A last change without length has no time after it.
        if (!begins_.empty() && span.contains(end_) && begins_.back() == end_)
            for (std::size_t step = begins_.size(); step-- > 0 && begins_[step] == end_;)
                range.add(part(step, span));
        return range;
    }
    const auto indexOf = [&](TimeNs time) {
        return static_cast<std::size_t>(std::lower_bound(begins_.begin(), begins_.end(), time)
                                        - begins_.begin());
    };
    std::size_t first = indexOf(span.begin);
    const std::size_t end = indexOf(span.end);
    // The step under way as the span begins.
    if (first > 0 && endOf(first - 1) > span.begin) range.add(part(first - 1, span));
    if (first == end) return range;
    addSteps(first, end - 1, range);
    range.add(part(end - 1, span));
    return range;
}

StepRange StepSeries::whole() const
{
    StepRange range;
    addSteps(0, begins_.size(), range);
    return range;
}

double StepSeries::at(TimeNs time) const
{
    const auto after = std::upper_bound(begins_.begin(), begins_.end(), time);
    if (after == begins_.begin() || time >= end_) return std::numeric_limits<double>::quiet_NaN();
    return values_[static_cast<std::size_t>(after - begins_.begin()) - 1];
}

TimeNs StepSeries::nextChange(TimeNs time) const
{
    const auto after = std::upper_bound(begins_.begin(), begins_.end(), time);
    return after == begins_.end() ? kNoTime : *after;
}

}  // namespace skein
