// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/index/row_sampler.h"

#include "core/index/first_call.h"
#include "core/index/tree_walk.h"

#include <algorithm>
#include <cmath>

namespace skein {
namespace {

TimeSpan spanOf(const ColumnGrid& grid)
{
    return {static_cast<TimeNs>(std::floor(grid.begin)), static_cast<TimeNs>(std::ceil(grid.end()))};
}

/// How many of the first `most` calls from `first` on begin before a time; there are few mostly.
std::size_t callsBefore(const CallIntervals& calls, std::uint32_t first, std::size_t most, TimeNs time)
{
    const TimeNs* const begins = calls.begin.data() + first;
    most = std::min(most, calls.size() - first);
    std::size_t reach = 1;
    while (reach < most && begins[reach - 1] < time) reach *= 2;
    return static_cast<std::size_t>(std::lower_bound(begins + reach / 2, begins + std::min(reach, most), time)
                                    - begins);
}

}  // namespace

RowSource::RowSource(const CallIntervals& calls, const TimelineIndex::Location& index)
    : tree(&index.tree), leads(nullptr), members({{&calls, &index.skip}}), locations(1)
{
}

RowSource::RowSource(const BundleTree& bundle, std::size_t count, std::vector<Member> of)
    : tree(&bundle.tree), leads(&bundle.leads), members(std::move(of)), locations(count)
{
}

/// Goes through the tree of one source.
class RowSampler::Gatherer {
public:
    Gatherer(RowSampler& sampler, const RowSource& source, double shortestNs)
        : sampler_(sampler),
          source_(source),
          weight_(static_cast<double>(source.locations)),
          shortestNs_(source.leads ? 0 : shortestNs)
    {
        sampler_.leaves_.clear();
        if (!source.leads)
            sampler_.walker_.lookAt(*source.members.front().calls, *source.members.front().skip);
    }

    void cells(const TimeTree::Cells& row)
    {
        closeRun();
        sampler_.amounts_.addCells(row, weight_);
    }

    void wide(const TimeTree::Node& node)
    {
        const bool isFilled = node.share == TimeTree::kUniform && !source_.leads;
        if (isFilled || run_.empty() || run_.end != node.span.begin) closeRun();
        if (isFilled) return show(node);
        if (run_.empty()) {
            run_.begin = node.span.begin;
            first_ = node.index;
        }
        run_.end = node.span.end;
        if (shortestNs_ > 0) sampler_.leaves_.push_back(node);
    }

    /// What a walk looks at first.
    void expect(const TimeTree::Node& node)
    {
        if (node.share == TimeTree::kUniform || source_.leads) return;
        const CallIntervals& calls = *source_.members.front().calls;
        const std::uint32_t first = source_.tree->firstCall(node);
        const std::uint32_t near = first == 0 ? 0 : first - 1;
        for (const std::uint32_t call : {near, near + 7}) {
            __builtin_prefetch(calls.begin.data() + call);
            __builtin_prefetch(calls.end.data() + call);
        }
        __builtin_prefetch(calls.callPath.data() + near);
        __builtin_prefetch(calls.depth.data() + near);
    }

    /// Neighbouring leaves are shown in one go.
    void closeRun()
    {
        if (run_.empty()) return;
        if (source_.leads) showLeads();
        else if (static_cast<double>(run_.lengthNs()) < shortestNs_)
            for (const TimeTree::Node& leaf : sampler_.leaves_) show(leaf);
        else sampler_.walk(run_, source_.tree->firstCall(source_.tree->nodeAt(first_, run_)));
        run_ = {};
        sampler_.leaves_.clear();
    }

private:
    void show(const TimeTree::Node& leaf)
    {
        const auto from = static_cast<double>(leaf.span.begin), to = static_cast<double>(leaf.span.end);
        if (leaf.share == TimeTree::kUniform) sampler_.amounts_.addSpan(leaf.callPath, from, to, weight_);
        else
            sampler_.amounts_.addSpan(leaf.callPath, from, to, leaf.part(), source_.tree->others(leaf.index),
                                      weight_);
    }

    void showLeads()
    {
        visitLeads(*source_.tree, *source_.leads, first_, run_,
                   [this](const Leads::Lead& lead, double from, double to) {
                       sampler_.amounts_.addSpan(lead.callPath, from, to, lead.share, lead.others, weight_);
                   });
    }

    RowSampler& sampler_;
    const RowSource& source_;
    double weight_;
    double shortestNs_;        ///< of neighbours that are looked into
    TimeSpan run_;             ///< neighbouring leaves that are still to be shown
    std::uint32_t first_ = 0;  ///< the first of them
};

void RowSampler::sample(std::span<const RowSource> sources, const ColumnGrid& grid,
                        std::uint32_t callsPerColumn, std::span<ColumnSample> columns, const Task& task)
{
    std::size_t locations = 0;
    for (const RowSource& source : sources) locations += source.locations;
    const bool areKnown = sources.size() == 1 && sources.front().leads && callsPerColumn <= kFewCalls;
    const std::size_t most = std::size_t{grid.count} * std::max(callsPerColumn, kFewCalls);
    if (!areKnown && findFewCalls(sources, grid, most)) {
        amounts_.start(grid, columns, firstCalls_.size(), locations);
        walkAll(sources, grid, task);
    } else {
        amounts_.start(grid, columns, sources.size(), locations);
        for (const RowSource& source : sources) {
            if (task.stopRequested()) break;
            Gatherer gatherer(*this, source, sources.size() == 1 ? 0 : kShortRun * grid.nsPerColumn);
            TreeWalk(*source.tree, grid).tell(gatherer);
            gatherer.closeRun();
            amounts_.endPass();
        }
    }
    amounts_.finish();
}

/// Finds the first call of every member that begins in the grid; false where more than `most` do in all.
bool RowSampler::findFewCalls(std::span<const RowSource> sources, const ColumnGrid& grid, std::size_t most)
{
    const TimeSpan span = spanOf(grid);
    std::size_t found = 0;
    firstCalls_.clear();
    for (const RowSource& source : sources)
        for (const RowSource::Member& member : source.members) {
            firstCalls_.push_back(firstCallFrom(*member.calls, span.begin));
            found += callsBefore(*member.calls, firstCalls_.back(), most - found + 1, span.end);
            if (found > most) return false;
        }
    return true;
}

void RowSampler::walkAll(std::span<const RowSource> sources, const ColumnGrid& grid, const Task& task)
{
    const std::uint32_t* first = firstCalls_.data();
    for (const RowSource& source : sources)
        for (const RowSource::Member& member : source.members) {
            if (task.stopRequested()) return;
            walker_.lookAt(*member.calls, *member.skip);
            walk(spanOf(grid), *first++);
            amounts_.endPass();
        }
}

/// Of the location that the walker looks at; `firstCall` is the first that begins in the span.
void RowSampler::walk(TimeSpan span, std::uint32_t firstCall)
{
    walker_.seek(span.begin, firstCall);
    walker_.advance(span.end, [this](std::uint32_t callPath, TimeNs from, TimeNs to) {
        amounts_.addSpan(callPath, static_cast<double>(from), static_cast<double>(to), 1);
    });
}

}  // namespace skein
