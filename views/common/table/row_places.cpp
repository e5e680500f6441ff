// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/table/row_places.h"

namespace skein {

std::vector<int> placesOf(const std::vector<std::uint32_t>& order, std::size_t rows)
{
    std::vector<int> places(rows, -1);
    for (std::size_t place = 0; place < order.size(); ++place) places[order[place]] = static_cast<int>(place);
    return places;
}

std::vector<int> movesOf(const std::vector<std::uint32_t>& before, const std::vector<std::uint32_t>& after,
                         std::size_t rows)
{
    const std::vector<int> places = placesOf(after, rows);
    std::vector<int> moves;
    for (const std::uint32_t row : before) moves.push_back(places[row]);
    return moves;
}

}  // namespace skein
