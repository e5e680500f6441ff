// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/partition/scotch_start.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <limits>
#include <span>
#include <system_error>
#include <thread>
#include <utility>

extern "C" {
#include <scotch.h>
// Scotch leaves its messages to the program. A map that fails is one candidate less, and no news for the
// user.
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
constexpr std::uint32_t kRowsLookedAt = 256;
/// Fewer rows of large machines: so many distances take some milliseconds.
constexpr std::uint32_t kDistancesLookedAt = 1u << 21;
constexpr auto kLook = std::chrono::milliseconds(2);

/// A dimension as Scotch knows it: what each position adds to the number of a node.
using Axis = std::vector<std::uint32_t>;

/// The dimensions, slowest first; empty where one is all-to-all.
std::vector<Axis> axesOf(const GridDistances& grid)
{
    std::vector<Axis> axes;
    std::uint32_t stride = grid.nodes();
    for (const GridDimension& dimension : grid.dimensions()) {
        if (dimension.shape == DimensionShape::Complete && dimension.size > 2) return {};
        stride /= dimension.size;
        if (dimension.size == 1) continue;
        axes.emplace_back();
        for (std::uint32_t position = 0; position < dimension.size; ++position)
            axes.back().push_back(position * stride);
    }
    return axes;
}

/// Two dimensions of two positions are one ring of four; joined until Scotch takes so many, where that can
/// be.
void joinPairs(std::vector<Axis>& axes)
{
    const auto isPair = [](const Axis& axis) { return axis.size() == 2; };
    while (axes.size() > kMostDimensions) {
        const auto first = std::find_if(axes.begin(), axes.end(), isPair);
        const auto second = first == axes.end() ? first : std::find_if(first + 1, axes.end(), isPair);
        if (second == axes.end()) return;
        *first = {0, (*second)[1], (*first)[1] + (*second)[1], (*first)[1]};
        axes.erase(second);
    }
}

/// Numbers of nodes by the numbers that Scotch gives them.
std::vector<std::uint32_t> nodesOf(const std::vector<Axis>& axes)
{
    std::vector<std::uint32_t> nodes{0};
    for (const Axis& axis : axes) {
        std::vector<std::uint32_t> longer;
        longer.reserve(nodes.size() * axis.size());
        for (const std::uint32_t node : nodes) {
            for (const std::uint32_t offset : axis) longer.push_back(node + offset);
        }
        nodes = std::move(longer);
    }
    return nodes;
}

bool hasRings(const GridDistances& grid)
{
    const auto dimensions = grid.dimensions();
    return std::any_of(dimensions.begin(), dimensions.end(),
                       [](const GridDimension& d) { return d.shape == DimensionShape::Ring && d.size > 2; });
}

/// A machine of blocks in blocks, as fat trees are: nodes of a block are as far apart as the smallest block
/// that holds both says.
struct Tree {
    std::vector<SCOTCH_Num>
        sizes;  ///< parts of a block, from the whole machine down; empty where it is no tree
    std::vector<SCOTCH_Num> costs;  ///< of a link below each level, as Scotch adds them on one side
};

/// Blocks around node 0: how many nodes are within each distance, from near to far.
std::vector<std::pair<std::uint32_t, std::uint32_t>> blocksOf(const Distances& distances)
{
    std::vector<std::pair<std::uint32_t, std::uint32_t>> blocks;
    for (std::uint32_t node = 1; node < distances.nodes(); ++node) {
        const std::uint32_t hops = distances.between(0, node);
        if (blocks.empty() || hops > blocks.back().second) blocks.emplace_back(node, hops);
        if (hops < blocks.back().second) return {};
        blocks.back().first = node + 1;
    }
    for (std::size_t level = 0; level < blocks.size(); ++level) {
        if (blocks[level].first % (level == 0 ? 1 : blocks[level - 1].first) != 0) return {};
    }
    return blocks;
}

/// Do the blocks tell all distances? Some rows are looked at; a wrong yes would only make a worse start.
bool blocksHold(const Distances& distances,
                const std::vector<std::pair<std::uint32_t, std::uint32_t>>& blocks)
{
    const std::uint32_t rows = std::clamp(kDistancesLookedAt / distances.nodes(), 4u, kRowsLookedAt);
    const std::uint32_t step = std::max(1u, distances.nodes() / rows);
    for (std::uint32_t node = 0; node < distances.nodes(); node += step) {
        for (std::uint32_t other = 0; other < distances.nodes(); ++other) {
            if (other == node) continue;
            const auto common = std::find_if(blocks.begin(), blocks.end(), [&](const auto& block) {
                return node / block.first == other / block.first;
            });
            if (common == blocks.end() || common->second != distances.between(node, other)) return false;
        }
    }
    return true;
}

Tree treeOf(const Distances& distances)
{
    const auto blocks = blocksOf(distances);
    Tree tree;
    if (blocks.size() < 2 || !blocksHold(distances, blocks)) return tree;
    for (std::size_t level = blocks.size(); level-- > 0;) {
        const auto [size, hops] = blocks[level];
        tree.sizes.push_back(static_cast<SCOTCH_Num>(size / (level == 0 ? 1 : blocks[level - 1].first)));
        tree.costs.push_back(static_cast<SCOTCH_Num>(hops - (level == 0 ? 0 : blocks[level - 1].second)));
    }
    return tree;
}

double expectedSeconds(const MappingProblem& problem)
{
    const double edges = static_cast<double>(problem.flow.entries()) + kEdgesPerRank * problem.flow.ranks;
    return edges * std::log2(std::max(2.0, static_cast<double>(problem.distances.nodes()))) * kSecondsPerEdge;
}

}  // namespace

