// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"
#include "views/common/scene/color/palette.h"
#include "views/common/scene/drawing/draw_list.h"
#include "views/common/scene/drawing/scene_style.h"
#include "views/profile/profile_bars_scene.h"

#include <memory>
#include <string>
#include <vector>

namespace skein {

enum class ProfileShape : std::uint8_t { Bars, Treemap };
enum class ProfileScale : std::uint8_t { Amounts, Shares };
/// From top to bottom: by rank, by what the whole bar is long, by what the selected regions are long, by
/// name.
enum class ProfileOrder : std::uint8_t { Rank, Amount, SelectedRegions, Name };

/// Where bars begin: at the left edge, or so that all have the selected region at one place. Of several
/// selected regions it is the largest.
enum class ProfileAlignment : std::uint8_t { Start, SelectedRegion };

/// How a profile is drawn.
struct ProfileOptions {
    ProfileShape shape = ProfileShape::Bars;
    ProfileScale scale = ProfileScale::Amounts;
    ProfileOrder order = ProfileOrder::Rank;
    ProfileAlignment alignment = ProfileAlignment::Start;
    std::uint32_t largest = 12;  ///< regions with a segment of their own; what others took is one segment
    double scrollY = 0;          ///< device pixels that are scrolled out above

    bool operator==(const ProfileOptions&) const = default;
};

/// What a profile draws: amounts, and how each series looks.
struct ProfilePicture {
    ProfileBars bars;
    RegionGrouping grouping = RegionGrouping::Role;
    std::vector<ShownGroup> groups;      ///< in the order of legends
    std::vector<std::uint32_t> groupOf;  ///< of each series: index into groups
    ShadeChoice shades = {};
};

using ProfilePicturePtr = std::shared_ptr<const ProfilePicture>;

ProfilePicturePtr makeProfilePicture(const Session& session, ProfileBars bars, RegionGrouping grouping);

/// Where everything is. Device pixels.
struct ProfileLayout {
    Rect caption, heading, axis, labels, body, legend;
    std::vector<std::uint32_t> order;  ///< bars from top to bottom
    std::uint32_t shown = 0;           ///< series that have segments of their own
    double rowHeight = 0;
    double maximumScroll = 0;
    double maximum = 0;          ///< amount from the left to the right edge of the body
    double zero = 0;             ///< amount from the left edge to where axis values count from
    std::vector<double> starts;  ///< of each bar: amount from the left edge to its begin
};

ProfileLayout profileLayout(const ProfilePicture& picture, const Selection& selected,
                            const ProfileOptions& options, const Canvas& canvas);

/// Kinds of HitId in the scene. `item`: of segments the bar and `part` the series; of names in the legend the
/// series.
enum class ProfileHit : std::uint32_t { None, Segment, Label, Legend };
/// Stands for the series that have no segment of their own.
inline constexpr std::uint32_t kRestSeries = 0xFFFFFFFFu;
/// Stands for all bars together: treemaps show their sum.
inline constexpr std::uint32_t kAllBars = 0xFFFFFFFFu;

/// A bar a location or a treemap of all of them, with axis and legend. Regions that are not selected are
/// faint where some are. The cost depends on the pixels and on the number of series.
DrawList profileScene(const ProfilePicture& picture, const Selection& selected, const ProfileOptions& options,
                      const Canvas& canvas);

/// What was hit as a selection; empty for nothing.
Selection profileSelection(const Session& session, const ProfilePicture& picture, const ProfileLayout& layout,
                           HitId hit);

/// Lines about it: region, location, amount, shares.
std::vector<std::string> profileTooltip(const ProfilePicture& picture, const ProfileLayout& layout,
                                        HitId hit);

/// "Time, exclusive: 12.5 s in 24 regions on 8 locations".
std::string profileHeading(const ProfileBars& bars, ProfileShape shape);

/// One line a bar and region: bar, region, amount. With a header line.
std::string profileCsv(const ProfileBars& bars);

}  // namespace skein
