// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"
#include "core/clocks/clock_offsets.h"
#include "core/definitions/definitions.h"
#include "core/trace/events.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

/// What messages tell about clocks. Internal to the estimation of offsets.
namespace skein::clocks {

/// A clock is numbered like the location group whose locations read it.
inline constexpr std::uint32_t kNoClock = 0xFFFFFFFFu;

/// The clock of every location: its group, or the process that created it; kNoClock where it has no group.
std::vector<std::uint32_t> clocksOfLocations(const Definitions& definitions);

/// Puts a time of a clock on the reference's; as it was recorded where no offsets are told. The offsets must
/// outlive it.
class Correction {
public:
    Correction() = default;
    explicit Correction(std::span<const ClockOffset> offsets) : offsets_(offsets) {}

    TimeNs operator()(std::uint32_t clock, TimeNs time) const
    {
        if (offsets_.empty()) return time;
        const ClockOffset& offset = offsets_[clock];
        return time - std::llround(offset.offsetNs + offset.drift * static_cast<double>(time));
    }

private:
    std::span<const ClockOffset> offsets_;
};

/// Facts that do not hold.
struct Violations {
    std::uint64_t count = 0;
    TimeNs worstNs = 0;

    /// Counts one that is violated by so much; nothing where that is not above 0.
    void note(TimeNs byNs)
    {
        if (byNs <= 0) return;
        ++count;
        worstNs = std::max(worstNs, byNs);
    }
    void add(const Violations& other)
    {
        count += other.count;
        worstNs = std::max(worstNs, other.worstNs);
    }
};

/// o_to − o_from ≤ bound: the shortest time that any message took.
struct MessageBound {
    std::uint32_t from = kNoClock;
    std::uint32_t to = kNoClock;
    TimeNs bound = 0;
};

struct MessageFacts {
    std::vector<MessageBound> shortest;  ///< of every pair of clocks, by `from` and `to`
    Violations violations;               ///< messages that arrive before they were sent
};

/// Looks at every message: one that arrives too early may be the only one, and the shortest of two clocks is
/// what bounds them. In parallel; the same for any number of threads. O(messages). Incomplete after a stop.
MessageFacts factsOfAll(std::span<const Message> messages, const std::vector<std::uint32_t>& clocks,
                        const Correction& corrected, const Task& task);

/// Looks at about `most` of the messages, chosen by a fixed pseudo-random walk: a fixed step could keep time
/// with the program and miss the same pairs again and again. O(most).
MessageFacts factsOfSome(std::span<const Message> messages, std::size_t most,
                         const std::vector<std::uint32_t>& clocks, const Correction& corrected);

/// The next row of a walk that looks at one of `step` rows on average.
std::size_t nextOfWalk(std::size_t row, std::size_t step);

}  // namespace skein::clocks
