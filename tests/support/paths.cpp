// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/paths.h"

#include <cstdlib>
#include <fstream>
#include <stdexcept>

namespace skein::test {

std::filesystem::path sourcePath(const std::string& relative)
{
    return std::filesystem::path(SKEIN_SOURCE_DIR) / relative;
}

std::filesystem::path builtProgram(const std::string& name)
{
    return std::filesystem::path(SKEIN_BINARY_DIR) / "bin" / name;
}

std::optional<std::filesystem::path> sharedPath(const std::string& relative)
{
    const char* const wanted = std::getenv("SKEIN_SHARED_DIR");
    const auto path = std::filesystem::path(wanted && *wanted ? wanted : SKEIN_SHARED_DIR) / relative;
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored)) return std::nullopt;
    return path;
}

TemporaryFolder::TemporaryFolder()
{
    auto pattern = (std::filesystem::temp_directory_path() / "skein-test-XXXXXX").string();
    if (!mkdtemp(pattern.data())) throw std::runtime_error("no temporary folder can be made at " + pattern);
    path_ = pattern;
}

TemporaryFolder::~TemporaryFolder()
{
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

std::string fileWith(const TemporaryFolder& folder, const std::string& name, const std::string& text)
{
    const auto path = folder.path() / name;
    std::ofstream(path, std::ios::binary) << text;
    return path.string();
}

}  // namespace skein::test
