// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/index/trace_summary.h"

#include "core/base/parallel_for.h"
#include "core/index/timeline_index.h"

#include <algorithm>
#include <atomic>
#include <fmt/format.h>

namespace skein {
namespace {

constexpr std::size_t kMessagesOfPiece = std::size_t{1} << 16;

std::uint32_t deepestCall(const Experiment& experiment, const Task& task)
{
    if (experiment.timelineIndex) return experiment.timelineIndex->maximumDepth;
    const auto& locations = experiment.trace->locations;
    std::vector<std::uint32_t> deepest(locations.size());
    parallelFor(locations.size(), task, [&](std::size_t location) {
        for (const std::uint16_t depth : locations[location].intervals.depth)
            deepest[location] = std::max(deepest[location], depth + 1u);
    });
    return deepest.empty() ? 0 : *std::max_element(deepest.begin(), deepest.end());
}

void addMessages(std::span<const Message> messages, const Task& task, TraceTotals& totals)
{
    std::atomic<std::uint64_t> bytes{0};
    std::atomic<std::uint64_t> unmatched{0};
    parallelFor((messages.size() + kMessagesOfPiece - 1) / kMessagesOfPiece, task, [&](std::size_t piece) {
        const std::size_t first = piece * kMessagesOfPiece;
        std::uint64_t ownBytes = 0, ownUnmatched = 0;
        for (const Message& message :
             messages.subspan(first, std::min(kMessagesOfPiece, messages.size() - first))) {
            ownBytes += message.bytes;
            ownUnmatched += !message.matched();
        }
        bytes += ownBytes;
        unmatched += ownUnmatched;
    });
    totals.messageBytes = bytes;
    totals.unmatchedSends = unmatched;
}

}  // namespace

Result<TraceSummary> traceSummaryOf(const Experiment& experiment, const Task& task)
{
    auto totals = traceTotalsOf(experiment, task);
    if (!totals) return Unexpected(std::move(totals.error()));
    auto clocks = clockOffsetsOf(experiment, task);
    if (!clocks) return Unexpected(std::move(clocks.error()));
    return TraceSummary{*totals, std::move(*clocks)};
}

Result<TraceTotals> traceTotalsOf(const Experiment& experiment, const Task& task)
{
    if (experiment.summary) return experiment.summary->totals;
    if (!experiment.trace)
        return fail(ErrorCode::InvalidArgument, fmt::format("{} is no trace.", experiment.name));
    TraceTotals totals;
    totals.maximumDepth = deepestCall(experiment, task);
    addMessages(experiment.trace->messages.span(), task, totals);
    if (task.stopRequested()) return cancelled();
    return totals;
}

Result<ClockOffsets> clockOffsetsOf(const Experiment& experiment, const Task& task)
{
    if (experiment.summary) return experiment.summary->clocks;
    return estimateClockOffsets(experiment, ClockModel::Automatic, task);
}

}  // namespace skein
