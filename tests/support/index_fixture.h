// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/index/disk/index_cache.h"
#include "tests/support/paths.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace skein::test {

/// A temporary folder for indexes and copies of archives.
class IndexFixture {
public:
    IndexFixture();

    const std::filesystem::path& path() const { return folder_.path(); }
    /// A copy that may be changed, of examples/NAME.
    std::filesystem::path copyOfExample(const std::string& name, const std::string& copy) const;
    /// Imports an archive and saves its index.
    std::filesystem::path save(const std::filesystem::path& archive) const;

    disk::IndexSettings settings;

private:
    TemporaryFolder folder_;
};

std::string contentsOf(const std::filesystem::path& file);
void replaceContents(const std::filesystem::path& file, const std::string& bytes);
/// Writes bytes into the middle of a file.
void overwrite(const std::filesystem::path& file, std::uint64_t offset, const std::string& bytes);
/// Files of a folder that a writer has not finished.
std::size_t unfinishedFiles(const std::filesystem::path& folder);

}  // namespace skein::test
