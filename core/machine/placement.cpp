// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/machine/placement.h"

#include <algorithm>
#include <fmt/format.h>

namespace skein {
namespace {

constexpr std::uint64_t kMaximumSlots = std::uint64_t{1} << 30;

Result<std::uint32_t> checkedRanksPerNode(const Topology& topology, std::uint32_t ranks,
                                          std::uint32_t ranksPerNode)
{
    const std::uint32_t perNode =
        ranksPerNode == 0 ? fewestRanksPerNode(ranks, topology.nodes()) : ranksPerNode;
    const std::uint64_t slots = std::uint64_t{topology.nodes()} * perNode;
    if (slots > kMaximumSlots)
        return fail(ErrorCode::OutOfMemory,
                    fmt::format("{} ranks a node on {} nodes are more slots than the limit of 2^30.", perNode,
                                topology.nodes()));
    if (ranks > slots)
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("{} ranks do not fit on {} nodes with {} ranks each.", ranks,
                                topology.nodes(), perNode),
                    topology.spec());
    return perNode;
}

/// What one letter of an order stands for: its size, and what one step adds to the slot.
struct OrderDigit {
    std::uint32_t size = 1;
    std::uint32_t stride = 1;
};

Unexpected badOrder(const Topology& topology, std::string_view order)
{
    std::string letters;
    for (std::size_t d = 0; d < topology.numbering().size(); ++d) letters += dimensionLetter(d);
    return fail(ErrorCode::InvalidArgument,
                fmt::format("\"{}\" is no file of a placement and no order of ranks: an order must name each "
                            "of {} and T once, such as {}T.",
                            order, letters, letters));
}

/// Which digit a letter of an order names: a dimension, or `dimensions` for the core; more where it names
/// none.
std::size_t digitIndex(char letter, std::size_t dimensions)
{
    if (letter == 'T') return dimensions;
    for (std::size_t d = 0; d < dimensions; ++d)
        if (dimensionLetter(d) == letter) return d;
    return dimensions + 1;
}

/// The digits of a rank number from the slowest to the fastest.
Result<std::vector<OrderDigit>> digitsOf(const Topology& topology, std::uint32_t ranksPerNode,
                                         std::string_view order)
{
    const auto dimensions = topology.numbering();
    std::string text(order);
    if (text.find('T') == std::string::npos) text += 'T';
    std::vector<OrderDigit> byDimension(dimensions.size() + 1);
    std::uint32_t stride = ranksPerNode;
    for (std::size_t d = dimensions.size(); d-- > 0; stride *= dimensions[d].size)
        byDimension[d] = {dimensions[d].size, stride};
    byDimension.back() = {ranksPerNode, 1};
    std::vector<OrderDigit> digits;
    std::vector<char> seen(byDimension.size(), 0);
    for (const char letter : text) {
        const std::size_t index = digitIndex(letter, dimensions.size());
        if (index > dimensions.size() || seen[index]) return badOrder(topology, order);
        seen[index] = 1;
        digits.push_back(byDimension[index]);
    }
    if (digits.size() != byDimension.size()) return badOrder(topology, order);
    return digits;
}

std::uint32_t slotOf(const std::vector<OrderDigit>& digits, std::uint32_t rank)
{
    std::uint32_t slot = 0;
    for (std::size_t i = digits.size(); i-- > 0; rank /= digits[i].size)
        slot += rank % digits[i].size * digits[i].stride;
    return slot;
}

std::string spelledOut(const Topology& topology, std::string_view order)
{
    if (order != "block" && order != "cyclic") return std::string(order);
    std::string letters;
    for (std::size_t d = 0; d < topology.numbering().size(); ++d) letters += dimensionLetter(d);
    return order == "block" ? letters + "T" : "T" + letters;
}

}  // namespace

Result<Placement> Placement::create(std::vector<std::uint32_t> slotOfRank, std::uint32_t nodes,
                                    std::uint32_t ranksPerNode)
{
    const std::uint64_t slots = std::uint64_t{nodes} * ranksPerNode;
    if (slots == 0 || slots > kMaximumSlots)
        return fail(ErrorCode::InvalidArgument, "A placement needs 1 to 2^30 slots.");
    std::vector<std::uint32_t> rankOfSlot(slots, kNoVertex);
    for (std::uint32_t rank = 0; rank < slotOfRank.size(); ++rank) {
        const std::uint32_t slot = slotOfRank[rank];
        if (slot >= slots)
            return fail(ErrorCode::InvalidArgument,
                        fmt::format("Rank {} is placed in slot {}; the machine has {}.", rank, slot, slots));
        if (rankOfSlot[slot] != kNoVertex)
            return fail(ErrorCode::InvalidArgument,
                        fmt::format("Ranks {} and {} are both placed in slot {} (node {}, core {}).",
                                    rankOfSlot[slot], rank, slot, slot / ranksPerNode, slot % ranksPerNode));
        rankOfSlot[slot] = rank;
    }
    Placement made;
    made.slotOfRank_ = std::move(slotOfRank);
    made.nodes_ = nodes;
    made.ranksPerNode_ = ranksPerNode;
    return made;
}

std::uint32_t fewestRanksPerNode(std::uint32_t ranks, std::uint32_t nodes)
{
    return ranks == 0 || nodes == 0 ? 1 : (ranks - 1) / nodes + 1;
}

Result<Placement> placeInBlocks(const Topology& topology, std::uint32_t ranks, std::uint32_t ranksPerNode)
{
    return placeInOrder(topology, ranks, ranksPerNode, "block");
}

Result<Placement> placeInOrder(const Topology& topology, std::uint32_t ranks, std::uint32_t ranksPerNode,
                               std::string_view order)
{
    const auto perNode = checkedRanksPerNode(topology, ranks, ranksPerNode);
    if (!perNode) return Unexpected(perNode.error());
    const auto digits = digitsOf(topology, *perNode, spelledOut(topology, order));
    if (!digits) return Unexpected(digits.error());
    std::vector<std::uint32_t> slots(ranks);
    for (std::uint32_t rank = 0; rank < ranks; ++rank) slots[rank] = slotOf(*digits, rank);
    return Placement::create(std::move(slots), topology.nodes(), *perNode);
}

std::string nodeNumberOrder(const Topology& topology)
{
    const auto dimensions = topology.numbering();
    const auto complete = [](const GridDimension& dimension) {
        return dimension.shape == DimensionShape::Complete;
    };
    const bool crayXc = topology.isGrid() && dimensions.size() == 5
        && std::all_of(dimensions.begin(), dimensions.end(), complete) && dimensions[1].size == 2
        && dimensions[2].size == 3 && dimensions[3].size == 16 && dimensions[4].size == 4;
    if (crayXc) return "BACDE";
    std::string letters;
    for (std::size_t d = 0; d < dimensions.size(); ++d) letters += dimensionLetter(d);
    return letters;
}

VertexIndex nodeOfNumber(const Topology& topology, std::uint64_t number)
{
    if (number >= topology.nodes()) return kNoVertex;
    const auto digits = digitsOf(topology, 1, nodeNumberOrder(topology));
    return digits ? slotOf(*digits, static_cast<std::uint32_t>(number)) : kNoVertex;
}

}  // namespace skein
