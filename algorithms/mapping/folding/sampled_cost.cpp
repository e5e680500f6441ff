// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/folding/sampled_cost.h"

#include <algorithm>
#include <cstring>

namespace skein {
namespace {

constexpr std::uint32_t kLongestPacked = 127;
constexpr std::size_t kBlock = 32;             ///< pairs that are judged together
constexpr std::uint32_t kEntriesOfBlock = 64;  ///< of which the sum is kept
constexpr std::uint32_t kRanksOfLook = 4096;   ///< between two looks at the task

/// Σ of the eight bytes of a word; each is at most 127.
std::uint32_t sumOfBytes(std::uint64_t word)
{
    const std::uint64_t pairs = (word & 0x00FF00FF00FF00FFull) + ((word >> 8) & 0x00FF00FF00FF00FFull);
    return static_cast<std::uint32_t>((pairs * 0x0001000100010001ull) >> 48);
}

}  // namespace

SampledCost::SampledCost(const MappingProblem& problem, std::span<const std::uint32_t> slotAt,
                         const Task& task)
    : problem_(problem), slotAt_(slotAt)
{
    sumBlocks(task);
    if (const GridDistances* grid = problem.distances.grid(); grid && pairs_ > 0) packGrid(*grid);
}

void SampledCost::sumBlocks(const Task& task)
{
    const FlowGraph& flow = problem_.flow;
    double sum = 0.0;
    for (std::uint32_t rank = 0; rank < flow.ranks; ++rank) {
        if (rank % kRanksOfLook == 0 && task.stopRequested()) {
            pairs_ = 0;
            sumAfter_.clear();
            return;
        }
        for (std::uint32_t entry = flow.first[rank]; entry < flow.first[rank + 1]; ++entry) {
            if (entry % kEntriesOfBlock == 0) sumAfter_.push_back(sum);
            if (flow.peer[entry] >= rank) {
                ++pairs_;
                sum += static_cast<double>(flow.both(entry));
            }
            sumAfter_.back() = sum;
        }
    }
}

void SampledCost::packGrid(const GridDistances& grid)
{
    const auto dimensions = grid.dimensions();
    const auto tooLong = [](const GridDimension& dimension) { return dimension.size > kLongestPacked; };
    if (dimensions.size() > kLanes || std::any_of(dimensions.begin(), dimensions.end(), tooLong)) return;
    around_.fill(255);
    most_.fill(kLongestPacked);
    for (std::size_t d = 0; d < dimensions.size(); ++d) {
        const GridDimension& dimension = dimensions[d];
        for (const std::size_t lane : {d, d + kLanes}) {
            if (dimension.shape == DimensionShape::Ring)
                around_[lane] = static_cast<std::uint8_t>(dimension.size);
            if (dimension.shape == DimensionShape::Complete) most_[lane] = 1;
        }
    }
    packed_.resize(slotAt_.size());
    for (std::size_t place = 0; place < packed_.size(); ++place) {
        std::array<std::uint8_t, kLanes> position{};
        for (std::size_t d = 0; d < dimensions.size(); ++d)
            position[d] =
                static_cast<std::uint8_t>(grid.coordinate(slotAt_[place] / problem_.ranksPerNode, d));
        std::memcpy(&packed_[place], position.data(), kLanes);
    }
}

FlowSample SampledCost::sample(std::size_t wanted, Random& random) const
{
    if (pairs_ <= wanted) return allPairs();
    FlowSample sample;
    const double step = sumAfter_.back() / static_cast<double>(wanted);
    for (std::size_t i = 0; i < wanted; ++i)
        addPairAt((static_cast<double>(i) + random.unit()) * step, step, sample);
    return sample;
}

FlowSample SampledCost::allPairs() const
{
    FlowSample sample;
    if (pairs_ == 0) return sample;
    const FlowGraph& flow = problem_.flow;
    for (std::uint32_t rank = 0; rank < flow.ranks; ++rank) {
        for (std::uint32_t entry = flow.first[rank]; entry < flow.first[rank + 1]; ++entry) {
            if (flow.peer[entry] < rank) continue;
            sample.from.push_back(rank);
            sample.to.push_back(flow.peer[entry]);
            sample.weight.push_back(static_cast<double>(flow.both(entry)));
        }
    }
    return sample;
}

void SampledCost::addPairAt(double bytes, double weight, FlowSample& sample) const
{
    const FlowGraph& flow = problem_.flow;
    // The product of a step may be more than all by a rounding.
    const double at = std::min(bytes, sumAfter_.back());
    const auto block = static_cast<std::size_t>(std::lower_bound(sumAfter_.begin(), sumAfter_.end(), at)
                                                - sumAfter_.begin());
    auto entry = static_cast<std::uint32_t>(block * kEntriesOfBlock);
    auto rank = static_cast<std::uint32_t>(std::upper_bound(flow.first.begin(), flow.first.end(), entry)
                                           - flow.first.begin() - 1);
    // Added in the order of the sums after blocks, so that the pair is found by the same roundings.
    for (double sum = block == 0 ? 0.0 : sumAfter_[block - 1];; ++entry) {
        while (entry >= flow.first[rank + 1]) ++rank;
        if (flow.peer[entry] < rank) continue;
        sum += static_cast<double>(flow.both(entry));
        if (sum >= at) break;
    }
    sample.from.push_back(rank);
    sample.to.push_back(flow.peer[entry]);
    sample.weight.push_back(weight);
}

double SampledCost::cost(std::span<const std::uint32_t> from, std::span<const std::uint32_t> to,
                         std::span<const double> weight) const
{
    double sum = 0.0;
    if (packed_.empty()) {
        problem_.distances.visit([&](const auto& hops) {
            for (std::size_t i = 0; i < from.size(); ++i)
                sum += weight[i]
                    * hops.between(slotAt_[from[i]] / problem_.ranksPerNode,
                                   slotAt_[to[i]] / problem_.ranksPerNode);
        });
        return sum;
    }
    std::array<std::uint64_t, kBlock> a{}, b{};
    std::array<std::uint8_t, kBlock * kLanes> x{}, y{};
    for (std::size_t begin = 0; begin < from.size(); begin += kBlock) {
        const std::size_t count = std::min(kBlock, from.size() - begin);
        for (std::size_t i = 0; i < count; ++i) {
            a[i] = packed_[from[begin + i]];
            b[i] = packed_[to[begin + i]];
        }
        std::memcpy(x.data(), a.data(), sizeof(a));
        std::memcpy(y.data(), b.data(), sizeof(b));
        for (std::size_t base = 0; base < x.size(); base += 2 * kLanes) {
            for (std::size_t lane = 0; lane < 2 * kLanes; ++lane) {
                const std::uint8_t p = x[base + lane];
                const std::uint8_t q = y[base + lane];
                const auto straight = static_cast<std::uint8_t>(std::max(p, q) - std::min(p, q));
                const auto back = static_cast<std::uint8_t>(around_[lane] - straight);
                x[base + lane] = std::min(std::min(straight, back), most_[lane]);
            }
        }
        std::memcpy(a.data(), x.data(), sizeof(a));
        for (std::size_t i = 0; i < count; ++i) sum += weight[begin + i] * sumOfBytes(a[i]);
    }
    return sum;
}

}  // namespace skein
