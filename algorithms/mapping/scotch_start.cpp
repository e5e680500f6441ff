// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/scotch_start.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <limits>
#include <span>
#include <system_error>
#include <thread>

extern "C" {
#include <scotch.h>
// Scotch leaves its messages to the program. A map that fails is one candidate less, and no news for the user.
void SCOTCH_errorProg(const char* const) {}
void SCOTCH_errorPrint(const char* const, ...) {}
void SCOTCH_errorPrintW(const char* const, ...) {}
}

namespace skein {
namespace {

constexpr std::size_t kMostDimensions = 5;
constexpr double kHeaviestEdge = 30000.0;
/// Scotch adds weights in 32 bits.
constexpr double kTotalWeight = 1 << 29;
/// Seconds for each edge and for each rank, and level of the bipartition; measured on MiniAMR and MiniMD.
constexpr double kSecondsPerEdge = 1.5e-7;
constexpr double kEdgesPerRank = 30.0;
constexpr auto kLook = std::chrono::milliseconds(2);

/// The sizes that Scotch wants, fastest first; empty where it does not know the machine.
std::vector<SCOTCH_Num> sizesOf(const GridDistances& grid)
{
    std::vector<SCOTCH_Num> sizes;
    for (const GridDimension& dimension : grid.dimensions()) {
        if (dimension.shape == DimensionShape::Complete && dimension.size > 2) return {};
        if (dimension.size > 1) sizes.push_back(static_cast<SCOTCH_Num>(dimension.size));
    }
    std::reverse(sizes.begin(), sizes.end());
    if (sizes.size() > kMostDimensions) sizes.clear();
    return sizes;
}

bool hasRings(const GridDistances& grid)
{
    const auto dimensions = grid.dimensions();
    return std::any_of(dimensions.begin(), dimensions.end(), [](const GridDimension& d) { return d.shape == DimensionShape::Ring && d.size > 2; });
}

double expectedSeconds(const MappingProblem& problem)
{
    const double edges = static_cast<double>(problem.flow.entries()) + kEdgesPerRank * problem.flow.ranks;
    return edges * std::log2(std::max(2.0, static_cast<double>(problem.distances.nodes()))) * kSecondsPerEdge;
}

}  // namespace

struct ScotchStart::Job {
    std::vector<SCOTCH_Num> sizes, first, peer, weight, node;
    bool rings = true;
    std::atomic<bool> done = false;
    bool mapped = false;

    explicit Job(const FlowGraph& flow) : first(flow.first.begin(), flow.first.end()), peer(flow.peer.begin(), flow.peer.end()), node(flow.ranks)
    {
        double heaviest = 1.0, total = 1.0;
        for (std::size_t entry = 0; entry < flow.entries(); ++entry) {
            heaviest = std::max(heaviest, static_cast<double>(flow.both(entry)));
            total += static_cast<double>(flow.both(entry));
        }
        const double scale = std::min(kHeaviestEdge / heaviest, kTotalWeight / total);
        for (std::size_t entry = 0; entry < flow.entries(); ++entry) {
            weight.push_back(std::max<SCOTCH_Num>(1, static_cast<SCOTCH_Num>(std::lround(scale * static_cast<double>(flow.both(entry))))));
        }
    }

