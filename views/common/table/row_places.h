// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

namespace skein {

/// The inverse of an order: at index i where row i of `rows` stands; -1 for rows that `order` leaves out. O(rows).
std::vector<int> placesOf(const std::vector<std::uint32_t>& order, std::size_t rows);

}  // namespace skein
