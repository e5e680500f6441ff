// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/scene/color/color.h"

#include <cstdint>

namespace skein {

/// Colours of clusters of entities: ten that are apart from each other and from the teal of change points,
/// then the same again.
Color clusterColor(std::uint32_t cluster, bool dark);

/// Of change points.
Color changeColor(bool dark);

/// Of the time that others are compared with: brown.
Color baseColor(bool dark);

}  // namespace skein
