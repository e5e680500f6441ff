// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/index/group_sampler.h"

#include "core/index/tree_walk.h"

#include <algorithm>
#include <cmath>

namespace skein {
namespace {

double partOf(const TimeTree::Node& node) { return node.share == TimeTree::kUniform ? 1.0 : node.share * (1.0 / 254); }

}  // namespace

void GroupSampler::sample(std::span<const Group> groups, const ColumnGrid& grid, std::span<ColumnSample> columns, const Task& task)
{
    grid_ = grid;
    votes_.start(grid);
    for (const Group& group : groups) {
        if (task.stopRequested()) break;
        walk(group);
    }
    votes_.decide(columns.first(grid.count));
}

/// The last run is the one that may go on; it is empty where the last node was not of one.
void GroupSampler::walk(const Group& group)
{
    weight_ = static_cast<double>(group.locations);
    leaves_.clear();
    runs_.assign(1, {});
    TreeWalk(*group.tree, grid_).tell(*this);
    closeRun();
    runs_.pop_back();
    const auto longer = [](const Run& a, const Run& b) { return a.span.lengthNs() > b.span.lengthNs(); };
    const std::size_t most = std::max<std::size_t>(1, kMostSearches / std::max<std::size_t>(1, group.members.size()));
    if (runs_.size() > most) std::nth_element(runs_.begin(), runs_.begin() + static_cast<std::ptrdiff_t>(most), runs_.end(), longer);
    for (std::size_t run = 0; run < runs_.size(); ++run) {
        if (run < most) lookInto(group, runs_[run].span);
        else for (std::size_t leaf = runs_[run].firstLeaf; leaf < runs_[run].endLeaf; ++leaf) showLeaf(leaves_[leaf]);
    }
}

inline void GroupSampler::cells(const TimeTree::Cells& row)
{
    if (!runs_.back().span.empty()) closeRun();
    votes_.addCells(row, weight_);
}

inline void GroupSampler::wide(const TimeTree::Node& node)
{
    // What others than the longest take in a leaf of several locations may count together with other groups.
    const bool stands = node.share == TimeTree::kUniform || static_cast<double>(node.span.lengthNs()) <= 2 * grid_.nsPerColumn;
    if (!runs_.back().span.empty() && (stands || runs_.back().span.end != node.span.begin)) closeRun();
    if (stands) return showLeaf(node);
    if (runs_.back().span.empty()) runs_.back() = {node.span, leaves_.size(), leaves_.size()};
    runs_.back().span.end = node.span.end;
    leaves_.push_back(node);
    runs_.back().endLeaf = leaves_.size();
}

/// Short ones are shown as their leaves say.
void GroupSampler::closeRun()
{
    Run& run = runs_.back();
    if (static_cast<double>(run.span.lengthNs()) >= kShortRun * grid_.nsPerColumn) {
        runs_.push_back({});
        return;
    }
    for (std::size_t leaf = run.firstLeaf; leaf < run.endLeaf; ++leaf) showLeaf(leaves_[leaf]);
    leaves_.resize(run.firstLeaf);
    run = {};
}

void GroupSampler::showLeaf(const TimeTree::Node& leaf)
{
    votes_.addSpan(leaf.callPath, static_cast<double>(leaf.span.begin), static_cast<double>(leaf.span.end), weight_ * partOf(leaf));
}

void GroupSampler::lookInto(const Group& group, TimeSpan span)
{
    const TimeSpan shown{std::max(span.begin, static_cast<TimeNs>(std::floor(grid_.begin))),
                         std::min(span.end, static_cast<TimeNs>(std::ceil(grid_.end())))};
    for (const BundleSampler::Member& member : group.members) {
        const auto& begins = member.calls->begin;
        walker_.lookAt(*member.calls, member.index->skip);
        walker_.seek(shown.begin, static_cast<std::uint32_t>(std::lower_bound(begins.begin(), begins.end(), shown.begin) - begins.begin()));
        walker_.advance(shown.end, [this](std::uint32_t callPath, TimeNs from, TimeNs to) {
            votes_.addSpan(callPath, static_cast<double>(from), static_cast<double>(to), 1);
        });
    }
}

}  // namespace skein
