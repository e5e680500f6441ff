// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/time_span.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace skein {

/// What a quantity did within a span.
struct StepRange {
    double minimum = std::numeric_limits<double>::infinity();
    double maximum = -std::numeric_limits<double>::infinity();
    double integral = 0;  ///< value × ns, where the value was known
    double knownNs = 0;   ///< how much of the span that is

    /// False if nothing is known about any moment of the span.
    bool any() const { return minimum <= maximum; }
    /// Weighted by time; the middle of the extremes if the steps took no time.
    double mean() const { return knownNs > 0 ? integral / knownNs : (minimum + maximum) / 2; }
    void add(const StepRange& other);
};

/// A quantity that is constant between changes, for pictures whose cost depends on their pixels. It knows
/// extremes and integral of every block of 16, 256, 4096 … steps, so no peak is lost, however short. About 19
/// bytes per step. Immutable; safe to read from several threads.
class StepSeries {
public:
    static constexpr std::size_t kFanOut = 16;

    StepSeries() = default;
    /// Step i has values[i] from begins[i] to begins[i + 1], the last step to `end`. `begins` do not decrease
    /// and are ≤ end. Where a value is not finite, nothing is known. O(steps).
    StepSeries(std::vector<TimeNs> begins, std::vector<double> values, TimeNs end);

    std::size_t steps() const { return begins_.size(); }
    /// Of every step that overlaps the half-open span, and of steps without length in it. O(log steps).
    StepRange over(TimeSpan span) const;
    /// Of all steps.
    StepRange whole() const;
    /// The value at a time; NaN where it is not known. O(log steps).
    double at(TimeNs time) const;
    /// The first change after the time; kNoTime if there is none. O(log steps).
    TimeNs nextChange(TimeNs time) const;

private:
    TimeNs endOf(std::size_t step) const { return step + 1 < begins_.size() ? begins_[step + 1] : end_; }
    StepRange part(std::size_t step, TimeSpan span) const;
    void addSteps(std::size_t first, std::size_t end, StepRange& range) const;

    std::vector<TimeNs> begins_;
    std::vector<double> values_;
    std::vector<std::vector<StepRange>> levels_;  ///< [0]: of 16 steps each, [1]: of 256 …
    TimeNs end_ = 0;
};

}  // namespace skein
