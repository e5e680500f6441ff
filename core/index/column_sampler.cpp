// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/index/column_sampler.h"

#include "core/index/first_call.h"
#include "core/index/tree_walk.h"

#include <algorithm>
#include <cmath>

namespace skein {
namespace {

constexpr std::uint32_t kFewCalls =
    2;  ///< a column: going through them costs less than descending the tree to leaves

}  // namespace

ColumnSampler::ColumnSampler(const CallTree& callTree, const CallIntervals& calls,
                             const TimelineIndex::Location& index)
    : calls_(calls),
      index_(index),
      walker_(calls, index.skip),
      tally_(callTree.regions().span()),
      walk_(callTree.regions().span())
{
}

void ColumnSampler::sample(const ColumnGrid& grid, std::span<ColumnSample> columns, std::uint32_t exactCalls)
{
    if (const auto first = fewCalls(grid, std::size_t{grid.count} * std::max(exactCalls, kFewCalls))) {
        std::fill(columns.begin(), columns.begin() + grid.count, ColumnSample{});
        return walk_.walk(calls_, index_.skip, *first, grid, columns);
    }
    tally_.start(grid, columns);
    run_ = {};
    TreeWalk(index_.tree, grid).tell(*this);
    walkRun();
    tally_.finish();
}

/// The first call that begins in the grid, if no more do than `most`.
std::optional<std::uint32_t> ColumnSampler::fewCalls(const ColumnGrid& grid, std::size_t most) const
{
    const auto& begins = calls_.begin;
    const auto* const first =
        begins.begin() + firstCallFrom(calls_, static_cast<TimeNs>(std::floor(grid.begin)));
    if (static_cast<std::size_t>(begins.end() - first) > most
        && static_cast<double>(first[most]) < grid.end())
        return std::nullopt;
    return static_cast<std::uint32_t>(first - begins.begin());
}

inline void ColumnSampler::cells(const TimeTree::Cells& row)
{
    walkRun();
    tally_.addCells(row);
}

/// Neighbouring leaves are walked in one go.
inline void ColumnSampler::wide(const TimeTree::Node& node)
{
    if (!run_.empty() && run_.end == node.span.begin) {
        run_.end = node.span.end;
        return;
    }
    walkRun();
    if (node.share == TimeTree::kUniform)
        return tally_.addSpan(node.callPath, static_cast<double>(node.span.begin),
                              static_cast<double>(node.span.end), 1);
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
        if (to > from) return tally_.addSpan(callPath, static_cast<double>(from), static_cast<double>(to), 1);
        // So that a call without duration outside all others leaves its mark.
        tally_.add(tally_.columnOf(static_cast<double>(from)), callPath, 0);
    });
    run_ = {};
}

}  // namespace skein
