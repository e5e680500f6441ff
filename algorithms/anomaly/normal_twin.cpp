// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/anomaly/normal_twin.h"

#include "algorithms/anomaly/call_walk.h"
#include "algorithms/anomaly/subtree_labels.h"

#include <algorithm>
#include <cmath>
#include <queue>

namespace skein {
namespace {

struct DrawnExecution {
    std::uint64_t dice = 0;
    CallOfLocation of;

    auto operator<=>(const DrawnExecution&) const = default;
};

/// Normal executions with the lowest dice, by dice. False: stopped.
bool drawExecutions(const Trace& trace, const FunctionsOfCalls& functions, std::uint32_t function,
                    std::span<const CallOfLocation> strange, std::size_t most,
                    std::vector<DrawnExecution>& drawn, const Task& task)
{
    std::vector<std::uint8_t> isOne(functions.byPath().size(), 0);
    for (std::size_t path = 0; path < isOne.size(); ++path)
        isOne[path] = functions.byPath()[path] == function;
    std::priority_queue<DrawnExecution> lowest;
    for (std::size_t location = 0; location < trace.locations.size(); ++location) {
        const CallIntervals& calls = trace.locations[location].intervals;
        for (std::uint32_t call = 0; call < calls.size(); ++call) {
            if (call % kCallsBetweenQuestions == 0 && task.stopRequested()) return false;
            if (!isOne[calls.callPath[call]]) continue;
            const CallOfLocation of{LocationId(location), call};
            const DrawnExecution each{mixedLabel((std::uint64_t{of.location.value()} << 32) | call), of};
            if (lowest.size() >= most && !(each < lowest.top())) continue;
            if (std::binary_search(strange.begin(), strange.end(), of)) continue;
            lowest.push(each);
            if (lowest.size() > most) lowest.pop();
        }
    }
    for (; !lowest.empty(); lowest.pop()) drawn.push_back(lowest.top());
    std::reverse(drawn.begin(), drawn.end());
    return true;
}

class TwinFinder {
public:
    TwinFinder(const Trace& trace, const FunctionsOfCalls& functions, std::size_t height)
        : trace_(trace), functions_(functions), labels_(height)
    {
    }

    std::uint64_t callsOf(const CallOfLocation& of) const
    {
        return endOfExecution(trace_.locations[of.location.index()].intervals, of.call) - of.call;
    }

    void add(const CallOfLocation& of)
    {
        const CallIntervals& calls = trace_.locations[of.location.index()].intervals;
        const std::uint32_t end = endOfExecution(calls, of.call);
        std::vector<std::uint32_t> names;
        std::vector<double> durations;
        for (std::uint32_t call = of.call; call < end; ++call) {
            names.push_back(functions_.of(calls.callPath[call]));
            durations.push_back(static_cast<double>(calls.end[call] - calls.begin[call]));
        }
        const CallForest forest{names, calls.depth.span().subspan(of.call, names.size())};
        features_.push_back(subtreeFeatures(labels_.label(forest), 0, names.size(), durations));
    }

    /// The place of the one that is nearest to all others.
    std::size_t medoid() const
    {
        std::vector<double> squares, sums(features_.size(), 0.0);
        for (const SubtreeFeatures& each : features_) squares.push_back(subtreeKernel(each, each));
        for (std::size_t a = 0; a < features_.size(); ++a)
            for (std::size_t b = a + 1; b < features_.size(); ++b) {
                const double both = subtreeKernel(features_[a], features_[b]);
                const double away = std::sqrt(std::max(0.0, squares[a] + squares[b] - 2 * both));
                sums[a] += away;
                sums[b] += away;
            }
        return static_cast<std::size_t>(std::min_element(sums.begin(), sums.end()) - sums.begin());
    }

private:
    const Trace& trace_;
    const FunctionsOfCalls& functions_;
    SubtreeLabels labels_;
    std::vector<SubtreeFeatures> features_;
};

}  // namespace

Result<std::optional<CallOfLocation>> normalTwin(const Trace& trace, const FunctionsOfCalls& functions,
                                                 std::uint32_t function,
                                                 std::span<const CallOfLocation> strange,
                                                 const TwinParams& params, const Task& task)
{
    std::vector<DrawnExecution> drawn;
    if (!drawExecutions(trace, functions, function, strange, params.executions, drawn, task))
        return cancelled();
    if (drawn.empty()) return std::optional<CallOfLocation>();
    TwinFinder finder(trace, functions, params.height);
    std::uint64_t calls = 0;
    std::size_t taken = 0;
    for (const DrawnExecution& each : drawn) {
        if (task.stopRequested()) return cancelled();
        calls += finder.callsOf(each.of);
        if (taken > 0 && calls > params.calls) break;
        finder.add(each.of);
        ++taken;
    }
    return std::optional(drawn[finder.medoid()].of);
}

}  // namespace skein
