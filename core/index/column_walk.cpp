// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/index/column_walk.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace skein {
namespace {

constexpr TimeNs kNever = std::numeric_limits<TimeNs>::max();

}  // namespace

void ColumnWalk::walk(const CallIntervals& calls, const IntervalSkip& skip, std::uint32_t first, const ColumnGrid& grid,
                      std::span<ColumnSample> columns)
{
    const TimeNs* const begins = calls.begin.data();
    const TimeNs* const ends = calls.end.data();
    const std::uint32_t* const callPaths = calls.callPath.data();
    const auto count = static_cast<std::uint32_t>(calls.size());
    const double columnsPerNs = 1 / grid.nsPerColumn;
    const double end = grid.count;
    columns_ = columns.first(grid.count);
    nsPerColumn_ = grid.nsPerColumn;
    candidates_.clear();
    enter(0);
    findOpen(calls, skip, first, static_cast<TimeNs>(std::floor(grid.begin)));
    double now = 0;
    for (std::uint32_t next = first;;) {
        const TimeNs entry = next < count ? begins[next] : kNever;
        const TimeNs exit = open_.empty() ? kNever : open_.back().end;
        const TimeNs time = std::min(entry, exit);
        const double until = std::min(std::max((static_cast<double>(time) - grid.begin) * columnsPerNs, now), end);
        if (!open_.empty() && until > now) stretch(open_.back().callPath, now, until);
        if (until == end) break;
        now = until;
        if (exit <= entry) {
            open_.pop_back();
            continue;
        }
        if (ends[next] == entry && calls.depth[next] == 0) stretch(callPaths[next], now, now);
        open_.push_back({ends[next], callPaths[next]});
        ++next;
    }
    close();
}

/// The calls that began before `first` and last beyond a time.
void ColumnWalk::findOpen(const CallIntervals& calls, const IntervalSkip& skip, std::uint32_t first, TimeNs time)
{
    open_.clear();
    for (std::uint32_t call = first == 0 ? kNoInterval : first - 1; call != kNoInterval; call = skip.parent(calls, call))
        if (calls.end[call] > time) open_.push_back({calls.end[call], calls.callPath[call]});
    std::reverse(open_.begin(), open_.end());
}

/// In columns; they come in the order of time.
inline void ColumnWalk::stretch(std::uint32_t callPath, double from, double to)
{
    if (to < right_) add(callPath, to - from);
    else cross(callPath, from, to);
}

/// Ends in another column than that which is decided.
void ColumnWalk::cross(std::uint32_t callPath, double from, double to)
{
    if (from >= right_) {
        close();
        enter(static_cast<std::size_t>(from));
        if (to < right_) return add(callPath, to - from);
    }
    add(callPath, right_ - from);
    close();
    const auto last = static_cast<std::size_t>(to);
    for (std::size_t column = column_ + 1; column < last; ++column) columns_[column] = {callPath, static_cast<float>(nsPerColumn_)};
    enter(last);
    if (to > static_cast<double>(last)) add(callPath, to - static_cast<double>(last));
}

void ColumnWalk::enter(std::size_t column)
{
    column_ = column;
    right_ = static_cast<double>(column + 1);
}

inline void ColumnWalk::add(std::uint32_t callPath, double part)
{
    const std::uint32_t region = regionOf_[callPath];
    for (Candidate& candidate : candidates_) {
        if (candidate.region != region) continue;
        candidate.part += part;
        if (part <= candidate.callPathPart) return;
        candidate.callPath = callPath;
        candidate.callPathPart = part;
        return;
    }
    candidates_.push_back({region, callPath, part, part});
}

void ColumnWalk::close()
{
    if (candidates_.empty()) return;
    const Candidate* best = &candidates_.front();
    for (const Candidate& candidate : candidates_)
        if (candidate.part > best->part) best = &candidate;
    columns_[column_] = {best->callPath, static_cast<float>(best->part * nsPerColumn_)};
    candidates_.clear();
}

}  // namespace skein
