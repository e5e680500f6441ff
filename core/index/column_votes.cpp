// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/index/column_votes.h"

#include <algorithm>
#include <cmath>

namespace skein {
namespace {

/// The candidate with most time; ties: the smaller region.
class Best {
public:
    void offer(std::uint32_t region, std::uint32_t callPath, double time)
    {
        if (time < most_ || (time == most_ && region > region_)) return;
        most_ = time;
        region_ = region;
        callPath_ = callPath;
    }
    ColumnSample sample() const { return {callPath_, static_cast<float>(std::max(0.0, most_))}; }

private:
    double most_ = -1;
    std::uint32_t region_ = 0;
    std::uint32_t callPath_ = CallPathId::kNone;
};

}  // namespace

void ColumnVotes::start(const ColumnGrid& grid)
{
    grid_ = grid;
    end_ = grid.end();
    columnsPerNs_ = 1 / grid.nsPerColumn;
    fillNs_ = grid.nsPerColumn / kFull;
    heads_.assign(std::size_t{grid.count} + 1, kNone);
    votes_.clear();
}

void ColumnVotes::addSpan(std::uint32_t callPath, double from, double to, double weight)
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
    const auto filled = std::max<std::int32_t>(1, static_cast<std::int32_t>(weight * kFull + 0.5));
    const double width = fillNs_ * filled;
    vote(first, callPath, (static_cast<double>(first) - firstColumn) * width, filled);
    vote(last, callPath, (lastColumn - static_cast<double>(last)) * width, -filled);
}

void ColumnVotes::add(double time, std::uint32_t callPath, double amountNs)
{
    vote(static_cast<std::int64_t>(std::floor((time - grid_.begin) * columnsPerNs_)), callPath, amountNs, 0);
}

void ColumnVotes::vote(std::int64_t column, std::uint32_t callPath, double timeNs, std::int32_t filled)
{
    if (column < 0 || column > static_cast<std::int64_t>(grid_.count)) return;
    std::uint32_t& head = heads_[static_cast<std::size_t>(column)];
    votes_.push_back({callPath, head, static_cast<float>(timeNs), filled});
    head = static_cast<std::uint32_t>(votes_.size() - 1);
}

void ColumnVotes::addCells(const TimeTree::Cells& cells, double weight)
{
    const auto width = static_cast<double>(cells.widthNs);
    double middle = static_cast<double>(cells.begin) + width / 2;
    for (std::size_t cell = 0; cell < cells.callPaths.size(); ++cell, middle += width)
        if (cells.callPaths[cell] != CallPathId::kNone)
            add(middle, cells.callPaths[cell], weight * cells.nsOf(cell));
}

ColumnVotes::Candidate& ColumnVotes::candidateOf(std::uint32_t callPath)
{
    std::uint32_t& number = candidateOf_[paths_.region[callPath]];
    if (number != kNone) return candidates_[number];
    number = static_cast<std::uint32_t>(candidates_.size());
    return candidates_.emplace_back(Candidate{paths_.region[callPath], callPath, 0, -1, 0});
}

void ColumnVotes::takeVotes(std::uint32_t column)
{
    for (std::uint32_t at = heads_[column]; at != kNone; at = votes_[at].next) {
        const Vote& vote = votes_[at];
        Candidate& candidate = candidateOf(vote.callPath);
        candidate.filled += vote.filled;
        candidate.partNs += static_cast<double>(vote.timeNs);
        const auto pathNs = static_cast<float>(vote.timeNs + std::max(vote.filled, 0) * fillNs_);
        if (pathNs <= candidate.pathNs && vote.filled <= 0) continue;
        candidate.callPath = vote.callPath;
        candidate.pathNs = pathNs;
    }
}

/// Of the column; those that do not go on into the next one are forgotten.
ColumnSample ColumnVotes::takeBest()
{
    Best best;
    for (std::size_t number = candidates_.size(); number-- > 0;) {
        Candidate& candidate = candidates_[number];
        best.offer(candidate.region, candidate.callPath, candidate.partNs + candidate.filled * fillNs_);
        candidate.partNs = 0;
        candidate.pathNs = -1;
        if (candidate.filled > 0) continue;
        candidateOf_[candidate.region] = kNone;
        if (number + 1 < candidates_.size()) {
            candidate = candidates_.back();
            candidateOf_[candidate.region] = static_cast<std::uint32_t>(number);
        }
        candidates_.pop_back();
    }
    return best.sample();
}

/// Of a column in which nothing changes.
ColumnSample ColumnVotes::bestFilling() const
{
    Best best;
    for (const Candidate& candidate : candidates_)
        best.offer(candidate.region, candidate.callPath, candidate.filled * fillNs_);
    return best.sample();
}

void ColumnVotes::decide(std::span<ColumnSample> columns)
{
    for (const Candidate& candidate : candidates_) candidateOf_[candidate.region] = kNone;
    candidates_.clear();
    ColumnSample filled;
    for (std::uint32_t column = 0; column < grid_.count; ++column) {
        columns[column] = filled;
        if (heads_[column] == kNone) continue;
        takeVotes(column);
        columns[column] = takeBest();
        if (heads_[column + 1] == kNone) filled = bestFilling();
    }
}

}  // namespace skein
