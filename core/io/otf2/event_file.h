// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>

/// How event files are laid out, as far as their records can be counted without being decoded. libotf2 reads
/// a whole chunk at a time into memory that it has used before and does not look at how much it got: past the
/// end of a file that was cut off it decodes what is left there from another file, or the chunk before last
/// again and again. So the end has to be known beforehand.
namespace skein::otf2 {

/// Where the records of a chunk lead to.
enum class ChunkEnd {
    NextChunk,  ///< the mark of a full chunk
    FileEnd,    ///< the mark of a complete file
    Cut,        ///< no mark: the bytes end before
    Damaged,    ///< no chunk: libotf2 refuses it by itself
};

struct ChunkContent {
    std::uint64_t events = 0;  ///< that stand in the bytes whole, with their attributes
    ChunkEnd end = ChunkEnd::Cut;
};

/// Counts the records of a chunk, which begins with its header. Linear; never reads past `bytes`.
ChunkContent contentOfChunk(std::span<const std::uint8_t> bytes);

/// Nothing for a file that ends with the mark of a complete one, or with one that libotf2 refuses to read on
/// from; else how many events stand in it whole, which is as far as it can be read. Reads the last chunk, and
/// the whole file where that one is cut; `bytes` is the file's size, `chunkBytes` the archive's. Nothing
/// after a stop request as well, and where the file cannot be read.
std::optional<std::uint64_t> eventsBeforeCut(const std::filesystem::path& file, std::uint64_t bytes,
                                             std::uint64_t chunkBytes, const Task& task);

}  // namespace skein::otf2
