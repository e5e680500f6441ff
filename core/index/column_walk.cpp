// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/index/column_walk.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace skein {
namespace {

constexpr std::uint32_t kNoCall = 0xFFFFFFFFu;

}  // namespace

/// The columns of one walk, from stretches that come in the order of time. What it holds fits into registers
/// as long as all of it is inlined and lives in one function: that is a third of the time.
class ColumnWalk::Columns {
public:
    Columns(std::vector<Candidate>& room, const ColumnGrid& grid, std::span<ColumnSample> columns)
        : room_(room),
          candidates_(room.data()),
          capacity_(room.size()),
          columns_(columns.data()),
          nsPerColumn_(grid.nsPerColumn)
    {
    }

    /// In columns.
    [[gnu::always_inline]] void stretch(const Open& call, double from, double to)
    {
        if (to < right_) return add(call, to - from);
        if (from < right_) add(call, right_ - from);
        close();
        fill(call, from, static_cast<std::uint32_t>(to));
        if (const double begin = std::max(from, right_ - 1); to > begin || to == from) add(call, to - begin);
    }

    [[gnu::always_inline]] void close()
    {
        if (count_ == 0) return;
        const Candidate* best = candidates_;
        for (const Candidate* other = candidates_ + 1; other < candidates_ + count_; ++other)
            if (other->part > best->part) best = other;
        columns_[column_] = {best->callPath, static_cast<float>(best->part * nsPerColumn_)};
        count_ = 0;
    }

private:
    /// The whole columns from that which is decided, or that of `from`, to `last`, which is decided next.
    [[gnu::always_inline]] void fill(const Open& call, double from, std::uint32_t last)
    {
        std::uint32_t column = column_ + 1;
        if (from >= right_) {
            column = static_cast<std::uint32_t>(from);
            if (column < last)
                columns_[column] = {call.callPath, static_cast<float>((column + 1 - from) * nsPerColumn_)};
            ++column;
        }
        for (; column < last; ++column) columns_[column] = {call.callPath, static_cast<float>(nsPerColumn_)};
        column_ = last;
        right_ = last + 1.0;
    }

    [[gnu::always_inline]] void add(const Open& call, double part)
    {
        for (Candidate* candidate = candidates_; candidate < candidates_ + count_; ++candidate) {
            if (candidate->region != call.region) continue;
            candidate->part += part;
            if (part <= candidate->callPathPart) return;
            candidate->callPath = call.callPath;
            candidate->callPathPart = part;
            return;
        }
        if (count_ == capacity_) grow();
        candidates_[count_++] = {call.region, call.callPath, part, part};
    }

    void grow()
    {
        room_.resize(2 * capacity_);
        candidates_ = room_.data();
        capacity_ = room_.size();
    }

    std::vector<Candidate>& room_;
    Candidate* candidates_;
    std::size_t capacity_;
    std::size_t count_ = 0;
    ColumnSample* columns_;
    double nsPerColumn_;
    std::uint32_t column_ = 0;  ///< that is decided
    double right_ = 1;          ///< its right edge
};

void ColumnWalk::walk(const CallIntervals& calls, const IntervalSkip& skip, std::uint32_t first,
                      const ColumnGrid& grid, std::span<ColumnSample> columns)
{
    constexpr std::size_t kCandidates = 16;
    const TimeNs* const begins = calls.begin.data();
    const TimeNs* const ends = calls.end.data();
    const std::uint32_t* const callPaths = calls.callPath.data();
    const std::uint32_t* const regions = regionOf_.data();
    const auto count = static_cast<std::uint32_t>(calls.size());
    const double columnsPerNs = 1 / grid.nsPerColumn;
    const double end = grid.count;
    const double gridBegin = grid.begin;
    candidates_.resize(std::max(candidates_.size(), kCandidates));
    Columns decided(candidates_, grid, columns);
    std::size_t top = findOpen(calls, skip, first, grid);
    Open* open = open_.data();
    double now = 0;
    for (std::uint32_t next = first;; ++next) {
        const double entry = next < count
            ? std::min((static_cast<double>(begins[next]) - gridBegin) * columnsPerNs, end)
            : end;
        for (; open[top].end <= entry; --top) {
            if (open[top].end <= now) continue;
            decided.stretch(open[top], now, open[top].end);
            now = open[top].end;
        }
        if (entry > now) {
            if (top > 0) decided.stretch(open[top], now, entry);
            now = entry;
        }
        if (entry >= end) break;
        if (++top == open_.size()) {
            open_.resize(2 * top);
            open = open_.data();
        }
        open[top] = {(static_cast<double>(ends[next]) - gridBegin) * columnsPerNs, callPaths[next],
                     regions[callPaths[next]]};
        if (ends[next] == begins[next] && calls.depth[next] == 0) decided.stretch(open[top], now, now);
    }
    decided.close();
}

/// The calls that began before `first` and last beyond the beginning of the grid; how many they are.
std::size_t ColumnWalk::findOpen(const CallIntervals& calls, const IntervalSkip& skip, std::uint32_t first,
                                 const ColumnGrid& grid)
{
    constexpr std::size_t kUsualDepth = 64;
    const auto time = static_cast<TimeNs>(std::floor(grid.begin));
    around_.clear();
    for (std::uint32_t call = first == 0 ? kNoInterval : first - 1; call != kNoInterval;
         call = skip.parent(calls, call))
        if (calls.end[call] > time) around_.push_back(call);
    open_.resize(std::max({open_.size(), around_.size() + 2, kUsualDepth}));
    open_[0] = {std::numeric_limits<double>::infinity(), kNoCall, kNoCall};
    for (std::size_t depth = 1; depth <= around_.size(); ++depth) {
        const std::uint32_t call = around_[around_.size() - depth];
        open_[depth] = {(static_cast<double>(calls.end[call]) - grid.begin) * (1 / grid.nsPerColumn),
                        calls.callPath[call], regionOf_[calls.callPath[call]]};
    }
    return around_.size();
}

}  // namespace skein
