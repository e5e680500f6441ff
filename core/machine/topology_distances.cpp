// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/parallel_for.h"
#include "core/machine/topology.h"

#include <algorithm>
#include <atomic>
#include <fmt/format.h>

namespace skein {
namespace {

constexpr std::uint8_t kUnreached = 255;
constexpr std::uint64_t kMaximumTableBytes = std::uint64_t{1} << 31;

/// The vertices between which hops are tabled, and how nodes hang on them.
struct Attachment {
    std::vector<VertexIndex> vertices;      ///< one a table row
    std::vector<std::uint32_t> rowOfNode;
    std::uint32_t hops = 0;                 ///< node to row and back together
};

bool hangsOnOneRouter(const Topology& topology, VertexIndex node)
{
    const LinkIndex first = topology.firstLink(node);
    const LinkIndex last = topology.firstLink(node + 1);
    return first != last && topology.target(first) >= topology.nodes() && topology.target(first) == topology.target(last - 1);
}

/// Nodes that hang on one router each share the router's row; otherwise every node has a row of its own.
Attachment attach(const Topology& topology)
{
    Attachment made;
    made.rowOfNode.resize(topology.nodes());
    bool shared = true;
    for (VertexIndex node = 0; node < topology.nodes() && shared; ++node) shared = hangsOnOneRouter(topology, node);
    if (!shared) {
        for (VertexIndex node = 0; node < topology.nodes(); ++node) made.vertices.push_back(made.rowOfNode[node] = node);
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

/// Breadth-first hops from one vertex to all; kUnreached where there is no path below 255 hops.
void searchFrom(const Topology& topology, VertexIndex start, std::vector<std::uint8_t>& hops, std::vector<VertexIndex>& queue)
{
    hops.assign(topology.vertices(), kUnreached);
    queue.assign(1, start);
    hops[start] = 0;
    for (std::size_t head = 0; head < queue.size(); ++head) {
        const VertexIndex vertex = queue[head];
        if (hops[vertex] + 1 == kUnreached) return;
        if (vertex != start && !topology.forwards(vertex)) continue;
        for (LinkIndex link = topology.firstLink(vertex); link < topology.firstLink(vertex + 1); ++link) {
            const VertexIndex target = topology.target(link);
            if (hops[target] != kUnreached) continue;
            hops[target] = static_cast<std::uint8_t>(hops[vertex] + 1);
            queue.push_back(target);
        }
    }
}

Result<Distances> tableDistances(const Topology& topology, const Task& task)
{
    Attachment attachment = attach(topology);
    const std::size_t rows = attachment.vertices.size();
    if (std::uint64_t{rows} * rows > kMaximumTableBytes)
        return fail(ErrorCode::OutOfMemory, fmt::format("The table of distances between {} routers would pass 2 GiB.", rows),
                    topology.spec());
    std::vector<std::uint8_t> table(rows * rows);
    std::atomic<bool> connected{true};
    const bool done = parallelFor(rows, task, [&](std::size_t row) {
        std::vector<std::uint8_t> hops;
        std::vector<VertexIndex> queue;
        searchFrom(topology, attachment.vertices[row], hops, queue);
        for (std::size_t column = 0; column < rows; ++column) {
            table[row * rows + column] = hops[attachment.vertices[column]];
            if (table[row * rows + column] == kUnreached) connected = false;
        }
    });
    if (!done) return cancelled();
    if (!connected)
        return fail(ErrorCode::InvalidArgument, "Some nodes of the machine cannot reach each other within 254 hops.", topology.spec());
    return Distances::fromRouters(std::move(attachment.rowOfNode), static_cast<std::uint32_t>(rows), std::move(table), attachment.hops);
}

}  // namespace

Result<Distances> distances(const Topology& topology, const Task& task)
{
    if (!topology.isGrid()) return tableDistances(topology, task);
    auto grid = GridDistances::create({topology.numbering().begin(), topology.numbering().end()});
    if (!grid) return Unexpected(grid.error());
    return Distances(std::move(*grid));
}

}  // namespace skein
