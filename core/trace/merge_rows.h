// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/block_storage.h"
#include "core/base/column.h"
#include "core/base/parallel_for.h"
#include "core/base/task.h"
#include "core/base/time_span.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

namespace skein {

/// Merges the rows of all locations, sorted by (time, location, order of the records). Each part must already
/// be sorted by `time`. Pieces of the time axis are merged in parallel; the result does not depend on their
/// number. Within a piece the rows of all parts, one part after the other, are sorted by radix, which keeps
/// the order of equal times: a quarter of the time of a heap of parts. O(n · digits of a piece's length).
/// Stops early, with rows left unset, when the task is stopped: the caller has to
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
    static constexpr std::size_t kPieceRows = std::size_t{1}
        << 15;  ///< a millisecond; keys stay in the cache
    static constexpr std::size_t kSampleStep = 1u << 9;
    static constexpr unsigned kDigitBits = 11;
    static constexpr std::size_t kDigits = std::size_t{1} << kDigitBits;

    struct Key {
        std::uint64_t time;  ///< from the earliest row of the piece
        std::uint32_t part;
        std::uint32_t row;  ///< from the first one of the part in the piece
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
        std::vector<std::span<const Row>> rows(parts_.size());
        std::size_t out = 0;
        std::size_t count = 0;
        for (std::size_t part = 0; part < parts_.size(); ++part) {
            const std::size_t begin = firstRow(parts_[part], from);
            const std::size_t end = to ? firstRow(parts_[part], to) : parts_[part].size();
            rows[part] = parts_[part].subspan(begin, std::max(begin, end) - begin);
            out += begin;
            count += rows[part].size();
        }
        for (const Key& key : sortedKeys(rows, count)) merged[out++] = rows[key.part][key.row];
    }

    std::vector<Key> sortedKeys(const std::vector<std::span<const Row>>& rows, std::size_t count) const
    {
        TimeNs first = std::numeric_limits<TimeNs>::max();
        TimeNs last = std::numeric_limits<TimeNs>::min();
        for (const auto& part : rows) {
            if (part.empty()) continue;
            first = std::min(first, part.front().*time_);
            last = std::max(last, part.back().*time_);
        }
        const auto since = [first](TimeNs time) {
            return static_cast<std::uint64_t>(time) - static_cast<std::uint64_t>(first);
        };
        std::vector<Key> keys;
        keys.reserve(count);
        for (std::uint32_t part = 0; part < rows.size(); ++part)
            for (std::uint32_t row = 0; row < rows[part].size(); ++row)
                keys.push_back({since(rows[part][row].*time_), part, row});
        if (count > 0) sortByTime(keys, static_cast<unsigned>(std::bit_width(since(last))));
        return keys;
    }

    static void sortByTime(std::vector<Key>& keys, unsigned bits)
    {
        std::vector<Key> moved(keys.size());
        for (unsigned shift = 0; shift < bits; shift += kDigitBits) {
            std::array<std::size_t, kDigits> next{};
            for (const Key& key : keys) ++next[key.time >> shift & (kDigits - 1)];
            std::exclusive_scan(next.begin(), next.end(), next.begin(), std::size_t{0});
            for (const Key& key : keys) moved[next[key.time >> shift & (kDigits - 1)]++] = key;
            keys.swap(moved);
        }
    }

    std::vector<std::span<const Row>> parts_;
    TimeNs Row::*time_;
};

}  // namespace skein
