// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/session/json_view.h"
#include "core/select/kept_placement.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

namespace skein::gui {

/// What is written: session files that are larger than they may be could not be read again.
inline constexpr std::size_t kMostKeptPlacements = 256;
inline constexpr std::size_t kMostKeptRanks = std::size_t{4} << 20;     ///< of all of them, fronts as well
inline constexpr std::size_t kMostKeptProgress = std::size_t{1} << 16;  ///< points of all curves

/// How many are left out because there are more, or they are larger, than may be kept. Curves and fronts are
/// kept as far as they have room beside all placements, and do not count.
std::size_t leftOut(const std::vector<KeptPlacement>& placements);

nlohmann::json placementsToJson(const std::vector<KeptPlacement>& placements);

/// The same read; `experimentOf` gives the experiment that a number of the file stands for. What names no
/// slots or an experiment that is not there, has the name of another one, or is more than may be kept counts
/// in `lost`, and so does a point of a front that cannot be one of its placement.
std::vector<KeptPlacement> placementsFrom(
    const JsonView& value, const std::function<std::optional<std::uint32_t>(std::int64_t)>& experimentOf,
    std::size_t& lost);

}  // namespace skein::gui
