// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace skein {

/// A dense quadratic assignment problem (Koopmans and Beckmann 1957): the permutation p that minimises
/// Σᵢⱼ flow[i][j] · distance[p(i)][p(j)] over ordered pairs. Neither matrix need be symmetric or have a zero
/// diagonal.
struct QapInstance {
    std::uint32_t size = 0;
    std::vector<std::int64_t> flow;      ///< size × size
    std::vector<std::int64_t> distance;  ///< size × size

    std::int64_t flowAt(std::uint32_t i, std::uint32_t j) const { return flow[std::size_t{i} * size + j]; }
    std::int64_t distanceAt(std::uint32_t i, std::uint32_t j) const
    {
        return distance[std::size_t{i} * size + j];
    }
};

inline constexpr std::uint32_t kMaximumQapSize = 1024;

/// Reads QAPLIB's text (Burkard, Karisch, Rendl 1997): `n [value] A B`, whole numbers between any white
/// space. Some files carry a value after n; the count of numbers tells. Errors: Malformed for other text,
/// Unsupported for n over kMaximumQapSize or numbers whose cost could pass 2^62.
Result<QapInstance> parseQaplib(std::string_view text);

/// The cost of a permutation, exactly. O(n²).
std::int64_t qapCost(const QapInstance& instance, std::span<const std::uint32_t> permutation);

/// What exchanging the places of u and v adds to the cost, exactly. O(n).
std::int64_t qapSwapChange(const QapInstance& instance, std::span<const std::uint32_t> permutation,
                           std::uint32_t u, std::uint32_t v);

/// A lower bound by Gilmore and Lawler (1962): a linear assignment of minimal scalar products. O(n³ log n).
std::int64_t gilmoreLawlerBound(const QapInstance& instance);

}  // namespace skein
