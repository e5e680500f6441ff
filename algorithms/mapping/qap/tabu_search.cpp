// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/qap/tabu_search.h"

#include <algorithm>
#include <limits>

// The two loops that take nearly all the time are compiled for wider vectors as well, chosen when the program
// starts.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)        \
    && !defined(__SANITIZE_THREAD__)
#define SKEIN_WIDE_VECTORS __attribute__((target_clones("avx2", "default")))
#else
#define SKEIN_WIDE_VECTORS
#endif

namespace skein {
namespace {

/// Pairs looked at between two questions whether to stop.
constexpr std::uint64_t kPairsBetweenStops = 1u << 19;
/// All gains of smaller problems are known in some milliseconds.
constexpr std::uint32_t kSizeToAskAtEachRow = 128;
/// A run never needs more; step numbers must stay exact.
constexpr std::uint64_t kMaximumSteps = 1u << 30;

template <typename Number>
inline void addProductsTo(Number* gain, const Number* flow, const Number* distance, Number flowHere,
                          Number distanceHere, std::uint32_t begin, std::uint32_t end)
{
    for (std::uint32_t s = begin; s < end; ++s)
        gain[s] += (flowHere - flow[s]) * (distance[s] - distanceHere);
}

template <typename Number>
inline Number leastOf(const Number* gain, const Number* until, Number step, Number aspired,
                      std::uint32_t begin, std::uint32_t end)
{
    Number least = std::numeric_limits<Number>::max();
    for (std::uint32_t v = begin; v < end; ++v) {
        const bool barred = until[v] > step && gain[v] >= aspired;
        const Number value = barred ? std::numeric_limits<Number>::max() : gain[v];
        least = value < least ? value : least;
    }
    return least;
}

SKEIN_WIDE_VECTORS void addProducts(std::int32_t* gain, const std::int32_t* flow,
                                    const std::int32_t* distance, std::int32_t flowHere,
                                    std::int32_t distanceHere, std::uint32_t begin, std::uint32_t end)
{
    addProductsTo(gain, flow, distance, flowHere, distanceHere, begin, end);
}

SKEIN_WIDE_VECTORS void addProducts(double* gain, const double* flow, const double* distance, double flowHere,
                                    double distanceHere, std::uint32_t begin, std::uint32_t end)
{
    addProductsTo(gain, flow, distance, flowHere, distanceHere, begin, end);
}

SKEIN_WIDE_VECTORS std::int32_t least(const std::int32_t* gain, const std::int32_t* until, std::int32_t step,
                                      std::int32_t aspired, std::uint32_t begin, std::uint32_t end)
{
    return leastOf(gain, until, step, aspired, begin, end);
}

SKEIN_WIDE_VECTORS double least(const double* gain, const double* until, double step, double aspired,
                                std::uint32_t begin, std::uint32_t end)
{
    return leastOf(gain, until, step, aspired, begin, end);
}

bool isSymmetric(const std::vector<std::int64_t>& matrix, std::uint32_t size)
{
    for (std::uint32_t i = 0; i < size; ++i) {
        for (std::uint32_t j = 0; j < i; ++j) {
            if (matrix[std::size_t{i} * size + j] != matrix[std::size_t{j} * size + i]) return false;
        }
    }
    return true;
}

long double largestMagnitude(const std::vector<std::int64_t>& values)
{
    long double most = 0;
    for (const std::int64_t value : values)
        most = std::max(most, value < 0 ? -static_cast<long double>(value) : static_cast<long double>(value));
    return most;
}

}  // namespace

bool fitsInt32(const QapInstance& instance)
{
    // A gain sums 2(n+1) products of two differences, each at most twice the largest entry.
    const long double bound =
        8.0L * (instance.size + 1) * largestMagnitude(instance.flow) * largestMagnitude(instance.distance);
    return bound < 0x1.0p30L;
}

template <typename Number>
TabuSearch<Number>::TabuSearch(const QapInstance& instance)
    : instance_(instance),
      size_(instance.size),
      symmetric_(isSymmetric(instance.flow, instance.size) && isSymmetric(instance.distance, instance.size)),
      flow_(instance.flow.begin(), instance.flow.end()),
      flowRow_(size_),
      flowColumn_(size_),
      distanceRow_(size_),
      distanceColumn_(size_)
{
}

/// False where it was told to stop before all gains were known; the best is the start then.
template <typename Number>
bool TabuSearch<Number>::reset(const std::vector<std::uint32_t>& start, const std::function<bool()>& stop)
{
    permutation_ = best_ = start;
    cost_ = bestCost_ = qapCost(instance_, start);
    step_ = 0;
    distance_.resize(std::size_t{size_} * size_);
    gain_.assign(std::size_t{size_} * size_, 0);
    returns_.assign(std::size_t{size_} * size_, 0);
    until_ = returns_;
    for (std::uint32_t i = 0; i < size_; ++i) {
        for (std::uint32_t j = 0; j < size_; ++j)
            row(distance_, i)[j] = static_cast<Number>(instance_.distanceAt(start[i], start[j]));
    }
    for (std::uint32_t i = 0; i < size_; ++i) {
        if (size_ > kSizeToAskAtEachRow && stop()) return false;
        for (std::uint32_t j = i + 1; j < size_; ++j) row(gain_, i)[j] = gainOf(i, j);
    }
    return true;
}

/// What swapping u and v adds to the cost, from the permuted distances. O(n).
template <typename Number>
Number TabuSearch<Number>::gainOf(std::uint32_t u, std::uint32_t v) const
{
    const Number* fu = flow_.data() + std::size_t{u} * size_;
    const Number* fv = flow_.data() + std::size_t{v} * size_;
    const Number* du = distance_.data() + std::size_t{u} * size_;
    const Number* dv = distance_.data() + std::size_t{v} * size_;
    Number rows = 0;
    for (std::uint32_t k = 0; k < size_; ++k) rows += (fu[k] - fv[k]) * (dv[k] - du[k]);
    // The terms of k = u and k = v above pair the wrong entries: they are taken back and put right.
    rows -= (fu[u] - fv[u]) * (dv[u] - du[u]) + (fu[v] - fv[v]) * (dv[v] - du[v]);
    const Number own = (fu[u] - fv[v]) * (dv[v] - du[u]) + (fu[v] - fv[u]) * (dv[u] - du[v]);
    if (symmetric_) return 2 * rows + own;
    Number columns = 0;
    for (std::uint32_t k = 0; k < size_; ++k) {
        if (k == u || k == v) continue;
        const std::size_t at = std::size_t{k} * size_;
        columns += (flow_[at + u] - flow_[at + v]) * (distance_[at + v] - distance_[at + u]);
    }
    return rows + columns + own;
}

template <typename Number>
std::uint64_t TabuSearch<Number>::run(const std::vector<std::uint32_t>& start, std::uint64_t steps,
                                      Random& random, const std::function<bool()>& stop)
{
    if (!reset(start, stop) || size_ < 2) return 0;
    const std::uint64_t pairs = std::uint64_t{size_} * (size_ - 1) / 2;
    const std::uint64_t between = std::max<std::uint64_t>(1, kPairsBetweenStops / pairs);
    const std::uint64_t limit = std::min(steps, kMaximumSteps);
    const auto tenure = [&] { return static_cast<Number>(9 * size_ / 10 + random.below(size_ / 5 + 2)); };
    for (std::uint64_t i = 0; i < limit; ++i) {
        if (i % between == 0 && stop()) return i;
        step_ += 1;
        const Choice choice = pick(random);
        if (!choice.found) continue;
        swap(choice.u, choice.v);
        // u now stands where v stood, and the other way round: neither may soon return to its former place.
        row(returns_, choice.u)[choice.v] = step_ + tenure();
        row(returns_, choice.v)[choice.u] = step_ + tenure();
        refreshUntil(choice.u);
        refreshUntil(choice.v);
        if (cost_ >= bestCost_) continue;
        bestCost_ = cost_;
        best_ = permutation_;
    }
    return limit;
}

template <typename Number>
typename TabuSearch<Number>::Choice TabuSearch<Number>::pick(Random& random)
{
    const auto aspired =
        static_cast<Number>(std::clamp<std::int64_t>(bestCost_ - cost_, -(std::int64_t{1} << 30), 0));
    Choice chosen;
    Number best = std::numeric_limits<Number>::max();
    std::uint32_t ties = 0;
    for (std::uint32_t u = 0; u + 1 < size_; ++u) {
        const Number value = least(row(gain_, u), row(until_, u), step_, aspired, u + 1, size_);
        if (value > best || value == std::numeric_limits<Number>::max()) continue;
        ties = value == best ? ties + 1 : 1;
        best = value;
        if (ties > 1 && random.below(ties) != 0) continue;
        chosen.u = u;
        chosen.found = true;
    }
    if (chosen.found) chosen.v = columnOf(chosen.u, best, aspired, random);
    return chosen;
}

/// A random one of the allowed columns of a row with that gain.
template <typename Number>
std::uint32_t TabuSearch<Number>::columnOf(std::uint32_t u, Number value, Number aspired, Random& random)
{
    std::uint32_t chosen = u;
    std::uint32_t ties = 0;
    for (std::uint32_t v = u + 1; v < size_; ++v) {
        if (row(gain_, u)[v] != value || (row(until_, u)[v] > step_ && value >= aspired)) continue;
        if (++ties == 1 || random.below(ties) == 0) chosen = v;
    }
    return chosen;
}

template <typename Number>
void TabuSearch<Number>::swap(std::uint32_t u, std::uint32_t v)
{
    cost_ += static_cast<std::int64_t>(row(gain_, std::min(u, v))[std::max(u, v)]);
    updateGains(u, v);
    exchangeColumns(distance_, u, v);
    std::swap_ranges(row(distance_, u), row(distance_, u) + size_, row(distance_, v));
    exchangeColumns(returns_, u, v);
    std::swap(permutation_[u], permutation_[v]);
    for (std::uint32_t k = 0; k < size_; ++k) {
        if (k != u) row(gain_, std::min(u, k))[std::max(u, k)] = gainOf(std::min(u, k), std::max(u, k));
        if (k != u && k != v)
            row(gain_, std::min(v, k))[std::max(v, k)] = gainOf(std::min(v, k), std::max(v, k));
    }
}

template <typename Number>
void TabuSearch<Number>::exchangeColumns(std::vector<Number>& matrix, std::uint32_t u, std::uint32_t v)
{
    for (std::uint32_t k = 0; k < size_; ++k) std::swap(row(matrix, k)[u], row(matrix, k)[v]);
}

/// Recomputes the pairs of one item from when each of both may return.
template <typename Number>
void TabuSearch<Number>::refreshUntil(std::uint32_t u)
{
    for (std::uint32_t k = 0; k < size_; ++k) {
        if (k != u)
            row(until_, std::min(u, k))[std::max(u, k)] = std::min(row(returns_, u)[k], row(returns_, k)[u]);
    }
}

/// Pairs without u and v change by products of how rows (and columns) of u and v differ, before the swap.
template <typename Number>
void TabuSearch<Number>::updateGains(std::uint32_t u, std::uint32_t v)
{
    const Number factor = symmetric_ ? 2 : 1;
    for (std::uint32_t k = 0; k < size_; ++k) {
        const std::size_t at = std::size_t{k} * size_;
        flowRow_[k] = factor * (flow_[at + u] - flow_[at + v]);
        distanceRow_[k] = distance_[at + v] - distance_[at + u];
        if (symmetric_) continue;
        flowColumn_[k] = flow_[std::size_t{u} * size_ + k] - flow_[std::size_t{v} * size_ + k];
        distanceColumn_[k] = distance_[std::size_t{v} * size_ + k] - distance_[std::size_t{u} * size_ + k];
    }
    for (std::uint32_t r = 0; r + 1 < size_; ++r) {
        addProducts(row(gain_, r), flowRow_.data(), distanceRow_.data(), flowRow_[r], distanceRow_[r], r + 1,
                    size_);
        if (symmetric_) continue;
        addProducts(row(gain_, r), flowColumn_.data(), distanceColumn_.data(), flowColumn_[r],
                    distanceColumn_[r], r + 1, size_);
    }
}

template class TabuSearch<std::int32_t>;
template class TabuSearch<double>;

}  // namespace skein
