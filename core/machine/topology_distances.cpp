// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/parallel_for.h"
#include "core/machine/topology.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <span>
#include <utility>

namespace skein {
namespace {

constexpr std::uint8_t kUnreached = 255;
constexpr std::uint64_t kMaximumTableBytes = std::uint64_t{1} << 31;

/// The vertices between which hops are tabled, and how nodes hang on them.
struct Attachment {
    std::vector<VertexIndex> vertices;  ///< one a table row
    std::vector<std::uint32_t> rowOfNode;
    std::uint32_t hops = 0;  ///< node to row and back together
};

bool hangsOnOneRouter(const Topology& topology, VertexIndex node)
{
    const LinkIndex first = topology.firstLink(node);
    const LinkIndex last = topology.firstLink(node + 1);
    return first != last && topology.target(first) >= topology.nodes()
        && topology.target(first) == topology.target(last - 1);
}

/// Nodes that hang on one router each share the router's row; otherwise every node has a row of its own.
Attachment attachNodes(const Topology& topology)
{
    Attachment made;
    made.rowOfNode.resize(topology.nodes());
    bool shared = true;
    for (VertexIndex node = 0; node < topology.nodes() && shared; ++node)
        shared = hangsOnOneRouter(topology, node);
    if (!shared) {
        for (VertexIndex node = 0; node < topology.nodes(); ++node)
            made.vertices.push_back(made.rowOfNode[node] = node);
        return made;
    }
    std::vector<std::uint32_t> rowOfRouter(topology.vertices(), kNoVertex);
    for (VertexIndex node = 0; node < topology.nodes(); ++node) {
        const VertexIndex router = topology.target(topology.firstLink(node));
        if (rowOfRouter[router] == kNoVertex) {
            rowOfRouter[router] = static_cast<std::uint32_t>(made.vertices.size());
            made.vertices.push_back(router);
        }
        made.rowOfNode[node] = rowOfRouter[router];
    }
    made.hops = 2;
    return made;
}

/// Starts that one search takes together: a bit each.
constexpr std::size_t kTogether = 64;

/// Breadth-first search from several vertices at once, where sets of starts travel as bits: a link is looked
/// at once for all that reach it by the same number of hops. Tells `reach(vertex, starts, hops)`, up to 254
/// hops.
template <typename Reach>
void searchFrom(const Topology& topology, std::span<const VertexIndex> starts, const Reach& reach)
{
    std::vector<std::uint64_t> reached(topology.vertices(), 0);
    std::vector<std::uint64_t> now(topology.vertices(), 0);
    std::vector<std::uint64_t> next(topology.vertices(), 0);
    std::vector<VertexIndex> active(starts.begin(), starts.end());
    std::vector<VertexIndex> found;
    for (std::size_t i = 0; i < starts.size(); ++i)
        reached[starts[i]] = now[starts[i]] = std::uint64_t{1} << i;
    for (std::uint8_t hops = 0; !active.empty() && hops < kUnreached; ++hops) {
        for (const VertexIndex vertex : active) {
            const std::uint64_t bits = std::exchange(now[vertex], 0);
            reach(vertex, bits, hops);
            if (hops > 0 && !topology.forwards(vertex)) continue;
            for (LinkIndex link = topology.firstLink(vertex); link < topology.firstLink(vertex + 1); ++link) {
                const VertexIndex target = topology.target(link);
                const std::uint64_t fresh = bits & ~reached[target];
                if (fresh == 0) continue;
                if (next[target] == 0) found.push_back(target);
                next[target] |= fresh;
            }
        }
        for (const VertexIndex vertex : found) reached[vertex] |= next[vertex];
        active.swap(found);
        found.clear();
        now.swap(next);
    }
}

/// The table's row of each vertex; kNoVertex for those without.
std::vector<std::uint32_t> rowsOfVertices(const Topology& topology, const std::vector<VertexIndex>& vertices)
{
    std::vector<std::uint32_t> rows(topology.vertices(), kNoVertex);
    for (std::size_t row = 0; row < vertices.size(); ++row)
        rows[vertices[row]] = static_cast<std::uint32_t>(row);
    return rows;
}

Result<Distances> tableDistances(const Topology& topology, const Task& task)
{
    Attachment attachment = attachNodes(topology);
    const std::size_t rows = attachment.vertices.size();
    if (std::uint64_t{rows} * rows > kMaximumTableBytes)
        return fail(ErrorCode::OutOfMemory,
                    fmt::format("The table of distances between {} routers would pass 2 GiB.", rows),
                    topology.spec());
    std::vector<std::uint8_t> table(rows * rows, kUnreached);
    const std::vector<std::uint32_t> columns = rowsOfVertices(topology, attachment.vertices);
    const bool done = parallelFor((rows + kTogether - 1) / kTogether, task, [&](std::size_t batch) {
        const std::size_t first = batch * kTogether;
        const auto starts = std::span(attachment.vertices).subspan(first, std::min(kTogether, rows - first));
        searchFrom(topology, starts, [&](VertexIndex vertex, std::uint64_t reachedBy, std::uint8_t hops) {
            if (columns[vertex] == kNoVertex) return;
            for (; reachedBy != 0; reachedBy &= reachedBy - 1)
                table[(first + static_cast<std::size_t>(std::countr_zero(reachedBy))) * rows
                      + columns[vertex]] = hops;
        });
    });
    if (!done) return cancelled();
    if (std::find(table.begin(), table.end(), kUnreached) != table.end())
        return fail(ErrorCode::InvalidArgument,
                    "Some nodes of the machine cannot reach each other within 254 hops.", topology.spec());
    return Distances::fromRouters(std::move(attachment.rowOfNode), static_cast<std::uint32_t>(rows),
                                  std::move(table), attachment.hops);
}

/// A table up to so many routers, which some searches read a row at a time, else the rule of the tree.
constexpr std::uint32_t kMostTabledRouters = 2048;

const FatTreeShape* treeBeyondTables(const Topology& topology)
{
    const auto* tree = std::get_if<FatTreeShape>(&topology.shape());
    if (!tree || topology.nodes() / tree->children.front() <= kMostTabledRouters) return nullptr;
    return tree;
}

}  // namespace

Result<Distances> distances(const Topology& topology, const Task& task)
{
    if (const FatTreeShape* tree = treeBeyondTables(topology)) {
        auto levels = TreeDistances::create(tree->children);
        if (!levels) return Unexpected(levels.error());
        return Distances(std::move(*levels));
    }
    if (!topology.isGrid()) return tableDistances(topology, task);
    auto grid = GridDistances::create({topology.numbering().begin(), topology.numbering().end()});
    if (!grid) return Unexpected(grid.error());
    return Distances(std::move(*grid));
}

}  // namespace skein
