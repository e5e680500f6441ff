// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/column.h"
#include "core/base/result.h"
#include "core/base/task.h"
#include "core/session/experiment.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Time that processes spend waiting for each other, after the patterns of Scalasca (Geimer, Wolf, Wylie,
/// Ábrahám, Becker, Mohr, "The Scalasca performance toolset architecture", CCPE 22(6), 2010).
/// docs/WAIT_STATES.md tells each definition, and where we differ.
namespace skein {

enum class WaitKind : std::uint8_t {
    EarlyReduce,       ///< the root of an N-to-1 operation waits for the first that sends to it
    LateBroadcast,     ///< a member of a 1-to-N operation waits for the root
    LateReceiver,      ///< a blocking send waits for the receive to be posted
    LateSender,        ///< a receive, or the wait that completes it, waits for the send to begin
    WaitAtBarrier,     ///< a member waits for the last to enter the barrier
    WaitAtCollective,  ///< a member waits before an operation, which is not recorded, until all have come
    WaitAtNxN,         ///< a member of an all-to-all operation waits for the last to enter
};
inline constexpr std::size_t kWaitKinds = 7;

std::string_view name(WaitKind kind);

/// Of waits in collectives: they are for no message.
inline constexpr std::uint32_t kNoMessage = ~std::uint32_t{0};

/// One call that waited; of several messages that one call sends or completes, the one that it waited for
/// longest.
struct WaitState {
    TimeNs begin = 0;
    TimeNs end = 0;                             ///< > begin, and within the call
    LocationId location;                        ///< who waited
    LocationId cause;                           ///< who let it wait; invalid: it is not known
    std::uint32_t interval = 0;                 ///< the call that waited
    std::uint32_t causeInterval = kNoInterval;  ///< the call that it waited for
    WaitKind kind = WaitKind::LateSender;
    std::uint32_t message = kNoMessage;  ///< index into Trace::messages of the one that was waited for

    TimeNs lengthNs() const { return end - begin; }
};

struct WaitStates {
    Column<WaitState> states;  ///< by (location, begin, interval); one a call
    /// Collectives that were not recorded and were found by the names of regions, see docs/WAIT_STATES.md.
    std::uint64_t inferredCollectives = 0;
    /// [location][call]: whether it could be told how long the call waited. Calls in MPI that are not looked
    /// into, as collectives on some of the processes that were not recorded, are not.
    std::vector<std::vector<bool>> analysed;
};

/// What the time in MPI of one region went to. mpiNs = Σ waitedNs + workNs + unexplainedNs.
struct MpiTime {
    RegionId region;          ///< of the outermost call in MPI; of several of one name the first
    std::uint64_t calls = 0;  ///< that overlap the window
    TimeNs mpiNs = 0;
    TimeNs waitedNs[kWaitKinds] = {};
    TimeNs workNs = 0;         ///< the rest of calls that were analysed, and of those that never wait
    TimeNs unexplainedNs = 0;  ///< the rest of calls of which nothing is known

    TimeNs allWaitedNs() const;
};

/// Operations of MPI, by their name, that return without a word from another process: local ones in the sense
/// of the standard.
bool neverWaits(std::string_view name);

/// Time in MPI of all locations, by region, the greatest first. nullopt: the whole run; otherwise calls and
/// waits count with their parts inside. `locations`: sorted; empty: all of them. `waits` are all that
/// findWaitStates() gives. Errors: NotRecorded without a trace; Cancelled. O(calls + states).
Result<std::vector<MpiTime>> mpiTimes(const Experiment& experiment, const WaitStates& waits,
                                      const std::optional<TimeSpan>& window,
                                      std::span<const LocationId> locations, const Task& task);

/// The times of all regions together.
struct MpiTotals {
    TimeNs mpiNs = 0;
    TimeNs waitedNs = 0;
    TimeNs workNs = 0;
    TimeNs unexplainedNs = 0;

    void add(const MpiTime& time);
};

/// "12 s in MPI = 5 s waiting + 4 s transfer and work + 3 s not explained".
std::string mpiText(const MpiTotals& totals);

/// Finds every wait state of a trace. Clocks must agree to the precision that is wanted: correct them first.
/// Errors: NotRecorded without a trace; Cancelled. O(calls + messages log messages); the same bits for
/// any number of threads.
Result<WaitStates> findWaitStates(const Experiment& experiment, const Task& task);

/// Sums of wait states over one thing: a region, location, cause or kind.
struct WaitSum {
    std::uint32_t item = 0;  ///< id in the experiment's definitions, or a WaitKind
    std::uint64_t count = 0;
    TimeNs totalNs = 0;
    TimeNs longestNs = 0;
    TimeNs byKindNs[kWaitKinds] = {};
};

enum class WaitGrouping : std::uint8_t { Cause, Kind, Location, Region };

/// What wait states are summed under: WaitSum::item. Regions of one name are the first of them: EZTrace and
/// TAU define every region once a rank. The experiment must outlive it.
class WaitItems {
public:
    WaitItems(const Experiment& experiment, WaitGrouping grouping);
    std::uint32_t of(const WaitState& state) const;

private:
    const Experiment& experiment_;
    WaitGrouping grouping_;
    std::vector<std::uint32_t> firstOfName_;  ///< of each region; empty where others are summed under
};

/// The name of who let wait: "not recorded" where that is not known.
std::string causeName(const Experiment& experiment, LocationId cause);

/// The region of the call that waited.
RegionId waitRegion(const Experiment& experiment, const WaitState& state);

/// The greatest total first, then by item. O(states).
std::vector<WaitSum> sumWaitStates(const Experiment& experiment, const WaitStates& waits,
                                   WaitGrouping grouping);

}  // namespace skein
