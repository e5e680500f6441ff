// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/comm/comm_matrix.h"

#include "core/base/bucket_sort.h"

namespace skein {

CommMatrix::CommMatrix(std::uint32_t ranks, std::vector<Entry> entries, const Task& task) : ranks_(ranks)
{
    const bool sorted = sortInBuckets(
        entries, ranks, [](const Entry& entry) { return entry.sender; },
        [](const Entry& a, const Entry& b) { return a.receiver < b.receiver; }, task);
    if (!sorted) entries.clear();
    for (const Entry& entry : entries) {
        if (!entries_.empty() && entries_.back().sender == entry.sender
            && entries_.back().receiver == entry.receiver) {
            entries_.back().messages += entry.messages;
            entries_.back().bytes += entry.bytes;
        } else {
            entries_.push_back(entry);
        }
    }
    rowOffsets_.assign(ranks + std::size_t{1}, 0);
    for (const Entry& entry : entries_) ++rowOffsets_[entry.sender + std::size_t{1}];
    for (std::size_t rank = 0; rank < ranks; ++rank) rowOffsets_[rank + 1] += rowOffsets_[rank];
}

std::span<const CommMatrix::Entry> CommMatrix::row(std::uint32_t sender) const
{
    const std::size_t from = rowOffsets_[sender];
    return {entries_.data() + from, rowOffsets_[sender + std::size_t{1}] - from};
}

std::uint64_t CommMatrix::totalMessages() const
{
    std::uint64_t sum = 0;
    for (const Entry& entry : entries_) sum += entry.messages;
    return sum;
}

std::uint64_t CommMatrix::totalBytes() const
{
    std::uint64_t sum = 0;
    for (const Entry& entry : entries_) sum += entry.bytes;
    return sum;
}

}  // namespace skein
