// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace skein::test {

/// A file or folder of the project's own tree.
std::filesystem::path sourcePath(const std::string& relative);

/// Where the build puts a program; it need not exist when only the tests were built.
std::filesystem::path builtProgram(const std::string& name);

/// A file or folder of the reference data outside the project, in $SKEIN_SHARED_DIR where that is set, else
/// where the build was told; nullopt where it is absent.
std::optional<std::filesystem::path> sharedPath(const std::string& relative);

/// A new empty folder, removed with everything in it when the object goes.
class TemporaryFolder {
public:
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

/// Writes a file into the folder; gives its path.
std::string fileWith(const TemporaryFolder& folder, const std::string& name, const std::string& text);

}  // namespace skein::test

/// Declares `name` as a path into the reference data, or ends the test with a message where it is absent.
#define SKEIN_SHARED_OR_SKIP(name, relative)                                                                 \
    const auto name##Found_ = skein::test::sharedPath(relative);                                             \
    if (!name##Found_) {                                                                                     \
        WARN("skipped: no reference data at shared/" << relative);                                           \
        return;                                                                                              \
    }                                                                                                        \
    const std::filesystem::path name = *name##Found_
