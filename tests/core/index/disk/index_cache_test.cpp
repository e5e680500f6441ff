// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/index/disk/index_cache.h"

#include "core/index/disk/index_reader.h"
#include "core/index/disk/index_writer.h"
#include "core/index/disk/open_archive.h"
#include "tests/support/catch.h"
#include "tests/support/index_fixture.h"

#include <chrono>
#include <fstream>

namespace skein::index_cache_test {

using namespace skein::disk;
using namespace skein::test;

namespace {

namespace fs = std::filesystem;

/// Three indexes of the same size, used one, two and three hours ago.
struct ThreeIndexes : IndexFixture {
    std::vector<fs::path> archives, files;
    std::uint64_t each = 0;

    ThreeIndexes()
    {
        for (const int hours : {1, 2, 3}) {
            archives.push_back(copyOfExample("lulesh-8/profile-flat", "archive" + std::to_string(hours)));
            files.push_back(save(archives.back()));
            each = std::max<std::uint64_t>(each, fs::file_size(files.back()));
            fs::last_write_time(stampOf(files.back()),
                                fs::file_time_type::clock::now() - std::chrono::hours(hours));
        }
    }
    std::string left() const
    {
        std::string result;
        for (const fs::path& file : files) result += fs::exists(file) ? 'k' : '-';
        return result;
    }
};

}  // namespace

TEST_CASE("index cache: those whose last use is longest ago make room")
{
    const ThreeIndexes indexes;
    CHECK(tidyIndexes(indexes.settings.folder, 3 * indexes.each, {}) == 0);
    CHECK(indexes.left() == "kkk");
    CHECK(tidyIndexes(indexes.settings.folder, 2 * indexes.each, {}) == 1);
    CHECK(indexes.left() == "kk-");
    CHECK_FALSE(fs::exists(stampOf(indexes.files[2])));
    CHECK(tidyIndexes(indexes.settings.folder, indexes.each, indexes.files[1]) == 1);
    CHECK(indexes.left() == "-k-");
}

TEST_CASE("index cache: opening an archive counts as a use of its index")
{
    const ThreeIndexes indexes;
    REQUIRE(openArchive(indexes.archives[2], indexes.settings, Task())->fromIndex);
    CHECK(listIndexes(indexes.settings.folder).value().front().file == indexes.files[2]);
    tidyIndexes(indexes.settings.folder, 2 * indexes.each, {});
    CHECK(indexes.left() == "k-k");
}

TEST_CASE("index cache: a new index pushes the oldest out")
{
    ThreeIndexes indexes;
    indexes.settings.sizeLimit = 3 * indexes.each + indexes.each / 2;
    indexes.save(indexes.copyOfExample("lulesh-8/profile-flat", "archive4"));
    CHECK(indexes.left() == "kk-");
}

TEST_CASE("index cache: an index above the limit is not kept")
{
    IndexFixture fixture;
    fixture.settings.sizeLimit = 5000;
    const auto opened = openArchive(sourcePath("examples/lulesh-8/trace-otf2"), fixture.settings, Task());
    REQUIRE(opened);
    const auto saved = saveIndex(*opened->unsaved, fixture.settings, Task());
    REQUIRE_FALSE(saved);
    CHECK(saved.error().message.find("more than the limit of") != std::string::npos);
    CHECK(fs::is_empty(fixture.settings.folder));
}

TEST_CASE("index cache: files of others are neither listed nor removed")
{
    const IndexFixture fixture;
    fs::create_directories(fixture.settings.folder / "folder.skein-index");
    std::ofstream(fixture.settings.folder / "notes.txt") << "mine";
    std::ofstream(fixture.settings.folder / "broken.skein-index") << "no index";
    const auto entries = listIndexes(fixture.settings.folder).value();
    REQUIRE(entries.size() == 1);
    CHECK(entries[0].bytes == 8);
    CHECK_FALSE(entries[0].summary);
    CHECK(tidyIndexes(fixture.settings.folder, 0, {}) == 1);
    CHECK(fs::exists(fixture.settings.folder / "notes.txt"));
    CHECK(fs::exists(fixture.settings.folder / "folder.skein-index"));
}

TEST_CASE("index cache: a living writer keeps its file, a writer that gives up takes it away")
{
    const IndexFixture fixture;
    {
        const auto writer = IndexWriter::create(fixture.settings.folder / "a.skein-index");
        REQUIRE(writer);
        tidyIndexes(fixture.settings.folder, 0, {});
        CHECK(unfinishedFiles(fixture.settings.folder) == 1);
    }
    CHECK(fs::is_empty(fixture.settings.folder));
}

TEST_CASE("index cache: a folder that is missing holds nothing")
{
    CHECK(listIndexes("/no/such/folder").value().empty());
    CHECK(tidyIndexes("/no/such/folder", 0, {}) == 0);
    CHECK_FALSE(dropIndex("/no/such/folder/a.skein-index").value());
}

}  // namespace skein::index_cache_test
