// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/mapping/base/search_clock.h"
#include "core/base/task.h"

#include <algorithm>

namespace skein {

/// The temperature at which about `wanted` of the tries succeed, looked for from cold to hot. `acceptedAt`
/// tries one round at a temperature and returns the share that succeeded; about 15 % of the clock's time are
/// spent on that at most.
template <typename Round>
double startTemperature(double wanted, const SearchClock& clock, const Task& task, Round acceptedAt)
{
    constexpr int kRounds = 40;
    constexpr double kMostShare = 0.15;
    double temperature = 1.0 / 64.0;
    for (int i = 0; i < kRounds && !task.stopRequested() && clock.spent(0) < kMostShare;
         ++i, temperature *= 1.5) {
        if (acceptedAt(temperature) >= wanted) break;
    }
    return temperature;
}

/// Holds the share of tried swaps that are done at a wanted value, by small steps of the temperature.
class Thermostat {
public:
    explicit Thermostat(double temperature) : temperature_(temperature) {}
    double temperature() const { return temperature_; }
    /// Tells the share of the last round and the share that is wanted now.
    void adjust(double accepted, double wanted)
    {
        smooth_ = smooth_ < 0.0 ? accepted : 0.8 * smooth_ + 0.2 * accepted;
        const double ratio = smooth_ / wanted;
        // Far from the target the steps are larger, so that short budgets still reach it.
        const double step = ratio > 3.0 || ratio < 1.0 / 3.0 ? kStep * kStep * kStep : kStep;
        temperature_ = std::clamp(ratio > 1.0 ? temperature_ / step : temperature_ * step, 1e-6, 1e6);
    }

private:
    static constexpr double kStep = 1.02;

    double temperature_;
    double smooth_ = -1.0;
};

}  // namespace skein
