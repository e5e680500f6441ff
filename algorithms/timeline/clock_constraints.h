// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/experiment.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

/// The facts that bound clock offsets, and the shortest paths through them. Internal to the estimation of
/// offsets.
namespace skein::clocks {

/// A clock is numbered like the location group whose locations read it.
inline constexpr std::uint32_t kNoClock = 0xFFFFFFFFu;
inline constexpr TimeNs kUnbounded = std::numeric_limits<TimeNs>::max() / 4;

/// The clock of every location: its group, or the process that created it; kNoClock where it has no group.
std::vector<std::uint32_t> clocksOfLocations(const Definitions& definitions);

/// Puts a time of a clock on the reference's.
using Correction = std::function<TimeNs(std::uint32_t clock, TimeNs time)>;

/// o_to − o_from ≤ bound: the shortest that any message took.
struct MessageBound {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    TimeNs bound = 0;
};

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

/// Facts of one span of time, by the time of the send or the first enter as recorded, between corrected
/// clocks.
class Constraints {
public:
    Constraints(const Experiment& experiment, const std::vector<std::uint32_t>& clocks,
                const std::optional<TimeSpan>& span, const Correction& corrected);

    std::size_t clocks() const { return clocks_; }

    /// Lowers `upper` until it obeys every fact made `slack` ns weaker: upper bounds of the offsets, given
    /// the clocks that it knows at the start; the others begin as kUnbounded. False where the facts
    /// contradict each other or what was known.
    bool tightenUpper(std::vector<TimeNs>& upper, TimeNs slack) const;
    /// The same for the negated lower bounds.
    bool tightenLower(std::vector<TimeNs>& negatedLower, TimeNs slack) const;

private:
    void addMessages(const Trace& trace, const std::vector<std::uint32_t>& clocks,
                     const std::optional<TimeSpan>& span, const Correction& corrected);
    void addCollectives(const Trace& trace, const std::vector<std::uint32_t>& clocks,
                        const std::optional<TimeSpan>& span, const Correction& corrected);
    template <typename Pass>
    bool settle(std::vector<TimeNs>& bounds, Pass pass) const;

    std::size_t clocks_ = 0;
    std::vector<MessageBound> messages_;
    std::vector<Enter> enters_;
    std::vector<Leave> leaves_;
    std::vector<Rendezvous> rendezvous_;
};

/// Facts that do not hold once every clock's times are corrected.
struct Violations {
    std::uint64_t count = 0;
    TimeNs worstNs = 0;
};

Violations violationsOf(const Experiment& experiment, const std::vector<std::uint32_t>& clocks,
                        const Correction& corrected);

}  // namespace skein::clocks
