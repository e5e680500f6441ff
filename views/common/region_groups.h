// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/select/view_state.h"
#include "core/session/experiment.h"
#include "views/common/scene/palette.h"

#include <vector>

namespace skein {

/// The colours of each experiment's regions. O(regions).
std::vector<RegionPalette> palettesOf(const Session& session, const Theme& theme);

/// The regions of a group over all experiments; sorted. O(regions).
std::vector<RegionRef> regionsOfGroup(const Session& session, PaletteGroup group);

}  // namespace skein
