// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/timeline/duration_density.h"

#include "core/index/first_call.h"

#include <algorithm>
#include <cmath>

namespace skein {
namespace {

constexpr std::uint32_t kRun = 16;  ///< neighbouring calls: they share pages of memory
constexpr std::uint32_t kAddedBetweenStopChecks = 1u << 16;

class DensityFiller {
public:
    DensityFiller(const Experiment& experiment, const CallChoice& choice, DurationDensity& density,
                  const Task& task)
        : experiment_(experiment),
          choice_(choice),
          density_(density),
          task_(task),
          nsPerColumn_(static_cast<double>(choice.span.lengthNs()) / density.grid.columns),
          wanted_(experiment.callTree->size())
    {
        for (std::uint32_t path = 0; path < wanted_.size(); ++path) {
            const RegionId region = experiment.callTree->region(CallPathId(path));
            wanted_[path] = region.valid() && choice.takes(region);
        }
    }

    bool fill()
    {
        if (choice_.span.empty() || choice_.locations.empty()) return true;
        return countCalls() <= kMostCallsLookedAt ? addAll() : addSamples();
    }

private:
    const CallIntervals& callsOf(LocationId location) const
    {
        return experiment_.trace->locations[location.index()].intervals;
    }

    std::uint64_t countCalls() const
    {
        std::uint64_t count = 0;
        for (const LocationId location : choice_.locations)
            count += firstCallFrom(callsOf(location), choice_.span.end)
                - firstCallFrom(callsOf(location), choice_.span.begin);
        return count;
    }

    void add(const CallIntervals& calls, std::uint32_t call, std::uint32_t column, float weight)
    {
        if (!wanted_[calls.callPath[call]]) return;
        density_.calls[std::size_t{column} * density_.grid.rows
                       + density_.grid.rowOf(calls.end[call] - calls.begin[call])] += weight;
    }

    bool addAll()
    {
        for (const LocationId location : choice_.locations) {
            const CallIntervals& calls = callsOf(location);
            const std::uint32_t end = firstCallFrom(calls, choice_.span.end);
            for (std::uint32_t call = firstCallFrom(calls, choice_.span.begin); call < end; ++call) {
                if (call % kAddedBetweenStopChecks == 0 && task_.stopRequested()) return false;
                const double at = static_cast<double>(calls.begin[call] - choice_.span.begin) / nsPerColumn_;
                add(calls, call, std::min(static_cast<std::uint32_t>(at), density_.grid.columns - 1), 1);
            }
            if (task_.stopRequested()) return false;
        }
        return true;
    }

    bool addSamples()
    {
        density_.sampled = true;
        const std::size_t count = choice_.locations.size();
        const std::size_t looked = std::min<std::size_t>(count, kDensityLocations);
        const float each = static_cast<float>(count) / static_cast<float>(looked);
        for (std::uint32_t column = 0; column < density_.grid.columns; ++column) {
            if (task_.stopRequested()) return false;
            // Spread over all locations, one farther in each column.
            for (std::size_t number = 0; number < looked; ++number)
                addPart(callsOf(choice_.locations[(number * count / looked + column) % count]), column, each);
        }
        return true;
    }

    TimeNs edge(std::uint32_t column) const
    {
        return choice_.span.begin + static_cast<TimeNs>(std::llround(nsPerColumn_ * column));
    }

    /// Some of the calls that begin in a column.
    void addPart(const CallIntervals& calls, std::uint32_t column, float weight)
    {
        const std::uint32_t first = firstCallFrom(calls, edge(column));
        const std::uint32_t count = firstCallFrom(calls, edge(column + 1)) - first;
        if (count <= kDensityCalls) {
            for (std::uint32_t call = first; call < first + count; ++call) add(calls, call, column, weight);
            return;
        }
        constexpr std::uint32_t kRuns = kDensityCalls / kRun;
        weight *= static_cast<float>(count) / static_cast<float>(kDensityCalls);
        for (std::uint32_t run = 0; run < kRuns; ++run) {
            const std::uint32_t from =
                first + static_cast<std::uint32_t>(std::uint64_t{count - kRun} * run / (kRuns - 1));
            for (std::uint32_t call = from; call < from + kRun; ++call) add(calls, call, column, weight);
        }
    }

    const Experiment& experiment_;
    const CallChoice& choice_;
    DurationDensity& density_;
    const Task& task_;
    double nsPerColumn_;
    std::vector<std::uint8_t> wanted_;  ///< by call path
};

}  // namespace

std::uint32_t DensityGrid::rowOf(TimeNs duration) const
{
    const double part = std::log(std::max(1.0, static_cast<double>(duration)) / shortestNs)
        / std::log(longestNs / shortestNs);
    return static_cast<std::uint32_t>(std::clamp(part, 0.0, 1.0 - 1e-9) * rows);
}

bool addDurations(const Experiment& experiment, const CallChoice& choice, DurationDensity& density,
                  const Task& task)
{
    if (!experiment.trace) return true;
    return DensityFiller(experiment, choice, density, task).fill();
}

}  // namespace skein
