// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/layout/force_layout.h"
#include "views/machine/machine_scene.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace skein {
namespace {

constexpr std::uint32_t kMostPlannedVertices = 1u << 18;
constexpr double kFrameRoom = 0.45, kGroupGap = 1.2;

void addFrame(MachinePlan& plan, PlanePoint low, PlanePoint high, std::string name)
{
    plan.frameLow.push_back({low.x - kFrameRoom, low.y - kFrameRoom});
    plan.frameHigh.push_back({high.x + kFrameRoom, high.y + kFrameRoom});
    plan.frameNames.push_back(std::move(name));
}

/// How far positions of each dimension are apart, and along which axis.
struct GridSteps {
    std::vector<double> step;
    std::vector<char> across;
    std::vector<double> extent{1, 1};  ///< along and down, of what is placed so far
};

/// The last dimension lies, the one before stands; those before go beside or below what is there, with wider
/// gaps, so that the whole comes near to the form of a screen.
GridSteps gridSteps(std::span<const GridDimension> dimensions)
{
    constexpr double kScreen = 1.6;
    GridSteps steps;
    steps.step.resize(dimensions.size());
    steps.across.resize(dimensions.size());
    std::size_t placed[2] = {0, 0};
    for (std::size_t d = dimensions.size(); d-- > 0;) {
        if (dimensions[d].size == 1) continue;
        std::size_t axis = steps.extent[0] > kScreen * steps.extent[1] ? 1 : 0;
        if (placed[0] == 0 || placed[1] == 0) axis = placed[0] == 0 ? 0 : 1;
        steps.across[d] = axis == 0;
        steps.step[d] = steps.extent[axis] + kGroupGap * static_cast<double>(placed[axis]);
        steps.extent[axis] += steps.step[d] * (dimensions[d].size - 1);
        ++placed[axis];
    }
    return steps;
}

void planGrid(MachinePlan& plan)
{
    const Topology& topology = *plan.topology;
    const std::span<const GridDimension> dimensions = topology.numbering();
    const GridSteps steps = gridSteps(dimensions);
    for (VertexIndex node = 0; node < topology.nodes(); ++node) {
        const std::vector<std::uint32_t> at = topology.coordinates(node);
        PlanePoint point;
        for (std::size_t d = 0; d < at.size(); ++d)
            (steps.across[d] ? point.x : point.y) += steps.step[d] * at[d];
        plan.points[node] = point;
    }
    // A frame around each plane of the last two dimensions that are more than one wide.
    std::size_t inner = 1, wide = 0;
    for (std::size_t d = dimensions.size(); d-- > 0 && wide < 2;) {
        inner *= dimensions[d].size;
        wide += dimensions[d].size > 1;
    }
    if (inner == topology.nodes() || topology.nodes() / inner > 4096) return;
    for (std::size_t first = 0; first < topology.nodes(); first += inner) {
        const std::vector<std::uint32_t> at = topology.coordinates(static_cast<VertexIndex>(first));
        std::string name;
        std::size_t left = topology.nodes();
        for (std::size_t d = 0; d < at.size() && left > inner; ++d) {
            left /= dimensions[d].size;
            if (dimensions[d].size > 1)
                name += fmt::format("{}{}{}", name.empty() ? "" : " ", dimensionLetter(d), at[d]);
        }
        addFrame(plan, plan.points[first], plan.points[first + inner - 1], std::move(name));
    }
}

/// The vertices that hang on each router: nodes in the order of their numbers.
std::vector<std::vector<VertexIndex>> nodesOfRouters(const Topology& topology)
{
    std::vector<std::vector<VertexIndex>> nodes(topology.vertices());
    for (VertexIndex node = 0; node < topology.nodes(); ++node)
        if (topology.firstLink(node) < topology.firstLink(node + 1))
            nodes[topology.target(topology.firstLink(node))].push_back(node);
    return nodes;
}

void planDragonfly(MachinePlan& plan, const DragonflyShape& shape)
{
    const Topology& topology = *plan.topology;
    const double tall = 1 + std::ceil(shape.nodesPerRouter / 2.0) * 0.5;
    const double groupWide = shape.columns * 1.5, groupTall = shape.rows * (tall + 0.5);
    const auto across = static_cast<std::uint32_t>(
        std::max(1.0, std::round(std::sqrt(shape.groups * groupTall / groupWide * 1.6))));
    const auto nodes = nodesOfRouters(topology);
    for (std::uint32_t router = 0; router < shape.groups * shape.routersPerGroup(); ++router) {
        const VertexIndex vertex = topology.nodes() + router;
        const std::uint32_t group = router / shape.routersPerGroup(),
                            inside = router % shape.routersPerGroup();
        const PlanePoint corner{(group % across) * (groupWide + kGroupGap),
                                (group / across) * (groupTall + kGroupGap + 0.5)};
        const PlanePoint place{corner.x + (inside % shape.columns) * 1.5,
                               corner.y + (inside / shape.columns) * (tall + 0.5)};
        plan.points[vertex] = place;
        for (std::size_t i = 0; i < nodes[vertex].size(); ++i)
            plan.points[nodes[vertex][i]] = {place.x - 0.25 + 0.5 * static_cast<double>(i % 2),
                                             place.y + 0.7 + 0.5 * static_cast<double>(i / 2)};
        if (inside + 1 == shape.routersPerGroup())
            addFrame(plan, {corner.x - 0.25, corner.y},
                     {corner.x - 0.25 + groupWide - 1, corner.y + groupTall - 1},
                     fmt::format("Group {}", group));
    }
}

/// Steps from the nearest node to each vertex.
std::vector<std::uint32_t> levelsOfVertices(const Topology& topology)
{
    std::vector<std::uint32_t> level(topology.vertices(), kNoVertex);
    std::vector<VertexIndex> open;
    for (VertexIndex node = 0; node < topology.nodes(); ++node) {
        level[node] = 0;
        open.push_back(node);
    }
    for (std::size_t i = 0; i < open.size(); ++i)
        for (LinkIndex link = topology.firstLink(open[i]); link < topology.firstLink(open[i] + 1); ++link) {
            const VertexIndex next = topology.target(link);
            if (level[next] != kNoVertex) continue;
            level[next] = level[open[i]] + 1;
            open.push_back(next);
        }
    for (std::uint32_t& own : level)
        if (own == kNoVertex) own = 1;
    return level;
}

void planFatTree(MachinePlan& plan)
{
    const Topology& topology = *plan.topology;
    const std::vector<std::uint32_t> level = levelsOfVertices(topology);
    const std::uint32_t top = *std::ranges::max_element(level);
    std::vector<std::vector<VertexIndex>> rows(top + 1);
    for (VertexIndex vertex = 0; vertex < topology.vertices(); ++vertex)
        rows[level[vertex]].push_back(vertex);
    const double wide = static_cast<double>(rows[0].size());
    const double tall = std::max(2.0, wide / (2.2 * (top + 1)));
    for (std::uint32_t row = 0; row <= top; ++row)
        for (std::size_t i = 0; i < rows[row].size(); ++i)
            plan.points[rows[row][i]] = {
                (static_cast<double>(i) + 0.5) * wide / static_cast<double>(rows[row].size()), -tall * row};
}

bool planGraph(MachinePlan& plan, const Task& task)
{
    const Topology& topology = *plan.topology;
    LayoutGraph graph;
    graph.nodes = topology.vertices();
    for (LinkIndex link = 0; link < topology.links(); ++link)
        if (topology.source(link) < topology.target(link))
            graph.edges.push_back({topology.source(link), topology.target(link), 1});
    auto points = forceLayout(graph, {}, task);
    if (points) plan.points = std::move(*points);
    return points.has_value();
}

}  // namespace

Result<MachinePlanPtr> machinePlan(std::shared_ptr<const Topology> topology, const Task& task)
{
    if (topology->vertices() > kMostPlannedVertices)
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("{} nodes and routers are more than a picture can show; the table and "
                                "skein-cli traffic tell the loads.",
                                topology->vertices()));
    auto plan = std::make_shared<MachinePlan>();
    plan->topology = topology;
    plan->points.resize(topology->vertices());
    if (topology->isGrid()) planGrid(*plan);
    else if (const auto* dragonfly = std::get_if<DragonflyShape>(&topology->shape()))
        planDragonfly(*plan, *dragonfly);
    else if (std::holds_alternative<FatTreeShape>(topology->shape())) planFatTree(*plan);
    else if (!planGraph(*plan, task)) return cancelled();
    if (task.stopRequested()) return cancelled();
    return plan;
}

}  // namespace skein
