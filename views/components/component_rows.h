// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/select/view_state.h"
#include "core/session/global_ranks.h"
#include "core/session/hand_over.h"

#include <cstdint>
#include <string>
#include <vector>

namespace skein {

/// One component of a workflow, or one run, as the table shows it. Session times.
struct ComponentRow {
    std::string name;
    std::string format;
    std::size_t locations = 0;
    GlobalRanks ranks;
    bool hasTimes = false;  ///< false for profiles: they have no place on the clock
    TimeSpan span;
    TimeNs shiftNs = 0;       ///< part of the span's place
    std::uint64_t wrote = 0;  ///< pieces handed over to others
    std::uint64_t read = 0;   ///< pieces taken from others
    std::uint64_t bytes = 0;  ///< of both
    TimeNs waitedNs = 0;      ///< for pieces of others, over all locations
};

/// `clockShiftsNs` as in ViewState. O(locations + hand-overs).
std::vector<ComponentRow> makeComponentRows(const Session& session, const std::vector<TimeNs>& clockShiftsNs,
                                            const std::vector<HandOver>& handOvers);

/// Shifts by which the first events of all traces are at the same time: that of the earliest one as recorded.
std::vector<TimeNs> shiftsToAlignStarts(const Session& session);

/// "12.5 ms", "-3 s", "250" (ms): nullopt where it is no time.
std::optional<TimeNs> parseShift(std::string_view text);

}  // namespace skein
