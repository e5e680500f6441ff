// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/session/json_view.h"
#include "core/select/kept_placement.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

namespace skein::gui {

/// Placements with at most 4 Mi ranks in all, the first ones first: session files that are larger than they
/// may be could not be read again.
nlohmann::json placementsToJson(const std::vector<KeptPlacement>& placements);

/// The same read; `experimentOf` gives the experiment that a number of the file stands for. What names no
/// slots, or an experiment that is not there, counts in `lost`.
std::vector<KeptPlacement> placementsFrom(
    const JsonView& value, const std::function<std::optional<std::uint32_t>(std::int64_t)>& experimentOf,
    std::size_t& lost);

}  // namespace skein::gui
