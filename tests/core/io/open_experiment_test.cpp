// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/importer.h"
#include "tests/support/catch.h"
#include "tests/support/paths.h"

#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

namespace skein::open_experiment_test {

using skein::test::TemporaryFolder;

namespace {

namespace fs = std::filesystem;

void write(const fs::path& file, const std::string& text)
{
    fs::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
}

std::string profile(int calls)
{
    return "1 templated_functions_MULTI_TIME\n# Name Calls Subrs Excl Incl ProfileCalls #\n\"main\" "
        + std::to_string(calls) + " 0 5 5 0 GROUP=\"TAU_USER\"\n0 aggregates\n";
}

void put64(std::string& bytes, std::uint64_t value)
{
    for (int byte = 0; byte < 8; ++byte) bytes += static_cast<char>(value >> 8 * byte);
}

std::string trace()
{
    std::string bytes;
    const std::int64_t records[][3] = {{60000, 3, 1000}, {1, 1, 1001}, {1, -1, 1005}};
    for (const auto& record : records) {
        put64(bytes, static_cast<std::uint64_t>(record[0]));  // event, node 0, thread 0
        put64(bytes, static_cast<std::uint64_t>(record[1]));
        put64(bytes, static_cast<std::uint64_t>(record[2]));
    }
    return bytes;
}

constexpr const char* kEvents = "1 dynamic_trace_events\n# FunctionId\n1 TAU_USER 0 \"main \" "
                                "EntryExit\n60000 TRACER 0 \"EV_INIT\" none\n";

Error failureOf(const fs::path& path)
{
    const auto opened = openExperiment(path, Task());
    REQUIRE_FALSE(opened);
    CHECK(opened.error().message.find('\n') == std::string::npos);
    CHECK(opened.error().message.ends_with("."));
    return opened.error();
}

}  // namespace

TEST_CASE("a folder that is no archive opens as the one archive below it")
{
    const TemporaryFolder folder;
    write(folder.path() / "job/out/run.1/profile.0.0.0", profile(7));
    write(folder.path() / "job/readme.txt", "not an archive");
    const auto opened = openExperiment(folder.path(), Task());
    REQUIRE(opened);
    CHECK((*opened)->format == "TAU profile");
    CHECK((*opened)->path.filename() == "run.1");
    CHECK((*opened)->profile->regions.calls[0] == 7);
}

TEST_CASE("a folder with several archives below it lists them")
{
    const TemporaryFolder folder;
    write(folder.path() / "a/profile.0.0.0", profile(1));
    write(folder.path() / "b/deep/profile.0.0.0", profile(2));
    const Error error = failureOf(folder.path());
    CHECK(error.code == ErrorCode::NotRecognized);
    CHECK(error.message.find("a, b/deep") != std::string::npos);
}

TEST_CASE("files of communication below a folder count only where there is no trace or profile")
{
    const TemporaryFolder folder;
    write(folder.path() / "data/comm.csv", "sender,receiver,bytes\n0,1,100\n1,0,200\n");
    auto opened = openExperiment(folder.path(), Task());
    REQUIRE(opened);
    CHECK((*opened)->commMatrix->totalBytes() == 300);
    write(folder.path() / "run/profile.0.0.0", profile(1));
    opened = openExperiment(folder.path(), Task());
    REQUIRE(opened);
    CHECK((*opened)->format == "TAU profile");
}

TEST_CASE("a folder with a TAU trace and a TAU profile opens as the trace and names the profile")
{
    const TemporaryFolder folder;
    write(folder.path() / "profile.0.0.0", profile(3));
    write(folder.path() / "tautrace.0.0.0.trc", trace());
    write(folder.path() / "events.0.edf", kEvents);
    const auto opened = openExperiment(folder.path(), Task());
    REQUIRE(opened);
    CHECK((*opened)->format == "TAU trace");
    CHECK((*opened)->trace->intervalCount() == 1);
    CHECK_FALSE((*opened)->report.lostData());
    CHECK((*opened)->report.count(IssueKind::UnsupportedRecord) == 1);
    const auto member = openExperiment(folder.path() / "profile.0.0.0", Task());
    REQUIRE(member);
    CHECK((*member)->format == "TAU profile");
}

TEST_CASE("what cannot be opened ends in one clear sentence and never waits")
{
    const TemporaryFolder folder;
    CHECK(failureOf(folder.path() / "absent").code == ErrorCode::NotFound);
    write(folder.path() / "empty", "");
    CHECK(failureOf(folder.path() / "empty").message.find("is empty") != std::string::npos);
    write(folder.path() / "random",
          "\x7f"
          "ELF and other things \xff\xfe");
    CHECK(failureOf(folder.path() / "random").code == ErrorCode::NotRecognized);
    REQUIRE(mkfifo((folder.path() / "pipe").c_str(), 0600) == 0);
    CHECK(failureOf(folder.path() / "pipe").code == ErrorCode::Unsupported);
    CHECK(failureOf("/dev/zero").code == ErrorCode::Unsupported);
    fs::create_symlink("loop", folder.path() / "loop");
    CHECK(failureOf(folder.path() / "loop").code == ErrorCode::NotFound);
    fs::create_directory_symlink(folder.path(), folder.path() / "self");
    CHECK(failureOf(folder.path()).code == ErrorCode::NotRecognized);
    fs::create_directory(folder.path() / "nothing");
    CHECK(failureOf(folder.path() / "nothing").message.find("TAU trace") != std::string::npos);
}

TEST_CASE("files and folders without rights are told apart from unknown ones")
{
    const TemporaryFolder folder;
    write(folder.path() / "closed/profile.0.0.0", profile(1));
    write(folder.path() / "file", profile(1));
    chmod((folder.path() / "closed").c_str(), 0);
    chmod((folder.path() / "file").c_str(), 0);
    const bool root = geteuid() == 0;
    if (root) {
        chmod(folder.path().c_str(), 0755);
        REQUIRE(seteuid(65534) == 0);
    }
    const auto closed = openExperiment(folder.path() / "closed", Task());
    const auto file = openExperiment(folder.path() / "file", Task());
    if (root) REQUIRE(seteuid(0) == 0);
    chmod((folder.path() / "closed").c_str(), 0755);
    REQUIRE_FALSE(closed);
    REQUIRE_FALSE(file);
    CHECK(closed.error().code == ErrorCode::AccessDenied);
    CHECK(file.error().code == ErrorCode::AccessDenied);
    CHECK(file.error().message.find("permissions") != std::string::npos);
}

TEST_CASE("ten thousand tiny files are looked at and refused, or opened where one of them is a profile's")
{
    const TemporaryFolder folder;
    for (int file = 0; file < 10'000; ++file) write(folder.path() / ("x" + std::to_string(file)), "tiny");
    CHECK(failureOf(folder.path()).code == ErrorCode::NotRecognized);
    write(folder.path() / "profile.0.0.0", profile(1));
    CHECK(openExperiment(folder.path(), Task()));
}

TEST_CASE("empty files, as all of the kernel's own seem, are neither read nor counted by a search")
{
    const TemporaryFolder folder;
    for (int file = 0; file < 2'100; ++file)
        write(folder.path() / "empty" / ("file" + std::to_string(file)), "");
    write(folder.path() / "measured/profile.0.0.0", profile(1));
    CHECK(openExperiment(folder.path(), Task()));
}

TEST_CASE("a search for archives can be stopped")
{
    const TemporaryFolder folder;
    write(folder.path() / "a/profile.0.0.0", profile(1));
    std::stop_source stop;
    stop.request_stop();
    const auto opened = openExperiment(folder.path(), Task(stop.get_token()));
    REQUIRE_FALSE(opened);
    CHECK(opened.error().cancelled());
}

TEST_CASE("an archive has the name of its folder, however the folder is written")
{
    const auto folder = test::sourcePath("examples/lulesh-8/profile-callpath");
    for (const auto& path : {folder, folder / "", folder / ".", folder / ".." / "profile-callpath" / ".",
                             folder / "profile.0.0.0"}) {
        INFO(path.string());
        const auto opened = openExperiment(path, Task());
        REQUIRE(opened);
        CHECK((*opened)->name == "profile-callpath");
    }
    const auto above = openExperiment(test::sourcePath("examples/lulesh-8/trace-otf2/traces/.."), Task());
    REQUIRE(above);
    CHECK((*above)->name == "trace-otf2");
}

TEST_CASE("output of ADIOS2 is refused by its name")
{
    const test::TemporaryFolder folder;
    const std::filesystem::path bp = folder.path() / "tau-metrics.bp";
    std::filesystem::create_directory(bp);
    std::ofstream(bp / "md.idx", std::ios::binary) << "ADIOS-BP v2.9.1 Index Table" << std::string(64, '\0');
    std::ofstream(bp / "data.0", std::ios::binary) << std::string(100, 'x');
    const std::filesystem::path old = folder.path() / "old.bp";
    std::ofstream(old, std::ios::binary)
        << std::string(500, '\1') << "ADIOS-BP v2.5.0" << std::string(13, '\0');
    for (const auto& path : {bp, old}) {
        const auto opened = openExperiment(path, Task());
        REQUIRE_FALSE(opened.has_value());
        CHECK(opened.error().code == ErrorCode::Unsupported);
        CHECK(opened.error().text().find("ADIOS2") != std::string::npos);
    }
    std::filesystem::remove(bp / "md.idx");
    CHECK(openExperiment(bp, Task()).error().text().find("ADIOS2") == std::string::npos);
}

}  // namespace skein::open_experiment_test
