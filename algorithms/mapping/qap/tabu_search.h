// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/mapping/base/random.h"
#include "algorithms/mapping/qap/qap_instance.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace skein {

/// Robust tabu search for dense quadratic assignment (Taillard 1991): always the best swap that is not tabu,
/// tenures drawn at random, a tabu swap allowed when it leads to a new best. All n(n−1)/2 gains are kept;
/// after a swap each of the others changes by one product of two differences (two for asymmetric matrices),
/// in loops over contiguous rows that compilers vectorise: the distance matrix is kept permuted, tabu times
/// are kept by the item that holds a place. Where we differ from Taillard: ties are broken at random, and the
/// rule that forces swaps not seen for long is left to the memetic frame. Cost O(n²) a step. `Number` holds
/// gains exactly: int32 where they fit, else double (2^53). Not thread-safe; the instance must outlive it.
template <typename Number>
class TabuSearch {
public:
    explicit TabuSearch(const QapInstance& instance);

    /// Searches from a permutation for `steps` swaps or until `stop` says so (asked about every half
    /// millisecond). Returns the steps done.
    std::uint64_t run(const std::vector<std::uint32_t>& start, std::uint64_t steps, Random& random,
                      const std::function<bool()>& stop);

    const std::vector<std::uint32_t>& best() const { return best_; }
    std::int64_t bestCost() const { return bestCost_; }

private:
    struct Choice {
        std::uint32_t u = 0;
        std::uint32_t v = 0;
        bool found = false;
    };

    Number* row(std::vector<Number>& matrix, std::uint32_t i) const
    {
        return matrix.data() + std::size_t{i} * size_;
    }
    bool reset(const std::vector<std::uint32_t>& start, const std::function<bool()>& stop);
    Choice pick(Random& random);
    std::uint32_t columnOf(std::uint32_t u, Number least, Number aspired, Random& random);
    void swap(std::uint32_t u, std::uint32_t v);
    void updateGains(std::uint32_t u, std::uint32_t v);
    void exchangeColumns(std::vector<Number>& matrix, std::uint32_t u, std::uint32_t v);
    void refreshUntil(std::uint32_t u);
    Number gainOf(std::uint32_t u, std::uint32_t v) const;

    const QapInstance& instance_;
    std::uint32_t size_ = 0;
    bool symmetric_ = false;
    std::vector<Number> flow_;
    std::vector<Number> distance_;  ///< permuted: [i][j] is between the places of items i and j
    std::vector<Number> gain_;      ///< [u][v] for v > u; the lowest row wins nothing below the diagonal
    std::vector<Number> returns_;   ///< [u][v]: item u may not return to the place of item v before this step
    std::vector<Number> until_;     ///< [u][v] for v > u: both would return before this step
    std::vector<Number> flowRow_, flowColumn_, distanceRow_, distanceColumn_;
    std::vector<std::uint32_t> permutation_;
    std::vector<std::uint32_t> best_;
    std::int64_t cost_ = 0;
    std::int64_t bestCost_ = 0;
    Number step_ = 0;
};

/// True where every gain of the instance, and sums of two, fit into 32 bits.
bool fitsInt32(const QapInstance& instance);

extern template class TabuSearch<std::int32_t>;
extern template class TabuSearch<double>;

}  // namespace skein
