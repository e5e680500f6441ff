// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/trace.h"

#include <algorithm>
#include <bit>

namespace skein {

double metricValue(std::uint64_t bits, MetricValueType type)
{
    switch (type) {
    case MetricValueType::Int64: return static_cast<double>(static_cast<std::int64_t>(bits));
    case MetricValueType::Uint64: return static_cast<double>(bits);
    case MetricValueType::Double: return std::bit_cast<double>(bits);
    }
    return 0.0;
}

double metricIncrease(std::uint64_t earlier, std::uint64_t later, MetricValueType type)
{
    if (type == MetricValueType::Double) return metricValue(later, type) - metricValue(earlier, type);
    return static_cast<double>(static_cast<std::int64_t>(later - earlier));
}

std::uint64_t Trace::eventCount() const
{
    std::uint64_t sum = 0;
    for (const LocationTrace& location : locations) sum += location.events;
    return sum;
}

std::uint64_t Trace::intervalCount() const
{
    std::uint64_t sum = 0;
    for (const LocationTrace& location : locations) sum += location.intervals.size();
    return sum;
}

std::uint64_t Trace::unmatchedSendCount() const
{
    return static_cast<std::uint64_t>(std::count_if(
        messages.begin(), messages.end(), [](const Message& message) { return !message.matched(); }));
}

std::uint32_t Trace::maximumDepth() const
{
    std::uint32_t deepest = 0;
    for (const LocationTrace& location : locations)
        for (const std::uint16_t depth : location.intervals.depth) deepest = std::max(deepest, depth + 1u);
    return deepest;
}

}  // namespace skein
