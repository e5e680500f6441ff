// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

namespace skein {

/// Bounds what the process holds in memory of its own (heap and anonymous mappings): the system's limit
/// RLIMIT_DATA, which `ulimit -d` sets as well. Mapped files do not count. Where memory would go over it,
/// allocations fail. 0 takes the bound away as far as the system allows. False where it cannot be set.
bool setMemoryLimit(std::uint64_t bytes);

/// The bound; nullopt where there is none.
std::optional<std::uint64_t> memoryLimit();

/// Bytes that count against the limit now; 0 where the system does not tell.
std::uint64_t memoryInUse();

/// Uninitialised room for large data: of the process's own while that takes at most half of the limit, beyond
/// that a mapped file without a name in $TMPDIR (/var/tmp where that is not set), whose disk space is taken
/// at once and which goes with the last pointer. Throws std::bad_alloc, also when the disk is full.
std::shared_ptr<void> spilledBlock(std::size_t bytes);

/// Whether a block of this size should come from spilledBlock().
bool shouldSpill(std::size_t bytes);

/// Tells the system that these bytes will not be looked at soon. Where a limit is set, pages of mapped files
/// leave memory; nothing is lost. Cheap where no limit is set.
void leaveMemory(std::span<const std::byte> bytes);

/// The same for the values of columns.
template <typename... Columns>
void columnsLeaveMemory(const Columns&... columns)
{
    (leaveMemory(std::as_bytes(columns.span())), ...);
}

}  // namespace skein
