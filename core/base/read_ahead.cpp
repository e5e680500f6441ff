// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/read_ahead.h"

#include <cstdint>
#include <sys/mman.h>
#include <unistd.h>

namespace skein {

void readAhead(std::span<const std::byte> bytes)
{
    if (bytes.empty()) return;
    static const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    const auto begin = reinterpret_cast<std::uintptr_t>(bytes.data()) / page * page;
    const auto end = reinterpret_cast<std::uintptr_t>(bytes.data()) + bytes.size();
    madvise(reinterpret_cast<void*>(begin), end - begin, MADV_WILLNEED);
}

}  // namespace skein
