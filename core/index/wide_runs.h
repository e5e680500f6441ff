// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/index/time_tree.h"

#include <algorithm>
#include <span>
#include <vector>

namespace skein {

/// Gathers runs of neighbouring leaves that may be worth looking into, as a walk through a tree tells them.
/// Leaves of runs shorter than wanted are given back as soon as the run is over. Not thread-safe.
class WideRuns {
public:
    struct Run {
        TimeSpan span;
        std::size_t firstLeaf = 0;
        std::size_t endLeaf = 0;
    };

    void start(double shortestNs)
    {
        shortestNs_ = shortestNs;
        runs_.clear();
        leaves_.clear();
        open_ = false;
    }

    /// Leaves come in the order of time. Calls show(leaf) for those of a run that this ends.
    template <typename Show>
    void add(const TimeTree::Node& leaf, Show show)
    {
        if (open_ && runs_.back().span.end != leaf.span.begin) close(show);
        if (!open_) runs_.push_back({leaf.span, leaves_.size(), leaves_.size()});
        open_ = true;
        leaves_.push_back(leaf);
        Run& run = runs_.back();
        run.span.end = leaf.span.end;
        run.endLeaf = leaves_.size();
    }

    /// What follows is no neighbour.
    template <typename Show>
    void close(Show show)
    {
        if (!open_) return;
        open_ = false;
        const Run run = runs_.back();
        if (static_cast<double>(run.span.lengthNs()) >= shortestNs_) return;
        for (const TimeTree::Node& leaf : leavesOf(run)) show(leaf);
        leaves_.resize(run.firstLeaf);
        runs_.pop_back();
    }

    /// Brings the `count` longest to the front, in the order of time, and tells how many these are.
    std::size_t longestFirst(std::size_t count)
    {
        const auto longer = [](const Run& a, const Run& b) { return a.span.lengthNs() > b.span.lengthNs(); };
        const auto earlier = [](const Run& a, const Run& b) { return a.span.begin < b.span.begin; };
        count = std::min(count, runs_.size());
        const auto last = runs_.begin() + static_cast<std::ptrdiff_t>(count);
        if (last != runs_.end()) std::nth_element(runs_.begin(), last, runs_.end(), longer);
        std::sort(runs_.begin(), last, earlier);
        return count;
    }

    std::span<const Run> runs() const { return runs_; }
    std::span<const TimeTree::Node> leavesOf(const Run& run) const
    {
        return std::span(leaves_).subspan(run.firstLeaf, run.endLeaf - run.firstLeaf);
    }

private:
    double shortestNs_ = 0;
    bool open_ = false;  ///< the last run may go on
    std::vector<Run> runs_;
    std::vector<TimeTree::Node> leaves_;
};

}  // namespace skein
