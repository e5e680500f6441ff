// SPDX-License-Identifier: GPL-3.0-or-later
// Profiles as people leave them in public repositories: traits met there, in small.
#include "algorithms/profile/aggregate.h"
#include "algorithms/profile/metric_statistics.h"
#include "core/io/tau_profile/packed_profile.h"
#include "core/io/tau_profile/profile_assembler.h"
#include "core/io/tau_profile/tau_profile_importer.h"
#include "core/io/tau_profile/text_profile.h"
#include "core/io/tau_profile/xml_profile.h"
#include "tests/support/catch.h"
#include "tests/support/paths.h"

#include <fmt/format.h>
#include <fstream>
#include <zlib.h>

namespace skein::wild_profile_test {

using namespace skein::tau;
using skein::test::TemporaryFolder;

/// A text profile of some rows of timers and some of user events.
std::string profileText(const std::vector<std::string>& timers, const std::vector<std::string>& events = {},
                        const std::string& metadata = "")
{
    std::string text =
        fmt::format("{} templated_functions_MULTI_TIME\n# Name Calls Subrs Excl Incl ProfileCalls # {}\n",
                    timers.size(), metadata);
    for (const std::string& row : timers) text += row + "\n";
    text += "0 aggregates\n";
    if (events.empty()) return text;
    text += fmt::format("{} userevents\n# eventname numevents max min mean sumsqr\n", events.size());
    for (const std::string& row : events) text += row + "\n";
    return text;
}

Experiment joined(const std::vector<std::string>& texts)
{
    ProfileAssembler assembler;
    std::uint32_t node = 0;
    for (const std::string& text : texts)
        assembler.add(*parseTextProfile(text, {node++, 0, 0}, "profile", Task()));
    return *std::move(assembler).finish(Task());
}

double wholeCalls(const std::vector<RegionRow>& rows)
{
    double calls = 0.0;
    for (const RegionRow& row : rows)
        if (!row.breakdown) calls += row.values.calls;
    return calls;
}

std::vector<Issue> found(const ImportReport& report, IssueKind kind)
{
    std::vector<Issue> issues;
    for (const Issue& issue : report.issues())
        if (issue.kind == kind) issues.push_back(issue);
    return issues;
}

const std::string kMain = "\"main() C [{m.c} {1,1}-{9,1}]\" 1 100001 60 100 0 GROUP=\"TAU_DEFAULT\"";
const std::string kThrottled =
    "\"f(int) C [{m.c} {11,1}-{12,1}] [THROTTLED]\" 100001 0 40 40 0 GROUP=\"TAU_DISABLE\"";
const std::string kPath =
    "\"main() C [{m.c} {1,1}-{9,1}]  => f(int) C [{m.c} {11,1}-{12,1}]\" 100001 0 40 40 0 "
    "GROUP=\"TAU_CALLPATH|TAU_USER\"";

TEST_CASE("a throttled function of a TAU profile is one region, whichever of its rows has the mark")
{
    const Experiment profile = joined({profileText({kMain, kThrottled, kPath})});
    const auto rows = profileByRegion(profile, *profile.profile, 0);
    REQUIRE(rows.size() == 2);
    CHECK(wholeCalls(rows) == 100002);
    CHECK(wholeExclusive(rows) == 100e3);
    const Region& region = profile.definitions.region(rows[1].regions.front());
    CHECK(region.name == "f(int) C [{m.c} {11,1}-{12,1}]");
    CHECK(region.beginLine == 11);
    CHECK(region.description.find("Throttled") == 0);
    REQUIRE(region.groups.size() == 1);
    CHECK(profile.definitions.regionGroups[region.groups[0].index()].name == "TAU_USER");
    const auto paths = profileByCallPath(profile, *profile.profile, 0);
    REQUIRE(paths.size() == 2);
    CHECK(paths[1].depth == 1);
}

TEST_CASE("a function that TAU throttled on one rank alone is one region over all ranks")
{
    const std::string plain = "\"f(int) C [{m.c} {11,1}-{12,1}]\" 7 0 4 4 0 GROUP=\"TAU_USER\"";
    for (const bool markFirst : {false, true}) {
        const std::string first = profileText({kMain, markFirst ? kThrottled : plain});
        const std::string second = profileText({kMain, markFirst ? plain : kThrottled});
        const Experiment profile = joined({first, second});
        const auto rows = profileByRegion(profile, *profile.profile, 0);
        REQUIRE(rows.size() == 2);
        CHECK(rows[1].locations == 2);
        CHECK(rows[1].values.calls == 100008);
        CHECK(profile.definitions.region(rows[1].regions.front()).groups.size() == 1);
    }
}

TEST_CASE("a context event of a throttled function is a part of its event and no metric of its own")
{
    const Experiment profile = joined({profileText(
        {kMain, kThrottled, kPath},
        {"\"Heap\" 2 8 4 6 80",
         "\"Heap : main() C [{m.c} {1,1}-{9,1}]  => f(int) C [{m.c} {11,1}-{12,1}]\" 2 8 4 6 80"})});
    REQUIRE(profile.definitions.metrics.size() == 2);
    CHECK(profile.definitions.metrics[1].name == "Heap");
    REQUIRE(profile.profile->statistics.size() == 2);
    CHECK(profile.profile->statistics[0].context.valid());
    CHECK(profile.callTree->size() == 2);
}

TEST_CASE("a user event that is listed twice is as if all of its values were counted together")
{
    const std::vector<double> first{1, 5, 9}, second{2, 20};
    const auto row = [](const std::vector<double>& values) {
        double sum = 0, squares = 0;
        for (const double value : values) sum += value, squares += value * value;
        return fmt::format(
            "\"Bytes Read\" {} {} {} {} {}", values.size(), *std::max_element(values.begin(), values.end()),
            *std::min_element(values.begin(), values.end()), sum / double(values.size()), squares);
    };
    std::vector<double> all = first;
    all.insert(all.end(), second.begin(), second.end());
    const Experiment twice = joined({profileText({kMain}, {row(first), row(second)})});
    const Experiment once = joined({profileText({kMain}, {row(all)})});
    REQUIRE(twice.profile->statistics.size() == 1);
    const EventStatistic joint = twice.profile->statistics[0], whole = once.profile->statistics[0];
    CHECK(joint.count == 5);
    CHECK(joint.minimum == 1);
    CHECK(joint.maximum == 20);
    CHECK(joint.mean == Approx(whole.mean));
    CHECK(joint.sumOfSquares == Approx(whole.sumOfSquares));
    CHECK(twice.report.empty());
    const auto metrics = metricStatistics(twice);
    CHECK(metrics[1].values.standardDeviation() == Approx(std::sqrt(511.0 / 5 - 7.4 * 7.4)));
}

TEST_CASE("a user event that was recorded by call path alone has the values of its parts")
{
    const Experiment profile =
        joined({profileText({kMain, kThrottled, kPath},
                            {"\"[GROUP=MIN_MARKER] a : main() C [{m.c} {1,1}-{9,1}]\" 2 8 4 6 80",
                             "\"[GROUP=MIN_MARKER] a : main() C [{m.c} {1,1}-{9,1}] => f(int) C [{m.c} "
                             "{11,1}-{12,1}]\" 1 2 2 2 4"})});
    const auto rows = metricStatistics(profile);
    REQUIRE(rows.size() == 2);
    CHECK(profile.definitions.metric(rows[1].metric).name == "[GROUP=MIN_MARKER] a");
    CHECK(rows[1].values.count == 3);
    CHECK(rows[1].values.minimum == 2);
    CHECK(rows[1].values.maximum == 8);
}

TEST_CASE("time of samples is a part of what was sampled, and no sum has it twice")
{
    const Experiment profile =
        joined({profileText({"\".TAU application\" 1 0 1860725 1860725 0 GROUP=\"TAU_USER\"",
                             "\"[CONTEXT] .TAU application\" 3 0 0 1860002 0 GROUP=\"TAU_SAMPLE_CONTEXT\"",
                             "\".TAU application  => [CONTEXT] .TAU application\" 3 0 0 1860002 0 "
                             "GROUP=\"TAU_SAMPLE_CONTEXT|TAU_CALLPATH\"",
                             "\"[SAMPLE] f [{/x/m.c} {59}]\" 1 0 860001 860001 0 GROUP=\"TAU_SAMPLE\"",
                             "\".TAU application  => [CONTEXT] .TAU application  => [SAMPLE] f [{/x/m.c} "
                             "{59}]\" 1 0 860001 860001 0 "
                             "GROUP=\"TAU_SAMPLE|TAU_CALLPATH\"",
                             "\"[SAMPLE] f [{/x/m.c} {60}]\" 2 0 1000001 1000001 0 GROUP=\"TAU_SAMPLE\"",
                             "\".TAU application  => [CONTEXT] .TAU application  => [SAMPLE] f [{/x/m.c} "
                             "{60}]\" 2 0 1000001 1000001 0 "
                             "GROUP=\"TAU_SAMPLE|TAU_CALLPATH\""})});
    const auto regions = profileByRegion(profile, *profile.profile, 0);
    CHECK(regions.size() == 4);
    CHECK(wholeExclusive(regions) == 1860725e3);
    CHECK(wholeExclusive(profileByCallPath(profile, *profile.profile, 0)) == 1860725e3);
    const auto locations = profileByLocation(profile, *profile.profile, 0);
    REQUIRE(locations.size() == 1);
    CHECK(locations[0].values.inclusive == 1860725e3);
    CHECK(locations[0].values.calls == 1);
    std::size_t breakdowns = 0;
    for (const RegionRow& row : regions) breakdowns += row.breakdown;
    CHECK(breakdowns == 3);
}

TEST_CASE("the rest of an older, longer profile behind a profile's end is named and not read")
{
    const std::string whole = profileText({kMain}, {"\"Heap\" 2 8 4 6 80"});
    const std::string older =
        profileText({kMain, kThrottled, kPath}, {"\"Heap\" 7 9 1 6 99", "\"Load\" 1 1 1 1 1"});
    const std::size_t cuts[] = {older.size() - 20, older.size() - 60, older.find("(int)") + 2,
                                older.find(" => ")};
    for (const std::size_t cut : cuts) {
        const std::string tail = older.substr(cut);
        INFO(tail);
        const Experiment profile = joined({whole + tail});
        CHECK(profile.definitions.regions.size() == 1);
        REQUIRE(profile.profile->statistics.size() == 1);
        CHECK(profile.profile->statistics[0].count == 2);
        CHECK_FALSE(profile.report.lostData());
        const auto tails = found(profile.report, IssueKind::StaleTail);
        REQUIRE(tails.size() == 1);
        CHECK(tails[0].location == "line 8");
        CHECK(tails[0].detail.find(fmt::format("{} lines", std::count(tail.begin(), tail.end(), '\n'))) == 0);
    }
}

TEST_CASE("user events beyond the announced number are read where nothing tells that they are old")
{
    std::string text = profileText({kMain}, {"\"Heap\" 2 8 4 6 80", "\"Load\" 1 1 1 1 1"});
    text.replace(text.find("2 userevents"), 1, "1");
    const Experiment profile = joined({text});
    CHECK(profile.profile->statistics.size() == 2);
    CHECK(profile.report.count(IssueKind::EventCount) == 1);
    CHECK(profile.report.count(IssueKind::StaleTail) == 0);
}

std::string zipped(const std::string& bytes)
{
    std::string packed(compressBound(static_cast<uLong>(bytes.size())) + 64, '\0');
    z_stream stream{};
    REQUIRE(deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    REQUIRE(deflate(&stream, Z_FINISH) == Z_STREAM_END);
    packed.resize(packed.size() - stream.avail_out);
    deflateEnd(&stream);
    return packed;
}

std::string mergedText(const std::string& blocks)
{
    return "<?xml version=\"1.0\"?>\n<profile_xml>\n<definitions thread=\"*\"><metric "
           "id=\"0\"><name>TIME</name></metric>"
           "<event id=\"7\"><name>f</name><group>G</group></event><event "
           "id=\"8\"><name>g</name><group>G</group></event>"
           "</definitions>"
        + blocks + "</profile_xml>\n";
}

std::string block(int thread, int timer, int microseconds)
{
    return fmt::format(
        "<profile thread=\"{}.0.0.1\"><interval_data metrics=\"0\">\n{} 1 0 {} {}\n</interval_data>"
        "</profile>\n",
        thread, timer, microseconds, microseconds);
}

TEST_CASE("a merged TAU profile that was packed with gzip opens like one that was not")
{
    const TemporaryFolder folder;
    const std::string text = mergedText(block(0, 7, 5) + block(1, 7, 6));
    std::ofstream(folder.path() / "tauprofile.xml.gz", std::ios::binary) << zipped(text);
    const auto archive = sniffProfile(folder.path() / "tauprofile.xml.gz", Task());
    REQUIRE(archive);
    const auto profile = readProfile(*archive, Task());
    REQUIRE(profile);
    CHECK(profile->definitions.locations.size() == 2);
    CHECK(profile->profile->regions.inclusive[0][1] == 6000);
    CHECK(profile->report.empty());
    CHECK(sniffProfile(folder.path(), Task()));

    const std::string whole = zipped(text);
    std::ofstream(folder.path() / "tauprofile.xml.gz", std::ios::binary)
        << whole.substr(0, whole.size() - 14);
    const auto cut = readProfile(folder.path() / "tauprofile.xml.gz", Task());
    REQUIRE(cut);
    CHECK(cut->report.count(IssueKind::Truncated) > 0);
}

std::string number(std::uint32_t value, int bytes)
{
    std::string text;
    for (int byte = bytes; byte-- > 0;) text += byte < 4 ? static_cast<char>(value >> 8 * byte) : '\0';
    return text;
}

std::string counted(const std::string& text)
{
    return number(static_cast<std::uint32_t>(text.size()), 2) + text;
}

/// A packed profile of one metric, one group, and some timers of one thread, before it is packed.
std::string packedText(const std::string& group, std::uint32_t timers)
{
    std::string text("\0P\0P\0K", 6);
    text += number(1, 4) + number(1, 4) + number(0, 4);
    text += number(1, 4) + counted("TIME") + number(1, 4) + counted(group) + number(timers, 4);
    for (std::uint32_t timer = 0; timer < timers; ++timer)
        text += counted(fmt::format("f{}", timer)) + number(1, 4) + number(0, 4);
    text += number(0, 4) + number(1, 4) + number(0, 12) + number(1, 4);
    text +=
        number(0, 4) + number(0x3FF00000, 4) + std::string(12, '\0');  // timer 0, one call, no subroutines
    text += number(0x40140000, 4) + number(0, 4) + number(0x40140000, 4) + number(0, 4) + number(0, 4);
    return text;
}

TEST_CASE("a packed TAU profile that somebody has unzipped opens like a packed one")
{
    const TemporaryFolder folder;
    const std::string text = packedText("MPI", 1);
    std::ofstream(folder.path() / "packed.ppk", std::ios::binary) << zipped(text);
    std::ofstream(folder.path() / "unzipped.ppk", std::ios::binary) << text;
    for (const char* name : {"packed.ppk", "unzipped.ppk"}) {
        INFO(name);
        const auto archive = sniffProfile(folder.path() / name, Task());
        REQUIRE(archive);
        const auto profile = readProfile(*archive, Task());
        REQUIRE(profile);
        CHECK(profile->report.empty());
        CHECK(profile->profile->regions.inclusive[0][0] == 5000);
        CHECK(profile->definitions.regionGroups[0].name == "MPI");
    }
    CHECK_FALSE(isPackedProfile("PPK"));
    CHECK(parsePackedProfile(text.substr(0, text.size() - 9), "cut.ppk", Task())->report.lostData());
}

TEST_CASE("a long group of a packed TAU profile is not copied for each of its timers, and that is told")
{
    const auto profile =
        parsePackedProfile(zipped(packedText(std::string(60'000, 'G'), 5000)), "x.ppk", Task());
    REQUIRE(profile);
    REQUIRE(profile->timers.size() == 5000);
    std::size_t bytes = 0;
    for (const RawTimer& timer : profile->timers) bytes += timer.groups.size();
    CHECK(bytes < 5000 * 600);
    CHECK(profile->report.count(IssueKind::UnsupportedRecord) == 5000);
    CHECK(profile->report.issues().size() == 1);
}

TEST_CASE("threads of an XML profile may take turns: the newest value of each row counts")
{
    std::string blocks;
    for (int round = 1; round <= 50; ++round)
        for (int thread = 0; thread < 3; ++thread)
            blocks += block(thread, 7 + (round + thread) % 2, 10 * round + thread);
    const auto profile = parseXmlProfile(mergedText(blocks), "tauprofile.xml", Task());
    REQUIRE(profile);
    REQUIRE(profile->threads.size() == 3);
    for (std::size_t thread = 0; thread < 3; ++thread) {
        REQUIRE(profile->threads[thread].values.size() == 2);
        double newest = 0, other = 1e9;
        for (const RawValue& value : profile->threads[thread].values) {
            newest = std::max(newest, value.inclusive);
            other = std::min(other, value.inclusive);
        }
        CHECK(newest == 500 + static_cast<double>(thread));
        CHECK(other == 490 + static_cast<double>(thread));
    }
}

std::string startedAt(double seconds)
{
    return fmt::format(
        "<metadata><attribute><name>Starting Timestamp</name><value>{:.0f}</value></attribute></metadata>",
        seconds * 1e6);
}

void write(const TemporaryFolder& folder, const std::string& name, const std::string& text)
{
    std::ofstream(folder.path() / name, std::ios::binary) << text;
}

TEST_CASE("files of two runs in one folder are told with which belong to which")
{
    const std::string row = "\"main\" 1 0 5000000 5000000 0 GROUP=\"G\"";
    const TemporaryFolder folder;
    for (int thread = 0; thread < 6; ++thread)
        write(folder, fmt::format("profile.0.0.{}", thread),
              profileText({row}, {}, startedAt(1679426632 + thread)));
    const auto one = readProfile(folder.path(), Task());
    REQUIRE(one);
    CHECK(one->report.empty());
    for (int thread = 4; thread < 6; ++thread)
        write(folder, fmt::format("profile.0.0.{}", thread), profileText({row}, {}, startedAt(1679424182)));
    const auto two = readProfile(folder.path(), Task());
    REQUIRE(two);
    const auto runs = found(two->report, IssueKind::SeveralRuns);
    REQUIRE(runs.size() == 1);
    CHECK(runs[0].count == 2);
    CHECK(runs[0].detail
          == "2 runs: profile.0.0.4 – profile.0.0.5 began at 2023-03-21 18:43:02 UTC; profile.0.0.0 – "
             "profile.0.0.3 "
             "began at 2023-03-21 19:23:52 UTC");
}

TEST_CASE("a TAU profile file that was copied over that of another rank is told")
{
    const auto rankText = [](int rank) {
        std::vector<std::string> rows;
        for (int row = 0; row < 10; ++row)
            rows.push_back(fmt::format("\"f{}\" 1 0 {} {} 0 GROUP=\"G\"", row, 100 * row + rank + 1,
                                       100 * row + rank + 1));
        std::vector<std::string> events{
            fmt::format("\"Message size received from all nodes\" {} 8 8 8 64", 2)};
        for (int other = 0; other < 3; ++other)
            if (other != rank)
                events.push_back(fmt::format("\"Message size sent to node {}\" 1 8 8 8 64", other));
        return profileText(rows, events);
    };
    const TemporaryFolder folder;
    for (int rank = 0; rank < 3; ++rank) write(folder, fmt::format("profile.{}.0.0", rank), rankText(rank));
    const auto whole = readProfile(folder.path(), Task());
    REQUIRE(whole);
    CHECK(whole->report.empty());
    write(folder, "profile.2.0.0", rankText(1));
    const auto copied = readProfile(folder.path(), Task());
    REQUIRE(copied);
    const auto copies = found(copied->report, IssueKind::CopiedFile);
    REQUIRE(copies.size() == 1);
    CHECK(copies[0].file == "profile.2.0.0");
    CHECK(copies[0].detail == "holds the times of profile.1.0.0");
    CHECK(copied->report.lostData());
    const auto uneven = found(copied->report, IssueKind::UnevenMessages);
    REQUIRE(uneven.size() == 1);
    CHECK(uneven[0].detail == "rank 1 received 2 messages, 1 were sent to it");
}

TEST_CASE("metadata that a packed profile has once for all threads are the archive's")
{
    RawProfile raw;
    raw.metrics = {{"TIME", ""}};
    raw.timers = {{"f", "G"}};
    raw.metadata = {{"Hostname", "node7"}, {"TAU Version", "2.34"}};
    for (std::uint32_t node = 0; node < 2; ++node) {
        RawThread& thread = raw.threads.emplace_back();
        thread.key.node = node;
        thread.metadata = {{"pid", std::to_string(100 + node)}};
        thread.timerRows = {{0, 1, 0}};
        thread.values = {{0, 0, 5, 5}};
    }
    ProfileAssembler assembler;
    assembler.add(std::move(raw));
    const auto profile = std::move(assembler).finish(Task());
    REQUIRE(profile);
    REQUIRE(profile->definitions.properties.size() == 2);
    CHECK(profile->definitions.properties[1].value == "2.34");
    CHECK(profile->definitions.systemTree.back().name == "node7");
    CHECK(profile->definitions.locations[1].properties.size() == 1);
}

}  // namespace skein::wild_profile_test
