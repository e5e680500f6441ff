// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/task.h"
#include "core/index/disk/index_contents.h"

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

namespace skein::disk {

/// Writes one index file: under a name of its own beside its final place, flushed to the disk and then
/// renamed, so that a program killed at any moment leaves the old file or none. The temporary file is locked
/// as long as its writer lives and removed when the writer goes without commit(). Not thread-safe, but
/// different writers may write the same index.
class IndexWriter {
public:
    /// Makes the folder where it is missing. `file` is the final place. Errors: Io, AccessDenied.
    static Result<IndexWriter> create(const std::filesystem::path& file);
    ~IndexWriter();
    IndexWriter(IndexWriter&& other) noexcept;
    IndexWriter& operator=(IndexWriter&&) = delete;

    /// Writes the columns, the catalog and the checksums. At most once.
    /// Errors: Io (disk full), Cancelled.
    Result<void> write(const IndexContents& contents, const Task& task);

    /// The file's size so far.
    std::uint64_t bytes() const;

    /// Makes the file the one at its final place. Errors: Io.
    Result<void> commit();

private:
    IndexWriter(std::filesystem::path file, std::filesystem::path temporary, int descriptor);

    std::filesystem::path file_;
    std::filesystem::path temporary_;
    int descriptor_ = -1;
};

/// Whether a file is what a writer leaves behind that was killed; such files are unlocked.
bool isTemporaryIndex(const std::filesystem::path& file);

/// Removes a temporary file unless its writer lives. True when it is gone.
bool removeAbandoned(const std::filesystem::path& temporary);

/// The checksums of the payload's blocks: bytes [kHeaderBytes, end) of a file. In parallel. Errors:
/// Cancelled.
Result<std::vector<std::uint64_t>> hashBlocks(std::span<const std::byte> file, std::uint64_t end,
                                              const Task& task);

}  // namespace skein::disk
