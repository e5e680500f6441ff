// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/partition/published_method.h"

#include "algorithms/mapping/qap/dense_problem.h"
#include "algorithms/mapping/qap/qap_search.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <future>
#include <limits>
#include <memory>
#include <metis.h>
#include <numeric>
#include <system_error>
#include <thread>
#include <utility>

namespace skein {
namespace {

constexpr std::uint32_t kMaximumSlots = 16384;
/// Above this many ranks the paper partitions; parts are about this large as well.
constexpr std::uint32_t kWholeSize = 256;
constexpr int kPartitionSeeds = 6;
constexpr int kRepairPasses = 30;
/// Part of the effort for the assignment of parts; the rest is shared by the assignments inside them.
constexpr double kReducedShare = 0.3;
/// Part of the time after which no further partition is tried.
constexpr double kPartitionShare = 0.15;
constexpr std::uint32_t kVerticesPerLook = 64;
constexpr std::chrono::milliseconds kMetisLook{2};

/// Tells work that has no steps when to end: at a part of the time, or when the task stops.
using Over = std::function<bool()>;

/// METIS sums weights of whole graphs in 32 bits.
std::vector<idx_t> scaledWeights(const WeightedGraph& graph)
{
    long double total = 1;
    for (std::size_t entry = 0; entry < graph.neighbour.size(); ++entry)
        total += static_cast<long double>(graph.weightOf(entry));
    const long double scale = std::min<long double>(1.0L, static_cast<long double>(IDX_MAX / 4) / total);
    std::vector<idx_t> weights;
    for (std::size_t entry = 0; entry < graph.neighbour.size(); ++entry) {
        weights.push_back(std::max<idx_t>(
            1, static_cast<idx_t>(std::llround(static_cast<long double>(graph.weightOf(entry)) * scale))));
    }
    return weights;
}

/// One call of METIS, with everything that it reads and writes, so that it may outlive who asked for it.
class MetisCall {
public:
    MetisCall(const WeightedGraph& graph, std::uint32_t parts, std::uint64_t seed, bool recursive)
        : first_(graph.first.begin(), graph.first.end()),
          neighbour_(graph.neighbour.begin(), graph.neighbour.end()),
          weight_(scaledWeights(graph)),
          parts_(static_cast<idx_t>(parts)),
          seed_(static_cast<idx_t>(seed % 1000000)),
          recursive_(recursive),
          part_(graph.vertices(), 0)
    {
    }

    bool run()
    {
        auto vertices = static_cast<idx_t>(part_.size());
        idx_t constraints = 1, cut = 0;
        idx_t options[METIS_NOPTIONS];
        METIS_SetDefaultOptions(options);
        options[METIS_OPTION_SEED] = seed_;
        options[METIS_OPTION_UFACTOR] = 1;
        const auto call = recursive_ ? METIS_PartGraphRecursive : METIS_PartGraphKway;
        return call(&vertices, &constraints, first_.data(), neighbour_.data(), nullptr, nullptr,
                    weight_.data(), &parts_, nullptr, nullptr, options, &cut, part_.data())
            == METIS_OK;
    }

    std::vector<std::uint32_t> partOfVertex() const { return {part_.begin(), part_.end()}; }

private:
    std::vector<idx_t> first_, neighbour_, weight_;
    idx_t parts_ = 1;
    idx_t seed_ = 0;
    bool recursive_ = false;
    std::vector<idx_t> part_;
};

/// METIS hears no stop: it runs in a thread of its own, which a stop leaves behind. Errors: Cancelled,
/// OutOfMemory.
Result<std::vector<std::uint32_t>> callMetis(const WeightedGraph& graph, std::uint32_t parts,
                                             std::uint64_t seed, bool recursive, const Task& task)
{
    const auto job = std::make_shared<MetisCall>(graph, parts, seed, recursive);
    std::packaged_task<bool()> call([job] { return job->run(); });
    std::future<bool> fine = call.get_future();
    try {
        std::thread(std::move(call)).detach();
    } catch (const std::system_error&) {
        return fail(ErrorCode::OutOfMemory, "METIS could not be given a thread.");
    }
    while (fine.wait_for(kMetisLook) != std::future_status::ready)
        if (task.stopRequested()) return cancelled();
    if (!fine.get()) return fail(ErrorCode::OutOfMemory, "METIS could not partition the graph.");
    return job->partOfVertex();
}

/// Brings parts to their sizes and improves them by swaps, of which no more are tried once it is over. Parts
/// are of any size where the task was stopped.
class EvenParts {
public:
    EvenParts(const WeightedGraph& graph, std::uint32_t parts, std::vector<std::uint32_t> part, Over over,
              const Task& task)
        : graph_(graph),
          parts_(parts),
          over_(std::move(over)),
          task_(task),
          part_(std::move(part)),
          size_(parts, 0),
          affinity_(std::size_t{graph.vertices()} * parts, 0)
    {
        for (std::uint32_t v = 0; v < graph.vertices(); ++v) {
            ++size_[part_[v]];
            for (std::uint32_t e = graph.first[v]; e < graph.first[v + 1]; ++e)
                affinity(v, part_[graph.neighbour[e]]) += graph.weightOf(e);
        }
    }

