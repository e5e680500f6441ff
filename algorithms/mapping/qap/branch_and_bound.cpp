// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/qap/branch_and_bound.h"

#include "algorithms/mapping/qap/linear_assignment.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>

namespace skein {
namespace {

constexpr std::uint32_t kFree = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t kNodesBetweenStops = 16;

class BoundedSearch {
public:
    BoundedSearch(const QapInstance& instance, std::span<const std::int64_t> linear,
                  std::vector<std::uint32_t> start, const SearchClock& clock, const Task& task)
        : instance_(instance),
          linear_(linear),
          clock_(clock),
          task_(task),
          place_(instance.size, kFree),
          taken_(instance.size, 0)
    {
        result_.cost = qapCost(instance, start);
        for (std::uint32_t i = 0; i < instance.size; ++i) result_.cost += alone(i, start[i]);
        result_.permutation = std::move(start);
        order_.resize(instance.size);
        std::iota(order_.begin(), order_.end(), 0u);
        std::vector<std::int64_t> total(instance.size, 0);
        for (std::uint32_t i = 0; i < instance.size; ++i) {
            for (std::uint32_t j = 0; j < instance.size; ++j)
                total[i] += instance.flowAt(i, j) + instance.flowAt(j, i);
        }
        std::stable_sort(order_.begin(), order_.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return total[a] > total[b]; });
    }

    BranchAndBoundResult run()
    {
        result_.complete = descend(0, 0);
        return std::move(result_);
    }

private:
    std::int64_t alone(std::uint32_t item, std::uint32_t place) const
    {
        return linear_.empty() ? 0 : linear_[std::size_t{item} * instance_.size + place];
    }

    /// What placing the next item adds: to itself and to the items placed before.
    std::int64_t added(std::uint32_t item, std::uint32_t place, std::uint32_t depth) const
    {
        std::int64_t sum =
            alone(item, place) + instance_.flowAt(item, item) * instance_.distanceAt(place, place);
        for (std::uint32_t k = 0; k < depth; ++k) {
            const std::uint32_t other = order_[k];
            sum += instance_.flowAt(item, other) * instance_.distanceAt(place, place_[other])
                + instance_.flowAt(other, item) * instance_.distanceAt(place_[other], place);
        }
        return sum;
    }

    bool descend(std::uint32_t depth, std::int64_t cost)
    {
        if (++result_.nodes % kNodesBetweenStops == 0
            && (task_.stopRequested() || clock_.spent(result_.nodes) >= 1.0))
            return false;
        if (depth == instance_.size) {
            if (cost < result_.cost) {
                result_.cost = cost;
                result_.permutation = place_;
            }
            return true;
        }
        const std::vector<std::int64_t> bounds = placeBounds(depth, cost);
        std::vector<std::uint32_t> places;
        for (std::uint32_t place = 0; place < instance_.size; ++place) {
            if (!taken_[place]) places.push_back(place);
        }
        std::stable_sort(places.begin(), places.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return bounds[a] < bounds[b]; });
        for (const std::uint32_t place : places) {
            if (bounds[place] >= result_.cost) break;
            if (!placeAndDescend(depth, cost, place)) return false;
        }
        return true;
    }

    bool placeAndDescend(std::uint32_t depth, std::int64_t cost, std::uint32_t place)
    {
        const std::uint32_t item = order_[depth];
        const std::int64_t next = cost + added(item, place, depth);
        place_[item] = place;
        taken_[place] = 1;
        const bool complete = descend(depth + 1, next);
        place_[item] = kFree;
        taken_[place] = 0;
        return complete;
    }

    /// A lower bound for each free place of the item at `depth`: the reduced linear assignment of the rest.
    std::vector<std::int64_t> placeBounds(std::uint32_t depth, std::int64_t cost)
    {
        std::vector<std::uint32_t> items(order_.begin() + depth, order_.end());
        std::vector<std::uint32_t> places;
        for (std::uint32_t place = 0; place < instance_.size; ++place) {
            if (!taken_[place]) places.push_back(place);
        }
        const auto count = static_cast<std::uint32_t>(items.size());
        std::vector<std::int64_t> matrix(std::size_t{count} * count);
        for (std::uint32_t i = 0; i < count; ++i) {
            for (std::uint32_t k = 0; k < count; ++k) {
                matrix[std::size_t{i} * count + k] =
                    added(items[i], places[k], depth) + restProduct(items, i, places, k);
            }
        }
        std::vector<std::int64_t> bounds(instance_.size, std::numeric_limits<std::int64_t>::max());
        const std::int64_t whole = cost + solveLinearAssignment(matrix, count).cost;
        for (std::uint32_t k = 0; k < count; ++k) bounds[places[k]] = whole;
        return whole >= result_.cost ? bounds : forcedBounds(matrix, count, places, cost, std::move(bounds));
    }

    /// The same with the first item forced to each place in turn.
    static std::vector<std::int64_t> forcedBounds(const std::vector<std::int64_t>& matrix,
                                                  std::uint32_t count,
                                                  const std::vector<std::uint32_t>& places, std::int64_t cost,
                                                  std::vector<std::int64_t> bounds)
    {
        const std::uint32_t rest = count - 1;
        std::vector<std::int64_t> reduced(std::size_t{rest} * rest);
        for (std::uint32_t k = 0; k < count; ++k) {
            for (std::uint32_t i = 0; i < rest; ++i) {
                for (std::uint32_t l = 0, column = 0; l < count; ++l) {
                    if (l != k)
                        reduced[std::size_t{i} * rest + column++] = matrix[std::size_t{i + 1} * count + l];
                }
            }
            bounds[places[k]] = cost + matrix[k] + solveLinearAssignment(reduced, rest).cost;
        }
        return bounds;
    }

    /// The least that an item at a place can add with the other free items: rows sorted against each other.
    /// Pairs of free items are counted from their first end only, so nothing counts twice.
    std::int64_t restProduct(const std::vector<std::uint32_t>& items, std::uint32_t i,
                             const std::vector<std::uint32_t>& places, std::uint32_t k)
    {
        flows_.clear();
        distances_.clear();
        for (std::uint32_t j = 0; j < items.size(); ++j) {
            if (j != i) flows_.push_back(instance_.flowAt(items[i], items[j]));
            if (j != k) distances_.push_back(instance_.distanceAt(places[k], places[j]));
        }
        std::sort(flows_.begin(), flows_.end());
        std::sort(distances_.begin(), distances_.end(), std::greater<>());
        return std::inner_product(flows_.begin(), flows_.end(), distances_.begin(), std::int64_t{0});
    }

    const QapInstance& instance_;
    std::span<const std::int64_t> linear_;
    const SearchClock& clock_;
    const Task& task_;
    std::vector<std::uint32_t> order_;
    std::vector<std::uint32_t> place_;
    std::vector<std::uint8_t> taken_;
    std::vector<std::int64_t> flows_;
    std::vector<std::int64_t> distances_;
    BranchAndBoundResult result_;
};

}  // namespace

BranchAndBoundResult branchAndBound(const QapInstance& instance, std::vector<std::uint32_t> start,
                                    const SearchClock& clock, const Task& task)
{
    return branchAndBound(instance, {}, std::move(start), clock, task);
}

BranchAndBoundResult branchAndBound(const QapInstance& instance, std::span<const std::int64_t> linear,
                                    std::vector<std::uint32_t> start, const SearchClock& clock,
                                    const Task& task)
{
    return BoundedSearch(instance, linear, std::move(start), clock, task).run();
}

}  // namespace skein
