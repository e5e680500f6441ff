// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/index/call_sums.h"
#include "core/index/column_grid.h"
#include "core/index/timeline_index.h"

#include <cstdint>
#include <span>
#include <vector>

namespace skein {

/// For every column the call path of the region that took most time in several locations together, which share a row.
///
/// Where fewer calls than columns begin in the grid, they are all looked at, and columns are decided exactly.
/// Otherwise a tree of the bundle is descended as ColumnSampler does: nodes no wider than a column are cells; leaves up
/// to two columns wide, and quiet stretches of up to six between busy ones, stand for all of their columns; the longest
/// others are looked into call by call. So the cost is O(columns + members · log calls), whatever the number of calls.
/// Without such a tree those of the members are asked: O(columns · members).
/// A column in which anything was called shows a call. Not thread-safe: use one object a thread.
class BundleSampler {
public:
    /// One of the locations; what it points to must outlive the sampler.
    struct Member {
        const CallIntervals* calls = nullptr;
        const TimelineIndex::Location* index = nullptr;
    };

    explicit BundleSampler(const CallPathRegions& paths) : paths_(paths) {}

    /// `bundle` is the tree of exactly these members, or null.
    void sample(std::span<const Member> members, const TimeTree* bundle, const ColumnGrid& grid, std::span<ColumnSample> columns);

private:
    friend class TreeWalk;
    static constexpr std::uint32_t kEnd = 0xFFFFFFFFu;
    static constexpr double kFull = 256;          ///< what a member counts that fills a column
    static constexpr double kShortRun = 6;        ///< columns; looking into less costs more than it shows
    static constexpr std::size_t kMostRuns = 16;  ///< stretches of wide leaves that are looked into

    /// A change in the number of members that a region fills from this column on, and what it takes of this column
    /// beside that: less than nothing where it begins within the column.
    struct Vote {
        std::uint32_t callPath;
        std::uint32_t next;
        float timeNs;
        std::int32_t filled;  ///< in parts of 1 / kFull
    };
    struct Candidate {
        std::uint32_t region;
        std::uint32_t callPath;
        std::int32_t filled;  ///< by members that are in it from before the column to behind it, times kFull
        double partNs;
        float pathNs;
    };

    bool fewCalls(std::span<const Member> members);
    void walkRuns(std::span<const Member> members, std::size_t most);
    void descend(const TimeTree& tree, double members);
    void cell(const TimeTree::Node& node);
    void wide(const TimeTree::Node& node);
    void expect(const TimeTree::Node&) {}
    void walk(const Member& member, TimeSpan span, std::uint32_t next);
    void addSpan(std::uint32_t callPath, double from, double to, double weight);
    void vote(std::int64_t column, std::uint32_t callPath, double timeNs, std::int32_t filled);
    Candidate& candidateOf(std::uint32_t callPath);
    template <typename TimeOf>
    ColumnSample best(TimeOf timeOf) const;
    void takeVotes(std::uint32_t column);
    void decide(std::span<ColumnSample> columns);

    const CallPathRegions& paths_;
    const TimeTree* tree_ = nullptr;  ///< that is gone through, with all of its locations' weight
    double treeWeight_ = 1;
    ColumnGrid grid_;
    double end_ = 0;
    double columnsPerNs_ = 1;
    std::vector<std::uint32_t> firstCalls_;  ///< of each member, the first that begins in the grid
    std::vector<std::uint32_t> heads_;
    std::vector<Vote> votes_;
    std::vector<Candidate> candidates_;
    /// Neighbouring wide leaves; they are shown by their winners until they are looked into.
    struct Run {
        TimeSpan span;
        std::vector<TimeTree::Node> leaves;
    };
    std::vector<Run> runs_;
};

}  // namespace skein
