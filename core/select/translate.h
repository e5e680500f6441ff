// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/select/view_state.h"
#include "core/session/experiment.h"
#include "core/session/hand_over.h"

#include <cstddef>
#include <cstdint>
#include <vector>

/// A selection made in one domain, told in the others. References that the session does not have (a stale
/// selection, another session's file) give empty or invalid answers, never an error.
namespace skein {

bool exists(const Session& session, CallPathRef callPath);
bool exists(const Session& session, LocationRef location);
bool exists(const Session& session, RegionRef region);
bool exists(const Session& session, IntervalRef interval);
bool exists(const Session& session, MessageRef message);
bool exists(const Session& session, CollectiveRef collective);

RegionRef regionOf(const Session& session, CallPathRef callPath);
CallPathRef callPathOf(const Session& session, IntervalRef interval);
LocationRef locationOf(IntervalRef interval);
/// Every call path that ends in the region. O(call paths).
std::vector<CallPathRef> callPathsOf(const Session& session, RegionRef region);

/// The interval around `index` one level up; invalid for an outermost call. O(siblings before it).
IntervalRef parentOf(const Session& session, IntervalRef interval);
/// The innermost call that contains the time; invalid where there is none. O(log n + depth·siblings skipped).
IntervalRef innermostAt(const Session& session, LocationRef location, TimeNs experimentTime);
/// The call that contains the time and lies `depth` levels below the outermost one.
IntervalRef callAt(const Session& session, LocationRef location, TimeNs experimentTime, std::uint32_t depth);

/// The calls of a call path, or of a region, on a location that overlap the span, in order of entry, at most
/// `limit`.
std::vector<IntervalRef> intervalsOf(const Session& session, CallPathRef callPath, LocationRef location,
                                     TimeSpan span, std::size_t limit);
std::vector<IntervalRef> intervalsOf(const Session& session, RegionRef region, LocationRef location,
                                     TimeSpan span, std::size_t limit);

/// Selections as views make them from a click: what was clicked and what it means elsewhere.
/// An interval brings its call path, region and location; a call path its region; a region all its call
/// paths; a message its two ends and their intervals.
Selection select(const Session& session, IntervalRef interval);
Selection select(const Session& session, CallPathRef callPath);
Selection select(const Session& session, RegionRef region);
Selection select(const Session& session, LocationRef location);
Selection select(const Session& session, MessageRef message);

/// A collective brings its members' calls and locations, a pair of ranks its locations.
Selection select(const Session& session, CollectiveRef collective);
Selection select(const Session& session, RankPairRef pair);

/// Both ends of the session's hand-over of that number: the locations, and the calls that wrote and read.
Selection select(const Session& session, const HandOver& handOver, HandOverRef number);

/// The same of several at once, in one pass over the call paths: archives may define a region once a rank.
Selection select(const Session& session, const std::vector<CallPathRef>& callPaths);
Selection select(const Session& session, const std::vector<RegionRef>& regions);
Selection select(const Session& session, const std::vector<LocationRef>& locations);

/// The rows of pictures over time in which what is selected lies: the selected locations, else those of its
/// calls, of the ends of its messages and pairs of ranks. Sorted. O(selection + locations).
std::vector<LocationRef> rowsOf(const Session& session, const Selection& selected);

/// The union, as for ctrl+click.
Selection united(const Selection& left, const Selection& right);

/// The union of all, for each of many selected rows: by halves, for each union copies both sides.
/// O(n log n) of what they have together.
Selection unitedParts(std::vector<Selection> parts);

}  // namespace skein
