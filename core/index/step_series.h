// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/time_span.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace skein {

/// What a quantity did within a span of time.
struct StepRange {
    double minimum = std::numeric_limits<double>::infinity();
    double maximum = -std::numeric_limits<double>::infinity();
    double integral = 0;  ///< value × ns, where it was known
    double knownNs = 0;   ///< how much of the span that was

    /// False: nothing is known about any moment of the span.
    bool any() const { return minimum <= maximum; }
    /// By time; of changes that took none, the middle of the extremes.
    double mean() const { return knownNs > 0 ? integral / knownNs : (minimum + maximum) / 2; }
    void add(const StepRange& other);
};

/// A quantity that is constant from one change to the next, for pictures whose cost depends on their pixels:
/// of groups of 16, 256, 4096 … steps it knows extremes and integral, so that no peak is lost however short
/// it was. About 19 bytes a step. Immutable; reading from several threads is safe.
class StepSeries {
public:
    static constexpr std::size_t kFanOut = 16;

    StepSeries() = default;
    /// Step i has values[i] from begins[i] to begins[i + 1], the last one to `end`; begins do not decrease
    /// and are ≤ end. Values that are no finite numbers stand for times about which nothing is known.
    /// O(steps).
    StepSeries(std::vector<TimeNs> begins, std::vector<double> values, TimeNs end);

    std::size_t steps() const { return begins_.size(); }
    /// Of the half-open span: every step that overlaps it, and changes without length in it. O(log steps).
    StepRange over(TimeSpan span) const;
    /// Of all steps.
    StepRange whole() const;
    /// The value at a moment; not a number where none is known. O(log steps).
    double at(TimeNs time) const;
    /// The first change after the time; kNoTime where there is none. O(log steps).
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
