// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/drawing/scene_style.h"

#include <algorithm>
#include <cmath>

namespace skein {

double Canvas::px(double logical) const { return std::max(1.0, std::round(logical * style.scale)); }

}  // namespace skein
