// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/index/bundle_sampler.h"

#include "core/index/tree_walk.h"

#include <algorithm>
#include <cmath>

namespace skein {
namespace {

TimeSpan shownSpan(const ColumnGrid& grid)
{
    return {static_cast<TimeNs>(std::floor(grid.begin)), static_cast<TimeNs>(std::ceil(grid.end()))};
}

/// The first call that begins at or after a time.
std::uint32_t firstFrom(const CallIntervals& calls, TimeNs time)
{
    return static_cast<std::uint32_t>(std::lower_bound(calls.begin.begin(), calls.begin.end(), time) - calls.begin.begin());
}

/// How many of the first `most` calls from `first` on begin before a time; there are few mostly.
std::size_t countBefore(const TimeNs* first, std::size_t most, TimeNs time)
{
    std::size_t reach = 1;
    while (reach < most && first[reach - 1] < time) reach *= 2;
    return static_cast<std::size_t>(std::lower_bound(first + reach / 2, first + std::min(reach, most), time) - first);
}

constexpr double kNarrowLeaf = 4;  ///< columns; up to here a leaf stands for all of them
constexpr std::uint64_t kColumnsPerNode = 8;  ///< or more: what is in the picture is few

/// The columns that a span of time touches.
ColumnGrid columnsOf(const ColumnGrid& grid, TimeSpan span, std::size_t& first)
{
    const auto column = [&](TimeNs time) { return std::clamp((static_cast<double>(time) - grid.begin) / grid.nsPerColumn, 0.0, static_cast<double>(grid.count)); };
    const auto from = static_cast<std::uint32_t>(std::floor(column(span.begin)));
    const auto to = static_cast<std::uint32_t>(std::ceil(column(span.end)));
    first = from;
    return {grid.begin + from * grid.nsPerColumn, grid.nsPerColumn, to - from};
}

/// What a walk from a call on looks at first.
void fetch(const CallIntervals& calls, std::uint32_t first)
{
    const std::uint32_t near = first == 0 ? 0 : first - 1;
    __builtin_prefetch(calls.begin.data() + near);
    __builtin_prefetch(calls.end.data() + near);
    __builtin_prefetch(calls.callPath.data() + near);
    __builtin_prefetch(calls.depth.data() + near);
}

/// The tree of one of several members.
class MemberCells {
public:
    MemberCells(ColumnVotes& votes, double nsPerColumn) : votes_(votes), nsPerColumn_(nsPerColumn) {}

    void cells(const TimeTree::Cells& row) { votes_.addCells(row, 1); }
    void wide(const TimeTree::Node& node)
    {
        const auto begin = static_cast<double>(node.span.begin);
        const auto end = static_cast<double>(node.span.end);
        if (node.share == TimeTree::kUniform || end - begin <= kNarrowLeaf * nsPerColumn_) return votes_.addSpan(node.callPath, begin, end, partOf(node));
        if (runs.empty() || runs.back().end != node.span.begin) runs.push_back({node.span.begin, node.span.begin});
        runs.back().end = node.span.end;
    }
    void expect(const TimeTree::Node&) {}

