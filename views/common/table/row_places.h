// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace skein {

/// The inverse of an order: at index i where row i of `rows` stands; -1 for rows that `order` leaves out.
/// O(rows).
std::vector<int> placesOf(const std::vector<std::uint32_t>& order, std::size_t rows);

/// Whether x stands before y; what is no number stands last either way.
inline bool numberBefore(double x, double y, Qt::SortOrder order)
{
    if (std::isnan(x) || std::isnan(y)) return !std::isnan(x) && std::isnan(y);
    return order == Qt::AscendingOrder ? x < y : y < x;
}

/// Sorts rows by what `text` says of them, whatever the case; rows that are alike stay in their order.
template <typename TextOf>
void sortByText(std::vector<std::uint32_t>& rows, Qt::SortOrder order, TextOf text)
{
    std::stable_sort(rows.begin(), rows.end(), [&](std::uint32_t a, std::uint32_t b) {
        const int compared = text(a).compare(text(b), Qt::CaseInsensitive);
        return order == Qt::AscendingOrder ? compared < 0 : compared > 0;
    });
}

/// Sorts rows by what `value` says of them; what is no number stands last either way. Rows that are alike
/// stay in their order.
template <typename ValueOf>
void sortByNumber(std::vector<std::uint32_t>& rows, Qt::SortOrder order, ValueOf value)
{
    std::stable_sort(rows.begin(), rows.end(), [&](std::uint32_t a, std::uint32_t b) {
        return numberBefore(value(a), value(b), order);
    });
}

}  // namespace skein
