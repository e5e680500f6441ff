// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/column.h"
#include "core/base/task.h"

#include <cstdint>
#include <span>
#include <vector>

namespace skein {

/// Who sent how much to whom: sparse, directed, rows are senders. Ranks are 0 … size()-1.
/// Immutable; reading from several threads is safe.
class CommMatrix {
public:
    struct Entry {
        std::uint32_t sender = 0;
        std::uint32_t receiver = 0;
        std::uint64_t messages = 0;  ///< 0 where the source does not tell
        std::uint64_t bytes = 0;
        bool operator==(const Entry&) const = default;
    };

    CommMatrix() = default;
    /// Sums entries of the same (sender, receiver). Ranks of the entries must be below `ranks`. O(n log n),
    /// linear where rows are short. A matrix of a task that was stopped is empty.
    CommMatrix(std::uint32_t ranks, std::vector<Entry> entries, const Task& task = Task());

    std::uint32_t ranks() const { return ranks_; }
    /// All entries, by sender and then receiver.
    std::span<const Entry> entries() const { return entries_; }
    /// The entries of one sender, by receiver.
    std::span<const Entry> row(std::uint32_t sender) const;
    std::uint64_t totalMessages() const;
    std::uint64_t totalBytes() const;

private:
    std::uint32_t ranks_ = 0;
    std::vector<Entry> entries_;
    std::vector<std::size_t> rowOffsets_;
};

}  // namespace skein
