// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/id.h"

#include <compare>
#include <cstdint>

/// What a user can point at, as plain values: they outlive views and can be compared and kept.
namespace skein {

/// A definition of one of the experiments that are open together.
template <typename IdType>
struct Ref {
    std::uint32_t experiment = 0;  ///< index into Session::experiments
    IdType id;

    bool valid() const { return id.valid(); }
    auto operator<=>(const Ref&) const = default;
};

using CallPathRef = Ref<CallPathId>;
using LocationRef = Ref<LocationId>;
using MetricRef = Ref<MetricId>;
using RegionRef = Ref<RegionId>;

/// One call: an index into the CallIntervals of a location.
struct IntervalRef {
    std::uint32_t experiment = 0;
    LocationId location;
    std::uint32_t index = 0;

    bool valid() const { return location.valid(); }
    auto operator<=>(const IntervalRef&) const = default;
};

/// One point-to-point message: an index into Trace::messages.
struct MessageRef {
    static constexpr std::uint32_t kNone = 0xFFFFFFFFu;
    std::uint32_t experiment = 0;
    std::uint32_t index = kNone;

    bool valid() const { return index != kNone; }
    auto operator<=>(const MessageRef&) const = default;
};

/// A collective that was recorded: an index into Trace::collectives.
struct CollectiveRef {
    std::uint32_t experiment = 0;
    std::uint32_t index = 0;

    auto operator<=>(const CollectiveRef&) const = default;
};

/// What one component of a workflow handed over to another: an index into the hand-overs of the session.
struct HandOverRef {
    std::uint32_t index = 0;

    auto operator<=>(const HandOverRef&) const = default;
};

/// A node of the session's machine: an index into its vertices. Not valid for another machine.
struct NodeRef {
    std::uint32_t index = 0;

    auto operator<=>(const NodeRef&) const = default;
};

/// A moment from which on processes behave otherwise.
struct ChangePointRef {
    std::uint32_t experiment = 0;
    std::int64_t timeNs = 0;  ///< session time

    auto operator<=>(const ChangePointRef&) const = default;
};

/// Processes that behave alike, by their number in the panel that tells them; whose they are is among the
/// selected locations.
struct ClusterRef {
    std::uint32_t experiment = 0;
    std::uint32_t number = 0;

    auto operator<=>(const ClusterRef&) const = default;
};

/// All messages from one rank to another, and the route that they take on the session's machine.
struct RankPairRef {
    std::uint32_t experiment = 0;
    std::uint32_t sender = 0;    ///< rank
    std::uint32_t receiver = 0;  ///< rank

    auto operator<=>(const RankPairRef&) const = default;
};

/// A directed cable of the session's machine: an index into Topology::links. Not valid for another machine.
struct LinkRef {
    std::uint32_t index = 0;

    auto operator<=>(const LinkRef&) const = default;
};

}  // namespace skein
