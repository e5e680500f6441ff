// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace skein {

/// What the end points of measured routes are called in their source.
enum class EndpointKind : std::uint8_t {
    Ranks,        ///< MPI ranks
    NodeNumbers,  ///< the machine's own node numbers (nid)
};

/// The ways that messages were seen to take, each a row of positions in the machine's coordinates. Several
/// routes may join the same two end points: each stands for the messages that took it. Immutable once built;
/// reading from several threads is safe.
class RouteSet {
public:
    struct Route {
        std::uint32_t sender = 0;  ///< rank; index into endpointNumbers() where that is not empty
        std::uint32_t receiver = 0;
        std::uint64_t messages = 1;
        std::uint64_t bytes = 0;  ///< 0 where the source does not tell
        std::uint32_t firstStop = 0;
        std::uint32_t stops = 0;  ///< hops + 1
        bool complete = true;     ///< false: the recording ends before the receiver
    };

    explicit RouteSet(std::uint32_t dimensions = 0, EndpointKind kind = EndpointKind::Ranks)
        : dimensions_(dimensions), kind_(kind)
    {
    }

    /// Adds a route; `positions` holds stops × dimensions() coordinates.
    void add(Route route, std::span<const std::uint32_t> positions);
    void setEndpointNumbers(std::vector<std::uint32_t> numbers) { endpointNumbers_ = std::move(numbers); }

    std::size_t size() const { return routes_.size(); }
    const Route& operator[](std::size_t index) const { return routes_[index]; }
    std::span<const Route> routes() const { return routes_; }
    /// Coordinates a stop.
    std::uint32_t dimensions() const { return dimensions_; }
    /// Where a route is after `stop` hops (0 = at its sender's node).
    std::span<const std::uint32_t> position(const Route& route, std::uint32_t stop) const
    {
        return {positions_.data() + (std::size_t{route.firstStop} + stop) * dimensions_, dimensions_};
    }
    EndpointKind endpointKind() const { return kind_; }
    /// The source's own numbers of the end points, ascending; empty where they are ranks.
    std::span<const std::uint32_t> endpointNumbers() const { return endpointNumbers_; }

private:
    std::uint32_t dimensions_ = 0;
    EndpointKind kind_ = EndpointKind::Ranks;
    std::vector<Route> routes_;
    std::vector<std::uint32_t> positions_;
    std::vector<std::uint32_t> endpointNumbers_;
};

}  // namespace skein
