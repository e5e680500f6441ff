// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/importer.h"
#include "core/io/otf2/archive_files.h"
#include "tests/support/catch.h"
#include "tests/support/otf2_archive_builder.h"
#include "tests/support/paths.h"

#include <atomic>
#include <fstream>
#include <random>
#include <unistd.h>

namespace skein::bad_input_test {

namespace fs = std::filesystem;

namespace {

std::string bytesOf(const fs::path& file)
{
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

void write(const fs::path& file, const std::string& bytes) { std::ofstream(file, std::ios::binary) << bytes; }

/// A copy of an archive of eight ranks that may be damaged.
struct Copy {
    test::TemporaryFolder folder;
    fs::path archive = folder.path() / "archive";
    fs::path anchor = archive / "traces.otf2";

    Copy()
    {
        fs::copy(test::sourcePath("examples/lulesh-8/trace-otf2"), archive, fs::copy_options::recursive);
        for (const auto& entry : fs::recursive_directory_iterator(archive))
            fs::permissions(entry.path(), fs::perms::owner_all, fs::perm_options::add);
    }
    Result<ExperimentPtr> open(int threads = 2) const
    {
        return openExperiment(archive, Task({}, {}, threads));
    }
    void truncate(const std::string& name, std::uintmax_t bytes) const
    {
        fs::resize_file(archive / name, bytes);
    }
};

}  // namespace

TEST_CASE("A damaged copy of an archive shows what is left and tells what was lost")
{
    const Copy copy;
    const std::uint64_t whole = (*copy.open())->trace->eventCount();
    SECTION("a truncated event file")
    {
        copy.truncate("traces/12.evt", 40'000);
        const auto opened = copy.open();
        REQUIRE(opened);
        CHECK((*opened)->trace->eventCount() < whole);
        CHECK((*opened)->trace->eventCount() > whole / 2);
        CHECK((*opened)->report.lostData());
    }
    SECTION("an empty event file")
    {
        copy.truncate("traces/12.evt", 0);
        const auto opened = copy.open();
        REQUIRE(opened);
        CHECK((*opened)->report.count(IssueKind::Truncated) == 1);
    }
    SECTION("a missing event file")
    {
        fs::remove(copy.archive / "traces/12.evt");
        const auto opened = copy.open();
        REQUIRE(opened);
        CHECK((*opened)->report.count(IssueKind::AbsentFile) == 1);
        CHECK((*opened)->trace->locations[3].events == 0);
        CHECK((*opened)->trace->locations[4].events > 0);
    }
    SECTION("missing local definitions")
    {
        for (const auto& entry : fs::directory_iterator(copy.archive / "traces"))
            if (entry.path().extension() == ".def") fs::remove(entry.path());
        REQUIRE(copy.open());
    }
    SECTION("no location files at all")
    {
        fs::remove_all(copy.archive / "traces");
        const auto opened = copy.open();
        REQUIRE(opened);
        CHECK((*opened)->report.count(IssueKind::AbsentFile) == 8);
        CHECK((*opened)->trace->eventCount() == 0);
    }
    SECTION("random bytes instead of events")
    {
        std::mt19937 random(1);
        std::string noise(5000, ' ');
        for (char& byte : noise) byte = static_cast<char>(random());
        write(copy.archive / "traces/12.evt", noise);
        const auto opened = copy.open();
        REQUIRE(opened);
        CHECK((*opened)->report.lostData());
    }
    SECTION("half of the definitions")
    {
        copy.truncate("traces.def", 4000);
        const auto opened = copy.open();
        if (opened) CHECK((*opened)->report.lostData());
        else CHECK(!opened.error().message.empty());
    }
}

TEST_CASE("An archive that cannot be shown ends in one sentence that names the file")
{
    const Copy copy;
    SECTION("definitions are missing") { fs::remove(copy.archive / "traces.def"); }
    SECTION("definitions are empty") { copy.truncate("traces.def", 0); }
    SECTION("definitions are noise") { write(copy.archive / "traces.def", "nothing of the kind"); }
    SECTION("the anchor is empty") { copy.truncate("traces.otf2", 0); }
    SECTION("the anchor ends early") { copy.truncate("traces.otf2", 30); }
    SECTION("the anchor names 2 billion properties")
    {
        std::string bytes = bytesOf(copy.anchor);
        bytes.replace(0x34, 4, "\xff\xff\xff\x7f");
        write(copy.anchor, bytes);
    }
    SECTION("the anchor names impossible chunk sizes")
    {
        std::string bytes = bytesOf(copy.anchor);
        bytes.replace(0x0c, 8, std::string(8, '\x7f'));
        write(copy.anchor, bytes);
    }
    const auto opened = copy.open();
    REQUIRE(!opened);
    CHECK(opened.error().message.find("traces") != std::string::npos);
    CHECK(opened.error().message.find('\n') == std::string::npos);
}

TEST_CASE("Files without permission are reported")
{
    if (geteuid() == 0) {
        WARN("skipped: the superuser may read everything");
        return;
    }
    const Copy copy;
    fs::permissions(copy.archive / "traces/12.evt", fs::perms::none);
    const auto opened = copy.open();
    REQUIRE(opened);
    CHECK((*opened)->report.count(IssueKind::Unreadable) == 1);
    fs::permissions(copy.archive / "traces.def", fs::perms::none);
    REQUIRE(!copy.open());
}

TEST_CASE("Archives with flipped bytes never crash, and give the same for any number of threads")
{
    const Copy copy;
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(copy.archive))
        if (entry.is_regular_file()) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    std::mt19937 random(7);
    for (int round = 0; round < 60; ++round) {
        const fs::path& file = files[random() % files.size()];
        const std::string before = bytesOf(file);
        std::string bytes = before;
        for (int flips = 0; flips < 4; ++flips)
            bytes[random() % bytes.size()] ^= static_cast<char>(1u << random() % 8);
        write(file, bytes);
        const auto one = copy.open(1), two = copy.open(2);
        REQUIRE(one.has_value() == two.has_value());
        if (one) {
            CHECK((*one)->trace->eventCount() == (*two)->trace->eventCount());
            CHECK((*one)->callTree->size() == (*two)->callTree->size());
            CHECK((*one)->report.issues().size() == (*two)->report.issues().size());
        }
        write(file, before);
    }
}

TEST_CASE("Any member of an OTF2 archive leads to its anchor file")
{
    const Copy copy;
    for (const char* member :
         {"", "traces.otf2", "traces.def", "traces", "traces/12.evt", "traces/12.def", "traces/"}) {
        INFO(member);
        const auto found = otf2::findAnchor(copy.archive / member, Task());
        REQUIRE(found);
        CHECK(fs::equivalent(*found, copy.anchor));
    }
    fs::rename(copy.archive / "traces", copy.archive / "run 7 \xC3\xA4");
    fs::rename(copy.archive / "traces.def", copy.archive / "run 7 \xC3\xA4.def");
    fs::rename(copy.anchor, copy.archive / "run 7 \xC3\xA4.otf2");
    CHECK(copy.open());
    write(copy.archive / "notes.otf2", "no archive");
    CHECK(copy.open());
    CHECK(!otf2::findAnchor(copy.archive / "notes.otf2", Task()));
    CHECK(!otf2::findAnchor(copy.folder.path() / "nowhere", Task()));
    fs::copy(copy.archive / "run 7 \xC3\xA4.otf2", copy.archive / "second.otf2");
    CHECK(!otf2::findAnchor(copy.archive, Task()));
}

TEST_CASE("Text that is not UTF-8 is shown with replacement characters")
{
    test::TemporaryFolder folder;
    test::Otf2ArchiveBuilder builder(folder.path() / "archive", 1);
    const auto region = builder.region("caf\xE9");
    builder.events(0, [=](OTF2_EvtWriter* out) { OTF2_EvtWriter_Enter(out, nullptr, 1, region); });
    const auto opened = openExperiment(builder.finish(), Task());
    REQUIRE(opened);
    CHECK((*opened)->definitions.regions[0].name == "caf\xEF\xBF\xBD");
    CHECK((*opened)->report.count(IssueKind::BadText) == 1);
    CHECK((*opened)->report.count(IssueKind::EnterWithoutLeave) == 1);
}

TEST_CASE("An event file that was cut off between two chunks is noticed")
{
    test::TemporaryFolder folder;
    test::Otf2ArchiveBuilder builder(folder.path() / "archive", 1);
    const auto region = builder.region("main");
    builder.events(0, [=](OTF2_EvtWriter* out) {
        for (std::uint64_t time = 0; time < 100'000; time += 2) {
            OTF2_EvtWriter_Enter(out, nullptr, time, region);
            OTF2_EvtWriter_Leave(out, nullptr, time + 1, region);
        }
    });
    const fs::path anchor = builder.finish();
    CHECK((*openExperiment(anchor, Task()))->report.empty());
    fs::resize_file(folder.path() / "archive/traces/0.evt", 4 * test::Otf2ArchiveBuilder::kChunkBytes);
    const auto opened = openExperiment(anchor, Task());
    REQUIRE(opened);
    CHECK((*opened)->report.count(IssueKind::Truncated) == 1);
    CHECK((*opened)->trace->eventCount() > 50'000);
}

TEST_CASE("An archive without a clock takes ticks as nanoseconds")
{
    test::TemporaryFolder folder;
    test::Otf2ArchiveBuilder builder(folder.path() / "archive", 1);
    builder.clearClock();
    const auto region = builder.region("main");
    builder.events(0, [=](OTF2_EvtWriter* out) {
        OTF2_EvtWriter_Enter(out, nullptr, 1000, region);
        OTF2_EvtWriter_Leave(out, nullptr, 1500, region);
    });
    const auto opened = openExperiment(builder.finish(), Task());
    REQUIRE(opened);
    CHECK((*opened)->trace->extent == TimeSpan{0, 500});
    CHECK((*opened)->report.count(IssueKind::NoClock) == 1);
}

TEST_CASE("An import can be cancelled at any moment and tells how far it is")
{
    const Copy copy;
    for (int calls = 0; calls < 6; ++calls) {
        std::stop_source stop;
        std::atomic<int> seen{0};
        const Task task(
            stop.get_token(),
            [&](double fraction, std::string_view stage) {
                CHECK(fraction >= 0.0);
                CHECK(fraction <= 1.0);
                CHECK(!stage.empty());
                if (seen++ == calls) stop.request_stop();
            },
            1);
        const auto opened = openExperiment(copy.archive, task);
        if (!opened) CHECK(opened.error().cancelled());
    }
}

TEST_CASE("Thousands of locations open quickly")
{
    test::TemporaryFolder folder;
    test::Otf2ArchiveBuilder builder(folder.path() / "archive", 1);
    const auto region = builder.region("main");
    for (std::uint64_t thread = 1; thread < 1500; ++thread)
        builder.addLocation(thread << 20, "thread", OTF2_LOCATION_TYPE_CPU_THREAD, 0);
    for (std::uint64_t thread = 0; thread < 1500; ++thread)
        builder.events(thread << 20,
                       [=](OTF2_EvtWriter* out) { OTF2_EvtWriter_Enter(out, nullptr, thread, region); });
    const auto opened = openExperiment(builder.finish(), Task());
    REQUIRE(opened);
    CHECK((*opened)->trace->intervalCount() == 1500);
    CHECK((*opened)->definitions.locations[1499].thread == 1499);
}

}  // namespace skein::bad_input_test
