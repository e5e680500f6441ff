// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/machine/topology_builders.h"

#include <fmt/format.h>

namespace skein {
namespace {

/// The port (0 … groups-2) of group `from` whose cable leads to group `to`.
std::uint32_t portTo(GlobalLinkRule rule, std::uint32_t groups, std::uint32_t from, std::uint32_t to)
{
    const std::uint32_t ahead = (to + groups - from) % groups;
    switch (rule) {
    case GlobalLinkRule::Consecutive: return to < from ? to : to - 1;
    case GlobalLinkRule::Relative: return ahead - 1;
    case GlobalLinkRule::Palmtree: return groups - ahead - 1;
    case GlobalLinkRule::Circulant:
        return ahead <= groups / 2 ? 2 * (ahead - 1) : 2 * (groups - ahead - 1) + 1;
    }
    return 0;
}

class DragonflyBuilder {
public:
    explicit DragonflyBuilder(const DragonflyParameters& parameters)
        : parameters_(parameters), shape_(parameters.shape), routersPerGroup_(shape_.routersPerGroup())
    {
        if (parameters_.globalLinksPerRouter == 0 && shape_.groups > 1)
            parameters_.globalLinksPerRouter = (shape_.groups - 2) / routersPerGroup_ + 1;
    }

    Result<void> check(const std::string& spec) const
    {
        const std::uint64_t routers = std::uint64_t{shape_.groups} * routersPerGroup_;
        if (routers * (shape_.nodesPerRouter + std::uint64_t{1}) > Topology::kMaximumVertices
            || linkCount() > Topology::kMaximumLinks)
            return fail(ErrorCode::OutOfMemory,
                        fmt::format("A machine may have at most {} nodes and routers and {} links.",
                                    Topology::kMaximumVertices, Topology::kMaximumLinks),
                        spec);
        if (shape_.groups > 1 && cablesPerPair() == 0)
            return fail(
                ErrorCode::InvalidArgument,
                fmt::format("{} groups need at least {} global cables each; {} routers with {} have {}.",
                            shape_.groups, shape_.groups - 1, routersPerGroup_,
                            parameters_.globalLinksPerRouter,
                            std::uint64_t{routersPerGroup_} * parameters_.globalLinksPerRouter),
                spec);
        return {};
    }

    /// Without all links where the task is stopped.
    Topology::Parts parts(const Task& task) const
    {
        Topology::Parts parts;
        parts.nodes = nodes();
        parts.routers = shape_.groups * routersPerGroup_;
        parts.shape = shape_;
        parts.numbering = {{shape_.groups, DimensionShape::Complete},
                           {shape_.columns, DimensionShape::Complete},
                           {shape_.nodesPerRouter, DimensionShape::Complete}};
        if (shape_.rows > 1)
            parts.numbering.insert(parts.numbering.begin() + 1, {shape_.rows, DimensionShape::Complete});
        parts.links.reserve(linkCount());
        attachNodes(parts.links);
        for (std::uint32_t group = 0; group < shape_.groups && !task.stopRequested(); ++group)
            wireGroup(group, parts.links);
        for (std::uint32_t from = 0; from < shape_.groups && !task.stopRequested(); ++from)
            for (std::uint32_t to = from + 1; to < shape_.groups; ++to) wireGroups(from, to, parts.links);
        return parts;
    }

private:
    std::uint32_t nodes() const { return shape_.groups * routersPerGroup_ * shape_.nodesPerRouter; }
    VertexIndex router(std::uint32_t group, std::uint32_t index) const
    {
        return nodes() + group * routersPerGroup_ + index;
    }
    std::uint64_t cablesPerPair() const
    {
        const std::uint64_t ports = std::uint64_t{routersPerGroup_} * parameters_.globalLinksPerRouter;
        return shape_.groups < 2 ? 0 : ports / (shape_.groups - 1);
    }
    std::uint64_t linkCount() const
    {
        const std::uint64_t groups = shape_.groups;
        return groups * routersPerGroup_
            * (2 * std::uint64_t{shape_.nodesPerRouter} + shape_.rows + shape_.columns - 2)
            + groups * (groups - 1) * cablesPerPair();
    }

    void attachNodes(std::vector<LinkDefinition>& links) const
    {
        for (VertexIndex node = 0; node < nodes(); ++node)
            join(node, nodes() + node / shape_.nodesPerRouter, 1.0f, links);
    }
    void wireGroup(std::uint32_t group, std::vector<LinkDefinition>& links) const
    {
        for (std::uint32_t a = 0; a < routersPerGroup_; ++a)
            for (std::uint32_t b = a + 1; b < routersPerGroup_; ++b) {
                const bool sameRow = a / shape_.columns == b / shape_.columns;
                const bool sameColumn = a % shape_.columns == b % shape_.columns;
                if (sameRow || sameColumn)
                    join(router(group, a), router(group, b), sameRow ? 1.0f : parameters_.columnCapacity,
                         links);
            }
    }
    void wireGroups(std::uint32_t from, std::uint32_t to, std::vector<LinkDefinition>& links) const
    {
        const std::uint32_t out = portTo(parameters_.rule, shape_.groups, from, to);
        const std::uint32_t back = portTo(parameters_.rule, shape_.groups, to, from);
        for (std::uint32_t cable = 0; cable < cablesPerPair(); ++cable) {
            const std::uint32_t base = cable * (shape_.groups - 1);
            join(router(from, (base + out) / parameters_.globalLinksPerRouter),
                 router(to, (base + back) / parameters_.globalLinksPerRouter), 1.0f, links);
        }
    }
    static void join(VertexIndex a, VertexIndex b, float capacity, std::vector<LinkDefinition>& links)
    {
        links.push_back({a, b, capacity});
        links.push_back({b, a, capacity});
    }

    DragonflyParameters parameters_;
    DragonflyShape shape_;
    std::uint32_t routersPerGroup_;
};

}  // namespace

std::string_view name(GlobalLinkRule rule)
{
    switch (rule) {
    case GlobalLinkRule::Circulant: return "circulant";
    case GlobalLinkRule::Consecutive: return "consecutive";
    case GlobalLinkRule::Palmtree: return "palmtree";
    case GlobalLinkRule::Relative: return "relative";
    }
    return "invalid";
}

Result<Topology> makeDragonfly(const DragonflyParameters& parameters, std::string spec, const Task& task)
{
    const DragonflyBuilder builder(parameters);
    if (auto checked = builder.check(spec); !checked) return Unexpected(checked.error());
    Topology::Parts parts = builder.parts(task);
    parts.spec = std::move(spec);
    return Topology::create(std::move(parts), task);
}

}  // namespace skein
