// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/profile.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace skein {

/// What everything that a profile names is called in another experiment: [old number]: new number. No two
/// locations, call paths or regions may get the same one.
struct ProfileNumbers {
    std::vector<std::uint32_t> locations, callPaths, regions, metrics;
    std::size_t locationCount = 0;  ///< of the other experiment; those without a number get no rows
};

/// The profile under these numbers; columns that its source has yet to read are renumbered when they are.
/// O(rows log rows).
std::shared_ptr<const Profile> renumbered(const Profile& profile, const ProfileNumbers& numbers);

}  // namespace skein
