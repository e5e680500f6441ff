// SPDX-License-Identifier: GPL-3.0-or-later
// What the window does with the indexes of archives.
#include "core/index/disk/index_cache.h"
#include "core/index/disk/index_writer.h"
#include "tests/gui/support/window_fixture.h"
#include "tests/support/index_fixture.h"
#include "views/timeline/timeline_view.h"

#include <filesystem>
#include <fstream>

namespace skein::index_test {

using namespace skein::gui;

namespace {

namespace fs = std::filesystem;

struct IndexedWindow : test::WindowFixture {
    test::IndexFixture index;
    fs::path archive = index.copyOfExample("lulesh-8/trace-otf2", "trace");

    IndexedWindow() { window->loader().setIndexSettings(index.settings); }

    void openArchive()
    {
        open({QString::fromStdString(archive.string())});
        REQUIRE(window->loader().session());
    }
    void openAndSave()
    {
        openArchive();
        REQUIRE(test::waitFor([this] { return !window->loader().savingIndex(); }, 30000));
        settle();
    }
    fs::path file() const { return disk::indexFileOf(index.settings.folder, fs::canonical(archive)); }
    QImage picture()
    {
        auto* timeline = child<TimelineView>("timeline");
        REQUIRE(test::waitFor([&] { return timeline->upToDate(); }, 30000));
        return timeline->grab().toImage();
    }
};

}  // namespace

TEST_CASE("the window saves an index and opens the archive through it the second time, with the same picture")
{
    IndexedWindow fixture;
    fixture.openAndSave();
    CHECK_FALSE(fixture.window->loader().fromIndex());
    REQUIRE(disk::listIndexes(fixture.index.settings.folder)->size() == 1);
    const QImage imported = fixture.picture();
    fixture.openArchive();
    CHECK(fixture.window->loader().fromIndex());
    CHECK_FALSE(fixture.window->loader().savingIndex());
    CHECK(fixture.window->loader().session()->experiments.front()->timelineIndex);
    CHECK(fixture.picture() == imported);
}

TEST_CASE(
    "an index that is cut short, foreign or of an older archive is not believed but replaced by the window")
{
    IndexedWindow fixture;
    fixture.openAndSave();
    const fs::path file = disk::listIndexes(fixture.index.settings.folder)->front().file;
    SECTION("cut short") { fs::resize_file(file, fs::file_size(file) / 2); }
    SECTION("emptied") { fs::resize_file(file, 0); }
    SECTION("of something else") { test::replaceContents(file, std::string(100'000, 'x')); }
    SECTION("damaged within") { test::overwrite(file, fs::file_size(file) / 3, "damage"); }
    SECTION("of an archive that has changed")
    {
        for (const auto& entry : fs::recursive_directory_iterator(fixture.archive))
            if (entry.path().extension() == ".otf2")
                fs::last_write_time(entry.path(), fs::file_time_type::clock::now());
    }
    fixture.openAndSave();
    CHECK_FALSE(fixture.window->loader().fromIndex());
    fixture.openArchive();
    CHECK(fixture.window->loader().fromIndex());
}

TEST_CASE("a window without indexes neither reads nor writes one")
{
    IndexedWindow fixture;
    fixture.openAndSave();
    disk::IndexSettings none = fixture.index.settings;
    none.enabled = false;
    fixture.window->loader().setIndexSettings(none);
    fixture.openAndSave();
    CHECK_FALSE(fixture.window->loader().fromIndex());
}

TEST_CASE("a folder that cannot hold indexes does not keep the window from opening")
{
    IndexedWindow fixture;
    disk::IndexSettings settings = fixture.index.settings;
    std::ofstream(fixture.archive / "file") << "no folder";
    settings.folder = fixture.archive / "file" / "indexes";
    fixture.window->loader().setIndexSettings(settings);
    fixture.openAndSave();
    CHECK(fixture.window->loader().session());
}

TEST_CASE("closing the window while it saves leaves nothing behind")
{
    IndexedWindow fixture;
    fixture.openArchive();
    CHECK(test::waitFor(
        [&] { return fixture.window->tasks().anyRunning() || !fixture.window->loader().savingIndex(); },
        30000));
    fixture.window.reset();
    CHECK((!fs::exists(fixture.index.settings.folder)
           || test::unfinishedFiles(fixture.index.settings.folder) == 0));
}

}  // namespace skein::index_test
