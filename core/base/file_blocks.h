// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace skein {

/// Memory that lies in a file: what is written there may leave the machine's memory and comes back when it is touched.
/// Room on the disk is claimed first, so that a full disk is an error here and no fault later.
/// Safe to use from several threads.
class FileBlocks {
public:
    /// Grows the file behind `descriptor`, which it duplicates, from the offset on (a multiple of the page size).
    /// Throws std::bad_alloc when the descriptor cannot be kept.
    FileBlocks(int descriptor, std::uint64_t offset);
    ~FileBlocks();
    FileBlocks(const FileBlocks&) = delete;
    FileBlocks& operator=(const FileBlocks&) = delete;

    /// A zeroed block at a page's start, unmapped when it is released. Throws std::bad_alloc where the disk is full.
    std::shared_ptr<void> add(std::size_t bytes);

    /// Where in the file these bytes lie; nothing where they do not.
    std::optional<std::uint64_t> offsetOf(const void* begin, std::size_t bytes) const;

    /// The end of the file.
    std::uint64_t end() const;

    /// Takes all blocks out of this process's memory; the contents stay. Any thread may go on using them.
    void trim() const;
    /// trim(), when this process holds more memory than that. Some 20 µs.
    void trimAbove(std::uint64_t residentBytes) const;

private:
    struct Block {
        std::weak_ptr<void> memory;
        const char* begin = nullptr;
        std::size_t bytes = 0;
        std::uint64_t offset = 0;
    };
    mutable std::mutex mutex_;
    int descriptor_ = -1;
    std::uint64_t end_ = 0;
    std::vector<Block> blocks_;
};

}  // namespace skein
