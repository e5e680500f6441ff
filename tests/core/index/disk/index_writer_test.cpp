// SPDX-License-Identifier: GPL-3.0-or-later
// Writers that are killed, and writers that meet.
#include "core/index/disk/index_writer.h"

#include "core/index/disk/index_reader.h"
#include "core/index/disk/open_archive.h"
#include "core/io/importer.h"
#include "tests/core/index/disk/difference.h"
#include "tests/support/catch.h"
#include "tests/support/index_fixture.h"

#include <csignal>
#include <random>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace skein::index_writer_test {

using namespace skein::disk;
using namespace skein::test;

namespace {

namespace fs = std::filesystem;

/// A process that saves the experiment again and again, `most` times, numbered by `createdNs`. It has one
/// thread: those of its parent do not live in it.
pid_t forkWriter(const fs::path& file, const ExperimentPtr& experiment, std::int64_t most)
{
    const pid_t child = fork();
    if (child != 0) return child;
    IndexContents contents;
    contents.experiment = experiment;
    bool good = true;
    for (contents.summary.createdNs = 1; good && contents.summary.createdNs <= most;
         ++contents.summary.createdNs) {
        auto writer = IndexWriter::create(file);
        good = writer && writer->write(contents, Task().withThreads(1)) && writer->commit();
    }
    _exit(good ? 0 : 1);
}

std::chrono::microseconds timeOfOneWrite(const fs::path& file, const ExperimentPtr& experiment)
{
    const auto begin = std::chrono::steady_clock::now();
    const pid_t child = forkWriter(file, experiment, 1);
    int status = 1;
    REQUIRE(child > 0);
    REQUIRE(waitpid(child, &status, 0) == child);
    REQUIRE(status == 0);
    return std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - begin);
}

bool isGood(const fs::path& file, const Experiment& expected)
{
    const auto opened = openIndex(file, Verify::Always, Task().withThreads(1));
    return opened && difference(opened->experiment->definitions, expected.definitions).empty()
        && difference(*opened->experiment->trace, *expected.trace).empty();
}

}  // namespace

TEST_CASE("index writer: killed at any moment it leaves the old index, a new one or none")
{
    const IndexFixture fixture;
    const auto experiment = openExperiment(sourcePath("examples/eztrace-lulesh-8/trace-otf2"), Task());
    REQUIRE(experiment);
    const fs::path file = fixture.settings.folder / "killed.skein-index";
    std::mt19937 random(3);
    bool existed = false;
    int unfinished = 0;
    const std::chrono::microseconds one =
        timeOfOneWrite(fixture.settings.folder / "timed.skein-index", *experiment);
    // Once and again until both have been seen, however busy the machine is.
    for (int round = 0; round < 40 || ((!existed || unfinished == 0) && round < 400); ++round) {
        const pid_t child = forkWriter(file, *experiment, 1'000'000);
        REQUIRE(child > 0);
        std::this_thread::sleep_for(one * static_cast<int>(random() % 400) / 100);
        kill(child, SIGKILL);
        REQUIRE(waitpid(child, nullptr, 0) == child);
        INFO("round " << round);
        if (fs::exists(file)) CHECK(isGood(file, **experiment));
        else CHECK_FALSE(existed);
        existed = fs::exists(file);
        if (!fs::exists(fixture.settings.folder)) continue;
        unfinished += unfinishedFiles(fixture.settings.folder) > 0;
        tidyIndexes(fixture.settings.folder, kDefaultSizeLimit, {});
        CHECK(unfinishedFiles(fixture.settings.folder) == 0);
    }
    CHECK(existed);
    CHECK(unfinished > 0);
}

TEST_CASE("index writer: two at once and a reader meet only whole files")
{
    const IndexFixture fixture;
    const auto experiment = openExperiment(sourcePath("examples/eztrace-lulesh-8/trace-otf2"), Task());
    REQUIRE(experiment);
    const fs::path file = fixture.settings.folder / "shared.skein-index";
    const pid_t writers[] = {forkWriter(file, *experiment, 20), forkWriter(file, *experiment, 20)};
    int status = 0;
    for (bool running = true; running;) {
        running = waitpid(writers[0], &status, WNOHANG) == 0;
        tidyIndexes(fixture.settings.folder, kDefaultSizeLimit, {});
        if (fs::exists(file)) CHECK(isGood(file, **experiment));
    }
    CHECK(status == 0);
    REQUIRE(waitpid(writers[1], &status, 0) == writers[1]);
    CHECK(status == 0);
    CHECK(isGood(file, **experiment));
    CHECK(unfinishedFiles(fixture.settings.folder) == 0);
}

TEST_CASE("index writer: threads that open and save the same archive at once do not disturb each other")
{
    const IndexFixture fixture;
    const auto archive = fixture.copyOfExample("lulesh-8/profile-flat", "copy");
    const auto expected = *openExperiment(archive, Task());
    std::vector<std::string> differences(4);
    std::vector<std::thread> threads;
    for (std::string& found : differences)
        threads.emplace_back([&] {
            const auto opened = openArchive(archive, fixture.settings, Task());
            found = opened ? differenceOf(*opened->experiment, *expected) : opened.error().text();
            if (opened && opened->unsaved && !saveIndex(*opened->unsaved, fixture.settings, Task()))
                found += "not saved";
        });
    for (std::thread& thread : threads) thread.join();
    for (const std::string& found : differences) CHECK(found == "");
    CHECK(openArchive(archive, fixture.settings, Task())->fromIndex);
    CHECK(unfinishedFiles(fixture.settings.folder) == 0);
}

}  // namespace skein::index_writer_test
