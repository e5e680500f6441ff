// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/timeline/wait_states.h"

#include <cstdint>
#include <span>
#include <vector>

/// Which delays the ranks of a run waited for, however many ranks lie between. docs/ANOMALIES.md explains
/// it.
namespace skein {

/// Something that made a location late.
struct Delay {
    LocationId location;
    TimeNs end = 0;       ///< when it was over
    TimeNs lengthNs = 0;  ///< > 0
};

inline constexpr std::uint32_t kNoWait = 0xFFFFFFFFu;

/// The part of one wait that one delay is to blame for.
struct DelayShare {
    std::uint32_t delay = 0;
    std::uint32_t via = kNoWait;  ///< the wait of who was waited for, by which the delay came to it
    TimeNs lengthNs = 0;

    bool operator==(const DelayShare&) const = default;
};

/// One step from a wait back towards what caused it.
struct ChainLink {
    std::uint32_t wait = 0;  ///< number among the wait states
    TimeNs blamedNs = 0;     ///< of that wait, on the delay at the end of the chain
};

/// How a chain ended.
enum class ChainEnd : std::uint8_t {
    AtDelay,       ///< at the call that caused it
    Contradiction  ///< between locations whose clocks contradict each other: nothing further can be told
};

struct CauseChain {
    std::vector<ChainLink> links;  ///< from the wait that was asked for
    ChainEnd end = ChainEnd::AtDelay;
    std::uint32_t delay = 0;
};

/// The delays that each wait state had to bear. A location that waits for another is from then on as late as
/// that one is; it was late by less before, and the difference is what it waited for. Σ shares of a wait ≤
/// its length; the rest was imbalance without any delay that is listed. Immutable.
class DelayPropagation {
public:
    DelayPropagation() = default;

    std::span<const DelayShare> sharesOf(std::uint32_t wait) const
    {
        return std::span(shares_).subspan(first_[wait], first_[wait + 1] - first_[wait]);
    }
    TimeNs blamedNs(std::uint32_t wait) const;
    /// The delay with the greatest share; null where nothing is to blame.
    const DelayShare* mainShare(std::uint32_t wait) const;
    /// What all locations together waited for each delay.
    const std::vector<TimeNs>& costs() const { return costs_; }
    /// Whether a message between the two was received before it was sent.
    bool contradicts(LocationId a, LocationId b) const;
    std::size_t contradictions() const { return contradicting_.size(); }
    /// From a wait back to one of its delays. Every step is earlier than the one before, so it ends.
    CauseChain chain(const WaitStates& waits, std::uint32_t wait, std::uint32_t delay) const;

    friend Result<DelayPropagation> propagateDelays(const Trace& trace, const WaitStates& waits,
                                                    std::span<const Delay> delays, const Task& task);

private:
    std::vector<std::size_t> first_{0};
    std::vector<DelayShare> shares_;
    std::vector<TimeNs> costs_;
    std::vector<std::uint64_t> contradicting_;  ///< pairs of locations, sorted
};

/// Follows the delays through the waits in the order of time. Each location remembers the
/// kMostDelaysOfLocation latest. O(waits log waits + waits · those). Errors: Cancelled.
inline constexpr std::size_t kMostDelaysOfLocation = 64;
Result<DelayPropagation> propagateDelays(const Trace& trace, const WaitStates& waits,
                                         std::span<const Delay> delays, const Task& task);

}  // namespace skein