    std::vector<std::uint32_t> run()
    {
        balance();
        for (int pass = 0; pass < kRepairPasses && improve() && !over_(); ++pass) {}
        return std::move(part_);
    }

private:
    std::int64_t& affinity(std::uint32_t v, std::uint32_t part)
    {
        return affinity_[std::size_t{v} * parts_ + part];
    }
    std::uint32_t largestAllowed() const { return (graph_.vertices() + parts_ - 1) / parts_; }
    std::uint32_t smallestAllowed() const { return graph_.vertices() / parts_; }

    void move(std::uint32_t v, std::uint32_t to)
    {
        const std::uint32_t from = part_[v];
        for (std::uint32_t e = graph_.first[v]; e < graph_.first[v + 1]; ++e) {
            affinity(graph_.neighbour[e], from) -= graph_.weightOf(e);
            affinity(graph_.neighbour[e], to) += graph_.weightOf(e);
        }
        part_[v] = to;
        --size_[from];
        ++size_[to];
    }

    /// The cheapest move from an overfull part, or into an underfull one, until none is left.
    void balance()
    {
        while (!task_.stopRequested()) {
            const auto fullest =
                static_cast<std::uint32_t>(std::max_element(size_.begin(), size_.end()) - size_.begin());
            const auto emptiest =
                static_cast<std::uint32_t>(std::min_element(size_.begin(), size_.end()) - size_.begin());
            const bool over = size_[fullest] > largestAllowed();
            if (!over && size_[emptiest] >= smallestAllowed()) return;
            std::int64_t best = std::numeric_limits<std::int64_t>::min();
            std::uint32_t vertex = 0, target = 0;
            for (std::uint32_t v = 0; v < graph_.vertices(); ++v) {
                if (over ? part_[v] != fullest : size_[part_[v]] <= smallestAllowed()) continue;
                for (std::uint32_t to = 0; to < parts_; ++to) {
                    if (to == part_[v] || (over ? size_[to] >= largestAllowed() : to != emptiest)) continue;
                    const std::int64_t gain = affinity(v, to) - affinity(v, part_[v]);
                    if (gain <= best) continue;
                    best = gain;
                    vertex = v;
                    target = to;
                }
            }
            if (best == std::numeric_limits<std::int64_t>::min()) return;
            move(vertex, target);
        }
    }

    /// Swaps vertices of two parts wherever the cut shrinks.
    bool improve()
    {
        bool changed = false;
        for (std::uint32_t v = 0; v < graph_.vertices(); ++v) {
            if (v % kVerticesPerLook == 0 && over_()) break;
            for (std::uint32_t to = 0; to < parts_; ++to) {
                if (to == part_[v] || affinity(v, to) < affinity(v, part_[v])) continue;
                changed = swapInto(v, to) || changed;
            }
        }
        return changed;
    }
    bool swapInto(std::uint32_t v, std::uint32_t to)
    {
        const std::uint32_t from = part_[v];
        const std::int64_t gain = affinity(v, to) - affinity(v, from);
        for (std::uint32_t u = 0; u < graph_.vertices(); ++u) {
            if (part_[u] != to) continue;
            const std::int64_t both = gain + affinity(u, from) - affinity(u, to);
            if (both <= 0 || both - 2 * edge(v, u) <= 0) continue;
            move(v, to);
            move(u, from);
            return true;
        }
        return false;
    }
    std::int64_t edge(std::uint32_t v, std::uint32_t u) const
    {
        for (std::uint32_t e = graph_.first[v]; e < graph_.first[v + 1]; ++e) {
            if (graph_.neighbour[e] == u) return graph_.weightOf(e);
        }
        return 0;
    }

