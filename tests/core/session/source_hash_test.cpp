// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/source_hash.h"
#include "tests/support/catch.h"
#include "tests/support/paths.h"

#include <fstream>

namespace skein::source_hash_test {

namespace fs = std::filesystem;

namespace {

void write(const fs::path& file, const std::string& text)
{
    fs::create_directories(file.parent_path());
    std::ofstream(file) << text;
}

std::string hashOf(const fs::path& path)
{
    const auto hash = sourceHash(path, Task());
    REQUIRE(hash);
    return *hash;
}

}  // namespace

TEST_CASE("a source's hash follows its contents to wherever it is copied, and nothing else")
{
    const test::TemporaryFolder folder;
    const fs::path archive = folder.path() / "run";
    write(archive / "traces.otf2", "anchor");
    write(archive / "traces.def", "definitions");
    write(archive / "traces" / "0.evt", "events");
    const std::string whole = hashOf(archive);
    const std::string member = hashOf(archive / "traces.otf2");
    fs::copy(archive, folder.path() / "copy", fs::copy_options::recursive);
    CHECK(hashOf(folder.path() / "copy") == whole);
    CHECK(hashOf(folder.path() / "copy" / "traces.otf2") == member);
    write(archive / "halo.session.json", "{}");
    CHECK(hashOf(archive) == whole);
    write(archive / "notes.txt", "mine");
    CHECK(hashOf(archive) != whole);
    CHECK(hashOf(archive / "traces.otf2") == member);
    write(archive / "traces" / "0.evt", "EVENTS");
    CHECK(hashOf(archive / "traces.otf2") != member);
}

TEST_CASE("a source that is not there, and one that is stopped, have no hash")
{
    CHECK(sourceHash("/nowhere/at/all", Task()).error().code == ErrorCode::NotFound);
    std::stop_source stop;
    stop.request_stop();
    CHECK(sourceHash(test::sourcePath("examples/lulesh-8"), Task(stop.get_token())).error().cancelled());
}

}  // namespace skein::source_hash_test
