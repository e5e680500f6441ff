// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/timeline/call_depths.h"

#include "core/base/parallel_for.h"
#include "core/index/row_sampler.h"

#include <algorithm>

namespace skein {
namespace {

void fillRow(const Experiment& experiment, const TimelineIndex& index, std::span<const std::uint32_t> levels,
             const std::vector<LocationId>& locations, const ColumnGrid& grid, std::span<float> depths,
             const Task& task)
{
    std::vector<ColumnSample> samples(grid.count);
    std::vector<std::uint32_t> active(grid.count, 0);
    RowSampler sampler(experiment.callTree->regions().span());
    for (const LocationId location : locations) {
        if (task.stopRequested()) return;
        const RowSource source(experiment.trace->locations[location.index()].intervals,
                               index.locations[location.index()]);
        sampler.sample({&source, 1}, grid, RowSampler::kFewCalls, samples);
        for (std::size_t column = 0; column < samples.size(); ++column) {
            const CallPathId path(samples[column].callPath);
            if (!path.valid() || levels[path.index()] == 0) continue;
            ++active[column];
            depths[column] += static_cast<float>(levels[path.index()]);
        }
    }
    for (std::size_t column = 0; column < depths.size(); ++column)
        if (active[column] > 1) depths[column] /= static_cast<float>(active[column]);
}

}  // namespace

Result<CallDepths> callDepths(const Experiment& experiment, const TimelineIndex& index,
                              std::span<const std::uint32_t> levels,
                              const std::vector<std::vector<LocationId>>& rows, const ColumnGrid& grid,
                              const Task& task)
{
    CallDepths depths{grid.count, std::vector<float>(rows.size() * grid.count, 0.0f)};
    const bool complete = parallelFor(rows.size(), task, [&](std::size_t row) {
        fillRow(experiment, index, levels, rows[row], grid,
                std::span(depths.depth).subspan(row * grid.count, grid.count), task);
    });
    if (!complete || task.stopRequested()) return cancelled();
    return depths;
}

}  // namespace skein
