// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <string_view>
#include <sys/types.h>

namespace skein {

/// Where a file that a user asked for comes to lie: `file` with all links followed, also one that leads to
/// nothing yet. Only regular files are written: a device, pipe, socket, folder or stream of a process is
/// refused, so that none is replaced, and so is a file that may not be written. Writes nothing.
/// Errors: NotFound (its folder), AccessDenied, Unsupported, Io (links in a circle).
Result<std::filesystem::path> outputPlace(const std::filesystem::path& file);

/// A file that a user asked for, on its way: the one way in which commands and windows write files. What is
/// written has no name, or one of its own where the file system knows no nameless files, until commit() puts
/// it into its place; an older file stays whole until then and lends its permissions. Whoever goes without
/// commit() leaves nothing behind. Not thread-safe.
class OutputFile {
public:
    /// Errors: those of outputPlace; AccessDenied or Io where the folder takes no file.
    static Result<OutputFile> create(const std::filesystem::path& file);
    ~OutputFile();
    OutputFile(OutputFile&& other) noexcept;
    OutputFile& operator=(OutputFile&&) = delete;

    /// Appends the bytes, reads them back and compares. Errors: Io (disk full).
    Result<void> write(std::string_view bytes);
    /// Has the disk take the file, and puts it into its place. At most once. Errors: Io, AccessDenied.
    Result<void> commit();

private:
    OutputFile(std::filesystem::path place, std::filesystem::path temporary, int descriptor);
    void takePermissions();
    bool giveName();

    std::filesystem::path place_;
    std::filesystem::path temporary_;  ///< empty while the file has no name
    int descriptor_ = -1;
    off_t end_ = 0;
};

/// Writes a whole file. Errors: those of OutputFile.
Result<void> writeFile(const std::filesystem::path& file, std::string_view bytes);

}  // namespace skein
