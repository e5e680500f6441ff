// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/index/bundle_sampler.h"

#include "core/index/first_call.h"
#include "core/index/tree_walk.h"

#include <algorithm>
#include <cmath>

namespace skein {
namespace {

TimeSpan shownSpan(const ColumnGrid& grid)
{
    return {static_cast<TimeNs>(std::floor(grid.begin)), static_cast<TimeNs>(std::ceil(grid.end()))};
}

/// How many of the first `most` calls from `first` on begin before a time; there are few mostly.
std::size_t countBefore(const TimeNs* first, std::size_t most, TimeNs time)
{
    std::size_t reach = 1;
    while (reach < most && first[reach - 1] < time) reach *= 2;
    return static_cast<std::size_t>(std::lower_bound(first + reach / 2, first + std::min(reach, most), time)
                                    - first);
}

constexpr double kNarrowLeaf = 4;  ///< columns; up to here a leaf stands for all of them

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
        if (node.share == TimeTree::kUniform || end - begin <= kNarrowLeaf * nsPerColumn_)
            return votes_.addSpan(node.callPath, begin, end, node.part());
        if (runs.empty() || runs.back().end != node.span.begin)
            runs.push_back({node.span.begin, node.span.begin});
        runs.back().end = node.span.end;
    }
    void expect(const TimeTree::Node&) {}

    std::vector<TimeSpan> runs;  ///< neighbouring leaves that are to be looked into

private:
    ColumnVotes& votes_;
    double nsPerColumn_;
};

}  // namespace

void BundleSampler::sample(std::span<const Member> members, const BundleTree* bundle, const ColumnGrid& grid,
                           std::span<ColumnSample> columns)
{
    grid_ = grid;
    bundle_ = bundle;
    if (!bundle) {
        if (!sampleExactly(members, grid, columns, grid.count)) askMembers(members, columns);
        return;
    }
    tally_.start(grid, columns);
    run_ = {};
    TreeWalk(bundle->tree, grid).tellRows(*this);
    showRun();
    tally_.finish();
}

bool BundleSampler::sampleExactly(std::span<const Member> members, const ColumnGrid& grid,
                                  std::span<ColumnSample> columns, std::size_t most)
{
    grid_ = grid;
    if (!fewCalls(members, most)) return false;
    votes_.start(grid_);
    for (std::size_t member = 0; member < members.size(); ++member)
        walk(members[member], shownSpan(grid_), firstCalls_[member]);
    votes_.decide(columns.first(grid_.count));
    return true;
}

inline void BundleSampler::cells(const TimeTree::Cells& row)
{
    showRun();
    tally_.addCells(row);
}

inline void BundleSampler::leaves(std::uint32_t first, TimeSpan span)
{
    if (run_.empty()) {
        run_ = span;
        runFirst_ = first;
    }
    run_.end = span.end;
}

void BundleSampler::showRun()
{
    if (run_.empty()) return;
    visitLeads(bundle_->tree, bundle_->leads, runFirst_, run_,
               [this](std::uint32_t callPath, double from, double to, double share) {
                   tally_.addSpan(callPath, from, to, share);
               });
    run_ = {};
}

void BundleSampler::askMembers(std::span<const Member> members, std::span<ColumnSample> columns)
{
    votes_.start(grid_);
    for (const Member& member : members) askMember(member);
    votes_.decide(columns.first(grid_.count));
}

/// All members are searched step by step together, so that what one waits for is fetched while the others go
/// on.
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
    for (std::size_t member = 0; member < members.size(); ++member)
        fetch(*members[member].calls, firstCalls_[member]);
}

/// Whether at most so many calls begin within the grid, on all members together.
bool BundleSampler::fewCalls(std::span<const Member> members, std::size_t most)
{
    const TimeSpan shown = shownSpan(grid_);
    findFirstCalls(members, shown.begin);
    std::size_t calls = 0;
    for (std::size_t member = 0; member < members.size() && calls <= most; ++member) {
        const Column<TimeNs>& begins = members[member].calls->begin;
        const std::size_t first = firstCalls_[member];
        calls += countBefore(begins.data() + first, std::min(begins.size() - first, most + 1), shown.end);
    }
    return calls <= most;
}

void BundleSampler::askMember(const Member& member)
{
    MemberCells cells(votes_, grid_.nsPerColumn);
    TreeWalk(member.index->tree, grid_).tell(cells);
    const TimeSpan shown = shownSpan(grid_);
    for (const TimeSpan run : cells.runs)
        walk(member, {std::max(run.begin, shown.begin), std::min(run.end, shown.end)},
             firstCallFrom(*member.calls, std::max(run.begin, shown.begin)));
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
