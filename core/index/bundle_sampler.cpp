// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/index/bundle_sampler.h"

#include "core/index/own_time.h"
#include "core/index/tree_walk.h"

#include <algorithm>
#include <cmath>

namespace skein {
namespace {

/// The first call that begins at or after a time.
std::uint32_t firstFrom(const CallIntervals& calls, TimeNs time)
{
    return static_cast<std::uint32_t>(std::lower_bound(calls.begin.begin(), calls.begin.end(), time) - calls.begin.begin());
}

}  // namespace

void BundleSampler::sample(std::span<const Member> members, const TimeTree* bundle, const ColumnGrid& grid,
                           std::span<ColumnSample> columns)
{
    grid_ = grid;
    end_ = grid.begin + grid.nsPerColumn * grid.count;
    columnsPerNs_ = 1 / grid.nsPerColumn;
    heads_.assign(std::size_t{grid.count} + 1, kEnd);
    votes_.clear();
    const TimeSpan shown{static_cast<TimeNs>(std::floor(grid.begin)), static_cast<TimeNs>(std::ceil(end_))};
    if (fewCalls(members)) {
        for (std::size_t member = 0; member < members.size(); ++member) walk(members[member], shown, firstCalls_[member]);
    } else if (bundle) {
        runs_.clear();
        descend(*bundle, static_cast<double>(members.size()));
        walkRuns(members, kMostRuns);
    } else {
        for (const Member& member : members) {
            runs_.clear();
            descend(member.index->tree, 1);
            walkRuns(std::span(&member, 1), runs_.size());
        }
    }
    decide(columns.first(grid.count));
}

/// Whether at most one call a column begins within the grid, on all members together.
bool BundleSampler::fewCalls(std::span<const Member> members)
{
    std::size_t calls = 0;
    firstCalls_.clear();
    for (const Member& member : members) {
        const Column<TimeNs>& begins = member.calls->begin;
        firstCalls_.push_back(firstFrom(*member.calls, static_cast<TimeNs>(std::floor(grid_.begin))));
        const TimeNs* const first = begins.begin() + firstCalls_.back();
        const auto most = std::min<std::ptrdiff_t>(begins.end() - first, static_cast<std::ptrdiff_t>(grid_.count) + 1);
        calls += static_cast<std::size_t>(std::lower_bound(first, first + most, static_cast<TimeNs>(std::ceil(end_))) - first);
        if (calls > grid_.count) return false;
    }
    return true;
}

/// The longest `most` stretches of wide leaves are looked into, unless they are short; the others are shown as their
/// leaves say.
void BundleSampler::walkRuns(std::span<const Member> members, std::size_t most)
{
    if (runs_.size() > most)
        std::nth_element(runs_.begin(), runs_.begin() + static_cast<std::ptrdiff_t>(most), runs_.end(),
                         [](const Run& a, const Run& b) { return a.span.lengthNs() > b.span.lengthNs(); });
    for (std::size_t run = 0; run < runs_.size(); ++run) {
        const bool isShort = members.size() > 1 && static_cast<double>(runs_[run].span.lengthNs()) < kShortRun * grid_.nsPerColumn;
        if (run < most && !isShort) {
            const TimeNs begin = std::max(runs_[run].span.begin, static_cast<TimeNs>(std::floor(grid_.begin)));
            for (const Member& member : members) walk(member, runs_[run].span, firstFrom(*member.calls, begin));
            continue;
        }
        for (const TimeTree::Node& leaf : runs_[run].leaves)
            addSpan(leaf.callPath, static_cast<double>(leaf.span.begin), static_cast<double>(leaf.span.end),
                    leaf.share * (1.0 / 254) * static_cast<double>(members.size()));
    }
}

void BundleSampler::descend(const TimeTree& tree, double members)
{
    tree_ = &tree;
    treeWeight_ = members;
    TreeWalk(tree, grid_).tell(*this);
}

inline void BundleSampler::cell(const TimeTree::Node& node)
{
    const auto begin = static_cast<double>(node.span.begin);
    const auto end = static_cast<double>(node.span.end);
    const double part = node.share == TimeTree::kUniform ? 1.0 : node.share * (1.0 / 254);
    vote(static_cast<std::int64_t>(std::floor(((begin + end) / 2 - grid_.begin) * columnsPerNs_)), node.callPath,
         treeWeight_ * part * (end - begin), 0);
}

inline void BundleSampler::wide(const TimeTree::Node& node)
{
    const auto begin = static_cast<double>(node.span.begin);
    const auto end = static_cast<double>(node.span.end);
    const bool whole = node.share == TimeTree::kUniform;
    if (whole || tree_->isSteady(node) || end - begin <= 2 * grid_.nsPerColumn)
        return addSpan(node.callPath, begin, end, treeWeight_ * (whole ? 1.0 : node.share * (1.0 / 254)));
    if (runs_.empty() || runs_.back().span.end != node.span.begin) runs_.push_back({{node.span.begin, node.span.begin}, {}});
    runs_.back().span.end = node.span.end;
    runs_.back().leaves.push_back(node);
}

/// `next` is the first call that begins in the span.
void BundleSampler::walk(const Member& member, TimeSpan span, std::uint32_t next)
{
    const TimeSpan shown{std::max(span.begin, static_cast<TimeNs>(std::floor(grid_.begin))),
                         std::min(span.end, static_cast<TimeNs>(std::ceil(end_)))};
    const CallIntervals& calls = *member.calls;
    OwnTimeWalker walker(calls, member.index->skip);
    walker.seek(shown.begin, next);
    walker.advance(shown.end, [this](std::uint32_t callPath, TimeNs from, TimeNs to) {
        addSpan(callPath, static_cast<double>(from), static_cast<double>(to), 1);
    });
}

/// Columns that are filled are told by where that begins and ends only.
void BundleSampler::addSpan(std::uint32_t callPath, double from, double to, double weight)
{
    const bool instant = from == to;
    from = std::max(from, grid_.begin);
    to = std::min(to, end_);
    if (to < from || (to == from && !instant)) return;
    const double firstColumn = (from - grid_.begin) * columnsPerNs_;
    const auto first = static_cast<std::int64_t>(firstColumn);
    const double lastColumn = (to - grid_.begin) * columnsPerNs_;
    const auto last = static_cast<std::int64_t>(lastColumn);
    if (first == last) return vote(first, callPath, (to - from) * weight, 0);
    const auto filled = std::max<std::int32_t>(1, static_cast<std::int32_t>(std::lround(weight * kFull)));
    const double width = grid_.nsPerColumn * filled / kFull;
    vote(first, callPath, (static_cast<double>(first) - firstColumn) * width, filled);
    vote(last, callPath, (lastColumn - static_cast<double>(last)) * width, -filled);
}

void BundleSampler::vote(std::int64_t column, std::uint32_t callPath, double timeNs, std::int32_t filled)
{
    if (column < 0 || column > static_cast<std::int64_t>(grid_.count)) return;
    std::uint32_t& head = heads_[static_cast<std::size_t>(column)];
    votes_.push_back({callPath, head, static_cast<float>(timeNs), filled});
    head = static_cast<std::uint32_t>(votes_.size() - 1);
}

BundleSampler::Candidate& BundleSampler::candidateOf(std::uint32_t callPath)
{
    const std::uint32_t region = paths_.region[callPath];
    for (Candidate& candidate : candidates_)
        if (candidate.region == region) return candidate;
    return candidates_.emplace_back(Candidate{region, callPath, 0, 0, -1});
}

/// The candidate with most time; ties: the smaller region.
template <typename TimeOf>
ColumnSample BundleSampler::best(TimeOf timeOf) const
{
    ColumnSample sample;
    double most = -1;
    std::uint32_t region = 0;
    for (const Candidate& candidate : candidates_) {
        const double time = timeOf(candidate);
        if (time < most || (time == most && candidate.region > region)) continue;
        most = time;
        region = candidate.region;
        sample = {candidate.callPath, static_cast<float>(time)};
    }
    return sample;
}

void BundleSampler::takeVotes(std::uint32_t column)
{
    const double fillNs = grid_.nsPerColumn / kFull;
    for (std::uint32_t at = heads_[column]; at != kEnd; at = votes_[at].next) {
        const Vote& vote = votes_[at];
        Candidate& candidate = candidateOf(vote.callPath);
        candidate.filled += vote.filled;
        candidate.partNs += static_cast<double>(vote.timeNs);
        const auto pathNs = static_cast<float>(vote.timeNs + std::max(vote.filled, 0) * fillNs);
        if (pathNs <= candidate.pathNs && vote.filled <= 0) continue;
        candidate.callPath = vote.callPath;
        candidate.pathNs = pathNs;
    }
}

void BundleSampler::decide(std::span<ColumnSample> columns)
{
    candidates_.clear();
    const double fillNs = grid_.nsPerColumn / kFull;
    ColumnSample filled;  // what columns show in which nothing changes
    for (std::uint32_t column = 0; column < grid_.count; ++column) {
        columns[column] = filled;
        if (heads_[column] == kEnd) continue;
        takeVotes(column);
        columns[column] = best([&](const Candidate& c) { return c.partNs + c.filled * fillNs; });
        std::erase_if(candidates_, [](const Candidate& c) { return c.filled <= 0; });
        for (Candidate& candidate : candidates_) {
            candidate.partNs = 0;
            candidate.pathNs = -1;
        }
        if (heads_[column + 1] == kEnd) filled = best([&](const Candidate& c) { return c.filled * fillNs; });
    }
}

}  // namespace skein
