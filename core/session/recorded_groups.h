// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/experiment.h"

#include <cstdint>
#include <string>
#include <vector>

namespace skein {

/// The groups of regions that the archives of a session recorded: TAU's TAU_USER, TAU_DEFAULT, MPI …, OTF2's
/// groups of regions. Groups of one name are one group, whichever experiments they come from. Groups without
/// a name are none; what is no group of regions, as TAU's TAU_CALLPATH, importers leave out.
///
/// A region of several groups counts to the one that fewest regions of the session are in, as that says most
/// about it; of equal ones to the first by name.
struct RecordedGroups {
    static constexpr std::uint32_t kNone = 0xFFFFFFFFu;

    std::vector<std::string> names;  ///< sorted; of groups that some region counts to
    std::vector<std::vector<std::uint32_t>>
        groupOf;  ///< by experiment and RegionId: index into names, or kNone

    std::uint32_t of(std::uint32_t experiment, RegionId region) const
    {
        return groupOf[experiment][region.index()];
    }
};

/// O(regions + their memberships).
RecordedGroups recordedGroups(const Session& session);

/// True when a region of the session is in a group. Cheaper than recordedGroups(): stops at the first.
bool hasRecordedGroups(const Session& session);

}  // namespace skein