struct ScotchStart::Job {
    enum class Kind { Torus, Mesh, Hypercube, Tree };
    Kind kind = Kind::Torus;
    std::vector<SCOTCH_Num> sizes, costs, first, peer, weight, node;
    std::vector<std::uint32_t> nodeOfScotch;  ///< empty where Scotch's numbers are ours
    std::atomic<bool> done = false;
    bool mapped = false;

    explicit Job(const FlowGraph& flow)
        : first(flow.first.begin(), flow.first.end()),
          peer(flow.peer.begin(), flow.peer.end()),
          node(flow.ranks)
    {
        double heaviest = 1.0, total = 1.0;
        for (std::size_t entry = 0; entry < flow.entries(); ++entry) {
            heaviest = std::max(heaviest, static_cast<double>(flow.both(entry)));
            total += static_cast<double>(flow.both(entry));
        }
        const double scale = std::min(kHeaviestEdge / heaviest, kTotalWeight / total);
        for (std::size_t entry = 0; entry < flow.entries(); ++entry) {
            weight.push_back(std::max<SCOTCH_Num>(
                1, static_cast<SCOTCH_Num>(std::lround(scale * static_cast<double>(flow.both(entry))))));
        }
    }

    /// False where Scotch does not know the machine.
    bool takeGrid(const GridDistances& grid)
    {
        std::vector<Axis> axes = axesOf(grid);
        const bool cube = axes.size() > kMostDimensions
            && std::all_of(axes.begin(), axes.end(), [](const Axis& axis) { return axis.size() == 2; });
        const bool joined = !cube && axes.size() > kMostDimensions;
        if (joined) joinPairs(axes);
        if (axes.empty() || (!cube && axes.size() > kMostDimensions)) return false;
        kind = cube ? Kind::Hypercube : joined || hasRings(grid) ? Kind::Torus : Kind::Mesh;
        for (auto axis = axes.rbegin(); axis != axes.rend(); ++axis)
            sizes.push_back(static_cast<SCOTCH_Num>(axis->size()));
        if (joined) nodeOfScotch = nodesOf(axes);
        return true;
    }
    bool takeTree(const Distances& distances)
    {
        Tree tree = treeOf(distances);
        kind = Kind::Tree;
        sizes = std::move(tree.sizes);
        costs = std::move(tree.costs);
        return !sizes.empty();
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

    /// The node of each rank; empty where Scotch gave none.
    std::vector<std::uint32_t> nodes() const
    {
        std::vector<std::uint32_t> found;
        const std::size_t known = nodeOfScotch.size();
        for (const SCOTCH_Num number : node) {
            if (number < 0 || (known > 0 && static_cast<std::size_t>(number) >= known)) return {};
            found.push_back(known > 0 ? nodeOfScotch[static_cast<std::size_t>(number)]
                                      : static_cast<std::uint32_t>(number));
        }
        return found;
    }

private:
    int buildMachine(SCOTCH_Arch& machine)
    {
        const auto levels = static_cast<SCOTCH_Num>(sizes.size());
        switch (kind) {
        case Kind::Tree: return SCOTCH_archTleaf(&machine, levels, sizes.data(), costs.data());
        case Kind::Mesh: return SCOTCH_archMeshX(&machine, levels, sizes.data());
        case Kind::Hypercube: return SCOTCH_archHcub(&machine, levels);
        case Kind::Torus: break;
        }
        return SCOTCH_archTorusX(&machine, levels, sizes.data());
    }
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
        const bool fine = SCOTCH_graphBuild(&graph, 0, ranks, first.data(), nullptr, nullptr, nullptr,
                                            first.back(), peer.data(), weight.data())
                == 0
            && SCOTCH_contextBindGraph(&context, &graph, &bound) == 0 && buildMachine(machine) == 0
            && SCOTCH_graphMap(&bound, &machine, &strategy, node.data()) == 0;
        SCOTCH_stratExit(&strategy);
        SCOTCH_archExit(&machine);
        SCOTCH_graphExit(&bound);
        SCOTCH_graphExit(&graph);
        return fine;
    }
};

