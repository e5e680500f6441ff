// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/qap/dense_problem.h"

#include <numeric>

namespace skein {

QapInstance denseProblem(const MappingProblem& problem, std::span<const std::uint32_t> ranks,
                         std::span<const std::uint32_t> slots)
{
    QapInstance instance;
    instance.size = static_cast<std::uint32_t>(slots.size());
    instance.flow.assign(slots.size() * slots.size(), 0);
    instance.distance.assign(slots.size() * slots.size(), 0);
    std::vector<std::uint32_t> item(problem.flow.ranks, kNoRank);
    for (std::uint32_t i = 0; i < ranks.size(); ++i) item[ranks[i]] = i;
    for (std::uint32_t i = 0; i < ranks.size(); ++i) {
        for (std::uint32_t entry = problem.flow.first[ranks[i]]; entry < problem.flow.first[ranks[i] + 1];
             ++entry) {
            const std::uint32_t j = item[problem.flow.peer[entry]];
            if (j != kNoRank) instance.flow[std::size_t{i} * instance.size + j] = problem.flow.sent[entry];
        }
    }
    problem.distances.visit([&](const auto& distances) {
        for (std::uint32_t k = 0; k < instance.size; ++k) {
            for (std::uint32_t l = 0; l < instance.size; ++l) {
                instance.distance[std::size_t{k} * instance.size + l] =
                    distances.between(slots[k] / problem.ranksPerNode, slots[l] / problem.ranksPerNode);
            }
        }
    });
    return instance;
}

QapInstance denseProblem(const MappingProblem& problem)
{
    std::vector<std::uint32_t> ranks(problem.flow.ranks);
    std::vector<std::uint32_t> slots(problem.slots());
    std::iota(ranks.begin(), ranks.end(), 0u);
    std::iota(slots.begin(), slots.end(), 0u);
    return denseProblem(problem, ranks, slots);
}

std::vector<std::int64_t> costToOthers(const MappingProblem& problem, std::span<const std::uint32_t> ranks,
                                       std::span<const std::uint32_t> slots,
                                       std::span<const std::uint32_t> slotOfRank)
{
    std::vector<std::int64_t> cost(slots.size() * slots.size(), 0);
    std::vector<char> listed(problem.flow.ranks, 0);
    for (const std::uint32_t rank : ranks) listed[rank] = 1;
    problem.distances.visit([&](const auto& distances) {
        for (std::size_t i = 0; i < ranks.size(); ++i)
            for (std::uint32_t entry = problem.flow.first[ranks[i]]; entry < problem.flow.first[ranks[i] + 1];
                 ++entry) {
                const std::uint32_t peer = problem.flow.peer[entry];
                if (listed[peer]) continue;
                const std::uint32_t there = slotOfRank[peer] / problem.ranksPerNode;
                for (std::size_t k = 0; k < slots.size(); ++k) {
                    const std::uint32_t here = slots[k] / problem.ranksPerNode;
                    cost[i * slots.size() + k] += problem.flow.sent[entry] * distances.between(here, there)
                        + problem.flow.received[entry] * distances.between(there, here);
                }
            }
    });
    return cost;
}

}  // namespace skein
