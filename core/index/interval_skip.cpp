// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/index/interval_skip.h"

#include <algorithm>

namespace skein {
namespace {

constexpr std::uint32_t kFan = IntervalSkip::kFanOut;
constexpr std::size_t kCallsBetweenQuestions = 1 << 16;  ///< whether to stop

std::uint8_t widthOf(TimeNs duration) { return static_cast<std::uint8_t>(std::bit_width(static_cast<std::uint64_t>(duration))); }

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
    std::size_t at = index;
    // Up while whole groups before it lie deeper, then down into the last group that does not.
    for (const std::size_t first = at / kFan * kFan; at > first;)
        if (calls.depth[--at] < depth) return static_cast<std::uint32_t>(at);
    std::size_t level = 0;
    std::size_t group = index / kFan;
    for (;; ++level, group /= kFan) {
        if (level == levelOffsets_.size()) return kNoInterval;
        const std::size_t first = group / kFan * kFan;
        const bool top = level + 1 == levelOffsets_.size();
        while (group > (top ? 0 : first)) {
            if (minimumDepth_[levelOffsets_[level] + --group] >= depth) continue;
            for (; level > 0; --level) {
                std::size_t below = group * kFan + kFan;
                const std::size_t end = levelOffsets_[level] - levelOffsets_[level - 1];
                below = std::min(below, end);
                while (minimumDepth_[levelOffsets_[level - 1] + --below] >= depth) {}
                group = below;
            }
            std::size_t call = std::min<std::size_t>(group * kFan + kFan, calls.size());
            while (calls.depth[--call] >= depth) {}
            return static_cast<std::uint32_t>(call);
        }
    }
}

std::uint32_t IntervalSkip::innermostAt(const CallIntervals& calls, TimeNs time) const
{
    const auto after = std::upper_bound(calls.begin.begin(), calls.begin.end(), time);
    if (after == calls.begin.begin()) return kNoInterval;
    auto index = static_cast<std::uint32_t>(after - calls.begin.begin() - 1);
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

}  // namespace skein
