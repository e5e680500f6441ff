// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/block_storage.h"
#include "core/base/column.h"
#include "core/base/parallel_for.h"
#include "core/base/task.h"
#include "core/base/time_span.h"

#include <algorithm>
#include <span>
#include <vector>

namespace skein {

/// Merges the rows of all locations, sorted by (time, location, order of the records). Each part must already
/// be sorted by `time`. Pieces of the time axis are merged in parallel; the result does not depend on their
/// number. O(n log locations). Stops early, with rows left unset, when the task is stopped: the caller has to
/// ask.
template <typename Row>
class RowMerger {
public:
    RowMerger(std::vector<std::span<const Row>> parts, TimeNs Row::*time)
        : parts_(std::move(parts)), time_(time)
    {
    }

    Column<Row> run(BlockStorage& storage, const Task& task)
    {
        std::size_t total = 0;
        for (const auto& part : parts_) total += part.size();
        const StoredArray<Row> merged = storage.allocate<Row>(total);
        const std::vector<TimeNs> splitters = chooseSplitters(total);
        parallelFor(splitters.size() + 1, task, [&](std::size_t piece) {
            mergePiece(piece == 0 ? nullptr : &splitters[piece - 1],
                       piece == splitters.size() ? nullptr : &splitters[piece], merged.values.data());
        });
        return merged.column();
    }

private:
    static constexpr std::size_t kPieceRows = 1u << 16;  ///< a few milliseconds of merging
    static constexpr std::size_t kSampleStep = 1u << 10;

    struct Cursor {
        TimeNs time;
        std::uint32_t part;
        std::size_t row;
        std::size_t end;
        bool before(const Cursor& other) const
        {
            return time != other.time ? time < other.time : part < other.part;
        }
    };

    std::vector<TimeNs> chooseSplitters(std::size_t total) const
    {
        const std::size_t pieces = total / kPieceRows;
        if (pieces < 2) return {};
        std::vector<TimeNs> sample;
        for (const auto& part : parts_)
            for (std::size_t row = kSampleStep / 2; row < part.size(); row += kSampleStep)
                sample.push_back(part[row].*time_);
        std::sort(sample.begin(), sample.end());
        std::vector<TimeNs> splitters;
        for (std::size_t piece = 1; piece < pieces && !sample.empty(); ++piece)
            splitters.push_back(sample[piece * sample.size() / pieces]);
        splitters.erase(std::unique(splitters.begin(), splitters.end()), splitters.end());
        return splitters;
    }

    std::size_t firstRow(const std::span<const Row>& part, const TimeNs* from) const
    {
        if (!from) return 0;
        const auto earlier = [this](const Row& row, TimeNs time) { return row.*time_ < time; };
        return static_cast<std::size_t>(std::lower_bound(part.begin(), part.end(), *from, earlier)
                                        - part.begin());
    }

    void mergePiece(const TimeNs* from, const TimeNs* to, Row* merged) const
    {
        std::vector<Cursor> heap;
        std::size_t out = 0;
        for (std::uint32_t part = 0; part < parts_.size(); ++part) {
            const std::size_t begin = firstRow(parts_[part], from);
            const std::size_t end = to ? firstRow(parts_[part], to) : parts_[part].size();
            out += begin;
            if (begin < end) heap.push_back({parts_[part][begin].*time_, part, begin, end});
        }
        std::make_heap(heap.begin(), heap.end(),
                       [](const Cursor& a, const Cursor& b) { return b.before(a); });
        while (!heap.empty()) {
            Cursor& top = heap.front();
            merged[out++] = parts_[top.part][top.row];
            if (++top.row < top.end) {
                top.time = parts_[top.part][top.row].*time_;
            } else {
                top = heap.back();
                heap.pop_back();
            }
            siftDown(heap);
        }
    }

    static void siftDown(std::vector<Cursor>& heap)
    {
        const std::size_t size = heap.size();
        for (std::size_t at = 0;;) {
            std::size_t child = 2 * at + 1;
            if (child >= size) return;
            if (child + 1 < size && heap[child + 1].before(heap[child])) ++child;
            if (!heap[child].before(heap[at])) return;
            std::swap(heap[child], heap[at]);
            at = child;
        }
    }

    std::vector<std::span<const Row>> parts_;
    TimeNs Row::*time_;
};

}  // namespace skein
