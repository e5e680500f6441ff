// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/index/call_sums.h"
#include "core/index/column_tally.h"
#include "core/index/column_votes.h"
#include "core/index/own_time.h"
#include "core/index/timeline_index.h"
#include "core/index/wide_runs.h"

#include <cstdint>
#include <span>
#include <vector>

namespace skein {

class TreeWalk;

/// For every column the call path of the region that took most time in several locations together, which share a row.
///
/// Where fewer calls than columns begin in the grid, and less than a node of a tree of the bundle for eight columns, all
/// calls are looked at, and columns are decided exactly. Otherwise the tree is descended as ColumnSampler does: nodes no
/// wider than a column are cells; leaves up to four columns wide stand for all of their columns, as do those in stretches
/// of up to six, or of up to 64 where no leaf is wider than six; the longest other stretches are looked into call by call.
/// So the cost is O(columns + members · log calls), whatever the number of calls.
/// Without such a tree those of the members are asked: O(columns · members).
/// A column in which anything was called shows a call. Not thread-safe: use one object a thread.
class BundleSampler {
public:
    /// One of the locations; what it points to must outlive the sampler.
    struct Member {
        const CallIntervals* calls = nullptr;
        const TimelineIndex::Location* index = nullptr;
    };

    /// The tree of exactly the members and of locations without calls, and how many it is of; null: there is none.
    struct Bundle {
        const TimeTree* tree = nullptr;
        std::size_t locations = 0;
    };

    explicit BundleSampler(const CallPathRegions& paths) : votes_(paths), tally_(paths.region) {}

    void sample(std::span<const Member> members, const Bundle& bundle, const ColumnGrid& grid, std::span<ColumnSample> columns);

private:
    friend class TreeWalk;
    static constexpr double kShortRun = 6;        ///< columns; that many are shown as their leaves say, as is more where no leaf is wider
    static constexpr double kLongRun = 64;        ///< columns; less is looked into only where a leaf is wider than a short run
    static constexpr std::size_t kMostRuns = 4;   ///< stretches of wide leaves that are looked into: each costs a search on every member

    void findFirstCalls(std::span<const Member> members, TimeNs time);
    void advanceFirstCalls(std::span<const Member> members, TimeNs time);
    bool fewCalls(std::span<const Member> members);
    void sampleTree(std::span<const Member> members, const Bundle& bundle, std::span<ColumnSample> columns);
    void walkAll(std::span<const Member> members, std::span<ColumnSample> columns);
    void askMembers(std::span<const Member> members, std::span<ColumnSample> columns);
    void descend(const TimeTree& tree, const TreeWalk& walk);
    void cells(const TimeTree::Cells& row);
    void wide(const TimeTree::Node& node);
    void expect(const TimeTree::Node&) {}
    void showLeaf(const TimeTree::Node& leaf);
    void closeRun();
    void decideRuns(std::span<const Member> members, double weight, std::span<ColumnSample> columns);
    void askMember(const Member& member);
    void walk(const Member& member, TimeSpan span, std::uint32_t next);

    ColumnGrid grid_;
    std::vector<std::uint32_t> firstCalls_;  ///< of each member, the first that begins at or after what is looked into
    std::vector<std::uint32_t> lengths_;
    OwnTimeWalker walker_;
    ColumnVotes votes_;                      ///< of members that are gone through one after the other
    ColumnTally tally_;                      ///< of the bundle's tree
    const TimeTree* tree_ = nullptr;
    WideRuns runs_;
};

}  // namespace skein
