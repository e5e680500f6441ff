// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/index/column_sampler.h"

#include "core/index/tree_walk.h"

#include <algorithm>
#include <cmath>

namespace skein {

ColumnSampler::ColumnSampler(const CallTree& callTree, const CallIntervals& calls, const TimelineIndex::Location& index)
    : callTree_(callTree), calls_(calls), index_(index), walker_(calls, index.skip)
{
}

void ColumnSampler::sample(const ColumnGrid& grid, std::span<ColumnSample> columns)
{
    grid_ = grid;
    columns_ = columns.first(grid.count);
    end_ = grid.end();
    columnsPerNs_ = 1 / grid.nsPerColumn;
    std::fill(columns_.begin(), columns_.end(), ColumnSample{});
    current_ = -1;
    others_.clear();
    run_ = {};
    TreeWalk(index_.tree, grid).tell(*this);
    walkRun();
    closeColumn();
}

std::int64_t ColumnSampler::columnOf(double time) const
{
    const double column = (time - grid_.begin) * columnsPerNs_;
    return column < 0 ? -1 : static_cast<std::int64_t>(column);
}

inline void ColumnSampler::cell(const TimeTree::Node& node)
{
    if (!run_.empty()) walkRun();
    const auto begin = static_cast<double>(node.span.begin);
    const auto end = static_cast<double>(node.span.end);
    if (node.share == TimeTree::kUniform) return addSegment(node.callPath, begin, end);
    add(columnOf((begin + end) / 2), node.callPath, node.share * (1.0 / 254) * (end - begin));
}

/// Neighbouring leaves are walked in one go.
inline void ColumnSampler::wide(const TimeTree::Node& node)
{
    if (!run_.empty() && run_.end == node.span.begin) {
        run_.end = node.span.end;
        return;
    }
    if (node.share == TimeTree::kUniform) return cell(node);
    walkRun();
    run_ = node.span;
    runFirst_ = index_.tree.firstCall(node);
}

inline void ColumnSampler::expect(const TimeTree::Node& node)
{
    if (node.share == TimeTree::kUniform) return;
    const std::uint32_t first = index_.tree.firstCall(node);
    const std::uint32_t near = first == 0 ? 0 : first - 1;
    for (const std::uint32_t call : {near, near + 7}) {
        __builtin_prefetch(calls_.begin.data() + call);
        __builtin_prefetch(calls_.end.data() + call);
    }
    __builtin_prefetch(calls_.callPath.data() + near);
    __builtin_prefetch(calls_.depth.data() + near);
}

void ColumnSampler::walkRun()
{
    if (run_.empty()) return;
    walker_.seek(run_.begin, runFirst_);
    walker_.advance(run_.end, [this](std::uint32_t callPath, TimeNs from, TimeNs to) {
        if (to > from) return addSegment(callPath, static_cast<double>(from), static_cast<double>(to));
        // So that a call without duration outside all others leaves its mark.
        add(columnOf(static_cast<double>(from)), callPath, 0);
    });
    run_ = {};
}

inline void ColumnSampler::addSegment(std::uint32_t callPath, double from, double to)
{
    // Segments come in the order of time.
    if (current_ >= 0 && to <= right_) return addCandidate(callTree_.region(CallPathId(callPath)).value(), callPath, to - from);
    from = std::max(from, grid_.begin);
    to = std::min(to, end_);
    if (to <= from) return;
    auto first = static_cast<std::int64_t>((from - grid_.begin) * columnsPerNs_);
    const double right = grid_.begin + static_cast<double>(first + 1) * grid_.nsPerColumn;
    if (to <= right) return add(first, callPath, to - from);
    add(first, callPath, right - from);
    closeColumn();
    const auto last = std::min(static_cast<std::int64_t>((to - grid_.begin) * columnsPerNs_),
                               static_cast<std::int64_t>(grid_.count));
    const ColumnSample full{callPath, static_cast<float>(grid_.nsPerColumn)};
    for (++first; first < last; ++first) columns_[static_cast<std::size_t>(first)] = full;
    const double rest = to - (grid_.begin + static_cast<double>(last) * grid_.nsPerColumn);
    if (rest > 0) add(last, callPath, rest);
}

inline void ColumnSampler::add(std::int64_t column, std::uint32_t callPath, double time)
{
    if (column < 0 || column >= static_cast<std::int64_t>(grid_.count) || time < 0) return;
    const std::uint32_t region = callTree_.region(CallPathId(callPath)).value();
    if (column == current_) return addCandidate(region, callPath, time);
    closeColumn();
    current_ = column;
    right_ = grid_.begin + static_cast<double>(column + 1) * grid_.nsPerColumn;
    first_ = {region, callPath, time, time};
}

inline void ColumnSampler::addCandidate(std::uint32_t region, std::uint32_t callPath, double time)
{
    const auto addTo = [&](Candidate& candidate) {
        candidate.time += time;
        if (time <= candidate.callPathTime) return;
        candidate.callPath = callPath;
        candidate.callPathTime = time;
    };
    if (first_.region == region) return addTo(first_);
    for (Candidate& candidate : others_)
        if (candidate.region == region) return addTo(candidate);
    others_.push_back({region, callPath, time, time});
}

inline void ColumnSampler::closeColumn()
{
    if (current_ < 0) return;
    const Candidate* best = &first_;
    for (const Candidate& candidate : others_)
        if (candidate.time > best->time) best = &candidate;
    columns_[static_cast<std::size_t>(current_)] = {best->callPath, static_cast<float>(best->time)};
    others_.clear();
    current_ = -1;
}

}  // namespace skein
