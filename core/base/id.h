// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>

namespace skein {

/// A strong 32-bit index into one table of definitions. The default value names nothing.
/// Ids of different tables do not mix: `Id<struct RegionTag>` is another type than `Id<struct LocationTag>`.
template <typename Tag>
class Id {
public:
    static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

    constexpr Id() = default;
    constexpr explicit Id(std::uint32_t value) : value_(value) {}
    constexpr explicit Id(std::size_t value) : value_(static_cast<std::uint32_t>(value)) {}
    constexpr explicit Id(int value) : value_(static_cast<std::uint32_t>(value)) {}

    constexpr std::uint32_t value() const { return value_; }
    constexpr std::size_t index() const { return value_; }
    constexpr bool valid() const { return value_ != kNone; }
    constexpr auto operator<=>(const Id&) const = default;

private:
    std::uint32_t value_ = kNone;
};

using CallPathId = Id<struct CallPathTag>;
using CallSiteId = Id<struct CallSiteTag>;
using CommunicatorId = Id<struct CommunicatorTag>;
using IoFileId = Id<struct IoFileTag>;
using IoHandleId = Id<struct IoHandleTag>;
using LocationGroupId = Id<struct LocationGroupTag>;
using LocationId = Id<struct LocationTag>;
using MetricId = Id<struct MetricTag>;
using ParameterId = Id<struct ParameterTag>;
using RegionId = Id<struct RegionTag>;
using RegionGroupId = Id<struct RegionGroupTag>;
using SystemTreeNodeId = Id<struct SystemTreeNodeTag>;

}  // namespace skein

template <typename Tag>
struct std::hash<skein::Id<Tag>> {
    std::size_t operator()(skein::Id<Tag> id) const noexcept
    {
        return std::hash<std::uint32_t>{}(id.value());
    }
};
