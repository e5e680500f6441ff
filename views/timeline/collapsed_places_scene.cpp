// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/collapsed_places_scene.h"

#include <algorithm>

namespace skein {

const PlacedRow* placeOrCollapsed(const TimelineLayout& layout, LocationRef location)
{
    if (const PlacedRow* own = layout.placeOf(location)) return own;
    const auto holds = [&](const PlacedRow& place) {
        const auto& folded = layout.rows[place.row].folded;
        return !folded.empty() && folded.front().experiment == location.experiment
            && std::find(folded.begin(), folded.end(), location) != folded.end();
    };
    const auto found = std::find_if(layout.places.begin(), layout.places.end(), holds);
    return found == layout.places.end() ? nullptr : &*found;
}

}  // namespace skein