    void run()
    {
        SCOTCH_Context* context = SCOTCH_contextAlloc();
        if (!context) return;
        SCOTCH_contextInit(context);
        SCOTCH_contextOptionSetNum(context, SCOTCH_OPTIONNUMDETERMINISTIC, 1);
        SCOTCH_contextOptionSetNum(context, SCOTCH_OPTIONNUMRANDOMFIXEDSEED, 1);
        SCOTCH_contextRandomReset(context);
        SCOTCH_contextThreadSpawn(context, 1, nullptr);
        mapped = mapIn(*context);
        SCOTCH_contextExit(context);
        SCOTCH_memFree(context);
    }

private:
    bool mapIn(SCOTCH_Context& context)
    {
        SCOTCH_Graph graph, bound;
        SCOTCH_Arch machine;
        SCOTCH_Strat strategy;
        SCOTCH_graphInit(&graph);
        SCOTCH_graphInit(&bound);
        SCOTCH_archInit(&machine);
        SCOTCH_stratInit(&strategy);
        const auto ranks = static_cast<SCOTCH_Num>(node.size());
        const auto dimensions = static_cast<SCOTCH_Num>(sizes.size());
        const bool fine = SCOTCH_graphBuild(&graph, 0, ranks, first.data(), nullptr, nullptr, nullptr, first.back(), peer.data(), weight.data()) == 0 &&
                          SCOTCH_contextBindGraph(&context, &graph, &bound) == 0 &&
                          (rings ? SCOTCH_archTorusX(&machine, dimensions, sizes.data()) : SCOTCH_archMeshX(&machine, dimensions, sizes.data())) == 0 &&
                          SCOTCH_graphMap(&bound, &machine, &strategy, node.data()) == 0;
        SCOTCH_stratExit(&strategy);
        SCOTCH_archExit(&machine);
        SCOTCH_graphExit(&bound);
        SCOTCH_graphExit(&graph);
        return fine;
    }
};

namespace {

/// Slots for ranks on nodes; ranks beyond the room of a node go to the nearest one with room.
std::vector<std::uint32_t> slotsOf(const MappingProblem& problem, std::span<const SCOTCH_Num> nodeOfRank)
{
    std::vector<std::uint32_t> taken(problem.distances.nodes(), 0);
    std::vector<std::uint32_t> slots(nodeOfRank.size());
    std::vector<std::uint32_t> homeless;
    const auto put = [&](std::uint32_t rank, std::uint32_t node) { slots[rank] = node * problem.ranksPerNode + taken[node]++; };
    for (std::uint32_t rank = 0; rank < slots.size(); ++rank) {
        if (nodeOfRank[rank] < 0 || static_cast<std::size_t>(nodeOfRank[rank]) >= taken.size()) return {};
        const auto node = static_cast<std::uint32_t>(nodeOfRank[rank]);
        if (taken[node] < problem.ranksPerNode) put(rank, node);
        else homeless.push_back(rank);
    }
    std::vector<std::uint32_t> open;
    for (std::uint32_t node = 0; node < taken.size(); ++node) {
        if (taken[node] < problem.ranksPerNode) open.push_back(node);
    }
    problem.distances.visit([&](const auto& hops) {
        for (const std::uint32_t rank : homeless) {
            const auto wanted = static_cast<std::uint32_t>(nodeOfRank[rank]);
            const auto nearest = std::min_element(open.begin(), open.end(), [&](std::uint32_t a, std::uint32_t b) { return hops.between(wanted, a) < hops.between(wanted, b); });
            put(rank, *nearest);
            if (taken[*nearest] == problem.ranksPerNode) open.erase(nearest);
        }
    });
    return slots;
}

}  // namespace

ScotchStart::ScotchStart(const MappingProblem& problem, double seconds) : problem_(problem)
{
    const GridDistances* grid = problem.distances.grid();
    if (!grid || expectedSeconds(problem) > seconds || problem.flow.entries() == 0) return;
    if (problem.flow.entries() > static_cast<std::size_t>(std::numeric_limits<SCOTCH_Num>::max())) return;
    std::vector<SCOTCH_Num> sizes = sizesOf(*grid);
    if (sizes.empty()) return;
    job_ = std::make_shared<Job>(problem.flow);
    job_->sizes = std::move(sizes);
    job_->rings = hasRings(*grid);
    try {
        std::thread([job = job_] {
            job->run();
            job->done.store(true, std::memory_order_release);
        }).detach();
    } catch (const std::system_error&) {
        job_.reset();
    }
}

std::vector<std::uint32_t> ScotchStart::wait(const SearchClock& clock, double share, const Task& task) const
{
    if (!job_) return {};
    while (!job_->done.load(std::memory_order_acquire)) {
        if (task.stopRequested() || (!clock.bySteps() && clock.spent(0) >= share)) return {};
        std::this_thread::sleep_for(kLook);
    }
    return job_->mapped ? slotsOf(problem_, job_->node) : std::vector<std::uint32_t>{};
}

}  // namespace skein
