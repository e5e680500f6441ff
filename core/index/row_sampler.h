// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"
#include "core/index/column_amounts.h"
#include "core/index/own_time.h"
#include "core/index/timeline_index.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace skein {

/// A tree over time that a row is decided by: of one location, or of several that have one in common. What it
/// points to must outlive it.
struct RowSource {
    struct Member {
        const CallIntervals* calls = nullptr;
        const IntervalSkip* skip = nullptr;
    };

    RowSource(const CallIntervals& calls, const TimelineIndex::Location& index);
    /// Of exactly the members, and of locations without calls: `locations` in all.
    RowSource(const BundleTree& bundle, std::size_t locations, std::vector<Member> members);

    const TimeTree* tree;
    const Leads* leads;  ///< what leaves of several locations hold; null: calls of the only member
    std::vector<Member> members;
    std::size_t locations;
};

/// For every column of a row the call path of the region that took most time, in one location or in any
/// number of them together.
///
/// Where few calls begin in the grid all are gone through, and columns decided exactly. Otherwise each
/// source's tree is descended until nodes have no children or are no wider than a column. The latter are
/// cells: they belong to the column of their middle (edges of columns move by half a column at most), and
/// what other regions took in them is not seen. Wider ones are shown by what they hold, cut exactly at the
/// edges of columns:
///
///     of one location        its calls, which is exact; in a row of several sources neighbours that are
///                            narrower together than kShortRun columns count as they say
///     of several locations   what leads in them, see Leads
///
/// A column in which anything was called shows a call. Not thread-safe: use one object a thread.
class RowSampler {
public:
    /// So many calls a column cost less than descending to leaves.
    static constexpr std::uint32_t kFewCalls = 2;
    static constexpr double kShortRun = 4;  ///< columns; a search for calls costs more than it shows there

    /// Which region each call path is of; must outlive the sampler.
    explicit RowSampler(std::span<const std::uint32_t> regionOfCallPath) : amounts_(regionOfCallPath) {}

    /// `callsPerColumn`: how many calls a column may be gone through, at least kFewCalls. With no more than
    /// these few, a row with a single tree of several locations is always decided by what leads. One entry a
    /// column of the grid. After a stop request some sources may be missing. O(sources · columns + calls
    /// gone through + members · log calls).
    void sample(std::span<const RowSource> sources, const ColumnGrid& grid, std::uint32_t callsPerColumn,
                std::span<ColumnSample> columns, const Task& task = {});

private:
    class Gatherer;

    bool findFewCalls(std::span<const RowSource> sources, const ColumnGrid& grid, std::size_t most);
    void walkAll(std::span<const RowSource> sources, const ColumnGrid& grid, const Task& task);
    void walk(TimeSpan span, std::uint32_t firstCall);

    ColumnAmounts amounts_;
    OwnTimeWalker walker_;
    std::vector<std::uint32_t> firstCalls_;  ///< a member of any source: the first that begins in the grid
    std::vector<TimeTree::Node> leaves_;     ///< neighbours that may be too narrow to be looked into
};

}  // namespace skein
