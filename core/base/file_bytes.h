// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace skein {

/// The contents of a regular file: read into memory when small, mapped when large. Copies share them.
/// Reading from several threads is safe. A mapped file must not be cut short by others while it is in use.
class FileBytes {
public:
    FileBytes() = default;
    FileBytes(std::shared_ptr<const void> owner, std::string_view bytes)
        : owner_(std::move(owner)), bytes_(bytes)
    {
    }

    std::string_view text() const { return bytes_; }
    std::size_t size() const { return bytes_.size(); }

private:
    std::shared_ptr<const void> owner_;
    std::string_view bytes_;
};

/// Opens a regular file. Never waits: pipes, sockets and devices are refused before they are opened.
/// Errors: NotFound, AccessDenied, Unsupported (no regular file), Io.
Result<FileBytes> openFileBytes(const std::filesystem::path& path);

/// The first bytes of a regular file, fewer where it is shorter; empty for everything that cannot be read.
std::string fileHead(const std::filesystem::path& path, std::size_t bytes);

}  // namespace skein
