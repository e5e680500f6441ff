// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/qap/dense_annealing.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace skein {
namespace {

constexpr int kSamples = 200;
/// First and last temperature, of the mean rise of a random swap; measured best on instances of each kind of
/// QAPLIB.
constexpr double kFirstHeat = 0.5;
constexpr double kLastHeat = 0.002;
constexpr std::size_t kLanes = 4;

/// Σ (a − b)(c − d) over the rows, in lanes that compilers vectorise.
double crossSum(const double* a, const double* b, const double* c, const double* d, std::size_t size)
{
    double lanes[kLanes] = {};
    std::size_t k = 0;
    for (; k + kLanes <= size; k += kLanes) {
        for (std::size_t lane = 0; lane < kLanes; ++lane)
            lanes[lane] += (a[k + lane] - b[k + lane]) * (c[k + lane] - d[k + lane]);
    }
    double sum = (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
    for (; k < size; ++k) sum += (a[k] - b[k]) * (c[k] - d[k]);
    return sum;
}

}  // namespace

DenseAnnealing::DenseAnnealing(const QapInstance& instance) : instance_(instance), size_(instance.size)
{
    symmetric_ = true;
    for (std::uint32_t i = 0; i < size_; ++i) {
        for (std::uint32_t j = 0; j < i; ++j) {
            symmetric_ = symmetric_ && instance.flowAt(i, j) == instance.flowAt(j, i)
                && instance.distanceAt(i, j) == instance.distanceAt(j, i);
        }
    }
    flow_.resize(std::size_t{size_} * size_);
    flowBack_.resize(flow_.size());
    distance_.resize(flow_.size());
    distanceBack_.resize(flow_.size());
    for (std::uint32_t i = 0; i < size_; ++i) {
        for (std::uint32_t j = 0; j < size_; ++j) {
            flow_[std::size_t{i} * size_ + j] = static_cast<double>(instance.flowAt(i, j));
            flowBack_[std::size_t{j} * size_ + i] = static_cast<double>(instance.flowAt(i, j));
        }
    }
}

void DenseAnnealing::place(const std::vector<std::uint32_t>& permutation)
{
    for (std::uint32_t i = 0; i < size_; ++i) {
        for (std::uint32_t j = 0; j < size_; ++j) {
            const auto hops = static_cast<double>(instance_.distanceAt(permutation[i], permutation[j]));
            distance_[std::size_t{i} * size_ + j] = hops;
            distanceBack_[std::size_t{j} * size_ + i] = hops;
        }
    }
}

double DenseAnnealing::change(std::uint32_t u, std::uint32_t v) const
{
    const double *fu = row(flow_, u), *fv = row(flow_, v), *du = row(distance_, u), *dv = row(distance_, v);
    const auto term = [](const double* a, const double* b, const double* c, const double* d,
                         std::uint32_t k) { return (a[k] - b[k]) * (c[k] - d[k]); };
    double sum = crossSum(fu, fv, dv, du, size_) - term(fu, fv, dv, du, u) - term(fu, fv, dv, du, v);
    if (symmetric_) {
        sum *= 2.0;
    } else {
        const double *bu = row(flowBack_, u), *bv = row(flowBack_, v), *eu = row(distanceBack_, u),
                     *ev = row(distanceBack_, v);
        sum += crossSum(bu, bv, ev, eu, size_) - term(bu, bv, ev, eu, u) - term(bu, bv, ev, eu, v);
    }
    return sum + (fu[u] - fv[v]) * (dv[v] - du[u]) + (fu[v] - fv[u]) * (dv[u] - du[v]);
}

void DenseAnnealing::swap(std::uint32_t u, std::uint32_t v)
{
    for (Matrix* matrix : {&distance_, &distanceBack_}) {
        double* first = matrix->data() + std::size_t{u} * size_;
        double* second = matrix->data() + std::size_t{v} * size_;
        std::swap_ranges(first, first + size_, second);
        for (std::uint32_t i = 0; i < size_; ++i)
            std::swap((*matrix)[std::size_t{i} * size_ + u], (*matrix)[std::size_t{i} * size_ + v]);
    }
}

double DenseAnnealing::meanRise(Random& random) const
{
    double sum = 0.0;
    int rises = 0;
    for (int i = 0; i < kSamples; ++i) {
        const std::uint32_t u = random.below(size_);
        const double rise = change(u, (u + 1 + random.below(size_ - 1)) % size_);
        if (rise <= 0.0) continue;
        sum += rise;
        ++rises;
    }
    return rises == 0 ? 1.0 : sum / rises;
}

std::uint64_t DenseAnnealing::run(std::vector<std::uint32_t>& permutation, std::uint32_t sweeps,
                                  Random& random, const std::function<bool()>& stop)
{
    if (size_ < 2) return 0;
    place(permutation);
    const double unit = meanRise(random);
    std::uint64_t tried = 0;
    for (std::uint32_t sweep = 0; sweep < sweeps; ++sweep) {
        const double heat = unit * kFirstHeat
            * std::pow(kLastHeat / kFirstHeat, static_cast<double>(sweep) / std::max(1u, sweeps - 1));
        for (std::uint32_t u = 0; u + 1 < size_; ++u) {
            if (stop()) return tried;
            for (std::uint32_t v = u + 1; v < size_; ++v, ++tried) {
                const double rise = change(u, v);
                if (rise > 0.0 && random.unit() >= std::exp(-rise / heat)) continue;
                swap(u, v);
                std::swap(permutation[u], permutation[v]);
            }
        }
    }
    return tried;
}

}  // namespace skein
