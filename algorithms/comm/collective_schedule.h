// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/trace/events.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

namespace skein {

/// How a collective operation is made of messages. docs/MACHINES.md tells which algorithm serves which
/// operation.
enum class CollectiveAlgorithm : std::uint8_t {
    Binomial,  ///< binomial tree from or to the root
    Bruck,     ///< ⌈log2 p⌉ rounds over doubling distances (Bruck, Ho, Kipnis, Upfal, Weathersby 1997)
    Default,   ///< what MPICH chooses by operation, size and number of ranks (Thakur, Rabenseifner, Gropp
               ///< 2005)
    Dissemination,      ///< ⌈log2 p⌉ rounds, each to the rank 2^k further (Hensgen, Finkel, Manber 1988)
    Pairwise,           ///< every rank directly with every other
    RecursiveDoubling,  ///< exchange with the rank whose number differs in one bit; the rest is folded in
                        ///< first
    Ring,               ///< to the next rank, p-1 times
};

std::string_view name(CollectiveAlgorithm algorithm);
/// "binomial", "bruck", "default", "dissemination", "pairwise", "recursive-doubling", "ring". Errors:
/// InvalidArgument.
Result<CollectiveAlgorithm> parseCollectiveAlgorithm(std::string_view text);

/// One call of a collective operation by all members of a communicator.
struct CollectiveCall {
    CollectiveKind kind = CollectiveKind::Barrier;
    std::uint32_t ranks = 0;  ///< members
    std::uint32_t root = 0;   ///< rank in the communicator; unused where the kind has none
    /// Bytes by rank: what a rank contributes (Gather, AllGather), what it gets (Scatter), what it sends to
    /// each (AllToAll). One value for all where the ranks share a vector (Broadcast, Reduce, AllReduce, Scan,
    /// ReduceScatter: the whole vector). Empty for Barrier.
    std::vector<std::uint64_t> bytes;
    /// Bytes that each rank gets in all, for an AllToAll with different sizes: `bytes` is then the mean that
    /// a rank sends to each, and goes to them in proportion to what they get. Empty: the same to all.
    std::vector<std::uint64_t> received{};
    auto operator<=>(const CollectiveCall&) const = default;
};

/// Receives one message between ranks of the communicator.
using MessageReceiver = std::function<void(std::uint32_t from, std::uint32_t to, std::uint64_t bytes)>;

/// The messages of a call in an order in which they can happen. An algorithm that does not serve the
/// operation gives way to the default. Pieces that do not divide evenly differ by one byte, so that sums are
/// exact. Operations that move no data between ranks (creating handles, unknown ones) and calls of fewer than
/// two ranks have no messages. O(messages).
void expandCollective(const CollectiveCall& call, CollectiveAlgorithm algorithm,
                      const MessageReceiver& receive);

/// The algorithm that serves the call when one is asked for: itself, or what Default chooses; nothing where
/// the choice is a composition of several (scatter and gather by halves, as Rabenseifner's).
std::optional<CollectiveAlgorithm> servingAlgorithm(const CollectiveCall& call,
                                                    CollectiveAlgorithm algorithm);

}  // namespace skein
