// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/clocks/clock_offsets.h"
#include "core/clocks/shortest_messages.h"
#include "core/session/experiment.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

/// The facts that bound clock offsets, and the shortest paths through them. Internal to the estimation of
/// offsets.
namespace skein::clocks {

inline constexpr TimeNs kUnbounded = std::numeric_limits<TimeNs>::max() / 4;

struct Enter {
    std::uint32_t clock = 0;
    TimeNs begin = 0;
};
struct Leave {
    std::uint32_t clock = 0;
    TimeNs end = 0;
};

/// Every leave comes after every enter.
struct Rendezvous {
    std::size_t firstEnter = 0, enterCount = 0;
    std::size_t firstLeave = 0, leaveCount = 0;
};

/// Facts between corrected clocks: those of messages, and of collective operations that are added.
class Constraints {
public:
    Constraints(std::size_t clocks, MessageFacts messages) : clocks_(clocks), messages_(std::move(messages))
    {
    }

    /// The operations [first, last) of the trace, or as many of them as have `most` members, spread evenly.
    void addCollectives(const Trace& trace, const std::vector<std::uint32_t>& clocks,
                        const Correction& corrected, std::size_t first, std::size_t last, std::size_t most);
    /// All operations of the trace.
    void addCollectives(const Trace& trace, const std::vector<std::uint32_t>& clocks,
                        const Correction& corrected);

    std::size_t clocks() const { return clocks_; }

    /// Facts that do not hold: messages that were looked at, and members that left too early.
    Violations violations() const;
    /// By how much facts do not hold once each clock is put back by its shift. O(pairs + members).
    TimeNs worstAfter(const std::vector<TimeNs>& shifts) const;

    /// Lowers `upper` until it obeys every fact made `slack` ns weaker: upper bounds of the offsets, given
    /// the clocks that it knows at the start; the others begin as kUnbounded. False where the facts
    /// contradict each other or what was known.
    bool tightenUpper(std::vector<TimeNs>& upper, TimeNs slack) const;
    /// The same for the negated lower bounds.
    bool tightenLower(std::vector<TimeNs>& negatedLower, TimeNs slack) const;

private:
    void addCollective(const CollectiveOperation& operation, std::span<const CollectiveMember> members,
                       const std::vector<std::uint32_t>& clocks, const Correction& corrected);
    template <typename Pass>
    bool settle(std::vector<TimeNs>& bounds, Pass pass) const;
    template <typename Early>
    void eachEarlyLeave(const std::vector<TimeNs>& shifts, Early early) const;

    std::size_t clocks_ = 0;
    MessageFacts messages_;
    std::vector<Enter> enters_;
    std::vector<Leave> leaves_;
    std::vector<Rendezvous> rendezvous_;
};

}  // namespace skein::clocks
