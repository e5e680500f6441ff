// SPDX-License-Identifier: GPL-3.0-or-later
// Archives of the generator, whose every number is known before they are read.
#include "core/io/importer.h"
#include "tests/bench/archive_generator/archive_writer.h"
#include "tests/support/catch.h"
#include "tests/support/paths.h"

#include <fstream>
#include <map>
#include <sstream>

namespace skein::generated_archive_test {

namespace {

using generator::Counts;
using generator::Options;

std::uint64_t recordsIn(const Trace& trace)
{
    std::uint64_t events = 0;
    for (const LocationTrace& location : trace.locations) events += location.events;
    return events;
}

std::uint64_t callsIn(const Trace& trace)
{
    std::uint64_t calls = 0;
    for (const LocationTrace& location : trace.locations) calls += location.intervals.size();
    return calls;
}

void checkAgainst(const Counts& written, const Experiment& read)
{
    REQUIRE(read.trace);
    const Trace& trace = *read.trace;
    CHECK(recordsIn(trace) == written.events);
    CHECK(callsIn(trace) == written.enters);
    REQUIRE(trace.messages.size() == written.sends);
    CHECK(trace.unmatchedReceives.size() == 0);
    std::uint64_t bytes = 0;
    std::size_t wrong = 0;
    std::uint64_t completed = 0;
    for (std::size_t i = 0; i < trace.messages.size(); ++i) {
        bytes += trace.messages[i].bytes;
        if (!trace.messages[i].matched() || trace.messages[i].receiveTime < trace.messages[i].sendTime)
            ++wrong;
        completed += trace.messages[i].sendEnd != kNoTime;
        if (trace.messages[i].sendEnd != kNoTime && trace.messages[i].sendEnd <= trace.messages[i].sendTime)
            ++wrong;
    }
    CHECK(bytes == written.sentBytes);
    CHECK(wrong == 0);
    CHECK(completed == written.sendCompletions);
    CHECK(read.report.count(IssueKind::UnsupportedRecord) == 0);
    CHECK(read.report.count(IssueKind::UndefinedReference) == 0);
    CHECK(trace.collectives.size() == written.collectives);
    std::uint64_t samples = 0;
    for (const MetricStream& stream : trace.metricStreams) samples += stream.samples();
    CHECK(samples == written.metricRecords);
    CHECK_FALSE(read.report.lostData());
}

std::map<std::string, std::string> filesBelow(const std::filesystem::path& folder)
{
    std::map<std::string, std::string> out;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        // The anchor file holds an identifier of its own.
        if (!entry.is_regular_file() || entry.path().extension() == ".otf2") continue;
        std::ostringstream text;
        text << std::ifstream(entry.path(), std::ios::binary).rdbuf();
        out[entry.path().lexically_relative(folder).string()] = text.str();
    }
    return out;
}

}  // namespace

TEST_CASE("a generated archive is read back with every number that was written")
{
    for (const std::uint32_t ranks : {1U, 2U, 6U, 12U}) {
        const test::TemporaryFolder folder;
        Options options;
        options.ranks = ranks;
        options.steps = 53;
        options.metrics = ranks == 6;
        options.fields = ranks == 12 ? 8 : 1;
        const auto written = generator::writeArchive(folder.path() / "archive", options);
        REQUIRE(written);
        const auto read = openExperiment(folder.path() / "archive", Task());
        REQUIRE(read);
        INFO("ranks " << ranks);
        CHECK((*read)->definitions.locations.size() == ranks);
        checkAgainst(*written, **read);
    }
}

TEST_CASE("two fields give twelve messages a step to a rank with six neighbours")
{
    Options options;
    options.ranks = 12;
    options.steps = 8;  // before the first that rebalances
    CHECK(generator::messagesOfStep(options) == 6);
    const std::uint64_t one = generator::countEvents(options);
    options.fields = 2;
    CHECK(generator::messagesOfStep(options) == 12);
    // A message more is MPI_Irecv and MPI_Isend with three records each, and both completions.
    CHECK(generator::countEvents(options) - one == std::uint64_t{12} * 8 * 6 * 8);
    const test::TemporaryFolder folder;
    const auto written = generator::writeArchive(folder.path() / "archive", options);
    REQUIRE(written);
    CHECK(written->sends == std::uint64_t{12} * 8 * 12);
    CHECK(written->sendCompletions == written->sends);
    options.fields = 9;
    CHECK_FALSE(generator::writeArchive(folder.path() / "more", options));
}

TEST_CASE("the same seed generates the same archive and another seed another")
{
    const test::TemporaryFolder folder;
    Options options;
    options.ranks = 4;
    options.steps = 3;
    REQUIRE(generator::writeArchive(folder.path() / "a", options));
    REQUIRE(generator::writeArchive(folder.path() / "b", options));
    options.seed = 2;
    REQUIRE(generator::writeArchive(folder.path() / "c", options));
    CHECK(filesBelow(folder.path() / "a") == filesBelow(folder.path() / "b"));
    CHECK(filesBelow(folder.path() / "a") != filesBelow(folder.path() / "c"));
}

TEST_CASE("the generator finds the number of steps for a number of events")
{
    Options options;
    options.ranks = 8;
    options.steps = generator::stepsForEvents(options, 200'000);
    const std::uint64_t events = generator::countEvents(options);
    CHECK(events >= 200'000);
    options.steps -= 50;
    CHECK(generator::countEvents(options) < 200'000);
}

}  // namespace skein::generated_archive_test