namespace {

/// Slots for ranks on nodes; ranks beyond the room of a node go to the nearest one with room.
std::vector<std::uint32_t> slotsOf(const MappingProblem& problem, std::span<const std::uint32_t> nodeOfRank)
{
    std::vector<std::uint32_t> taken(problem.distances.nodes(), 0);
    std::vector<std::uint32_t> slots(nodeOfRank.size());
    std::vector<std::uint32_t> homeless;
    const auto put = [&](std::uint32_t rank, std::uint32_t node) {
        slots[rank] = node * problem.ranksPerNode + taken[node]++;
    };
    for (std::uint32_t rank = 0; rank < slots.size(); ++rank) {
        const std::uint32_t node = nodeOfRank[rank];
        if (node >= taken.size()) return {};
        if (taken[node] < problem.ranksPerNode) put(rank, node);
        else homeless.push_back(rank);
    }
    std::vector<std::uint32_t> open;
    for (std::uint32_t node = 0; node < taken.size(); ++node) {
        if (taken[node] < problem.ranksPerNode) open.push_back(node);
    }
    problem.distances.visit([&](const auto& hops) {
        for (const std::uint32_t rank : homeless) {
            const std::uint32_t wanted = nodeOfRank[rank];
            const auto nearest =
                std::min_element(open.begin(), open.end(), [&](std::uint32_t a, std::uint32_t b) {
                    return hops.between(wanted, a) < hops.between(wanted, b);
                });
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
    if (expectedSeconds(problem) > seconds || problem.flow.entries() == 0) return;
    if (problem.flow.entries() > static_cast<std::size_t>(std::numeric_limits<SCOTCH_Num>::max())) return;
    job_ = std::make_shared<Job>(problem.flow);
    if (!(grid ? job_->takeGrid(*grid) : job_->takeTree(problem.distances))) {
        job_.reset();
        return;
    }
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
    return job_->mapped ? slotsOf(problem_, job_->nodes()) : std::vector<std::uint32_t>{};
}

}  // namespace skein
