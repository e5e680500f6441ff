// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"
#include "core/index/bundle_sampler.h"
#include "core/index/column_votes.h"
#include "core/index/own_time.h"
#include "core/index/wide_runs.h"

#include <cstddef>
#include <span>
#include <vector>

namespace skein {

/// For every column the call path of the region that took most time in any number of locations together, by
/// the sum over all of them. Trees that some of them have in common are gone through once: O(columns) a
/// group, whatever the number of its members and calls, and a search on every member for each stretch that is
/// looked into. Memory: some 16 bytes a column and group until all have been gone through.
///
/// Nodes no wider than a column are cells; leaves up to two columns wide, and runs of wider ones up to six
/// columns, are shown as they say, those of several locations by what leads in them; the longest other runs
/// are looked into call by call, which is exact. Of cells, and of what leads in other runs, it is known what
/// the first region took, not what others did. A column in which anything was called shows a call. Not
/// thread-safe: use one object a thread.
class GroupSampler {
public:
    /// Locations, and the tree of exactly these; of a single one its own. What it points to must outlive the
    /// call.
    struct Group {
        std::span<const BundleSampler::Member> members;  ///< those without calls may be left out
        const TimeTree* tree = nullptr;
        const Leads* leads = nullptr;  ///< of the tree; null: it is of one location
        std::size_t locations = 1;     ///< of which the tree is
    };

    /// `paths` must outlive the sampler.
    explicit GroupSampler(const CallPathRegions& paths) : votes_(paths) {}

    /// After a stop request only some groups have been gone through.
    void sample(std::span<const Group> groups, const ColumnGrid& grid, std::span<ColumnSample> columns,
                const Task& task);

private:
    friend class TreeWalk;
    static constexpr double kShortRun = 6;  ///< columns; looking into less costs more than it shows
    static constexpr std::size_t kMostSearches =
        256;  ///< of first calls, in stretches of a group that are looked into

    void walk();
    void cells(const TimeTree::Cells& row);
    void wide(const TimeTree::Node& node);
    void expect(const TimeTree::Node&) {}
    void closeRun();
    void showLeaf(const TimeTree::Node& leaf);
    void lookInto(TimeSpan span);

    ColumnVotes votes_;
    OwnTimeWalker walker_;
    ColumnGrid grid_;
    const Group* group_ = nullptr;  ///< that is gone through
    double weight_ = 1;             ///< its locations
    WideRuns runs_;
};

}  // namespace skein
