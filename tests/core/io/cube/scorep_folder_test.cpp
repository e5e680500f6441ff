// SPDX-License-Identifier: GPL-3.0-or-later
// The folder of a Score-P measurement: a trace with the Cube profile beside it.
#include "algorithms/profile/aggregate.h"
#include "algorithms/profile/summarize.h"
#include "core/index/disk/open_archive.h"
#include "core/io/importer.h"
#include "tests/support/catch.h"
#include "tests/support/cube_archive.h"
#include "tests/support/otf2_archive_builder.h"
#include "tests/support/paths.h"

#include <algorithm>
#include <fstream>

namespace skein::scorep_folder_test {

using namespace skein::test;

namespace {

/// main → a(int) on both ranks; "c()" is in the trace alone.
void writeTrace(const std::filesystem::path& folder, std::uint32_t ranks)
{
    Otf2ArchiveBuilder archive(folder, ranks);
    const auto main = archive.region("main"), a = archive.region("a(int)"), c = archive.region("c()");
    for (std::uint32_t rank = 0; rank < ranks; ++rank)
        archive.events(rank, [&](OTF2_EvtWriter* out) {
            OTF2_EvtWriter_Enter(out, nullptr, 10, main);
            OTF2_EvtWriter_Enter(out, nullptr, 20, c);
            OTF2_EvtWriter_Leave(out, nullptr, 25, c);
            OTF2_EvtWriter_Enter(out, nullptr, 30, a);
            OTF2_EvtWriter_Leave(out, nullptr, 40, a);
            OTF2_EvtWriter_Leave(out, nullptr, 50, main);
        });
    archive.finish();
}

void writeProfile(const std::filesystem::path& file, int ranks)
{
    std::vector<std::uint64_t> visits(kAnchorNodes * static_cast<std::size_t>(ranks), 1);
    visits[0] = 5;
    const std::string archive =
        tarArchive({{"0.index", denseIndex()},
                    {"0.data", plainData(numbersBytes(visits))},
                    {"1.index", denseIndex()},
                    {"1.data", plainData(numbersBytes(std::vector<double>(visits.size(), 2.0)))},
                    {"anchor.xml",
                     anchorXml(metricXml(0, "visits", "UINT64", "EXCLUSIVE")
                                   + metricXml(1, "bytes_sent", "DOUBLE", "EXCLUSIVE", "bytes"),
                               ranks)}});
    std::ofstream(file, std::ios::binary) << archive;
}

double sumOf(const Experiment& experiment, const std::string& metric, const std::string& region,
             double ProfileValues::*amount)
{
    const auto profile = profileOf(experiment, std::nullopt, metric, Task());
    REQUIRE(profile);
    const auto column = metricColumn(experiment, **profile, metric);
    REQUIRE(column);
    for (const RegionRow& row : profileByRegion(experiment, **profile, *column))
        if (row.name == region) return row.values.*amount;
    return -1.0;
}

void requireBoth(const Experiment& experiment)
{
    REQUIRE(experiment.trace);
    REQUIRE(experiment.profile);
    CHECK_FALSE(experiment.report.lostData());
    CHECK(experiment.definitions.locations.size() == 2);
    CHECK(sumOf(experiment, "bytes_sent", "main", &ProfileValues::exclusive) == 4);
    CHECK(sumOf(experiment, "bytes_sent", "main", &ProfileValues::calls) == 6);
    CHECK(sumOf(experiment, "bytes_sent", "main", &ProfileValues::inclusive) == 16);
    CHECK(sumOf(experiment, "bytes_sent", "a(int)", &ProfileValues::inclusive) == 8);
    // A span is told by the trace.
    const auto span = profileOf(experiment, TimeSpan{0, 100}, "", Task());
    REQUIRE(span);
    for (const RegionRow& row : profileByRegion(experiment, **span, 0))
        if (row.name == "c()") CHECK(row.values.exclusive == 10);
    // What both know is one.
    for (const std::string name : {"main", "a(int)", "b()", "c()"}) {
        const auto& regions = experiment.definitions.regions;
        CHECK(std::count_if(regions.begin(), regions.end(),
                            [&](const Region& region) { return region.name == name; })
              == 1);
    }
    CHECK(experiment.callTree->size() == 5);  // main, c(); a(int), b() below it; b() below main
}

}  // namespace

TEST_CASE("a folder of Score-P opens with trace and profile together")
{
    const TemporaryFolder folder;
    writeTrace(folder.path() / "run", 2);
    writeProfile(folder.path() / "run/profile.cubex", 2);
    const auto both = openExperiment(folder.path() / "run", Task());
    REQUIRE(both);
    requireBoth(**both);
    CHECK((*both)->importer == "otf2");
    const auto above = openExperiment(folder.path(), Task());
    REQUIRE(above);
    requireBoth(**above);
    const auto profile = openExperiment(folder.path() / "run/profile.cubex", Task());
    REQUIRE(profile);
    CHECK_FALSE((*profile)->trace);
    CHECK((*profile)->name == "run");
}

TEST_CASE("a folder of Score-P opens with both through the index of its trace")
{
    const TemporaryFolder folder;
    writeTrace(folder.path() / "run", 2);
    writeProfile(folder.path() / "run/profile.cubex", 2);
    disk::IndexSettings settings;
    settings.enabled = true;
    settings.folder = folder.path() / "index";
    const auto imported = disk::openArchive(folder.path() / "run", settings, Task());
    REQUIRE(imported);
    requireBoth(*imported->experiment);
    REQUIRE(imported->unsaved);
    REQUIRE(disk::saveIndex(*imported->unsaved, settings, Task()));
    const auto indexed = disk::openArchive(folder.path() / "run", settings, Task());
    REQUIRE(indexed);
    CHECK(indexed->fromIndex);
    requireBoth(*indexed->experiment);
}

TEST_CASE("a profile of other locations beside a trace is named, not joined")
{
    const TemporaryFolder folder;
    writeTrace(folder.path() / "run", 2);
    writeProfile(folder.path() / "run/profile.cubex", 3);
    const auto opened = openExperiment(folder.path() / "run", Task());
    REQUIRE(opened);
    CHECK_FALSE((*opened)->profile);
    REQUIRE((*opened)->report.count(IssueKind::UnsupportedRecord) == 1);
    CHECK((*opened)->report.issues().front().detail.find("other locations") != std::string::npos);
}

TEST_CASE("a damaged profile beside a trace is told, and the trace opens")
{
    const TemporaryFolder folder;
    writeTrace(folder.path() / "run", 2);
    writeProfile(folder.path() / "run/profile.cubex", 2);
    std::filesystem::resize_file(folder.path() / "run/profile.cubex", 700);
    const auto opened = openExperiment(folder.path() / "run", Task());
    REQUIRE(opened);
    CHECK((*opened)->trace);
    CHECK_FALSE((*opened)->profile);
    REQUIRE((*opened)->report.count(IssueKind::UnsupportedRecord) == 1);
}

}  // namespace skein::scorep_folder_test
