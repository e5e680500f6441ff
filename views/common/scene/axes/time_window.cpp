// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/axes/time_window.h"

#include <algorithm>
#include <cmath>

namespace skein {
namespace {

constexpr TimeNs kShortestNs = 1000;

TimeNs shortestOf(TimeSpan whole) { return std::min(kShortestNs, whole.lengthNs()); }

TimeSpan ofEdges(TimeNs one, TimeNs other, TimeSpan whole)
{
    TimeNs begin = std::clamp(std::min(one, other), whole.begin, whole.end);
    TimeNs end = std::clamp(std::max(one, other), whole.begin, whole.end);
    const TimeNs missing = std::max<TimeNs>(0, shortestOf(whole) - (end - begin));
    end = std::min(end + missing, whole.end);
    begin = std::min(begin, end - shortestOf(whole));
    return {begin, end};
}

}  // namespace

TimeSpan windowWithin(TimeSpan wanted, TimeSpan whole)
{
    const TimeNs length = std::clamp(wanted.lengthNs(), shortestOf(whole), whole.lengthNs());
    const TimeNs begin = std::clamp(wanted.begin, whole.begin, whole.end - length);
    return {begin, begin + length};
}

TimeSpan zoomedWindow(TimeSpan window, double factor, double part, TimeSpan whole)
{
    const auto before = static_cast<double>(window.lengthNs());
    const double length = std::clamp(before * factor, static_cast<double>(shortestOf(whole)),
                                     static_cast<double>(whole.lengthNs()));
    const auto begin = window.begin + static_cast<TimeNs>(std::llround(part * (before - length)));
    return windowWithin({begin, begin + static_cast<TimeNs>(std::llround(length))}, whole);
}

TimeSpan movedWindow(TimeSpan window, TimeNs by, TimeSpan whole)
{
    return windowWithin({window.begin + by, window.end + by}, whole);
}

TimeSpan draggedWindow(TimeSpan before, WindowGrip grip, TimeNs from, TimeNs to, TimeSpan whole)
{
    switch (grip) {
    case WindowGrip::Begin: return ofEdges(before.begin + to - from, before.end, whole);
    case WindowGrip::End: return ofEdges(before.begin, before.end + to - from, whole);
    case WindowGrip::Whole: return movedWindow(before, to - from, whole);
    case WindowGrip::New: return ofEdges(from, to, whole);
    }
    return before;
}

std::optional<TimeSpan> visibleOf(TimeSpan window, TimeSpan whole)
{
    return window == whole ? std::nullopt : std::optional(window);
}

}  // namespace skein
