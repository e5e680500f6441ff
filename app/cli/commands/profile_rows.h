// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/behavior/series_entities.h"
#include "app/cli/open_session.h"
#include "app/cli/print_rows.h"
#include "core/profile/profile.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

/// What `profile` prints.
namespace skein::cli {

enum class ProfileBy { CallPath, Location, Region, RegionLocation };

struct ProfileOptions {
    std::vector<std::string> paths;
    Format format = Format::Table;
    ProfileBy by = ProfileBy::Region;
    std::string groupBy = "location";  ///< as seriesGrouping() reads it
    std::string metric;
    std::string window;
    std::size_t top = 0;  ///< 0: all

    /// Whether rows are of regions or call paths over all locations.
    bool ofRegions() const { return by == ProfileBy::CallPath || by == ProfileBy::Region; }
    /// Whether rows stand for groups of locations, not for each.
    bool isGrouped() const { return seriesGrouping(groupBy) != SeriesGrouping(SeriesEntity::Location); }
};

/// A profile that is ready to be printed.
struct PreparedProfile {
    std::shared_ptr<const Profile> profile;
    std::size_t column = 0;
    bool time = true;
    std::string metric;
    std::optional<SeriesEntities> groups = {};  ///< what rows stand for instead of locations
};

/// Whether it is not known who called whom.
bool isFlat(const Profile& profile);

/// The columns of one table of all of these profiles.
std::vector<Field> profileFields(const ProfileOptions& options, const std::vector<PreparedProfile>& prepared);

/// The rows of one of them; false: the reader wants no more.
bool emitProfileRows(const Experiment& experiment, const PreparedProfile& prepared,
                     const ProfileOptions& options, const Emit& emit);

}  // namespace skein::cli
