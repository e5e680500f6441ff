// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/index/column_sampler.h"

#include <algorithm>
#include <cmath>

namespace skein {

ColumnSampler::ColumnSampler(const CallTree& callTree, const CallIntervals& calls, const TimelineIndex::Location& index)
    : callTree_(callTree), index_(index), walker_(calls, index.skip)
{
}

void ColumnSampler::sample(const ColumnGrid& grid, std::span<ColumnSample> columns)
{
    grid_ = grid;
    columns_ = columns.first(grid.count);
    end_ = grid.begin + grid.nsPerColumn * grid.count;
    columnsPerNs_ = 1 / grid.nsPerColumn;
    std::fill(columns_.begin(), columns_.end(), ColumnSample{});
    current_ = -1;
    candidates_.clear();
    if (!index_.tree.empty() && grid.count > 0) descend(index_.tree.root());
    closeColumn();
}

void ColumnSampler::descend(const TimeTree::Node& node)
{
    const auto begin = static_cast<double>(node.span.begin);
    const auto end = static_cast<double>(node.span.end);
    if (end <= grid_.begin || begin >= end_ || node.callPath == CallPathId::kNone) return;
    if (node.share == TimeTree::kUniform) return addSegment(node.callPath, begin, end);
    if (end - begin <= grid_.nsPerColumn) {
        const double middle = (begin + end) / 2;
        return add(static_cast<std::int64_t>(std::floor((middle - grid_.begin) * columnsPerNs_)), node.callPath,
                   node.share * (1.0 / 254) * (end - begin));
    }
    if (node.leaf) return sampleLeaf(node);
    descend(index_.tree.left(node));
    descend(index_.tree.right(node));
}

/// Neighbouring leaves are walked in one go.
void ColumnSampler::sampleLeaf(const TimeTree::Node& leaf)
{
    if (walker_.now() != leaf.span.begin) walker_.seek(leaf.span.begin, index_.tree.firstCall(leaf));
    walker_.advance(leaf.span.end, [this](std::uint32_t callPath, TimeNs from, TimeNs to) {
        if (to > from) return addSegment(callPath, static_cast<double>(from), static_cast<double>(to));
        // So that a call without duration outside all others leaves its mark.
        add(static_cast<std::int64_t>(std::floor((static_cast<double>(from) - grid_.begin) * columnsPerNs_)), callPath, 0);
    });
}

void ColumnSampler::addSegment(std::uint32_t callPath, double from, double to)
{
    from = std::max(from, grid_.begin);
    to = std::min(to, end_);
    if (to <= from) return;
    auto first = static_cast<std::int64_t>((from - grid_.begin) * columnsPerNs_);
    const double right = grid_.begin + static_cast<double>(first + 1) * grid_.nsPerColumn;
    if (to <= right) return add(first, callPath, to - from);
    add(first, callPath, right - from);
    const auto last = std::min(static_cast<std::int64_t>((to - grid_.begin) * columnsPerNs_),
                               static_cast<std::int64_t>(grid_.count));
    closeColumn();
    const ColumnSample full{callPath, static_cast<float>(grid_.nsPerColumn)};
    for (++first; first < last; ++first) columns_[static_cast<std::size_t>(first)] = full;
    const double rest = to - (grid_.begin + static_cast<double>(last) * grid_.nsPerColumn);
    if (rest > 0) add(last, callPath, rest);
}

void ColumnSampler::add(std::int64_t column, std::uint32_t callPath, double time)
{
    if (column < 0 || column >= static_cast<std::int64_t>(grid_.count) || time < 0) return;
    if (column != current_) {
        closeColumn();
        current_ = column;
    }
    const std::uint32_t region = callTree_.region(CallPathId(callPath)).value();
    for (Candidate& candidate : candidates_) {
        if (candidate.region != region) continue;
        candidate.time += time;
        if (time > candidate.callPathTime) {
            candidate.callPath = callPath;
            candidate.callPathTime = time;
        }
        return;
    }
    candidates_.push_back({region, callPath, time, time});
}

void ColumnSampler::closeColumn()
{
    if (candidates_.empty()) return;
    const auto best = std::max_element(candidates_.begin(), candidates_.end(),
                                       [](const Candidate& a, const Candidate& b) { return a.time < b.time; });
    columns_[static_cast<std::size_t>(current_)] = {best->callPath, static_cast<float>(best->time)};
    candidates_.clear();
    current_ = -1;
}

}  // namespace skein
