// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/routing/routing_model.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <numeric>

namespace skein {
namespace {

struct NamedKind {
    std::string_view name;
    RoutingKind kind;
};

constexpr std::array<NamedKind, 6> kKinds{{
    {"d-mod-k", RoutingKind::DModK},
    {"dimension-order", RoutingKind::DimensionOrder},
    {"ecmp", RoutingKind::Ecmp},
    {"minimal", RoutingKind::Minimal},
    {"shortest", RoutingKind::ShortestPath},
    {"valiant", RoutingKind::Valiant},
}};

std::string specOf(std::span<const GridDimension> dimensions)
{
    std::string text;
    for (const GridDimension& dimension : dimensions)
        text += fmt::format("{}{}{}", text.empty() ? "torus:" : "x", dimension.size,
                            dimension.shape == DimensionShape::Line ? "m" : "");
    return text;
}

std::optional<std::vector<std::uint8_t>> parseOrder(std::string_view letters, std::size_t dimensions)
{
    std::vector<std::uint8_t> order;
    for (const char letter : letters)
        for (std::size_t d = 0; d < dimensions; ++d)
            if (dimensionLetter(d) == letter && std::find(order.begin(), order.end(), d) == order.end())
                order.push_back(static_cast<std::uint8_t>(d));
    if (order.size() != dimensions || letters.size() != dimensions) return std::nullopt;
    return order;
}

bool isComplete(const GridDimension& dimension) { return dimension.shape == DimensionShape::Complete; }

std::vector<std::uint8_t> usualOrder(const Topology& topology)
{
    const auto dimensions = topology.numbering();
    std::vector<std::uint8_t> order(dimensions.size());
    std::iota(order.begin(), order.end(), std::uint8_t{0});
    if (std::all_of(dimensions.begin(), dimensions.end(), isComplete)) {
        std::reverse(order.begin(), order.end());
        return order;
    }
    if (std::none_of(dimensions.begin(), dimensions.end(), isComplete))
        for (const KnownPartition& known : knownPartitions())
            if (known.spec == specOf(dimensions)) return *parseOrder(known.order, dimensions.size());
    return order;
}

bool canHave(const Topology& topology, RoutingKind kind)
{
    switch (kind) {
    case RoutingKind::DimensionOrder: return topology.isGrid();
    case RoutingKind::DModK: return std::holds_alternative<FatTreeShape>(topology.shape());
    case RoutingKind::Minimal:
    case RoutingKind::Valiant: return std::holds_alternative<DragonflyShape>(topology.shape());
    case RoutingKind::Ecmp:
    case RoutingKind::ShortestPath: return true;
    }
    return false;
}

/// What stands behind the colon of "dimension-order:": an order, "tie=…", or both with a comma between.
Result<void> readOrderOptions(std::string_view options, const Topology& topology, RoutingModel& model)
{
    const std::size_t comma = options.find(',');
    for (const std::string_view part :
         {options.substr(0, comma),
          comma == std::string_view::npos ? std::string_view() : options.substr(comma + 1)}) {
        if (part.empty()) continue;
        if (part == "tie=positive") model.tie = TieRule::Positive;
        else if (part == "tie=parity") model.tie = TieRule::SourceParity;
        else if (auto order = parseOrder(part, topology.numbering().size())) model.order = std::move(*order);
        else
            return fail(ErrorCode::InvalidArgument,
                        fmt::format("\"{}\" is no order of all {} dimensions (such as BA for two), "
                                    "tie=positive or tie=parity.",
                                    part, topology.numbering().size()));
    }
    return {};
}

}  // namespace

std::vector<KnownPartition> knownPartitions()
{
    return {
        {"torus:2x2x2x2x2", "DCBAE", "Vesta, 32 nodes"},
        {"torus:2x2x4x2x2", "DBACE", "Vesta, 64 nodes"},
        {"torus:2x2x4x4x2", "BACDE", "Vesta, 128 nodes"},
        {"torus:4x2x4x4x2", "BACDE", "Vesta, 256 nodes"},
        {"torus:4x4x4x4x2", "ABCDE", "Vesta and Mira, 512 nodes"},
        {"torus:4x4x4x8mx2", "DABCE", "Mira, 1,024 nodes"},
        {"torus:4x4x4x16x2", "DBACE", "Mira, 2,048 nodes; that A comes before C and E last is assumed"},
        {"torus:8x4x4x16x2", "DACBE", "Mira, 4,096 nodes; that A comes before C and E last is assumed"},
        {"torus:4x4x8x16x2", "DCABE", "Mira, 4,096 nodes; assumed in analogy"},
        {"torus:4x4x16x16x2", "CDABE", "Mira, 8,192 nodes; that D comes before A and E last is assumed"},
    };
}

RoutingModel usualRouting(const Topology& topology)
{
    if (topology.isGrid()) return {RoutingKind::DimensionOrder, usualOrder(topology), TieRule::SourceParity};
    if (canHave(topology, RoutingKind::Minimal)) return {RoutingKind::Minimal, {}, {}};
    if (canHave(topology, RoutingKind::DModK)) return {RoutingKind::DModK, {}, {}};
    return {RoutingKind::ShortestPath, {}, {}};
}

Result<RoutingModel> parseRoutingModel(std::string_view text, const Topology& topology)
{
    if (text.empty() || text == "auto") return usualRouting(topology);
    const std::size_t colon = text.find(':');
    const std::string_view kindName = text.substr(0, colon);
    const auto found = std::find_if(kKinds.begin(), kKinds.end(),
                                    [&](const NamedKind& known) { return known.name == kindName; });
    const bool optionsAllowed = found != kKinds.end() && found->kind == RoutingKind::DimensionOrder;
    if (found == kKinds.end() || (colon != std::string_view::npos && !optionsAllowed))
        return fail(
            ErrorCode::InvalidArgument,
            fmt::format("\"{}\" is no routing; there are auto, d-mod-k, "
                        "dimension-order[:ORDER][,tie=positive], ecmp, minimal, shortest and valiant.",
                        text));
    if (!canHave(topology, found->kind))
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("The machine {} cannot be routed by {}.", topology.spec(), kindName));
    RoutingModel model{found->kind, {}, TieRule::SourceParity};
    if (!optionsAllowed) return model;
    model.order = usualOrder(topology);
    if (colon != std::string_view::npos)
        if (auto read = readOrderOptions(text.substr(colon + 1), topology, model); !read)
            return Unexpected(read.error());
    return model;
}

std::string name(const RoutingModel& model)
{
    const auto found = std::find_if(kKinds.begin(), kKinds.end(),
                                    [&](const NamedKind& known) { return known.kind == model.kind; });
    std::string text(found->name);
    if (model.kind != RoutingKind::DimensionOrder) return text;
    text += ':';
    for (const std::uint8_t dimension : model.order) text += dimensionLetter(dimension);
    return model.tie == TieRule::Positive ? text + ",tie=positive" : text;
}

}  // namespace skein
