// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/block_storage.h"

#include "core/base/memory_limit.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <sys/mman.h>

namespace skein {
namespace {

constexpr std::size_t kSmallPage = std::size_t{4} << 10;
constexpr std::size_t kFewestPages = 4;  ///< that are worth a call of the system
constexpr std::size_t kHugePage = std::size_t{2} << 20;
constexpr std::size_t kSmallestBlock = std::size_t{16} << 10;
constexpr std::size_t kLargestBlock = std::size_t{32} << 20;

std::size_t roundUp(std::size_t bytes, std::size_t unit) { return (bytes + unit - 1) / unit * unit; }

std::shared_ptr<void> heapBlock(std::size_t bytes)
{
    void* begin = std::malloc(bytes);
    if (!begin) throw std::bad_alloc();
    return std::shared_ptr<void>(begin, [](void* memory) { std::free(memory); });
}

/// Maps pages at a multiple of the huge page's size: maps more, and gives the ends back.
std::shared_ptr<void> mappedBlock(std::size_t wanted)
{
    const std::size_t bytes = roundUp(wanted, kSmallPage);
    const std::size_t mapped = bytes + kHugePage;
    void* whole = ::mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (whole == MAP_FAILED) throw std::bad_alloc();
    const auto address = reinterpret_cast<std::uintptr_t>(whole);
    const std::size_t before = roundUp(address, kHugePage) - address;
    auto* begin = static_cast<char*>(whole) + before;
    if (before > 0) ::munmap(whole, before);
    if (before < kHugePage) ::munmap(begin + bytes, kHugePage - before);
    return std::shared_ptr<void>(begin, [bytes](void* memory) { ::munmap(memory, bytes); });
}

std::shared_ptr<void> makeBlock(std::size_t bytes)
{
    if (shouldSpill(bytes)) return spilledBlock(bytes);
    return bytes < kHugePage ? heapBlock(bytes) : mappedBlock(bytes);
}

/// Has the system hand out the pages of what is about to be written: one after the other, as they are
/// touched, they cost a fifth more and on some systems twice as much. Nothing is lost where it cannot.
void takePages(void* begin, std::size_t bytes)
{
#ifdef MADV_POPULATE_WRITE
    const auto address = reinterpret_cast<std::uintptr_t>(begin);
    const std::uintptr_t first = roundUp(address, kSmallPage);
    const std::uintptr_t last = (address + bytes) / kSmallPage * kSmallPage;
    if (first + kFewestPages * kSmallPage <= last)
        ::madvise(reinterpret_cast<void*>(first), last - first, MADV_POPULATE_WRITE);
#endif
}

}  // namespace

BlockStorage::Room BlockStorage::take(std::size_t bytes)
{
    const std::size_t rounded = roundUp(bytes, kAlignment);
    Room room = reserve(rounded);
    takePages(room.begin, rounded);
    return room;
}

BlockStorage::Room BlockStorage::reserve(std::size_t rounded)
{
    const std::lock_guard lock(mutex_);
    // Blocks grow with what is stored, so that a small trace has small ones. What is large has one of its
    // own.
    const std::size_t usual = std::clamp(roundUp(stored_, kSmallestBlock), kSmallestBlock, kLargestBlock);
    stored_ += rounded;
    if (rounded > size_ - used_) {
        if (rounded > usual / 2) {
            std::shared_ptr<void> own = makeBlock(rounded);
            void* begin = own.get();
            return {std::move(own), begin};
        }
        block_ = makeBlock(usual);
        size_ = usual;
        used_ = 0;
    }
    void* begin = static_cast<char*>(block_.get()) + used_;
    used_ += rounded;
    return {block_, begin};
}

}  // namespace skein
