// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/index/interval_skip.h"

#include "core/base/block_storage.h"
#include "core/base/read_ahead.h"
#include "core/index/first_call.h"

#include <algorithm>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace skein {
namespace {

constexpr std::uint32_t kFan = IntervalSkip::kFanOut;
constexpr std::size_t kCallsBetweenQuestions = 1 << 16;  ///< whether to stop

/// Four classes an octave, in the order of durations.
std::uint8_t widthOf(TimeNs duration)
{
    const auto value = static_cast<std::uint64_t>(std::max<TimeNs>(duration, 0));
    const int bits = std::bit_width(value);
    if (bits < 3) return static_cast<std::uint8_t>(value);
    return static_cast<std::uint8_t>(4 * (bits - 2) + static_cast<int>(value >> (bits - 3) & 3));
}

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

#ifdef __SSE2__
/// A bit for each of kFan depths, set where it is less than a depth.
std::uint32_t whereBelow(const std::uint16_t* depths, std::uint16_t depth)
{
    const __m128i wanted = _mm_set1_epi16(static_cast<short>(depth));
    const auto* const values = reinterpret_cast<const __m128i*>(depths);
    // Differences without sign are zero where not less.
    const __m128i low = _mm_cmpeq_epi16(_mm_subs_epu16(wanted, _mm_loadu_si128(values)), _mm_setzero_si128());
    const __m128i high = _mm_cmpeq_epi16(_mm_subs_epu16(wanted, _mm_loadu_si128(values + 1)), _mm_setzero_si128());
    return ~static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_packs_epi16(low, high))) & 0xFFFFu;
}
#endif

/// The last of depths [first, end) that is less than a depth; kNone where none is. Without a branch for each where that
/// can be: where callers stand is as good as random.
std::size_t lastBelow(const std::uint16_t* depths, std::size_t first, std::size_t end, std::uint16_t depth)
{
#ifdef __SSE2__
    while (end > first && end >= kFan) {
        const std::size_t from = end - kFan;
        const std::size_t before = first > from ? first - from : 0;
        const std::uint32_t below = whereBelow(depths + from, depth) >> before << before;
        if (below != 0) return from + static_cast<std::size_t>(std::bit_width(below)) - 1;
        end = from + before;
    }
#endif
    while (end > first)
        if (depths[--end] < depth) return end;
    return kNone;
}

}  // namespace

IntervalSkip::IntervalSkip(const CallIntervals& calls, const Task& task)
{
    ColumnBuilder<std::uint16_t> depths;
    ColumnBuilder<std::uint8_t> widths;
    const std::size_t count = calls.size();
    levelOffsets_.push_back(0);
    for (std::size_t from = 0; from < count; from += kFan) {
        if (from % kCallsBetweenQuestions == 0 && task.stopRequested()) return;
        const std::size_t to = std::min<std::size_t>(from + kFan, count);
        std::uint16_t depth = 0xFFFF;
        TimeNs longest = 0;
        for (std::size_t index = from; index < to; ++index) {
            depth = std::min(depth, calls.depth[index]);
            longest = std::max(longest, calls.end[index] - calls.begin[index]);
        }
        depths.push(depth);
        widths.push(widthOf(longest));
    }
    while (depths.size() - levelOffsets_.back() > kFan) {
        const std::size_t below = levelOffsets_.back();
        const std::size_t end = depths.size();
        levelOffsets_.push_back(end);
        for (std::size_t from = below; from < end; from += kFan) {
            const std::size_t to = std::min<std::size_t>(from + kFan, end);
            std::uint16_t depth = 0xFFFF;
            std::uint8_t width = 0;
            for (std::size_t index = from; index < to; ++index) {
                depth = std::min(depth, depths[index]);
                width = std::max(width, widths[index]);
            }
            depths.push(depth);
            widths.push(width);
        }
    }
    minimumDepth_ = depths.finish();
    maximumWidth_ = widths.finish();
}

std::uint32_t IntervalSkip::parent(const CallIntervals& calls, std::uint32_t index) const
{
    const std::uint16_t depth = calls.depth[index];
    if (depth == 0) return kNoInterval;
    const std::uint16_t* const depths = calls.depth.data();
    if (const std::size_t call = lastBelow(depths, index / kFan * kFan, index, depth); call != kNone) return static_cast<std::uint32_t>(call);
    // Up while whole groups before it lie deeper, then down into the last group that does not.
    std::size_t group = index / kFan;
    for (std::size_t level = 0; level < levelOffsets_.size(); ++level, group /= kFan) {
        const bool top = level + 1 == levelOffsets_.size();
        const std::uint16_t* const minima = minimumDepth_.data() + levelOffsets_[level];
        std::size_t found = lastBelow(minima, top ? 0 : group / kFan * kFan, group, depth);
        if (found == kNone) continue;
        for (; level > 0; --level) {
            const std::size_t end = std::min<std::size_t>((found + 1) * kFan, levelOffsets_[level] - levelOffsets_[level - 1]);
            found = lastBelow(minimumDepth_.data() + levelOffsets_[level - 1], found * kFan, end, depth);
        }
        return static_cast<std::uint32_t>(lastBelow(depths, found * kFan, std::min<std::size_t>((found + 1) * kFan, calls.size()), depth));
    }
    return kNoInterval;
}

std::uint32_t IntervalSkip::innermostAt(const CallIntervals& calls, TimeNs time) const
{
    const std::uint32_t after = firstCallFrom(calls, time + 1);
    if (after == 0) return kNoInterval;
    std::uint32_t index = after - 1;
    while (index != kNoInterval && calls.end[index] <= time) index = parent(calls, index);
    return index;
}

std::uint32_t IntervalSkip::nextLasting(const CallIntervals& calls, std::uint32_t from, std::uint32_t to,
                                        TimeNs durationNs) const
{
    const std::uint8_t width = widthOf(durationNs);
    std::size_t at = from;
    while (at < to) {
        if (at % kFan == 0) {
            std::size_t level = 0;
            std::size_t group = at / kFan;
            std::size_t step = kFan;
            if (maximumWidth_[group] < width) {
                // The largest aligned group without a long call is skipped as a whole.
                while (level + 1 < levelOffsets_.size() && group % kFan == 0 &&
                       maximumWidth_[levelOffsets_[level + 1] + group / kFan] < width) {
                    ++level;
                    group /= kFan;
                    step *= kFan;
                }
                at += step;
                continue;
            }
        }
        if (calls.end[at] - calls.begin[at] >= durationNs) return static_cast<std::uint32_t>(at);
        ++at;
    }
    return to;
}

void IntervalSkip::expect() const
{
    constexpr std::size_t kFirst = 4096, kLast = 65536;
    readAhead(minimumDepth_, 0, kFirst);
    readAhead(maximumWidth_, 0, kFirst);
    readAhead(maximumWidth_, maximumWidth_.size() - std::min(kLast, maximumWidth_.size()), kLast);  // the highest levels
}

void IntervalSkip::moveTo(BlockStorage& storage) { storage.move(minimumDepth_, maximumWidth_); }

}  // namespace skein
