// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/definitions/definitions.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// What TAU packs into the names of timers and user events. The same in profiles and in traces.
namespace skein::tau {

/// Deeper call paths and longer names are refused: no measurement writes them, and they would cost quadratic
/// time.
inline constexpr std::size_t kMaximumPathLength = 1024;
inline constexpr std::size_t kMaximumNameBytes = std::size_t{1} << 20;

/// Node, context and thread as TAU numbers them; node is the MPI rank of an MPI program.
struct ThreadKey {
    std::uint32_t node = 0;
    std::uint32_t context = 0;
    std::uint32_t thread = 0;
    auto operator<=>(const ThreadKey&) const = default;
};

/// The numbers at the end of a file name "<anything>.N.C.T" with an optional suffix such as ".trc".
std::optional<ThreadKey> threadKeyOfFileName(std::string_view name, std::string_view suffix = {});

/// Without blanks, tabs and carriage returns at both ends.
std::string_view trimmed(std::string_view text);

/// A timer's name without TAU's mark of a function that it stopped measuring ("f [THROTTLED]"), and without
/// blanks at its ends. TAU adds the mark to some rows of a function and not to others.
std::string_view withoutThrottleMark(std::string_view timer);

/// True where the name has that mark.
bool isThrottled(std::string_view timer);

/// True for "a => b": the row of a call path.
bool isCallPath(std::string_view name);

/// The timers of a call path from the outermost to the innermost, each without blanks at its ends.
std::vector<std::string_view> splitCallPath(std::string_view name);

/// The names in "MPI|TAU_DEFAULT" or "TAU_PARAM | TAU_USER".
std::vector<std::string_view> splitGroups(std::string_view groups);

/// True for groups that tell how a row came about and not what the timer is (TAU_CALLPATH and its like), or
/// that the timer was stopped (TAU_DISABLE).
bool isBookkeepingGroup(std::string_view group);

/// A region from a timer's name: source position from " [{file} {line,column}]", paradigm and role from the
/// name and the groups. Rows that break another row down (samples, contexts, unwound frames, call sites,
/// parameter values) have role Artificial: their time is part of another region's.
Region makeRegion(std::string_view timer, const std::vector<std::string_view>& groups);

/// The place in the source that the name of a row tells which breaks another down: "[CALLSITE] f [@] g
/// [{file} {line}]", "[UNWIND] file.line [@] g [{file} {line}]", "[SAMPLE] g [{file} {line}]", "[CONTEXT] g
/// [{file} {line,column}]". Of what TAU could not resolve the file is the library, if any, and the line 0;
/// addresses stay in the region's name. nullopt for all other timers. The regions are not filled in.
std::optional<CallSite> callSiteOf(std::string_view timer);

/// Tells the call sites of "[CALLSITE] f [@] …" that f is entered there. `siteOfRegion` has an entry a
/// region, invalid for most.
void linkCallSites(std::span<const Region> regions, std::span<const CallSiteId> siteOfRegion,
                   std::span<CallSite> sites);

/// Parts of a user event's name "event : a => b".
struct EventName {
    std::string_view event;
    std::string_view context;  ///< call path; empty: over the whole run
};
/// Splits the name at the first " : " behind which stands a path of timers that `isTimer` knows. Names may
/// hold " : " themselves: then the whole name is the event.
EventName splitEventName(std::string_view name, const std::function<bool(std::string_view)>& isTimer);

/// What a user event says about point-to-point messages.
enum class MessageDirection { SentTo, ReceivedFrom };
struct MessageEvent {
    MessageDirection direction = MessageDirection::SentTo;
    std::uint32_t partner = 0;
};
/// For "Message size sent to node N" and "Message size received from node N"; nullopt for all others.
std::optional<MessageEvent> messageEvent(std::string_view event);

/// True for metrics that TAU keeps in microseconds: TIME, CPU_TIME, P_WALL_CLOCK_TIME and so on, and none
/// derived.
bool isTimeMetric(std::string_view metric);

/// A metric of timers: times become ns, bytes are recognised, "PAPI_…" counts events; `unit` of the archive
/// wins.
Metric makeTimerMetric(std::string_view name, std::string_view unit);

/// A metric of user events, with the unit that its name gives away.
Metric makeEventMetric(std::string_view name);

/// How many stored units one unit of the file is: 1000 for times, else 1.
double timerScale(std::string_view metric);

}  // namespace skein::tau
