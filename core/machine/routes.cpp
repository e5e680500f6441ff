// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/machine/routes.h"

namespace skein {

void RouteSet::add(Route route, std::span<const std::uint32_t> positions)
{
    route.firstStop = dimensions_ == 0 ? 0 : static_cast<std::uint32_t>(positions_.size() / dimensions_);
    route.stops = dimensions_ == 0 ? 0 : static_cast<std::uint32_t>(positions.size() / dimensions_);
    positions_.insert(positions_.end(), positions.begin(), positions.end());
    routes_.push_back(route);
}

}  // namespace skein
