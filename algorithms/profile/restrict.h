// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/profile/summarize.h"

#include <optional>
#include <string>
#include <vector>

namespace skein {

/// The part of a run that is looked at.
struct ProfilePart {
    std::optional<TimeSpan> window;                    ///< nullopt: the whole run
    std::optional<std::vector<LocationId>> locations;  ///< nullopt: all; sorted
    std::string metric = {};  ///< besides the time, of a summed up trace; see profileOf()

    bool operator==(const ProfilePart&) const = default;
};

/// The profile with the rows of these locations only; the others are there and empty. O(rows).
Profile keepLocations(const Profile& profile, const std::vector<LocationId>& locations);

/// As profileOf(), of a part of the run. Errors: those of profileOf().
Result<std::shared_ptr<const Profile>> profileOfPart(const Experiment& experiment, const ProfilePart& part,
                                                     const Task& task);

}  // namespace skein
