// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/natural_order.h"

#include <QString>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
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

/// Sorts rows by what `text` says of them, whatever the case and as people count: "Rank 9" before "Rank 10".
/// Rows that are alike stay in their order.
template <typename TextOf>
void sortByText(std::vector<std::uint32_t>& rows, Qt::SortOrder order, TextOf text)
{
    std::vector<std::pair<std::string, std::uint32_t>> keys;
    keys.reserve(rows.size());
    for (const std::uint32_t row : rows) keys.emplace_back(text(row).toCaseFolded().toStdString(), row);
    std::stable_sort(keys.begin(), keys.end(), [order](const auto& a, const auto& b) {
        return order == Qt::AscendingOrder ? NaturalOrder()(a.first, b.first)
                                           : NaturalOrder()(b.first, a.first);
    });
    std::transform(keys.begin(), keys.end(), rows.begin(), [](const auto& key) { return key.second; });
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
