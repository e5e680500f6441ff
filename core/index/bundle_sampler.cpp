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

double partOf(const TimeTree::Node& node) { return node.share == TimeTree::kUniform ? 1.0 : node.share * (1.0 / 254); }

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
    runs_.clear();
    leaves_.clear();
    runs_.push_back({});
    walk.tell(*this);
    closeRun();
    runs_.pop_back();
}

inline void BundleSampler::cells(const TimeTree::Cells& row)
{
    if (!runs_.back().span.empty()) closeRun();
    tally_.addCells(row);
}

/// The last run is the one that may go on; it is empty where the last node was not of one.
inline void BundleSampler::wide(const TimeTree::Node& node)
{
    const bool stands = node.share == TimeTree::kUniform || tree_->isSteady(node) || static_cast<double>(node.span.lengthNs()) <= kNarrowLeaf * grid_.nsPerColumn;
    if (!runs_.back().span.empty() && (stands || runs_.back().span.end != node.span.begin)) closeRun();
    if (stands)
        return tally_.addSpan(node.callPath, static_cast<double>(node.span.begin), static_cast<double>(node.span.end), partOf(node));
    if (runs_.back().span.empty()) runs_.back() = {node.span, leaves_.size(), leaves_.size(), 0};
    runs_.back().span.end = node.span.end;
    runs_.back().widestNs = std::max(runs_.back().widestNs, node.span.lengthNs());
    leaves_.push_back(node);
    runs_.back().endLeaf = leaves_.size();
}

/// Short ones are shown as their leaves say.
void BundleSampler::closeRun()
{
    Run& run = runs_.back();
    if (static_cast<double>(run.span.lengthNs()) >= kShortRun * grid_.nsPerColumn) {
        runs_.push_back({});
        return;
    }
    for (std::size_t leaf = run.firstLeaf; leaf < run.endLeaf; ++leaf) {
        const TimeTree::Node& node = leaves_[leaf];
        tally_.addSpan(node.callPath, static_cast<double>(node.span.begin), static_cast<double>(node.span.end), partOf(node));
    }
    leaves_.resize(run.firstLeaf);
    run = {};
}

/// The longest are looked into where they are long, the others shown as their leaves say; each together with what else is in the columns at
/// its ends.
void BundleSampler::decideRuns(std::span<const Member> members, double weight, std::span<ColumnSample> columns)
{
    const auto longer = [](const Run& a, const Run& b) { return a.span.lengthNs() > b.span.lengthNs(); };
    const auto earlier = [](const Run& a, const Run& b) { return a.span.begin < b.span.begin; };
    if (runs_.size() > kMostRuns) std::nth_element(runs_.begin(), runs_.begin() + kMostRuns, runs_.end(), longer);
    std::sort(runs_.begin(), runs_.begin() + static_cast<std::ptrdiff_t>(std::min(runs_.size(), kMostRuns)), earlier);
    bool searched = false;
    for (std::size_t run = 0; run < runs_.size(); ++run) {
        std::size_t first = 0;
        const ColumnGrid grid = columnsOf(grid_, runs_[run].span, first);
        if (grid.count == 0) continue;
        const std::span<ColumnSample> shown = columns.subspan(first, grid.count);
        votes_.start(grid);
        for (std::size_t end = 0; end < shown.size(); end += std::max<std::size_t>(shown.size() - 1, 1))
            if (shown[end].callPath != CallPathId::kNone)
                votes_.add(grid.begin + (static_cast<double>(end) + 0.5) * grid.nsPerColumn, shown[end].callPath, weight * static_cast<double>(shown[end].timeNs));
        const TimeSpan span{std::max(runs_[run].span.begin, shownSpan(grid).begin), std::min(runs_[run].span.end, shownSpan(grid).end)};
        const bool coarse = static_cast<double>(runs_[run].widestNs) > kShortRun * grid_.nsPerColumn;
        if (run < kMostRuns && (coarse || grid.count >= kLongRun)) {
            if (searched) advanceFirstCalls(members, span.begin);
            else findFirstCalls(members, span.begin);
            searched = true;
            for (std::size_t member = 0; member < members.size(); ++member) walk(members[member], span, firstCalls_[member]);
        } else {
            for (std::size_t leaf = runs_[run].firstLeaf; leaf < runs_[run].endLeaf; ++leaf)
                votes_.addSpan(leaves_[leaf].callPath, static_cast<double>(leaves_[leaf].span.begin), static_cast<double>(leaves_[leaf].span.end),
                               weight * partOf(leaves_[leaf]));
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