    const WeightedGraph& graph_;
    std::uint32_t parts_ = 1;
    Over over_;
    const Task& task_;
    std::vector<std::uint32_t> part_;
    std::vector<std::uint32_t> size_;
    std::vector<std::int64_t> affinity_;
};

WeightedGraph flowsOf(const FlowGraph& flow, std::uint32_t slots)
{
    WeightedGraph graph;
    graph.first.assign(flow.first.begin(), flow.first.end());
    graph.first.resize(slots + std::size_t{1}, graph.first.back());
    graph.neighbour = flow.peer;
    for (std::size_t entry = 0; entry < flow.entries(); ++entry) graph.weight.push_back(flow.both(entry));
    return graph;
}

/// Slots of one node are joined strongly; nodes one hop apart by their first slots' worth. Ends early where
/// it is over.
WeightedGraph linksOf(const MappingProblem& problem, const Over& over)
{
    WeightedGraph graph;
    problem.distances.visit([&](const auto& distances) {
        for (std::uint32_t slot = 0; slot < problem.slots() && !(slot % kVerticesPerLook == 0 && over());
             ++slot) {
            const std::uint32_t node = slot / problem.ranksPerNode;
            for (std::uint32_t other = 0; other < problem.slots(); ++other) {
                const std::uint32_t there = other / problem.ranksPerNode;
                const bool sameNode = node == there && slot != other;
                const bool beside = node != there
                    && slot % problem.ranksPerNode == other % problem.ranksPerNode
                    && distances.between(node, there) == 1;
                if (!sameNode && !beside) continue;
                graph.neighbour.push_back(other);
                graph.weight.push_back(sameNode ? 8 : 1);
            }
            graph.first.push_back(static_cast<std::uint32_t>(graph.neighbour.size()));
        }
    });
    return graph;
}

std::vector<std::vector<std::uint32_t>> membersByPart(const std::vector<std::uint32_t>& part,
                                                      std::uint32_t parts)
{
    std::vector<std::vector<std::uint32_t>> members(parts);
    for (std::uint32_t v = 0; v < part.size(); ++v) members[part[v]].push_back(v);
    return members;
}

/// W' sums flows between parts, D' holds mean distances; means are scaled to whole numbers.
/// Ends early where it is over.
QapInstance reduced(const MappingProblem& problem, const std::vector<std::uint32_t>& rankPart,
                    const std::vector<std::vector<std::uint32_t>>& slotParts, const Over& over)
{
    const auto parts = static_cast<std::uint32_t>(slotParts.size());
    QapInstance instance{parts, std::vector<std::int64_t>(std::size_t{parts} * parts, 0),
                         std::vector<std::int64_t>(std::size_t{parts} * parts, 0)};
    const FlowGraph& flow = problem.flow;
    for (std::uint32_t rank = 0; rank < flow.ranks; ++rank) {
        for (std::uint32_t entry = flow.first[rank]; entry < flow.first[rank + 1]; ++entry) {
            instance.flow[std::size_t{rankPart[rank]} * parts + rankPart[flow.peer[entry]]] +=
                flow.sent[entry];
        }
    }
    const std::int64_t largest = *std::max_element(instance.flow.begin(), instance.flow.end());
    for (std::int64_t& value : instance.flow) value = largest > 100000 ? value / (largest / 100000) : value;
    problem.distances.visit([&](const auto& distances) {
        for (std::uint32_t a = 0; a < parts && !over(); ++a) {
            for (std::uint32_t b = 0; b < parts; ++b) {
                std::int64_t sum = 0;
                for (const std::uint32_t s : slotParts[a]) {
                    for (const std::uint32_t t : slotParts[b])
                        sum += distances.between(s / problem.ranksPerNode, t / problem.ranksPerNode);
                }
                instance.distance[std::size_t{a} * parts + b] = 100 * sum
                    / static_cast<std::int64_t>(std::max<std::size_t>(
                        1, slotParts[a].size() * slotParts[b].size()));
            }
        }
    });
    return instance;
}

Result<std::vector<std::uint32_t>> solved(const QapInstance& instance, std::uint64_t seed,
                                          const SearchClock& clock, const Task& task)
{
    QapParams params;
    params.seed = seed;
    params.budget = {clock.seconds(), clock.steps()};
    params.start.resize(instance.size);
    std::iota(params.start.begin(), params.start.end(), 0u);
    auto result = solveQap(instance, params, task);
    if (!result) return Unexpected(result.error());
    return std::move(result->permutation);
}

}  // namespace

std::int64_t cutOf(const WeightedGraph& graph, std::span<const std::uint32_t> part)
{
    std::int64_t cut = 0;
    for (std::uint32_t v = 0; v < graph.vertices(); ++v) {
        for (std::uint32_t e = graph.first[v]; e < graph.first[v + 1]; ++e)
            cut += part[v] != part[graph.neighbour[e]] ? graph.weightOf(e) : 0;
    }
    return cut / 2;
}

Result<std::vector<std::uint32_t>> partitionEvenly(const WeightedGraph& graph, std::uint32_t parts,
                                                   std::uint64_t seed, const SearchClock& clock,
                                                   const Task& task)
{
    const Over over = [&] { return task.stopRequested() || (!clock.bySteps() && clock.spent(0) >= 1.0); };
    if (parts == 0 || parts > graph.vertices())
        return fail(ErrorCode::InvalidArgument, "A graph can have at most as many parts as vertices.");
    if (parts == 1) return std::vector<std::uint32_t>(graph.vertices(), 0);
    std::vector<std::uint32_t> best;
    std::int64_t bestCut = 0;
    for (int attempt = 0; attempt < kPartitionSeeds && (best.empty() || !over()); ++attempt) {
        auto part =
            callMetis(graph, parts, seed + static_cast<std::uint64_t>(attempt), attempt % 2 == 0, task);
        if (!part) return Unexpected(part.error());
        std::vector<std::uint32_t> even = EvenParts(graph, parts, std::move(*part), over, task).run();
        if (task.stopRequested()) return cancelled();
        const std::int64_t cut = cutOf(graph, even);
        if (!best.empty() && cut >= bestCut) continue;
        best = std::move(even);
        bestCut = cut;
    }
    return best;
}

Result<std::vector<std::uint32_t>> publishedMapping(const MappingProblem& problem, std::uint64_t seed,
                                                    const SearchClock& clock, const Task& task)
{
    const std::uint32_t slots = problem.slots();
    if (slots > kMaximumSlots || !problem.openNodes.empty()) {
        return fail(ErrorCode::InvalidArgument,
                    "The published method needs a machine that is all the job's, of at most 16384 slots.");
    }
    // m parts of p slots each with m about √n, as both assignments are then of similar size.
    std::uint32_t parts = slots <= kWholeSize ? 1 : static_cast<std::uint32_t>(std::lround(std::sqrt(slots)));
    while (slots % parts != 0) --parts;
    const Over over = [&] { return task.stopRequested() || clock.late(); };
    const auto rankPart =
        partitionEvenly(flowsOf(problem.flow, slots), parts, seed, clock.part(0, kPartitionShare), task);
    if (!rankPart) return Unexpected(rankPart.error());
    const WeightedGraph links = linksOf(problem, over);
    if (over()) return cancelled();
    const auto slotPart = partitionEvenly(links, parts, seed, clock.part(0, kPartitionShare), task);
    if (!slotPart) return Unexpected(slotPart.error());
    const auto rankParts = membersByPart(*rankPart, parts);
    const auto slotParts = membersByPart(*slotPart, parts);
    const auto placeOfPart =
        solved(reduced(problem, *rankPart, slotParts, over), seed, clock.part(0, kReducedShare), task);
    if (!placeOfPart) return Unexpected(placeOfPart.error());
    std::vector<std::uint32_t> mapping(problem.flow.ranks, kNoRank);
    for (std::uint32_t part = 0; part < parts && !over(); ++part) {
        std::vector<std::uint32_t> ranks = rankParts[part];
        std::erase_if(ranks, [&](std::uint32_t rank) { return rank >= problem.flow.ranks; });
        const std::vector<std::uint32_t>& places = slotParts[(*placeOfPart)[part]];
        const auto used = static_cast<std::uint64_t>(
            static_cast<double>(clock.steps()) * (kReducedShare + (1.0 - kReducedShare) * part / parts));
        const auto inside = solved(denseProblem(problem, ranks, places), seed + part,
                                   clock.part(used, 1.0 / (parts - part)), task);
        if (!inside) return Unexpected(inside.error());
        for (std::size_t i = 0; i < ranks.size(); ++i) mapping[ranks[i]] = places[(*inside)[i]];
    }
    const bool whole =
        std::none_of(mapping.begin(), mapping.end(), [](std::uint32_t slot) { return slot == kNoRank; });
    if (!whole || task.stopRequested()) return cancelled();
    return mapping;
}

}  // namespace skein
