// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/read_ahead.h"

#include <algorithm>
#include <cstdint>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

namespace skein {
namespace {

struct Pages {
    void* first;
    std::size_t bytes;
    std::size_t count;
};

Pages pagesOf(std::span<const std::byte> bytes)
{
    static const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    const auto begin = reinterpret_cast<std::uintptr_t>(bytes.data()) / page * page;
    const auto end = reinterpret_cast<std::uintptr_t>(bytes.data()) + bytes.size();
    return {reinterpret_cast<void*>(begin), end - begin, (end - begin + page - 1) / page};
}

}  // namespace

void readAhead(std::span<const std::byte> bytes)
{
    if (bytes.empty()) return;
    const Pages pages = pagesOf(bytes);
    madvise(pages.first, pages.bytes, MADV_WILLNEED);
}

bool isInMemory(std::span<const std::byte> bytes)
{
    constexpr std::size_t kMostBytes = std::size_t{64} << 20;
    if (bytes.empty()) return true;
    if (bytes.size() > kMostBytes) return false;
    const Pages pages = pagesOf(bytes);
    std::vector<unsigned char> resident(pages.count);
    if (mincore(pages.first, pages.bytes, resident.data()) != 0) return false;
    return std::all_of(resident.begin(), resident.end(), [](unsigned char page) { return (page & 1) != 0; });
}

}  // namespace skein
