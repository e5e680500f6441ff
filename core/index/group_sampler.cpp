// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/index/group_sampler.h"

#include "core/index/first_call.h"
#include "core/index/tree_walk.h"

#include <algorithm>
#include <cmath>

namespace skein {

void GroupSampler::sample(std::span<const Group> groups, const ColumnGrid& grid,
                          std::span<ColumnSample> columns, const Task& task)
{
    grid_ = grid;
    votes_.start(grid);
    for (const Group& group : groups) {
        if (task.stopRequested()) break;
        group_ = &group;
        weight_ = static_cast<double>(group.locations);
        walk();
    }
    votes_.decide(columns.first(grid.count));
}

void GroupSampler::walk()
{
    runs_.start(kShortRun * grid_.nsPerColumn);
    TreeWalk(*group_->tree, grid_).tell(*this);
    closeRun();
    const std::size_t longest = runs_.longestFirst(
        std::max<std::size_t>(1, kMostSearches / std::max<std::size_t>(1, group_->members.size())));
    for (std::size_t run = 0; run < runs_.runs().size(); ++run) {
        if (run < longest) lookInto(runs_.runs()[run].span);
        else
            for (const TimeTree::Node& leaf : runs_.leavesOf(runs_.runs()[run])) showLeaf(leaf);
    }
}

inline void GroupSampler::cells(const TimeTree::Cells& row)
{
    closeRun();
    votes_.addCells(row, weight_);
}

inline void GroupSampler::wide(const TimeTree::Node& node)
{
    // What others than the longest take in a leaf of several locations may count together with other groups.
    const bool stands = node.share == TimeTree::kUniform
        || static_cast<double>(node.span.lengthNs()) <= 2 * grid_.nsPerColumn;
    if (!stands) return runs_.add(node, [this](const TimeTree::Node& leaf) { showLeaf(leaf); });
    closeRun();
    showLeaf(node);
}

void GroupSampler::closeRun()
{
    runs_.close([this](const TimeTree::Node& leaf) { showLeaf(leaf); });
}

void GroupSampler::showLeaf(const TimeTree::Node& leaf)
{
    const auto vote = [this](std::uint32_t callPath, double from, double to, double share) {
        votes_.addSpan(callPath, from, to, weight_ * share);
    };
    if (group_->leads) visitLeads(*group_->tree, *group_->leads, leaf.index, leaf.span, vote);
    else
        vote(leaf.callPath, static_cast<double>(leaf.span.begin), static_cast<double>(leaf.span.end),
             leaf.part());
}

void GroupSampler::lookInto(TimeSpan span)
{
    const TimeSpan shown{std::max(span.begin, static_cast<TimeNs>(std::floor(grid_.begin))),
                         std::min(span.end, static_cast<TimeNs>(std::ceil(grid_.end())))};
    for (const BundleSampler::Member& member : group_->members) {
        walker_.lookAt(*member.calls, member.index->skip);
        walker_.seek(shown.begin, firstCallFrom(*member.calls, shown.begin));
        walker_.advance(shown.end, [this](std::uint32_t callPath, TimeNs from, TimeNs to) {
            votes_.addSpan(callPath, static_cast<double>(from), static_cast<double>(to), 1);
        });
    }
}

}  // namespace skein
