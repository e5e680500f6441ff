// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/index/disk/open_archive.h"

#include "core/base/memory_limit.h"
#include "core/index/disk/index_reader.h"
#include "core/index/timeline_index.h"
#include "core/index/trace_summary.h"
#include "core/io/importer.h"
#include "tests/core/index/disk/difference.h"
#include "tests/support/catch.h"
#include "tests/support/index_fixture.h"
#include "tests/support/nameless_mappings.h"

#include <fstream>

namespace skein::open_archive_test {

using namespace skein::disk;
using namespace skein::test;

namespace {

bool sameTree(const TimeTree& a, const TimeTree::Node& inA, const TimeTree& b, const TimeTree::Node& inB)
{
    if (inA.span != inB.span || inA.index != inB.index || inA.callPath != inB.callPath
        || inA.share != inB.share || inA.leaf != inB.leaf)
        return false;
    if (inA.leaf) return a.firstCall(inA) == b.firstCall(inB);
    return sameTree(a, a.left(inA), b, b.left(inB)) && sameTree(a, a.right(inA), b, b.right(inB));
}

std::vector<std::uint32_t> lastingFrom(const IntervalSkip& skip, const CallIntervals& calls,
                                       std::uint32_t first)
{
    std::vector<std::uint32_t> found;
    skip.appendLasting(calls, first, static_cast<std::uint32_t>(calls.size()), 10'000, found);
    return found;
}

bool sameSkip(const IntervalSkip& a, const IntervalSkip& b, const CallIntervals& calls)
{
    const auto count = static_cast<std::uint32_t>(calls.size());
    for (std::uint32_t call = 0; call < count; call += 1 + count / 50) {
        const TimeNs begin = calls.begin[call];
        if (a.parent(calls, call) != b.parent(calls, call)
            || a.innermostAt(calls, begin) != b.innermostAt(calls, begin)
            || lastingFrom(a, calls, call) != lastingFrom(b, calls, call))
            return false;
    }
    return a.bytes() == b.bytes();
}

/// All nodes, and what the other tables answer.
bool sameTimeline(const TimelineIndex& a, const TimelineIndex& b, const Trace& trace)
{
    if (a.locations.size() != b.locations.size() || a.maximumDepth != b.maximumDepth
        || a.bytes() != b.bytes())
        return false;
    for (std::size_t i = 0; i < a.locations.size(); ++i) {
        const TimeTree &left = a.locations[i].tree, &right = b.locations[i].tree;
        if (left.size() != right.size()
            || (!left.empty() && !sameTree(left, left.root(), right, right.root())))
            return false;
        if (!sameSkip(a.locations[i].skip, b.locations[i].skip, trace.locations[i].intervals)) return false;
    }
    for (TimeNs step = 0; step < 20; ++step) {
        const TimeNs time = trace.extent.end / 20 * step;
        if (a.messages.underWay(trace.messages, time, 100) != b.messages.underWay(trace.messages, time, 100))
            return false;
    }
    return true;
}

bool sameSummary(const TraceSummary& a, const TraceSummary& b)
{
    const auto sameClock = [](const ClockOffset& x, const ClockOffset& y) {
        return x.offsetNs == y.offsetNs && x.drift == y.drift && x.errorNs == y.errorNs;
    };
    return a.totals.maximumDepth == b.totals.maximumDepth && a.totals.messageBytes == b.totals.messageBytes
        && a.totals.unmatchedSends == b.totals.unmatchedSends
        && std::equal(a.clocks.groups.begin(), a.clocks.groups.end(), b.clocks.groups.begin(),
                      b.clocks.groups.end(), sameClock)
        && a.clocks.reference == b.clocks.reference && a.clocks.violations == b.clocks.violations
        && a.clocks.worstViolationNs == b.clocks.worstViolationNs
        && a.clocks.remainingNs == b.clocks.remainingNs
        && a.clocks.inferredCollectives == b.clocks.inferredCollectives;
}

}  // namespace

TEST_CASE("disk index: what is opened through it equals the import, of every kind of archive")
{
    const std::string archive = GENERATE(
        "lulesh-8/trace-otf2", "heatflow-16x2/trace-otf2", "eztrace-lulesh-8/trace-otf2",
        "lulesh-8/trace-tau", "lulesh-8/profile-flat", "lulesh-8/profile-callpath", "lulesh-8/profile-multi",
        "lulesh-8/profile-merged", "lulesh-8/profile-snapshot", "lulesh-8/profile-sampling",
        "lulesh-8/packed-callpath.ppk", "heatflow-16x2/profile-same-run");
    INFO(archive);
    const IndexFixture fixture;
    const auto path = sourcePath("examples/" + archive);
    const auto imported = openExperiment(path, Task());
    REQUIRE(imported);
    const auto first = openArchive(path, fixture.settings, Task());
    REQUIRE(first);
    CHECK_FALSE(first->fromIndex);
    CHECK(differenceOf(*first->experiment, **imported) == "");
    REQUIRE(first->unsaved);
    REQUIRE(saveIndex(*first->unsaved, fixture.settings, Task()));
    const auto second = openArchive(path, fixture.settings, Task());
    REQUIRE(second);
    CHECK(second->fromIndex);
    CHECK_FALSE(second->unsaved);
    CHECK(differenceOf(*second->experiment, **imported) == "");
    if ((*imported)->trace) {
        REQUIRE(second->experiment->summary);
        CHECK(sameSummary(*second->experiment->summary, traceSummaryOf(**imported, Task()).value()));
        CHECK(sameTimeline(*first->experiment->timelineIndex, *second->experiment->timelineIndex,
                           *second->experiment->trace));
    }
    const auto otherSpelling = std::filesystem::relative(path);
    const auto third = openArchive(otherSpelling, fixture.settings, Task());
    REQUIRE(third);
    CHECK(third->fromIndex);
    CHECK(differenceOf(*third->experiment, **openExperiment(otherSpelling, Task())) == "");
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // they reserve more than any limit
TEST_CASE("an index made under a memory limit lies in files and equals one without")
{
    const auto imported = openExperiment(sourcePath("examples/eztrace-lulesh-8/trace-otf2"), Task());
    REQUIRE(imported);
    const Experiment& experiment = **imported;
    const auto expected = buildTimelineIndex(*experiment.trace, *experiment.callTree, Task());
    REQUIRE(expected);
    REQUIRE(setMemoryLimit(2 * memoryInUse() - 1));
    const auto limited = buildTimelineIndex(*experiment.trace, *experiment.callTree, Task());
    setMemoryLimit(0);
    REQUIRE(limited);
    CHECK(namelessMappings() > 0);
    CHECK(sameTimeline(*limited, *expected, *experiment.trace));
}

TEST_CASE("disk index: where memory is limited the archive is exchanged for its index at once")
{
    const IndexFixture fixture;
    const auto path = sourcePath("examples/lulesh-8/trace-otf2");
    const auto imported = openExperiment(path, Task());
    REQUIRE(imported);
    REQUIRE(setMemoryLimit(3 * memoryInUse()));
    const auto opened = openArchive(path, fixture.settings, Task());
    const auto unwritable = openArchive(path, {true, "/proc/nowhere", kDefaultSizeLimit}, Task());
    setMemoryLimit(0);
    REQUIRE(opened);
    CHECK(opened->fromIndex);
    CHECK_FALSE(opened->unsaved);
    REQUIRE(opened->saved);
    CHECK(std::filesystem::exists(*opened->saved));
    CHECK(differenceOf(*opened->experiment, **imported) == "");
    REQUIRE(unwritable);
    CHECK_FALSE(unwritable->fromIndex);
    CHECK(unwritable->unsaved);
    CHECK(differenceOf(*unwritable->experiment, **imported) == "");
}
#endif

TEST_CASE("disk index: columns outlive the removal of their file")
{
    const IndexFixture fixture;
    const auto archive = fixture.copyOfExample("lulesh-8/trace-otf2", "copy");
    const auto file = fixture.save(archive);
    const auto opened = openArchive(archive, fixture.settings, Task());
    REQUIRE(opened);
    REQUIRE(opened->fromIndex);
    REQUIRE(dropIndex(file).value());
    CHECK_FALSE(std::filesystem::exists(stampOf(file)));
    CHECK(differenceOf(*opened->experiment, **openExperiment(archive, Task())) == "");
}

TEST_CASE("disk index: an archive that changed is imported again")
{
    const IndexFixture fixture;
    const auto archive = fixture.copyOfExample("lulesh-8/trace-otf2", "copy");
    const auto events = archive / "traces" / "0.evt";
    REQUIRE(std::filesystem::exists(events));
    fixture.save(archive);
    SECTION("by bytes at an end") { std::ofstream(events, std::ios::app) << "x"; }
    SECTION("by bytes in place") { overwrite(events, 100, "rust"); }
    SECTION("by another time")
    {
        std::filesystem::last_write_time(events, std::filesystem::file_time_type::clock::now());
    }
    SECTION("by a file less") { std::filesystem::remove(events); }
    SECTION("by a file more") { std::ofstream(archive / "traces" / "77.evt") << "x"; }
    SECTION("under an old time, as cp -p does")
    {
        const auto time = std::filesystem::last_write_time(events);
        overwrite(events, 100, "rust");
        std::filesystem::last_write_time(events, time);
    }
    const auto opened = openArchive(archive, fixture.settings, Task());
    REQUIRE(opened);
    CHECK_FALSE(opened->fromIndex);
    CHECK(differenceOf(*opened->experiment, **openExperiment(archive, Task())) == "");
    REQUIRE(saveIndex(*opened->unsaved, fixture.settings, Task()));
    CHECK(openArchive(archive, fixture.settings, Task())->fromIndex);
}

TEST_CASE("disk index: a change behind a link to a metric's folder is noticed")
{
    const IndexFixture fixture;
    const auto archive = fixture.copyOfExample("lulesh-8/profile-multi", "profile");
    const auto elsewhere = fixture.path() / "elsewhere";
    std::filesystem::rename(archive / "MULTI__TIME", elsewhere);
    std::filesystem::create_directory_symlink(elsewhere, archive / "MULTI__TIME");
    const auto imported = openExperiment(archive, Task());
    REQUIRE(imported);
    REQUIRE((*imported)->profile->regions.metrics.size() == 3);
    fixture.save(archive);
    CHECK(openArchive(archive, fixture.settings, Task())->fromIndex);
    overwrite(elsewhere / "profile.0.0.0", 0, "9");
    CHECK_FALSE(openArchive(archive, fixture.settings, Task())->fromIndex);
}

TEST_CASE("disk index: files beside a TAU archive that are none of it do not matter, whatever their names")
{
    const IndexFixture fixture;
    const std::string example =
        GENERATE("lulesh-8/trace-tau", "lulesh-8/profile-flat", "lulesh-8/profile-multi");
    const auto archive = fixture.copyOfExample(example, "copy");
    std::ofstream(archive / "out.csv") << "";
    const auto opened = openArchive(archive, fixture.settings, Task());
    REQUIRE(opened);
    std::ofstream(archive / "out.csv") << "name,calls\n";
    REQUIRE(saveIndex(*opened->unsaved, fixture.settings, Task()));
    std::filesystem::create_directory(archive / "results");
    std::ofstream(archive / "results" / "log") << "done\n";
    std::ofstream(archive / "job.log", std::ios::app) << "done\n";
    CHECK(openArchive(archive, fixture.settings, Task())->fromIndex);

    // What begins as a member of the archive is one.
    const bool trace = example == "lulesh-8/trace-tau";
    std::filesystem::copy_file(archive
                                   / (trace                            ? "events.0.edf"
                                          : example.ends_with("multi") ? "MULTI__TIME/profile.0.0.0"
                                                                       : "profile.0.0.0"),
                               archive / "more");
    CHECK_FALSE(openArchive(archive, fixture.settings, Task())->fromIndex);
}

TEST_CASE("disk index: an archive that changed after its import is not saved")
{
    const IndexFixture fixture;
    const auto archive = fixture.copyOfExample("lulesh-8/profile-flat", "copy");
    const auto opened = openArchive(archive, fixture.settings, Task());
    REQUIRE(opened);
    std::ofstream(archive / "profile.0.0.0", std::ios::app) << "\n";
    const auto saved = saveIndex(*opened->unsaved, fixture.settings, Task());
    REQUIRE_FALSE(saved);
    CHECK(saved.error().message.find("has changed") != std::string::npos);
    CHECK(listIndexes(fixture.settings.folder).value().empty());
}

TEST_CASE("disk index: a folder that cannot be written costs a sentence and nothing else")
{
    IndexFixture fixture;
    std::ofstream(fixture.path() / "file") << "no folder";
    fixture.settings.folder = fixture.path() / "file" / "indexes";
    const auto path = sourcePath("examples/lulesh-8/profile-flat");
    const auto opened = openArchive(path, fixture.settings, Task());
    REQUIRE(opened);
    CHECK(differenceOf(*opened->experiment, **openExperiment(path, Task())) == "");
    const auto saved = saveIndex(*opened->unsaved, fixture.settings, Task());
    REQUIRE_FALSE(saved);
    CHECK(saved.error().message.find("cannot be written") != std::string::npos);
}

TEST_CASE("disk index: without leave to use one, nothing is looked at or saved")
{
    IndexFixture fixture;
    const auto archive = fixture.copyOfExample("lulesh-8/profile-flat", "copy");
    fixture.save(archive);
    fixture.settings.enabled = false;
    const auto opened = openArchive(archive, fixture.settings, Task());
    REQUIRE(opened);
    CHECK_FALSE(opened->fromIndex);
    CHECK_FALSE(opened->unsaved);
}

TEST_CASE("disk index: what stops saving leaves nothing behind")
{
    const IndexFixture fixture;
    const auto opened = openArchive(sourcePath("examples/lulesh-8/trace-otf2"), fixture.settings, Task());
    REQUIRE(opened);
    std::stop_source stop;
    stop.request_stop();
    const auto saved = saveIndex(*opened->unsaved, fixture.settings, Task(stop.get_token(), {}));
    REQUIRE_FALSE(saved);
    CHECK(saved.error().cancelled());
    CHECK((!std::filesystem::exists(fixture.settings.folder)
           || std::filesystem::is_empty(fixture.settings.folder)));
}

}  // namespace skein::open_archive_test
