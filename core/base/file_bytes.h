// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/guarded_mapping.h"
#include "core/base/result.h"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace skein {

/// The contents of a regular file: read into memory when small, mapped when large. Copies share them.
/// Reading from several threads is safe, and so is a file that others cut short meanwhile: see stillWhole().
class FileBytes {
public:
    FileBytes() = default;
    FileBytes(std::shared_ptr<const void> owner, std::string_view bytes)
        : owner_(std::move(owner)), bytes_(bytes)
    {
    }

    /// Bytes of which some were lost while they were read.
    static FileBytes shortened(std::shared_ptr<const void> owner, std::string_view bytes)
    {
        FileBytes lost(std::move(owner), bytes);
        lost.shortened_ = true;
        return lost;
    }
    explicit FileBytes(std::shared_ptr<const GuardedMapping> mapping)
        : mapping_(std::move(mapping)), bytes_(mapping_->bytes())
    {
    }

    std::string_view text() const { return bytes_; }
    std::size_t size() const { return bytes_.size(); }
    /// Whether the file became shorter than it was when it was opened, as far as that was met by reading. The
    /// bytes that are gone were zeros then, or are missing.
    bool hasShrunk() const { return shortened_ || (mapping_ && mapping_->hasShrunk()); }

private:
    std::shared_ptr<const void> owner_;
    std::shared_ptr<const GuardedMapping> mapping_;
    std::string_view bytes_;
    bool shortened_ = false;
};

/// Fails where the file became shorter while it was read, so that nothing that was made of it may be shown.
/// To be asked when all of it has been read; `name` is the file's. Errors: Io.
Result<void> stillWhole(const FileBytes& bytes, std::string_view name);

/// Opens a regular file. Never waits: pipes, sockets and devices are refused before they are opened.
/// Errors: NotFound, AccessDenied, Unsupported (no regular file), Io.
Result<FileBytes> openFileBytes(const std::filesystem::path& path);

/// The first bytes of a regular file, fewer where it is shorter; empty for everything that cannot be read.
std::string fileHead(const std::filesystem::path& path, std::size_t bytes);

}  // namespace skein
