// SPDX-License-Identifier: GPL-3.0-or-later
// Cube profiles that are damaged, cut off or absurd: a finding or a sentence, and what is there is shown.
#include "core/io/importer.h"
#include "tests/fuzz/fuzz_targets.h"
#include "tests/support/catch.h"
#include "tests/support/cube_archive.h"
#include "tests/support/cube_facts.h"
#include "tests/support/paths.h"

#include <fstream>
#include <iterator>
#include <random>

namespace skein::bad_cube_test {

using namespace skein::test;
using Members = std::vector<std::pair<std::string, std::string>>;

namespace {

const std::vector<std::uint64_t> kVisits{1, 1, 2, 3, 4, 0, 5, 6};

Members visitsOnly(const std::string& index, const std::string& data)
{
    return {{"0.index", index},
            {"0.data", data},
            {"anchor.xml", anchorXml(metricXml(0, "visits", "UINT64", "EXCLUSIVE"))}};
}

Members wholeMembers() { return visitsOnly(sparseIndex({0, 1, 2, 3}), plainData(numbersBytes(kVisits))); }

Result<ExperimentPtr> open(const std::string& bytes)
{
    const TemporaryFolder folder;
    return openExperiment(fileWith(folder, "profile.cubex", bytes), Task());
}

ExperimentPtr opened(const Members& members)
{
    const auto experiment = open(tarArchive(members));
    REQUIRE(experiment);
    return *experiment;
}

double visitsOf(const Experiment& experiment)
{
    if (experiment.profile->callPaths.metrics.empty()) return 0.0;
    double sum = 0.0;
    const auto sums = callPathSums(experiment, 0);
    for (const double calls : sums.exclusive) sum += calls;
    return sum;
}

void requireIssue(const Experiment& experiment, IssueKind kind)
{
    INFO(describe(kind).name);
    CHECK(experiment.report.count(kind) > 0);
}

}  // namespace

TEST_CASE("wrong checksums and missing ends of a Cube profile's archive do no harm")
{
    std::string bytes = tarArchive(wholeMembers());
    bytes.replace(148, 6, "777777");
    bytes.resize(bytes.size() - 1024);
    const auto experiment = open(bytes);
    REQUIRE(experiment);
    CHECK((*experiment)->report.empty());
    CHECK(visitsOf(**experiment) == 22);
}

TEST_CASE("a Cube profile that was cut off before its definitions is refused with a sentence")
{
    const std::string bytes = tarArchive(wholeMembers());
    const auto experiment = open(bytes.substr(0, 1200));
    REQUIRE_FALSE(experiment);
    CHECK(experiment.error().code == ErrorCode::Malformed);
    CHECK(experiment.error().message.find("anchor.xml") != std::string::npos);
}

TEST_CASE("a Cube profile that was cut off within its first member is told to be one")
{
    auto members = wholeMembers();
    members.insert(members.begin(), {"remapping.spec", "<doc>" + std::string(5000, ' ') + "</doc>"});
    const std::string bytes = tarArchive(members);
    for (const std::size_t length : {1u, 100u, 257u, 511u, 512u, 514u, 600u, 3000u, 6500u}) {
        INFO(length);
        const auto experiment = open(bytes.substr(0, length));
        REQUIRE_FALSE(experiment);
        CHECK(experiment.error().code == ErrorCode::Malformed);
        CHECK(experiment.error().message.find("is a Cube profile that was cut off") != std::string::npos);
    }
    CHECK_FALSE(open(tarArchive({{"remapping.spec", "other text"}})));
}

TEST_CASE("a Cube profile of a few bytes is known by its name or by that of its first member")
{
    const test::TemporaryFolder folder;
    const std::string bytes = tarArchive(wholeMembers());
    const auto cut = [&](const char* name, std::size_t length) {
        return openExperiment(test::fileWith(folder, name, bytes.substr(0, length)), Task());
    };
    for (const auto& [name, length] :
         std::vector<std::pair<const char*, std::size_t>>{{"a.cubex", 1}, {"b.cubex", 511}, {"c.tar", 200}}) {
        INFO(name);
        const auto experiment = cut(name, length);
        REQUIRE_FALSE(experiment);
        CHECK(experiment.error().message.find("is a Cube profile that was cut off") != std::string::npos);
    }
    // By neither: nothing tells what it was to become.
    const auto unknown = cut("d.tar", 4);
    REQUIRE_FALSE(unknown);
    CHECK(unknown.error().code == ErrorCode::NotRecognized);
    const auto empty = cut("e.cubex", 0);
    REQUIRE_FALSE(empty);
    CHECK(empty.error().message.find("is empty") != std::string::npos);
    // It does not stand in the way of one that is whole.
    cut("f.cubex", bytes.size());
    const auto beside = openExperiment(folder.path(), Task());
    CHECK(beside);
}

TEST_CASE("definitions that end before the first call path are told to be cut off")
{
    const std::string anchor = anchorXml(metricXml(0, "time", "INCLUSIVE", "DOUBLE", "sec"));
    for (const char* last : {"<program>", "</metrics>", "<region"}) {
        const std::string cut = anchor.substr(0, anchor.find(last) + std::string_view(last).size());
        const auto experiment = open(tarArchive({{"anchor.xml", cut}}));
        INFO(last);
        REQUIRE_FALSE(experiment);
        CHECK(experiment.error().message.find("as its anchor.xml ends in the middle") != std::string::npos);
    }
}

TEST_CASE("a Cube profile that was cut off within its values shows what is there")
{
    auto members = wholeMembers();
    std::rotate(members.begin(), members.begin() + 2, members.end());
    const std::string bytes = tarArchive(members);
    const auto at = bytes.find("CUBEX.DATA") + 10 + 3 * 8;
    const auto experiment = open(bytes.substr(0, at));
    REQUIRE(experiment);
    CHECK((*experiment)->report.lostData());
    requireIssue(**experiment, IssueKind::Truncated);
    CHECK(visitsOf(**experiment) == 2);
}

TEST_CASE("values and indices of a Cube profile that do not fit each other are told")
{
    const std::string values = numbersBytes(kVisits);
    const auto few = opened(visitsOnly(sparseIndex({0, 1, 2, 3}), plainData(values.substr(0, 40))));
    requireIssue(*few, IssueKind::Truncated);
    CHECK(visitsOf(*few) == 7);
    const auto many = opened(visitsOnly(sparseIndex({0, 1}), plainData(values)));
    requireIssue(*many, IssueKind::ContradictoryRecord);
    CHECK(visitsOf(*many) == 7);
    const auto unknown = opened(visitsOnly(sparseIndex({0, 1, 77, 3}), plainData(values)));
    requireIssue(*unknown, IssueKind::UndefinedReference);
    CHECK(visitsOf(*unknown) == 18);
    const auto twice = opened(visitsOnly(sparseIndex({0, 1, 1, 3}), plainData(values)));
    requireIssue(*twice, IssueKind::DuplicateDefinition);
    CHECK(visitsOf(*twice) == 18);
    const auto absent = opened({{"0.index", sparseIndex({0})},
                                {"anchor.xml", anchorXml(metricXml(0, "visits", "UINT64", "EXCLUSIVE"))}});
    requireIssue(*absent, IssueKind::AbsentFile);
}

TEST_CASE("absurd sizes in a Cube profile take no memory")
{
    std::string index = sparseIndex({0, 1, 2, 3});
    index.replace(18, 4, "\xff\xff\xff\x7f");
    requireIssue(*opened(visitsOnly(index, plainData(numbersBytes(kVisits)))), IssueKind::Truncated);
    std::string data = packedData(numbersBytes(kVisits), 16);
    data.replace(11, 8, std::string("\xff\xff\xff\xff\xff\xff\xff\x7f"));
    requireIssue(*opened(visitsOnly(sparseIndex({0, 1, 2, 3}), data)), IssueKind::CorruptRecord);
    data = packedData(numbersBytes(kVisits), 16);
    data.replace(19 + 16, 8, std::string("\xff\xff\xff\xff\xff\xff\xff\x7f"));
    requireIssue(*opened(visitsOnly(sparseIndex({0, 1, 2, 3}), data)), IssueKind::Truncated);
    std::string bytes = tarArchive(wholeMembers());
    bytes.replace(124, 11, "77777777777");
    CHECK_FALSE(open(bytes));
}

TEST_CASE("packed values of a Cube profile that are damaged are told and count as nothing")
{
    std::string data = packedData(numbersBytes(kVisits), 16);
    const auto streams = 11 + 8 + 4 * 24;
    data[streams + 3] = static_cast<char>(data[streams + 3] ^ 0x55);
    data[streams] = 0;
    const auto experiment = opened(visitsOnly(sparseIndex({0, 1, 2, 3}), data));
    requireIssue(*experiment, IssueKind::CorruptRecord);
    CHECK(visitsOf(*experiment) == 20);
}

TEST_CASE("exclusive amounts of a Cube profile above missing inclusive ones are unknown, not larger")
{
    // Numbers of inclusive metrics: main, a, b below main, b below a. Two locations each.
    const std::vector<double> seconds{10, 20, 6, 12, 1, 2, 4, 8};
    const auto sumsOf = [](const std::string& index, const std::string& data) {
        const auto experiment =
            opened({{"0.index", index},
                    {"0.data", data},
                    {"anchor.xml", anchorXml(metricXml(0, "time", "DOUBLE", "INCLUSIVE", "sec"))}});
        auto sums = callPathSums(*experiment, 0);
        sums.inclusive.push_back(static_cast<double>(experiment->report.count(IssueKind::Truncated)));
        return sums;
    };
    const std::string index = sparseIndex({0, 1, 2, 3}), values = numbersBytes(seconds);
    // Call paths in preorder: main, a, b below a, b below main.
    CHECK(sumsOf(index, plainData(values)).exclusive == std::vector<double>{9e9, 6e9, 12e9, 3e9});
    // Without b below a: what a took itself is not known, and main keeps its own.
    const auto cut = sumsOf(index, plainData(values.substr(0, 48)));
    CHECK(cut.exclusive == std::vector<double>{9e9, 0, 0, 3e9});
    CHECK(cut.inclusive == std::vector<double>{30e9, 18e9, 0, 3e9, 2});
    // The same where the index ends first, and where packed data is missing or damaged.
    CHECK(sumsOf(index.substr(0, index.size() - 4), plainData(values)).exclusive == cut.exclusive);
    std::string packed = packedData(values, 16);
    CHECK(sumsOf(index, packed.substr(0, packed.size() - 1)).exclusive == cut.exclusive);
    packed.back() = static_cast<char>(packed.back() ^ 0x55);
    CHECK(sumsOf(index, packed).exclusive == cut.exclusive);
    // The same where one of the numbers is none.
    std::vector<double> odd = seconds;
    odd.back() = std::numeric_limits<double>::quiet_NaN();
    const auto none = sumsOf(index, plainData(numbersBytes(odd)));
    CHECK(none.exclusive == cut.exclusive);
    CHECK(none.inclusive == std::vector<double>{30e9, 18e9, 4e9, 3e9, 1});
    // Where exclusive amounts are stored none is unknown.
    const auto stored =
        opened({{"0.index", index},
                {"0.data", plainData(values.substr(0, 48))},
                {"anchor.xml", anchorXml(metricXml(0, "time", "DOUBLE", "EXCLUSIVE", "sec"))}});
    CHECK(callPathSums(*stored, 0).exclusive == std::vector<double>{30e9, 18e9, 3e9, 0});
}

TEST_CASE("numbers in a Cube profile that are none are told and count as nothing")
{
    const double nan = std::numeric_limits<double>::quiet_NaN(), most = std::numeric_limits<double>::max();
    const auto experiment =
        opened({{"0.index", sparseIndex({0, 1})},
                {"0.data", plainData(numbersBytes<double>({1, nan, most, 2}))},
                {"anchor.xml", anchorXml(metricXml(0, "time", "DOUBLE", "EXCLUSIVE", "sec"))}});
    CHECK(experiment->report.count(IssueKind::CorruptRecord) == 2);
    CHECK(visitsOf(*experiment) == 3e9);
}

TEST_CASE("definitions of a Cube profile that are cut off or name what is not there are told")
{
    auto members = wholeMembers();
    std::string& anchor = members.back().second;
    const std::string region = "calleeId=\"2\"";
    anchor.replace(anchor.find(region), region.size(), "calleeId=\"9\"");
    const auto undefined = opened(members);
    requireIssue(*undefined, IssueKind::UndefinedReference);
    CHECK(visitsOf(*undefined) == 22);
    anchor.resize(anchor.find("<topologies>"));
    requireIssue(*opened(members), IssueKind::Truncated);
    anchor = "<?xml version=\"1.0\"?><cube version=\"4.4\"></cube>";
    const auto empty = open(tarArchive(members));
    REQUIRE_FALSE(empty);
    CHECK(empty.error().code == ErrorCode::Malformed);
}

TEST_CASE("a call tree of 100 000 levels in a Cube profile is read")
{
    constexpr int kLevels = 100'000;
    auto members =
        visitsOnly(sparseIndex({0, kLevels - 1}), plainData(numbersBytes<std::uint64_t>({1, 2, 3, 4})));
    std::string& anchor = members.back().second;
    const auto from = anchor.find("<cnode"), to = anchor.find("</program>");
    std::string tree;
    for (int level = 0; level < kLevels; ++level)
        tree += "<cnode id=\"" + std::to_string(level) + "\" calleeId=\"1\">";
    for (int level = 0; level < kLevels; ++level) tree += "</cnode>";
    anchor.replace(from, to - from, tree);
    const auto experiment = opened(members);
    CHECK(experiment->callTree->size() == kLevels);
    CHECK(visitsOf(*experiment) == 10);
}

TEST_CASE("bytes of a Cube profile that are changed or cut off anywhere crash nothing")
{
    auto members = wholeMembers();
    members[1].second = packedData(numbersBytes(kVisits), 16);
    const std::string bytes = tarArchive(members);
    std::mt19937 random(20);
    for (int round = 0; round < 300; ++round) {
        std::string changed = bytes;
        for (int change = 0; change < 1 + round % 8; ++change)
            changed[random() % changed.size()] = static_cast<char>(random());
        if (round % 3 == 0) changed.resize(random() % changed.size());
        fuzz::readCube(changed);
    }
    CHECK_FALSE(open(std::string(4096, 'x')));
}

}  // namespace skein::bad_cube_test
