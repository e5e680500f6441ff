// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file_blocks.h"

#include <algorithm>
#include <cstdio>
#include <fcntl.h>
#include <fstream>
#include <new>
#include <sys/mman.h>
#include <unistd.h>

namespace skein {
namespace {

constexpr std::uint64_t kPage = 4096;

std::uint64_t residentNow()
{
    std::ifstream statm("/proc/self/statm");
    std::uint64_t size = 0;
    std::uint64_t resident = 0;
    return statm >> size >> resident ? resident * kPage : 0;
}

}  // namespace

FileBlocks::FileBlocks(int descriptor, std::uint64_t offset) : descriptor_(fcntl(descriptor, F_DUPFD_CLOEXEC, 3)), end_(offset)
{
    if (descriptor_ < 0) throw std::bad_alloc();
}

FileBlocks::~FileBlocks() { close(descriptor_); }

std::shared_ptr<void> FileBlocks::add(std::size_t wanted)
{
    const std::size_t bytes = (wanted + kPage - 1) / kPage * kPage;
    const std::lock_guard lock(mutex_);
    if (posix_fallocate(descriptor_, static_cast<off_t>(end_), static_cast<off_t>(bytes)) != 0) throw std::bad_alloc();
    void* begin = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, static_cast<off_t>(end_));
    if (begin == MAP_FAILED) throw std::bad_alloc();
    std::shared_ptr<void> block(begin, [bytes](void* memory) { munmap(memory, bytes); });
    blocks_.push_back({block, static_cast<const char*>(begin), bytes, end_});
    end_ += bytes;
    return block;
}

std::optional<std::uint64_t> FileBlocks::offsetOf(const void* begin, std::size_t bytes) const
{
    const auto* from = static_cast<const char*>(begin);
    const std::lock_guard lock(mutex_);
    for (const Block& block : blocks_) {
        // Memory that was released may have been mapped again for something else.
        if (from < block.begin || from + bytes > block.begin + block.bytes || block.memory.expired()) continue;
        return block.offset + static_cast<std::uint64_t>(from - block.begin);
    }
    return std::nullopt;
}

std::uint64_t FileBlocks::end() const
{
    const std::lock_guard lock(mutex_);
    return end_;
}

void FileBlocks::trim() const
{
    const std::lock_guard lock(mutex_);
    for (const Block& block : blocks_)
        if (const auto memory = block.memory.lock()) madvise(memory.get(), block.bytes, MADV_DONTNEED);
}

void FileBlocks::trimAbove(std::uint64_t residentBytes) const
{
    if (residentNow() > residentBytes) trim();
}

}  // namespace skein
