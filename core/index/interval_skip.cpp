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

/// Four classes an octave, in the order of durations.
std::uint8_t widthOf(TimeNs duration)
{
    const auto value = static_cast<std::uint64_t>(std::max<TimeNs>(duration, 0));
    const int bits = std::bit_width(value);
    if (bits < 3) return static_cast<std::uint8_t>(value);
    return static_cast<std::uint8_t>(4 * (bits - 2) + static_cast<int>(value >> (bits - 3) & 3));
}

constexpr std::size_t kNoneBelow = static_cast<std::size_t>(-1);

#ifdef __SSE2__
/// A bit for each of kFan depths, set where it is less than a depth.
std::uint32_t whereBelow(const std::uint16_t* depths, std::uint16_t depth)
{
    const __m128i wanted = _mm_set1_epi16(static_cast<short>(depth));
    const auto* const values = reinterpret_cast<const __m128i*>(depths);
    // Differences without sign are zero where not less.
    const __m128i low = _mm_cmpeq_epi16(_mm_subs_epu16(wanted, _mm_loadu_si128(values)), _mm_setzero_si128());
    const __m128i high =
        _mm_cmpeq_epi16(_mm_subs_epu16(wanted, _mm_loadu_si128(values + 1)), _mm_setzero_si128());
    return ~static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_packs_epi16(low, high))) & 0xFFFFu;
}
#endif

/// The last of depths [first, end) that is less than a depth; kNoneBelow where none is. Without a branch for
/// each where that can be: where callers stand is as good as random.
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
    return kNoneBelow;
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
    if (const std::size_t call = lastBelow(depths, index / kFan * kFan, index, depth); call != kNoneBelow)
        return static_cast<std::uint32_t>(call);
    // Up while whole groups before it lie deeper, then down into the last group that does not.
    std::size_t group = index / kFan;
    for (std::size_t level = 0; level < levelOffsets_.size(); ++level, group /= kFan) {
        const bool top = level + 1 == levelOffsets_.size();
        const std::uint16_t* const minima = minimumDepth_.data() + levelOffsets_[level];
        std::size_t found = lastBelow(minima, top ? 0 : group / kFan * kFan, group, depth);
        if (found == kNoneBelow) continue;
        for (; level > 0; --level) {
            const std::size_t end =
                std::min<std::size_t>((found + 1) * kFan, levelOffsets_[level] - levelOffsets_[level - 1]);
            found = lastBelow(minimumDepth_.data() + levelOffsets_[level - 1], found * kFan, end, depth);
        }
        return static_cast<std::uint32_t>(
            lastBelow(depths, found * kFan, std::min<std::size_t>((found + 1) * kFan, calls.size()), depth));
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

/// Looks for groups with long calls from the widest down. Which are long is as good as random: of 16 at a
/// time it is found out without a branch for each.
struct IntervalSkip::Lasting {
    const IntervalSkip& skip;
    std::size_t from;
    std::size_t to;
    std::uint8_t width;
    std::vector<std::uint32_t> groups;  ///< first calls of those that are found

    /// Groups of a level that are one group of the level above; all of the highest.
    void lookAt(std::size_t level, std::size_t first)
    {
        const std::size_t calls = std::size_t{kFan} << 4 * level;
        const std::size_t end = std::min(first + kFan, (to + calls - 1) / calls);
        std::uint32_t wide = whereWide(skip.maximumWidth_.data() + skip.levelOffsets_[level], first,
                                       std::max(first, from / calls), end);
        for (; wide != 0; wide &= wide - 1) {
            const std::size_t inside = (first + static_cast<std::size_t>(std::countr_zero(wide))) * kFan;
            if (level > 0) lookAt(level - 1, inside);
            else groups.push_back(static_cast<std::uint32_t>(inside));
        }
    }

private:
    /// A bit for each of kFan widths, set for those of [begin, end) that are wide.
    std::uint32_t whereWide(const std::uint8_t* widths, std::size_t first, std::size_t begin,
                            std::size_t end) const
    {
        std::uint32_t wide = 0;
#ifdef __SSE2__
        if (end - first == kFan) {
            const __m128i values = _mm_loadu_si128(reinterpret_cast<const __m128i*>(widths + first));
            wide = static_cast<std::uint32_t>(_mm_movemask_epi8(
                _mm_cmpeq_epi8(_mm_max_epu8(values, _mm_set1_epi8(static_cast<char>(width))), values)));
            return wide >> (begin - first) << (begin - first);
        }
#endif
        for (std::size_t group = begin; group < end; ++group)
            wide |= std::uint32_t{widths[group] >= width} << (group - first);
        return wide;
    }
};

void IntervalSkip::appendLasting(const CallIntervals& calls, std::uint32_t from, std::uint32_t to,
                                 TimeNs durationNs, std::vector<std::uint32_t>& found) const
{
    constexpr std::size_t kGroupsAhead = 8;
    if (from >= to) return;
    Lasting lasting{*this, from, to, widthOf(durationNs), {}};
    lasting.lookAt(levelOffsets_.size() - 1, 0);
    const std::vector<std::uint32_t>& groups = lasting.groups;
    for (std::size_t group = 0; group < groups.size(); ++group) {
        // They lie far apart in memory.
        if (group + kGroupsAhead < groups.size()) {
            for (std::uint32_t call = 0; call < kFan; call += 8) {
                __builtin_prefetch(calls.begin.data() + groups[group + kGroupsAhead] + call);
                __builtin_prefetch(calls.end.data() + groups[group + kGroupsAhead] + call);
            }
        }
        const std::uint32_t end = std::min(groups[group] + kFan, to);
        for (std::uint32_t call = std::max(groups[group], from); call < end; ++call)
            if (calls.end[call] - calls.begin[call] >= durationNs) found.push_back(call);
    }
}

void IntervalSkip::expect() const
{
    constexpr std::size_t kFirst = 4096, kLast = 65536;
    readAhead(minimumDepth_, 0, kFirst);
    readAhead(maximumWidth_, 0, kFirst);
    readAhead(maximumWidth_, maximumWidth_.size() - std::min(kLast, maximumWidth_.size()),
              kLast);  // the highest levels
}

void IntervalSkip::moveTo(BlockStorage& storage) { storage.move(minimumDepth_, maximumWidth_); }

}  // namespace skein
