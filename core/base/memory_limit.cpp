// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/memory_limit.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <new>
#include <string>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

namespace skein {
namespace {

constexpr std::size_t kSmallestSpill = std::size_t{16} << 10;

std::size_t pageSize() { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }

/// A file that nobody else sees and that ends with its last mapping; −1 where none can be made.
int namelessFile()
{
    const char* folder = std::getenv("TMPDIR");
    std::string path = folder && *folder ? folder : "/var/tmp";
    const int descriptor = open(path.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (descriptor >= 0) return descriptor;
    // Some file systems know no files without a name.
    path += "/skein-" + std::string(6, 'X');
    const int named = mkostemp(path.data(), O_CLOEXEC);
    if (named >= 0) unlink(path.c_str());
    return named;
}

}  // namespace

bool setMemoryLimit(std::uint64_t bytes)
{
    rlimit limit{};
    if (getrlimit(RLIMIT_DATA, &limit) != 0) return false;
    limit.rlim_cur = bytes == 0 ? limit.rlim_max : std::min<rlim_t>(bytes, limit.rlim_max);
    return setrlimit(RLIMIT_DATA, &limit) == 0;
}

std::optional<std::uint64_t> memoryLimit()
{
    rlimit limit{};
    if (getrlimit(RLIMIT_DATA, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return std::nullopt;
    return limit.rlim_cur;
}

std::uint64_t memoryInUse()
{
    std::FILE* const file = std::fopen("/proc/self/statm", "re");
    if (!file) return 0;
    unsigned long long pages = 0;
    const int read = std::fscanf(file, "%*u %*u %*u %*u %*u %llu", &pages);
    std::fclose(file);
    return read == 1 ? pages * pageSize() : 0;
}

bool shouldSpill(std::size_t bytes)
{
    if (bytes < kSmallestSpill) return false;
    const auto limit = memoryLimit();
    return limit && memoryInUse() + bytes > *limit / 2;
}

std::shared_ptr<void> spilledBlock(std::size_t bytes)
{
    const int descriptor = namelessFile();
    if (descriptor < 0) throw std::bad_alloc();
    // Taken at once: a page that finds the disk full later would end the program.
    const bool room = posix_fallocate(descriptor, 0, static_cast<off_t>(bytes)) == 0;
    void* const begin =
        room ? mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0) : MAP_FAILED;
    close(descriptor);
    if (begin == MAP_FAILED) throw std::bad_alloc();
    return std::shared_ptr<void>(begin, [bytes](void* memory) { munmap(memory, bytes); });
}

void leaveMemory(std::span<const std::byte> bytes)
{
    if (bytes.empty() || !memoryLimit()) return;
    const std::size_t page = pageSize();
    const auto address = reinterpret_cast<std::uintptr_t>(bytes.data());
    const std::uintptr_t begin = (address + page - 1) / page * page;
    const std::uintptr_t end = (address + bytes.size()) / page * page;
    if (end > begin) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_PAGEOUT);
}

}  // namespace skein
