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
    return record.event >= 0 && record.event < kLargestLikelyEvent && record.time > 0
        && record.time < (std::uint64_t{1} << 62);
}

struct Likelihood {
    std::size_t looked = 0;
    std::size_t likely = 0;
    bool init = false;  ///< the first is an EV_INIT

    /// Records that were damaged on the way are some among many.
    bool convincing() const { return 4 * likely >= 3 * looked && (init || likely >= kConvincing); }
};

Likelihood likelihoodOf(std::string_view head, RecordLayout layout)
{
    Likelihood result;
    result.looked = std::min(head.size() / layout.recordBytes(), kLookedAt);
    std::uint64_t before = 0;
    for (std::size_t index = 0; index < result.looked; ++index) {
        const TraceRecord record = decodeRecord(head.data() + index * layout.recordBytes(), layout);
        const std::uint64_t gap = record.time > before ? record.time - before : 0;
        if (!isLikely(record) || (before > 0 && gap > kLargestLikelyGap)) continue;
        ++result.likely;
        before = record.time;
        result.init = result.init || (index == 0 && record.parameter == kInitParameter);
    }
    return result;
}

}  // namespace

std::optional<RecordLayout> detectLayout(std::string_view head)
{
    constexpr std::array<RecordLayout, 4> layouts{
        {{false, false}, {true, false}, {false, true}, {true, true}}};
    std::optional<RecordLayout> best;
    std::size_t most = 0;
    for (const RecordLayout layout : layouts) {
        const Likelihood likelihood = likelihoodOf(head, layout);
        if (!likelihood.convincing() || likelihood.likely <= most) continue;
        best = layout;
        most = likelihood.likely;
    }
    return best;
}

bool beginsWithInit(std::string_view head, RecordLayout layout)
{
    const Likelihood likelihood = likelihoodOf(head, layout);
    return likelihood.convincing() && likelihood.init && likelihood.likely >= 2;
}

PackedMessage unpackMessage(std::int64_t parameter)
{
    const auto bits = static_cast<std::uint64_t>(parameter);
    const auto field = [&](int from, int count) {
        return static_cast<std::uint32_t>(bits >> from & ((1u << count) - 1));
    };
    return {field(24, 8) | field(56, 8) << 8, field(16, 8) | field(48, 8) << 8,
            field(0, 16) | field(32, 10) << 16, field(42, 6)};
}

}  // namespace skein::tau
