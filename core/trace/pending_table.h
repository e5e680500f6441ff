// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace skein {

/// Pending operations by the number that the archive gave them: MPI requests, RMA and I/O matching ids.
/// Open addressing with linear probing; O(1) expected, memory for the largest number pending at once. Not
/// thread-safe.
class PendingTable {
public:
    /// Remembers the row of an operation. A number that is still pending gets the new row.
    void put(std::uint64_t number, std::uint32_t row)
    {
        if ((count_ + 1) * 2 > slots_.size()) grow();
        Slot& slot = slots_[find(number)];
        count_ += slot.row == kFree;
        slot = {number, row};
    }

    /// The row of a pending operation, which stays pending.
    std::optional<std::uint32_t> peek(std::uint64_t number) const
    {
        if (count_ == 0) return std::nullopt;
        const Slot& slot = slots_[find(number)];
        return slot.row == kFree ? std::nullopt : std::optional(slot.row);
    }

    /// The row of a pending operation, which is forgotten.
    std::optional<std::uint32_t> take(std::uint64_t number)
    {
        if (count_ == 0) return std::nullopt;
        const std::size_t at = find(number);
        if (slots_[at].row == kFree) return std::nullopt;
        const std::uint32_t row = slots_[at].row;
        erase(at);
        return row;
    }

    std::size_t size() const { return count_; }

private:
    static constexpr std::uint32_t kFree = 0xFFFFFFFFu;
    struct Slot {
        std::uint64_t number = 0;
        std::uint32_t row = kFree;
    };

    std::size_t mask() const { return slots_.size() - 1; }
    std::size_t home(std::uint64_t number) const { return (number * 0x9E3779B97F4A7C15ull >> 32) & mask(); }

    std::size_t find(std::uint64_t number) const
    {
        std::size_t at = home(number);
        while (slots_[at].row != kFree && slots_[at].number != number) at = (at + 1) & mask();
        return at;
    }

    /// Moves later entries of the run back, so that no search ends early at the hole (Knuth, TAOCP 3, 6.4,
    /// algorithm R).
    void erase(std::size_t hole)
    {
        for (std::size_t at = (hole + 1) & mask(); slots_[at].row != kFree; at = (at + 1) & mask()) {
            if (((at - home(slots_[at].number)) & mask()) < ((at - hole) & mask())) continue;
            slots_[hole] = slots_[at];
            hole = at;
        }
        slots_[hole].row = kFree;
        --count_;
    }

    void grow()
    {
        std::vector<Slot> old(slots_.empty() ? 16 : slots_.size() * 2);
        old.swap(slots_);
        for (const Slot& slot : old)
            if (slot.row != kFree) slots_[find(slot.number)] = slot;
    }

    std::vector<Slot> slots_;
    std::size_t count_ = 0;
};

}  // namespace skein
