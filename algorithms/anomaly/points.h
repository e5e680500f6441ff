// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>

namespace skein {

/// Points of one dimension after the other: a view.
struct Points {
    std::span<const double> values;  ///< [point × dimensions + dimension]
    std::size_t dimensions = 1;

    std::size_t size() const { return dimensions == 0 ? 0 : values.size() / dimensions; }
    std::span<const double> operator[](std::size_t point) const
    {
        return values.subspan(point * dimensions, dimensions);
    }
};

/// Of two points of the same number of dimensions.
inline double squaredDistance(std::span<const double> a, std::span<const double> b)
{
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sum;
}

}  // namespace skein
