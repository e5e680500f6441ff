// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/profile/moments.h"
#include "views/common/scene/data/session_profiles.h"

#include <cstdint>
#include <string>
#include <vector>

namespace skein {

/// What of the metric a bar is long.
enum class ProfileQuantity : std::uint8_t {
    Exclusive,
    Inclusive,
    Calls,
    Subroutines,  ///< of metrics that are told by call
    Events,
    Sum,
    Mean,
    Minimum,
    Maximum,
    Deviation,  ///< of user events and samples
};

/// What a bar stands for.
enum class ProfileGrouping : std::uint8_t { Location, Process, Node, Component };

/// What is summed up, and how it is cut into bars.
struct ProfileRequest : ProfileQuery {
    std::string sampled = {};  ///< a metric of sampledMetricNames() in place of `metric`; or empty
    ProfileQuantity quantity = ProfileQuantity::Exclusive;
    ProfileGrouping grouping = ProfileGrouping::Location;
};

/// The regions of one name, in every bar.
struct ProfileSeries {
    std::string name;
    std::vector<RegionRef> regions;  ///< sorted; empty for amounts that belong to no region
    double total = 0;
};

struct ProfileSegment {
    std::uint32_t series = 0;
    double amount = 0;
};

struct ProfileBar {
    std::string label;
    std::vector<LocationRef> locations;    ///< sorted
    double total = 0;                      ///< of its segments
    std::vector<ProfileSegment> segments;  ///< by series
};

/// The shares of regions on each location, or group of locations.
struct ProfileBars {
    std::vector<ProfileSeries> series;  ///< greatest total first, then by name
    std::vector<ProfileBar> bars;       ///< by experiment, rank and thread
    double total = 0;
    std::string unit;    ///< "ns", "B", "", …
    std::string title;   ///< "Time, exclusive"; of the metric that is shown where a profile has no time
    bool addsUp = true;  ///< false: means and extremes, and inclusive amounts that contain each other
    bool insteadOfTime = false;     ///< the title's metric stands in place of a time that was not recorded
    bool someWithoutTimes = false;  ///< profiles that were left out because a span was asked for
    std::uint32_t hidden = 0;       ///< regions that filters hide; their amounts are in no bar
};

/// Which quantities there are for user events and samples, and for metrics told by call.
bool isOfSamples(ProfileQuantity quantity);

/// "exclusive", "standard deviation".
std::string name(ProfileQuantity quantity);

/// Sums are those of algorithms/profile: exclusive, inclusive and calls of a series add up to what
/// `skein-cli profile --by region` prints. Locations that the filters hide have no bar, those that did
/// nothing neither. Errors: Cancelled; InvalidArgument with a sentence why no experiment has the metric.
Result<ProfileBars> makeProfileBars(const Session& session, const ProfileRequest& request, const Task& task);

}  // namespace skein
