// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/column.h"

#include <cstddef>
#include <cstring>
#include <memory>
#include <mutex>
#include <new>
#include <span>
#include <type_traits>

namespace skein {

/// An array in a BlockStorage while it may still be written; the storage's block lives as long as any array
/// in it.
template <typename T>
struct StoredArray {
    std::shared_ptr<void> owner;
    std::span<T> values;

    Column<T> column() const { return Column<T>(owner, values); }
};

/// Memory for arrays that stay: many arrays share large blocks, which the system backs with huge pages where
/// it can. (Touching 4 KiB pages one by one costs an import a fifth of its time.) A block is freed with its
/// last array. Safe to use from several threads.
class BlockStorage {
public:
    /// Uninitialised room for `count` values. Throws std::bad_alloc.
    template <typename T>
    StoredArray<T> allocate(std::size_t count)
    {
        static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= kAlignment);
        if (count == 0) return {};
        if (count > kLargest / sizeof(T)) throw std::bad_alloc();
        const Room room = take(count * sizeof(T));
        return {room.block, {static_cast<T*>(room.begin), count}};
    }

    /// A copy of the values.
    template <typename T>
    StoredArray<T> store(std::span<const T> values)
    {
        StoredArray<T> stored = allocate<T>(values.size());
        if (!values.empty()) std::memcpy(stored.values.data(), values.data(), values.size_bytes());
        return stored;
    }

    /// Moves the values of columns here.
    template <typename... Values>
    void move(Column<Values>&... columns)
    {
        ((columns = store(columns.span()).column()), ...);
    }

private:
    static constexpr std::size_t kAlignment = 16;
    static constexpr std::size_t kLargest = std::size_t{1} << 47;

    struct Room {
        std::shared_ptr<void> block;
        void* begin;
    };
    Room take(std::size_t bytes);
    Room reserve(std::size_t rounded);

    std::mutex mutex_;
    std::shared_ptr<void> block_;
    std::size_t size_ = 0;
    std::size_t used_ = 0;
    std::size_t stored_ = 0;  ///< in all blocks
};

}  // namespace skein
