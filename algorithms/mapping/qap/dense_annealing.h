// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/mapping/base/random.h"
#include "algorithms/mapping/qap/qap_instance.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace skein {

/// Annealing of a dense quadratic assignment by swaps in a fixed order (Connolly 1990), cooling geometrically
/// between temperatures taken from a sample of swaps. Where few flows are heavy, as in real programs, it
/// finds the large-scale order that tabu search from random placements misses. A try costs O(n). Not
/// thread-safe.
class DenseAnnealing {
public:
    explicit DenseAnnealing(const QapInstance& instance);

    /// Tries every swap `sweeps` times, or until `stop` says so (asked once a row of swaps). Returns the
    /// swaps tried.
    std::uint64_t run(std::vector<std::uint32_t>& permutation, std::uint32_t sweeps, Random& random,
                      const std::function<bool()>& stop);

private:
    using Matrix = std::vector<double>;

    const double* row(const Matrix& matrix, std::uint32_t i) const
    {
        return matrix.data() + std::size_t{i} * size_;
    }
    void place(const std::vector<std::uint32_t>& permutation);
    double change(std::uint32_t u, std::uint32_t v) const;
    void swap(std::uint32_t u, std::uint32_t v);
    double meanRise(Random& random) const;

    const QapInstance& instance_;
    std::uint32_t size_ = 0;
    bool symmetric_ = false;
    Matrix flow_, flowBack_;          ///< and its transpose
    Matrix distance_, distanceBack_;  ///< permuted: [i][j] is between the places of items i and j
};

}  // namespace skein
