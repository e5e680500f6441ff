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

/// All messages from one rank to another.
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
