// SPDX-License-Identifier: GPL-3.0-or-later
// Profiles with something wrong: what can be read is read, and the report says what was lost and where.
#include "core/io/importer.h"
#include "core/io/tau_profile/packed_profile.h"
#include "core/io/tau_profile/profile_assembler.h"
#include "core/io/tau_profile/tau_profile_importer.h"
#include "core/io/tau_profile/text_profile.h"
#include "core/io/tau_profile/xml_profile.h"
#include "tests/support/catch.h"
#include "tests/support/paths.h"

#include <fstream>
#include <zlib.h>

namespace skein::bad_profile_test {

using namespace skein::tau;
using skein::test::TemporaryFolder;

namespace {

RawProfile parsed(const std::string& text) { return *parseTextProfile(text, {}, "profile.0.0.0", Task()); }

Experiment assembled(const std::string& text)
{
    ProfileAssembler assembler;
    assembler.add(parsed(text));
    return *std::move(assembler).finish(Task());
}

const Issue& issue(const ImportReport& report, IssueKind kind)
{
    for (const Issue& found : report.issues())
        if (found.kind == kind) return found;
    FAIL("no issue of that kind");
    return report.issues().front();
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

constexpr const char* kHead =
    "2 templated_functions_MULTI_TIME\n# Name Calls Subrs Excl Incl ProfileCalls #\n";

}  // namespace

TEST_CASE("a garbled row of a TAU profile is skipped and reported with its line")
{
    const RawProfile profile = parsed(
        std::string(kHead) + "\"a\" 1 0 x 5 0 GROUP=\"G\"\n\"b\" 2 0 4 5 0 GROUP=\"G\"\n0 aggregates\n");
    REQUIRE(profile.timers.size() == 1);
    CHECK(profile.timers[0].name == "b");
    CHECK(issue(profile.report, IssueKind::CorruptRecord).offset == 3);
    CHECK(issue(profile.report, IssueKind::CorruptRecord).file == "profile.0.0.0");
    CHECK(profile.report.lostData());
}

TEST_CASE("values that are no numbers of a TAU profile become zero and are reported")
{
    const RawProfile profile = parsed(
        std::string(kHead) + "\"a\" nan 0 -7 1e999 0 GROUP=\"G\"\n\"b\" inf 0 4 1e-999 0 GROUP=\"G\"\n");
    REQUIRE(profile.threads[0].timerRows.size() == 2);
    CHECK(profile.threads[0].timerRows[0].calls == 0);
    CHECK(profile.threads[0].values[0].exclusive == 0);
    CHECK(profile.threads[0].values[0].inclusive == 0);
    CHECK(profile.threads[0].values[1].exclusive == 4);
    CHECK(profile.report.count(IssueKind::CorruptRecord) == 4);
}

TEST_CASE("counts of a TAU profile that lie are not believed")
{
    const RawProfile profile =
        parsed("1000000000 templated_functions_MULTI_TIME\n# x\n\"a\" 1 0 4 5 0 GROUP=\"G\"\n0 aggregates\n"
               "1000000000 userevents\n\"e\" 1 2 3 4 5\n");
    CHECK(profile.timers.size() == 1);
    CHECK(profile.events.size() == 1);
    CHECK(profile.report.count(IssueKind::Truncated) == 2);
}

TEST_CASE("names of a TAU profile may hold quotes, commas, blanks, braces and bytes that are not UTF-8")
{
    const Experiment profile = assembled(
        std::string(kHead)
        + "\"f(a, \"b\" c) [{x y.c} {1,2}]  \" 1 0 4 5 0 GROUP=\"A | B\"\n\"g\xff\" 1 0 1 1 0 GROUP=\"A\"\n");
    REQUIRE(profile.definitions.regions.size() == 2);
    CHECK(profile.definitions.regions[0].name == "f(a, \"b\" c) [{x y.c} {1,2}]");
    CHECK(profile.definitions.regions[0].groups.size() == 2);
    CHECK(profile.definitions.regions[1].name == "g\xEF\xBF\xBD");
}

TEST_CASE("metadata of a TAU profile may span lines and a cut one costs only itself")
{
    const RawProfile whole = parsed("1 templated_functions_MULTI_TIME\n# Name # "
                                    "<metadata><attribute><name>a&amp;b</name><value>1\n2</value></"
                                    "attribute></metadata>\n\"a\" 1 0 x 5 0 GROUP=\"G\"\n");
    REQUIRE(whole.threads[0].metadata.size() == 1);
    CHECK(whole.threads[0].metadata[0].name == "a&b");
    CHECK(whole.threads[0].metadata[0].value == "1\n2");
    CHECK(issue(whole.report, IssueKind::CorruptRecord).offset == 4);
    const RawProfile cut = parsed("1 templated_functions_MULTI_TIME\n# Name # "
                                  "<metadata><attribute><name>a</name>\n\"a\" 1 0 4 5 0 GROUP=\"G\"\n");
    CHECK(cut.timers.size() == 1);
    CHECK(cut.report.lostData());
}

TEST_CASE("call paths of a TAU profile that start in the middle of the stack root there")
{
    const Experiment profile =
        assembled(std::string(kHead)
                  + "\".TAU application\" 1 1 0 100 0 GROUP=\"U\"\n\"main\" 1 2 20 100 0 GROUP=\"U\"\n\"f\" "
                    "2 2 30 80 0 GROUP=\"U\"\n\"g\" 2 0 50 50 0 GROUP=\"U\"\n"
                    "\".TAU application => main\" 1 2 20 100 0 GROUP=\"TAU_CALLPATH|U\"\n\"main => f\" 2 2 "
                    "30 80 0 GROUP=\"TAU_CALLPATH|U\"\n\"f => g\" 2 0 50 50 0 GROUP=\"TAU_CALLPATH|U\"\n");
    const CallTree& tree = *profile.callTree;
    CHECK(tree.roots().size() == 3);
    const MetricCube& paths = profile.profile->callPaths;
    CHECK(paths.rows() == 4);  // three paths, and .TAU application at the bottom of the stack
    double exclusive = 0;
    for (const double value : paths.exclusive[0]) exclusive += value;
    CHECK(exclusive == 100e3);
    CHECK(profile.profile->regions.rows() == 4);
    // TAU_CALLPATH says how a row came about and is no group of regions.
    REQUIRE(profile.definitions.regionGroups.size() == 1);
    CHECK(profile.definitions.regionGroups.front().name == "U");
}

TEST_CASE(
    "receives of a TAU profile make the matrix only where no sends were recorded, and paths are never added")
{
    const std::string rows =
        std::string(kHead) + "\"main\" 1 0 4 5 0 GROUP=\"G\"\n0 aggregates\n3 userevents\n# x\n";
    const Experiment both =
        assembled(rows
                  + "\"Message size sent to node 1\" 2 5 5 5 50\n\"Message size received from node 2\" 3 7 7 "
                    "7 147\n\"Message size sent to node 1 : main\" 2 5 5 5 50\n");
    REQUIRE(both.commMatrix);
    CHECK(both.commMatrix->totalBytes() == 10);
    CHECK(both.commMatrix->entries()[0] == CommMatrix::Entry{0, 1, 2, 10});
    const Experiment receives = assembled(rows + "\"Message size received from node 2\" 3 7 7 7 147\n");
    REQUIRE(receives.commMatrix);
    CHECK(receives.commMatrix->entries()[0] == CommMatrix::Entry{2, 0, 3, 21});
}

TEST_CASE("entities of an XML profile do not expand and unclosed elements are reported")
{
    std::string bomb =
        "<?xml version=\"1.0\"?><!DOCTYPE x [<!ENTITY a \"&b;&b;\"><!ENTITY b "
        "\"&c;&c;\">]><profile_xml>\n<definitions thread=\"*\"><metric id=\"0\"><name>TIME</name></metric>"
        "<event id=\"7\"><name>&a;&#65;&#x42;&#0;</name><group>G</group></event></definitions><profile "
        "thread=\"0.0.0.1\"><interval_data metrics=\"0\">\n7 1 0 2 3\n9 1 0 2 3\n7 1";
    const auto profile = parseXmlProfile(bomb, "tauprofile.xml", Task());
    REQUIRE(profile);
    REQUIRE(profile->timers.size() == 1);
    CHECK(profile->timers[0].name == "&a;AB\xEF\xBF\xBD");
    CHECK(profile->threads[0].timerRows.size() == 1);
    CHECK(profile->report.count(IssueKind::Truncated) == 1);
    CHECK(profile->report.count(IssueKind::CorruptRecord) == 2);
}

TEST_CASE("a packed profile that unpacks without end is stopped, and a damaged one keeps what came before")
{
    const auto bytes16 = [](const char* text) {
        std::string bytes;
        for (; *text; ++text) (bytes += '\0') += *text;
        return bytes;
    };
    const std::string head = bytes16("PPK") + std::string("\0\0\0\1\0\0\0\1\0\0\0\0", 12);
    const std::string metric("\0\0\0\1\0\4TIME", 10);
    const std::string endless =
        head + metric + std::string("\x7f\xff\xff\xff", 4) + std::string(std::size_t{100} << 20, '\1');
    const auto bomb = parsePackedProfile(zipped(endless), "bomb.ppk", Task());
    REQUIRE(bomb);
    CHECK(bomb->report.lostData());
    const auto empty = parsePackedProfile(zipped(head + metric + std::string("\x7f\xff\xff\xff", 4)
                                                 + std::string(std::size_t{100} << 20, '\0')),
                                          "x.ppk", Task());
    REQUIRE(empty);
    CHECK(empty->report.lostData());
    std::string cut = zipped(head + metric);
    cut.resize(cut.size() - 12);
    const auto truncated = parsePackedProfile(cut, "cut.ppk", Task());
    REQUIRE(truncated);
    CHECK(truncated->report.lostData());
    CHECK_FALSE(parsePackedProfile("\x1f\x8bnothing", "no.ppk", Task()));
}

TEST_CASE("a missing or unreadable member of a TAU profile is reported and the others are shown")
{
    const TemporaryFolder folder;
    for (const char* name : {"profile.0.0.0", "profile.2.0.0", "profile.2.0.1"})
        std::ofstream(folder.path() / name)
            << kHead << "\"main\" 1 0 4 5 0 GROUP=\"G\"\n\"x\" 1 0 4 5 0 GROUP=\"G\"\n";
    const auto opened = openExperiment(folder.path(), Task());
    REQUIRE(opened);
    const Experiment& profile = **opened;
    CHECK(profile.definitions.locations.size() == 3);
    CHECK(profile.definitions.locationGroups.size() == 2);
    CHECK(issue(profile.report, IssueKind::AbsentPart).detail == "nothing of rank 1");
}

TEST_CASE("reading a TAU profile stops when asked to")
{
    const TemporaryFolder folder;
    std::ofstream(folder.path() / "profile.0.0.0") << kHead << "\"main\" 1 0 4 5 0 GROUP=\"G\"\n";
    std::stop_source stop;
    stop.request_stop();
    const auto profile = readProfile(folder.path(), Task(stop.get_token()));
    REQUIRE_FALSE(profile);
    CHECK(profile.error().cancelled());
}

TEST_CASE("a profile whose first line announces an impossible number is read by its rows")
{
    for (const std::string number : {"99999999999999999999999", "-5", "0"}) {
        const std::string text = number
            + " templated_functions_MULTI_TIME\n# Name Calls Subrs Excl Incl ProfileCalls\n\"f\" 1 0 5 5 0 "
              "GROUP=\"A\"\n";
        CHECK(isTextProfile(text));
        CHECK(parsed(text).threads.front().timerRows.size() == 1);
        CHECK(parsed(text).report.count(IssueKind::EventCount) == 1);
        CHECK_FALSE(parsed(text).report.lostData());
    }
    CHECK_FALSE(isTextProfile("- templated_functions\n"));
    CHECK_FALSE(isTextProfile("5\n"));
}

TEST_CASE("files that are named like profiles and are none are told, and not missed as nodes")
{
    const TemporaryFolder folder;
    const std::string good = "1 templated_functions_MULTI_TIME\n# Name Calls Subrs Excl Incl "
                             "ProfileCalls\n\"f\" 1 0 5 5 0 GROUP=\"A\"\n";
    std::ofstream(folder.path() / "profile.0.0.0") << good;
    std::ofstream(folder.path() / "profile.1.0.0");
    std::ofstream(folder.path() / "profile.2.0.0") << "garbage";
    std::ofstream(folder.path() / "profile.3.0.0") << good;
    const auto opened = openExperiment(folder.path(), Task());
    REQUIRE(opened);
    const Experiment& profile = **opened;
    CHECK(profile.definitions.locations.size() == 2);
    CHECK(issue(profile.report, IssueKind::Truncated).file == "profile.1.0.0");
    CHECK(issue(profile.report, IssueKind::CorruptRecord).file == "profile.2.0.0");
    CHECK(profile.report.count(IssueKind::AbsentPart) == 0);
}

TEST_CASE("a thread that one metric of a profile lacks is told")
{
    const TemporaryFolder folder;
    for (const std::string metric : {"TIME", "PAPI_L1_DCM"}) {
        std::filesystem::create_directory(folder.path() / ("MULTI__" + metric));
        for (const int node : {0, 1}) {
            if (node == 1 && metric == "TIME") continue;
            std::ofstream(folder.path() / ("MULTI__" + metric) / ("profile." + std::to_string(node) + ".0.0"))
                << "1 templated_functions_MULTI_" << metric
                << "\n# Name Calls Subrs Excl Incl ProfileCalls\n\"f\" 1 0 5 5 0 GROUP=\"A\"\n";
        }
    }
    const auto profile = readProfile(folder.path(), Task());
    REQUIRE(profile);
    CHECK(profile->definitions.locations.size() == 2);
    CHECK(issue(profile->report, IssueKind::AbsentFile).file == "MULTI__TIME/profile.1.0.0");
}

TEST_CASE("a profile's break-down rows are call sites of its call tree")
{
    const Experiment profile = assembled(
        "4 templated_functions_MULTI_TIME\n# Name Calls Subrs Excl Incl ProfileCalls\n"
        "\"main [{/x/ring.c} {3,0}]\" 1 1 5 9 0 GROUP=\"TAU_USER\"\n\"MPI_Send()\" 1 0 4 4 0 GROUP=\"MPI\"\n"
        "\"main [{/x/ring.c} {3,0}]  => MPI_Send()\" 1 0 4 4 0 GROUP=\"MPI|TAU_CALLPATH\"\n"
        "\"main [{/x/ring.c} {3,0}]  => [CALLSITE] MPI_Send()  [@] main [{/x/ring.c} {31}]\" 1 0 4 4 0 "
        "GROUP=\"TAU_CALLSITE | MPI\"\n0 aggregates\n");
    REQUIRE(profile.definitions.callSites.size() == 1);
    CHECK(profile.definitions.callSites.front().line == 31);
    CHECK(profile.definitions.region(profile.definitions.callSites.front().enteredRegion).name
          == "MPI_Send()");
    std::size_t sites = 0;
    for (std::uint32_t node = 0; node < profile.callTree->size(); ++node) {
        if (!profile.callTree->callSite(CallPathId(node)).valid()) continue;
        ++sites;
        CHECK(profile.definitions.region(profile.callTree->region(CallPathId(node))).role
              == RegionRole::Artificial);
    }
    CHECK(sites == 1);
}

}  // namespace skein::bad_profile_test
