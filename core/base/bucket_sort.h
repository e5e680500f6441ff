// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace skein {

/// Items between two looks at the task: some milliseconds of work.
inline constexpr std::size_t kItemsBetweenStopChecks = std::size_t{1} << 16;

/// Sorts items by `less`, stably: blocks first, which are merged then. False, and the items in no order,
/// where the task was stopped; it is asked every few milliseconds while blocks are sorted, and between
/// merges. O(n log n); needs the items' memory a second time.
template <typename Item, typename Less>
bool sortInBlocks(std::vector<Item>& items, const Less& less, const Task& task)
{
    const auto at = [&](std::size_t i) {
        return items.begin() + static_cast<std::ptrdiff_t>(std::min(i, items.size()));
    };
    for (std::size_t begin = 0; begin < items.size(); begin += kItemsBetweenStopChecks) {
        if (task.stopRequested()) return false;
        std::stable_sort(at(begin), at(begin + kItemsBetweenStopChecks), less);
    }
    for (std::size_t block = kItemsBetweenStopChecks; block < items.size(); block *= 2) {
        for (std::size_t begin = 0; begin + block < items.size(); begin += 2 * block) {
            if (task.stopRequested()) return false;
            std::inplace_merge(at(begin), at(begin + block), at(begin + 2 * block), less);
        }
    }
    return true;
}

/// Sorts items by `bucketOf(item)`, a number below `buckets`, and items of one bucket by `less`, stably.
/// Linear where buckets are small: for millions of items with two keys. False, and the items in no order,
/// where the task was stopped; it is asked every few milliseconds. Needs the items' memory a second time.
template <typename Item, typename BucketOf, typename Less>
bool sortInBuckets(std::vector<Item>& items, std::uint32_t buckets, const BucketOf& bucketOf,
                   const Less& less, const Task& task)
{
    const auto before = [&](const Item& a, const Item& b) {
        return bucketOf(a) != bucketOf(b) ? bucketOf(a) < bucketOf(b) : less(a, b);
    };
    const auto stopped = [&](std::size_t i) {
        return i % kItemsBetweenStopChecks == 0 && task.stopRequested();
    };
    std::size_t inOrder = 1;
    for (; inOrder < items.size() && !before(items[inOrder], items[inOrder - 1]); ++inOrder) {
        if (stopped(inOrder)) return false;
    }
    if (inOrder >= items.size()) return true;
    if (items.size() < kItemsBetweenStopChecks && items.size() < buckets) {
        std::stable_sort(items.begin(), items.end(), before);
        return true;
    }
    std::vector<std::size_t> next(std::size_t{buckets} + 1, 0);
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (stopped(i)) return false;
        ++next[std::size_t{bucketOf(items[i])} + 1];
    }
    for (std::size_t bucket = 0; bucket < buckets; ++bucket) next[bucket + 1] += next[bucket];
    std::vector<Item> sorted(items.size());
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (stopped(i)) return false;
        sorted[next[bucketOf(items[i])]++] = std::move(items[i]);
    }
    items.swap(sorted);
    std::size_t begin = 0;
    for (std::size_t bucket = 0, looked = 0; bucket < buckets; begin = next[bucket++]) {
        const std::size_t end = next[bucket];
        if (end - begin < 2) continue;
        const auto at = [&](std::size_t i) { return items.begin() + static_cast<std::ptrdiff_t>(i); };
        if (!std::is_sorted(at(begin), at(end), less)) std::stable_sort(at(begin), at(end), less);
        if (end - looked < kItemsBetweenStopChecks) continue;
        looked = end;
        if (task.stopRequested()) return false;
    }
    return true;
}

}  // namespace skein
