// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/tau_trace/trace_records.h"

#include <algorithm>
#include <array>

namespace skein::tau {
namespace {

/// TAU numbers events from 0 and puts its own at 60 000 and 70 000.
constexpr std::int64_t kLargestLikelyEvent = 10'000'000;
/// The parameter of the first record.
constexpr std::int64_t kInitParameter = 3;
constexpr std::size_t kLookedAt = 64;
constexpr std::size_t kConvincing = 8;
/// Longer than a year between neighbours is no trace.
constexpr std::uint64_t kLargestLikelyGap = 400ull * 24 * 3600 * 1'000'000;

bool isLikely(const TraceRecord& record)
{
    return record.event >= 0 && record.event < kLargestLikelyEvent && record.time > 0 &&
           record.time < (std::uint64_t{1} << 62);
}

/// How many records from the first on make sense in this layout; 0 when one of those looked at does not.
std::size_t likelyRecords(std::string_view head, RecordLayout layout)
{
    const std::size_t count = std::min(head.size() / layout.recordBytes(), kLookedAt);
    std::uint64_t before = 0;
    for (std::size_t index = 0; index < count; ++index) {
        const TraceRecord record = decodeRecord(head.data() + index * layout.recordBytes(), layout);
        if (!isLikely(record)) return 0;
        if (index > 0 && record.time > before && record.time - before > kLargestLikelyGap) return 0;
        before = record.time;
    }
    return count;
}

}  // namespace

std::optional<RecordLayout> detectLayout(std::string_view head)
{
    constexpr std::array<RecordLayout, 4> layouts{{{false, false}, {true, false}, {false, true}, {true, true}}};
    std::optional<RecordLayout> best;
    for (const RecordLayout layout : layouts) {
        const std::size_t likely = likelyRecords(head, layout);
        if (likely == 0) continue;
        if (decodeRecord(head.data(), layout).parameter == kInitParameter) return layout;
        if (likely >= kConvincing && !best) best = layout;
    }
    return best;
}

bool beginsWithInit(std::string_view head, RecordLayout layout)
{
    return likelyRecords(head, layout) >= 2 && decodeRecord(head.data(), layout).parameter == kInitParameter;
}

PackedMessage unpackMessage(std::int64_t parameter)
{
    const auto bits = static_cast<std::uint64_t>(parameter);
    const auto field = [&](int from, int count) { return static_cast<std::uint32_t>(bits >> from & ((1u << count) - 1)); };
    return {field(24, 8) | field(56, 8) << 8, field(16, 8) | field(48, 8) << 8, field(0, 16) | field(32, 10) << 16, field(42, 6)};
}

}  // namespace skein::tau