    std::vector<TimeSpan> runs;  ///< neighbouring leaves that are to be looked into

private:
    ColumnVotes& votes_;
    double nsPerColumn_;
};

}  // namespace

void BundleSampler::sample(std::span<const Member> members, const Bundle& bundle, const ColumnGrid& grid,
                           std::span<ColumnSample> columns)
{
    grid_ = grid;
    if (bundle.tree) sampleTree(members, bundle, columns);
    else if (fewCalls(members)) walkAll(members, columns);
    else askMembers(members, columns);
}

void BundleSampler::sampleTree(std::span<const Member> members, const Bundle& bundle, std::span<ColumnSample> columns)
{
    const TreeWalk walk(*bundle.tree, grid_);
    // Few nodes may have many calls: some may be no wider than a column.
    if (kColumnsPerNode * walk.nodes() <= grid_.count && fewCalls(members)) return walkAll(members, columns);
    tally_.start(grid_, columns);
    descend(*bundle.tree, walk);
    tally_.finish();
    decideRuns(members, static_cast<double>(bundle.locations), columns);
}

/// From their first calls on.
void BundleSampler::walkAll(std::span<const Member> members, std::span<ColumnSample> columns)
{
    votes_.start(grid_);
    for (std::size_t member = 0; member < members.size(); ++member) walk(members[member], shownSpan(grid_), firstCalls_[member]);
    votes_.decide(columns.first(grid_.count));
}

void BundleSampler::askMembers(std::span<const Member> members, std::span<ColumnSample> columns)
{
    votes_.start(grid_);
    for (const Member& member : members) askMember(member);
    votes_.decide(columns.first(grid_.count));
}

/// All members are searched step by step together, so that what one waits for is fetched while the others go on.
void BundleSampler::findFirstCalls(std::span<const Member> members, TimeNs time)
{
    firstCalls_.assign(members.size(), 0);
    lengths_.clear();
    for (const Member& member : members) lengths_.push_back(static_cast<std::uint32_t>(member.calls->size()));
    for (bool searching = true; searching;) {
        searching = false;
        for (std::size_t member = 0; member < members.size(); ++member) {
            std::uint32_t& length = lengths_[member];
            if (length == 0) continue;
            const std::uint32_t half = (length + 1) / 2;
            const bool before = members[member].calls->begin[firstCalls_[member] + half - 1] < time;
            firstCalls_[member] += before ? half : 0;
            length = before ? length - half : half - 1;
            searching |= length > 0;
        }
    }
    for (std::size_t member = 0; member < members.size(); ++member) fetch(*members[member].calls, firstCalls_[member]);
}

/// The same for a later time that is near.
void BundleSampler::advanceFirstCalls(std::span<const Member> members, TimeNs time)
{
    for (std::size_t member = 0; member < members.size(); ++member) {
        std::uint32_t& first = firstCalls_[member];
        const Column<TimeNs>& begins = members[member].calls->begin;
        first += static_cast<std::uint32_t>(countBefore(begins.data() + first, begins.size() - first, time));
    }
}

/// Whether at most one call a column begins within the grid, on all members together.
bool BundleSampler::fewCalls(std::span<const Member> members)
{
    const TimeSpan shown = shownSpan(grid_);
    findFirstCalls(members, shown.begin);
    std::size_t calls = 0;
    for (std::size_t member = 0; member < members.size() && calls <= grid_.count; ++member) {
        const Column<TimeNs>& begins = members[member].calls->begin;
        const std::size_t first = firstCalls_[member];
        calls += countBefore(begins.data() + first, std::min<std::size_t>(begins.size() - first, std::size_t{grid_.count} + 1), shown.end);
    }
    return calls <= grid_.count;
}

void BundleSampler::descend(const TimeTree& tree, const TreeWalk& walk)
{
    tree_ = &tree;
    runs_.start(kShortRun * grid_.nsPerColumn);
    walk.tell(*this);
    closeRun();
}

inline void BundleSampler::cells(const TimeTree::Cells& row)
{
    closeRun();
    tally_.addCells(row);
}

inline void BundleSampler::wide(const TimeTree::Node& node)
{
    const bool stands = node.share == TimeTree::kUniform || tree_->isSteady(node) || static_cast<double>(node.span.lengthNs()) <= kNarrowLeaf * grid_.nsPerColumn;
    if (!stands) return runs_.add(node, [this](const TimeTree::Node& leaf) { showLeaf(leaf); });
    closeRun();
    showLeaf(node);
}

inline void BundleSampler::showLeaf(const TimeTree::Node& leaf)
{
    tally_.addSpan(leaf.callPath, static_cast<double>(leaf.span.begin), static_cast<double>(leaf.span.end), partOf(leaf));
}

void BundleSampler::closeRun()
{
    runs_.close([this](const TimeTree::Node& leaf) { showLeaf(leaf); });
}

/// The longest are looked into where they are long, the others shown as their leaves say; each together with what else is
/// in the columns at its ends.
void BundleSampler::decideRuns(std::span<const Member> members, double weight, std::span<ColumnSample> columns)
{
    const std::size_t longest = runs_.longestFirst(kMostRuns);
    bool searched = false;
    for (std::size_t number = 0; number < runs_.runs().size(); ++number) {
        const WideRuns::Run& run = runs_.runs()[number];
        std::size_t first = 0;
        const ColumnGrid grid = columnsOf(grid_, run.span, first);
        if (grid.count == 0) continue;
        const std::span<ColumnSample> shown = columns.subspan(first, grid.count);
        votes_.start(grid);
        for (std::size_t end = 0; end < shown.size(); end += std::max<std::size_t>(shown.size() - 1, 1))
            if (shown[end].callPath != CallPathId::kNone)
                votes_.add(grid.begin + (static_cast<double>(end) + 0.5) * grid.nsPerColumn, shown[end].callPath, weight * static_cast<double>(shown[end].timeNs));
        const bool coarse = static_cast<double>(run.widestNs) > kShortRun * grid_.nsPerColumn;
        if (number < longest && (coarse || grid.count >= kLongRun)) {
            const TimeSpan span{std::max(run.span.begin, shownSpan(grid).begin), std::min(run.span.end, shownSpan(grid).end)};
            if (searched) advanceFirstCalls(members, span.begin);
            else findFirstCalls(members, span.begin);
            searched = true;
            for (std::size_t member = 0; member < members.size(); ++member) walk(members[member], span, firstCalls_[member]);
        } else {
            for (const TimeTree::Node& leaf : runs_.leavesOf(run))
                votes_.addSpan(leaf.callPath, static_cast<double>(leaf.span.begin), static_cast<double>(leaf.span.end), weight * partOf(leaf));
        }
        votes_.decide(shown);
    }
}

void BundleSampler::askMember(const Member& member)
{
    MemberCells cells(votes_, grid_.nsPerColumn);
    TreeWalk(member.index->tree, grid_).tell(cells);
    const TimeSpan shown = shownSpan(grid_);
    for (const TimeSpan run : cells.runs)
        walk(member, {std::max(run.begin, shown.begin), std::min(run.end, shown.end)}, firstFrom(*member.calls, std::max(run.begin, shown.begin)));
}

/// `next` is the first call that begins in the span.
void BundleSampler::walk(const Member& member, TimeSpan span, std::uint32_t next)
{
    walker_.lookAt(*member.calls, member.index->skip);
    walker_.seek(span.begin, next);
    walker_.advance(span.end, [this](std::uint32_t callPath, TimeNs from, TimeNs to) {
        votes_.addSpan(callPath, static_cast<double>(from), static_cast<double>(to), 1);
    });
}

}  // namespace skein
