// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/index/call_sums.h"
#include "core/index/column_tally.h"
#include "core/index/column_votes.h"
#include "core/index/own_time.h"
#include "core/index/timeline_index.h"

#include <cstdint>
#include <span>
#include <vector>

namespace skein {

class TreeWalk;

/// For every column the call path of the region that took most time in several locations together, which
/// share a row.
///
/// A tree of these locations is descended as ColumnSampler does: nodes no wider than a column are cells, and
/// of wider leaves it is shown what leads in them. So columns in which one region leads show exactly the one
/// that took most time, and of others one of those that lead in it (see Leads). O(columns), whatever the
/// number of locations and calls.
///
/// Without such a tree all calls are looked at and columns decided exactly, if no more of them than columns
/// begin in the grid: O(columns + members · log calls). Otherwise the trees of the members are asked:
/// O(columns · members). A column in which anything was called shows a call. Not thread-safe: use one object
/// a thread.
class BundleSampler {
public:
    /// One of the locations; what it points to must outlive the sampler.
    struct Member {
        const CallIntervals* calls = nullptr;
        const TimelineIndex::Location* index = nullptr;
    };

    explicit BundleSampler(const CallPathRegions& paths) : votes_(paths), tally_(paths.region) {}

    /// `bundle` is of exactly the members and of locations without calls; null: there is none.
    void sample(std::span<const Member> members, const BundleTree* bundle, const ColumnGrid& grid,
                std::span<ColumnSample> columns);

    /// Decides columns exactly by all calls of the members, if no more than `most` of them begin in the grid;
    /// otherwise nothing is done and false returned. O(columns + calls + members · log calls); some 50 bytes
    /// a call until it ends.
    bool sampleExactly(std::span<const Member> members, const ColumnGrid& grid,
                       std::span<ColumnSample> columns, std::size_t most);

private:
    friend class TreeWalk;

    void findFirstCalls(std::span<const Member> members, TimeNs time);
    bool fewCalls(std::span<const Member> members, std::size_t most);
    void askMembers(std::span<const Member> members, std::span<ColumnSample> columns);
    void cells(const TimeTree::Cells& row);
    void leaves(std::uint32_t first, TimeSpan span);
    void showRun();
    void askMember(const Member& member);
    void walk(const Member& member, TimeSpan span, std::uint32_t next);

    ColumnGrid grid_;
    std::vector<std::uint32_t> firstCalls_;  ///< of each member, the first that begins in the grid
    std::vector<std::uint32_t> lengths_;
    OwnTimeWalker walker_;
    ColumnVotes votes_;  ///< of members that are gone through one after the other
    ColumnTally tally_;  ///< of the bundle's tree
    const BundleTree* bundle_ = nullptr;
    TimeSpan run_;                ///< neighbouring leaves that are still to be shown
    std::uint32_t runFirst_ = 0;  ///< the first of them
};

}  // namespace skein
