// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/select/view_state.h"
#include "core/session/experiment.h"
#include "core/session/recorded_groups.h"
#include "views/common/scene/color/palette.h"

#include <cstdint>
#include <vector>

namespace skein {

/// The groups that the regions of a session are shown in: by role, or as the archives recorded them. Regions
/// that no archive put into a group are "Others", which come last. Where no archive recorded any group they
/// go by role. The session must outlive it. Immutable.
class RegionGroups {
public:
    /// O(regions), and the first time what dominantRegions() costs.
    RegionGroups(const Session& session, RegionGrouping grouping);

    /// In the order of legends: roles in theirs, recorded groups by name. Some may have no regions.
    const std::vector<ShownGroup>& list() const { return list_; }
    /// Index into list().
    std::uint32_t of(RegionRef region) const;
    /// The group of what is in none: "Others"; by role the user's code.
    std::uint32_t others() const { return others_; }
    const Session& session() const { return session_; }
    /// Keeps the regions apart that dominate the runs of the session.
    const ShadeChoice& shades() const { return shades_; }

private:
    const Session& session_;
    std::vector<ShownGroup> list_;
    std::uint32_t others_ = 0;  ///< index into list_; the user's code where regions go by role
    RecordedGroups recorded_;   ///< without names where regions go by role
    ShadeChoice shades_;
};

/// The regions of a group over all experiments; sorted. O(regions).
std::vector<RegionRef> regionsOfGroup(const RegionGroups& groups, std::uint32_t group);

/// The colours of the regions of an experiment, and those of all. O(regions).
RegionPalette regionPalette(const RegionGroups& groups, std::uint32_t experiment, const Theme& theme);
std::vector<RegionPalette> palettesOf(const RegionGroups& groups, const Theme& theme);

}  // namespace skein
