// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/constraints/capacity_left.h"

#include <algorithm>

namespace skein {

CapacityLeft::CapacityLeft(const MappingProblem& problem)
    : problem_(problem),
      onNode_(problem.constraints.nodeCapacity),
      onSocket_(problem.constraints.socketCapacity)
{
    if (onNode_.empty()) onNode_.assign(problem.distances.nodes(), problem.ranksPerNode);
    for (std::size_t node = 0; node < problem.openNodes.size(); ++node)
        onNode_[node] = problem.openNodes[node] ? onNode_[node] : 0;
    for (const std::uint32_t node : problem.constraints.freeNodes) onNode_[node] = 0;
    if (onSocket_.empty()) return;
    const std::uint32_t sockets = problem.socketsPerNode(), cores = problem.coresPerSocket();
    for (std::uint32_t node = 0; node < onNode_.size(); ++node) {
        std::uint32_t room = 0;
        for (std::uint32_t socket = 0; socket < sockets; ++socket) {
            const std::uint32_t size = std::min(cores, problem.ranksPerNode - socket * cores);
            room += std::min(onSocket_[node * sockets + socket], size);
        }
        onNode_[node] = std::min(onNode_[node], room);
    }
}

bool CapacityLeft::take(std::uint32_t slot)
{
    std::uint32_t& node = onNode_[slot / problem_.ranksPerNode];
    if (node == 0) return false;
    if (!onSocket_.empty()) {
        std::uint32_t& socket = onSocket_[problem_.socketOf(slot)];
        if (socket == 0) return false;
        --socket;
    }
    --node;
    return true;
}

std::vector<std::uint8_t> usableSlots(const MappingProblem& problem, std::span<const std::uint32_t> preferred)
{
    enum : std::uint8_t { kPinned, kPreferred, kHeld, kEmpty };
    std::vector<std::uint8_t> turn(problem.slots(), kEmpty);
    for (const std::uint32_t slot : problem.current) turn[slot] = kHeld;
    for (const std::uint32_t slot : preferred) turn[slot] = kPreferred;
    for (const std::uint32_t rank : problem.constraints.pinned) turn[problem.current[rank]] = kPinned;
    std::vector<std::uint8_t> usable(turn.size(), 0);
    CapacityLeft room(problem);
    for (const std::uint8_t now : {kPinned, kPreferred, kHeld, kEmpty}) {
        for (std::uint32_t slot = 0; slot < turn.size(); ++slot) {
            if (turn[slot] == now && room.take(slot)) usable[slot] = 1;
        }
    }
    return usable;
}

}  // namespace skein
