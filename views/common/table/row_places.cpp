// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/table/row_places.h"

namespace skein {

std::vector<int> placesOf(const std::vector<std::uint32_t>& order, std::size_t rows)
{
    std::vector<int> places(rows, -1);
    for (std::size_t place = 0; place < order.size(); ++place) places[order[place]] = static_cast<int>(place);
    return places;
}

}  // namespace skein
