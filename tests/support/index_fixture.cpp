// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/index_fixture.h"

#include "core/index/disk/index_writer.h"
#include "core/index/disk/open_archive.h"
#include "tests/support/catch.h"

#include <fstream>
#include <sstream>

namespace skein::test {

namespace fs = std::filesystem;

IndexFixture::IndexFixture() { settings.folder = folder_.path() / "indexes"; }

fs::path IndexFixture::copyOfExample(const std::string& name, const std::string& copy) const
{
    const fs::path to = folder_.path() / copy;
    fs::copy(sourcePath("examples/" + name), to, fs::copy_options::recursive);
    return to;
}

fs::path IndexFixture::save(const fs::path& archive) const
{
    const auto opened = disk::openArchive(archive, settings, Task());
    REQUIRE(opened);
    REQUIRE(opened->unsaved);
    const auto saved = disk::saveIndex(*opened->unsaved, settings, Task());
    REQUIRE(saved);
    return *saved;
}

std::string contentsOf(const fs::path& file)
{
    std::ostringstream text;
    text << std::ifstream(file, std::ios::binary).rdbuf();
    return text.str();
}

void replaceContents(const fs::path& file, const std::string& bytes)
{
    std::ofstream(file, std::ios::binary | std::ios::trunc)
        .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

void overwrite(const fs::path& file, std::uint64_t offset, const std::string& bytes)
{
    std::fstream stream(file, std::ios::binary | std::ios::in | std::ios::out);
    stream.seekp(static_cast<std::streamoff>(offset));
    stream << bytes;
}

std::size_t unfinishedFiles(const fs::path& folder)
{
    std::size_t count = 0;
    for (const auto& entry : fs::directory_iterator(folder)) count += disk::isTemporaryIndex(entry.path());
    return count;
}

}  // namespace skein::test
