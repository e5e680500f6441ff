// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/comm_text/visuco_analysis.h"

#include "algorithms/mapping/report/machine_texts.h"
#include "algorithms/routing/route_pairs.h"
#include "core/io/importer.h"
#include "tests/support/catch.h"
#include "tests/support/paths.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace skein::visuco_analysis_test {
namespace {

namespace fs = std::filesystem;

/// Two nodes of two ranks on a ring of three; ranks 0 and 1 send to 2 and 3 over the same link.
struct SmallDirectory {
    test::TemporaryFolder folder;

    SmallDirectory()
    {
        write("vertices.csv", "0,0,0,0 1,1,2,7,1,2,301,1,1,1,1\n1,1,1,2 3,1,2,301,1,2,7,1,1,1,1\n");
        write("routes.csv", "1 0,1,7,1,7\n0 1,2,301,2,301\n");
        write("route_list.csv", "0,2,0 2\n1,3,1 3\n3,0,3 0\n");
        write("edges.csv", "1,0,1,7\n0,1,2,301\n");
        write("summary.csv", "2,2,2,1.5,154,1\n");
        write("mapping.csv", "3\n0\n1dtorus\n");
        write("adj_mat.csv", "0,1,1\n1,0,1\n1,1,0\n");
        fs::create_directory(folder.path() / "qap_intermed");
        write("qap_intermed/dist_mat_resized.csv", "0,2\n2,0\n");
    }
    void write(const std::string& name, const std::string& text) const
    {
        std::ofstream(folder.path() / name, std::ios::binary) << text;
    }
    ExperimentPtr open(const std::string& name = {}) const
    {
        auto experiment = openExperiment(name.empty() ? folder.path() : folder.path() / name, Task());
        INFO((experiment ? std::string() : experiment.error().text()));
        REQUIRE(experiment.has_value());
        return *experiment;
    }
};

using Entries = std::vector<CommMatrix::Entry>;

Entries entriesOf(const Experiment& experiment)
{
    return {experiment.commMatrix->entries().begin(), experiment.commMatrix->entries().end()};
}

std::vector<std::uint32_t> wayOf(const RouteSet& routes, const RouteSet::Route& route)
{
    std::vector<std::uint32_t> way;
    for (std::uint32_t stop = 0; stop < route.stops; ++stop) {
        const auto position = routes.position(route, stop);
        way.insert(way.end(), position.begin(), position.end());
    }
    return way;
}

}  // namespace

TEST_CASE("visuco: a directory is one archive, from any of its files")
{
    const SmallDirectory small;
    for (const std::string file : {"", "edges.csv", "vertices.csv", "mapping.csv", "adj_mat.csv",
                                   "qap_intermed/dist_mat_resized.csv"}) {
        INFO(file);
        const ExperimentPtr experiment = small.open(file);
        CHECK(experiment->importer == "visuco");
        CHECK(fs::equivalent(experiment->path, small.folder.path()));
        CHECK(entriesOf(*experiment) == Entries{{0, 2, 1, 151}, {1, 3, 1, 150}, {3, 0, 1, 7}});
        CHECK(experiment->routes->size() == 3);
    }
    // The tables of a folder without ways stay tables.
    fs::remove(small.folder.path() / "routes.csv");
    CHECK(small.open("edges.csv")->importer == "comm-table");
}

TEST_CASE("visuco: ranks that take one way share its bytes, and the report says so")
{
    const SmallDirectory small;
    const ExperimentPtr experiment = small.open();
    REQUIRE(experiment->report.issues().size() == 1);
    CHECK(experiment->report.issues()[0].kind == IssueKind::UnsupportedRecord);
    CHECK(experiment->report.issues()[0].file == "routes.csv");
    CHECK(experiment->report.issues()[0].offset == 2);
    for (const RouteSet::Route& route : experiment->routes->routes()) CHECK(route.complete);
    REQUIRE(experiment->definitions.topologies.size() == 1);
    const CartesianTopology& machine = experiment->definitions.topologies[0];
    REQUIRE(machine.dimensions.size() == 1);
    CHECK((machine.dimensions[0].size == 3 && machine.dimensions[0].periodic));
    REQUIRE(machine.coordinates.size() == 4);
    CHECK(machine.coordinates[3].position == std::vector<std::uint32_t>{1});
}

TEST_CASE("visuco: a directory of theta names the machine on which its routes lie")
{
    const SmallDirectory small;
    small.write("mapping.csv", "3\n0\ntheta\n");
    const ExperimentPtr experiment = small.open();
    CHECK(experiment->definitions.topologies.empty());
    CHECK(machineNamedBy(*experiment) == "hamming:3");
    const auto machine = topologyOfArchive(*experiment);
    REQUIRE(machine.has_value());
    const auto measured = followRoutes(*machine, *experiment->routes);
    REQUIRE(measured.has_value());
    CHECK(measured->unusable == 0);
    CHECK(topologyOfText("topology:" + small.folder.path().string(), openExperiment, Task())->nodes() == 3);
}

TEST_CASE("visuco: what does not fit together is told with its line, and the rest is shown")
{
    const SmallDirectory small;
    small.write("edges.csv", "1,0,1,7\n0,1,2,999\nnothing\n");
    small.write("summary.csv", "2,2,5,1.5,154,1\n");
    small.write("routes.csv", "1 0,1,7,1,7\n0 9,1,5,1,5\n0 1,2,nan,2,301\n0 1,2,301,2,301\n");
    small.write("route_list.csv", "0,2,0 2\n1,3,1 3\n3,0,3 0\n3,44,3 0\n");
    const ExperimentPtr experiment = small.open();
    CHECK(experiment->commMatrix->ranks() == 45);
    const auto linesOf = [&](IssueKind kind, const std::string& file) {
        std::vector<std::int64_t> lines;
        for (const Issue& issue : experiment->report.issues())
            if (issue.kind == kind && issue.file == file) lines.push_back(issue.offset);
        return lines;
    };
    using Lines = std::vector<std::int64_t>;
    CHECK(linesOf(IssueKind::ContradictoryRecord, "edges.csv") == Lines{2});
    CHECK(linesOf(IssueKind::CorruptRecord, "edges.csv") == Lines{3});
    CHECK(linesOf(IssueKind::ContradictoryRecord, "summary.csv") == Lines{1});
    CHECK(linesOf(IssueKind::CorruptRecord, "routes.csv") == Lines{2, 3});
    // The way ends at another node than the one of rank 44, which no vertex has.
    CHECK(linesOf(IssueKind::Truncated, "routes.csv") == Lines{1});
    CHECK(experiment->commMatrix->totalBytes() == 308);
}

TEST_CASE("visuco: a directory without routes that can be read is refused with a sentence")
{
    const SmallDirectory small;
    small.write("routes.csv", "8 9,1,7,1,7\n");
    const auto refused = openExperiment(small.folder.path(), Task());
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().message.ends_with("routes.csv holds no route that can be read."));
}

TEST_CASE("visuco: the published directory has the ways of the route file and the bytes of the hop-byte file")
{
    SKEIN_SHARED_OR_SKIP(directory, "data/visuco");
    SKEIN_SHARED_OR_SKIP(routeFile, "data/par-comm-data/route/MiniMD_Mira_n2048_c1_s1_route.txt");
    SKEIN_SHARED_OR_SKIP(hopByteFile, "data/par-comm-data/hopbyte/MiniMD_Mira_n2048_c1_s1_hopbyte.txt");
    const auto found = openExperiment(directory, Task());
    REQUIRE(found.has_value());
    const Experiment& experiment = **found;
    CHECK(experiment.importer == "visuco");
    const auto routes = openExperiment(routeFile, Task());
    const auto sums = openExperiment(hopByteFile, Task());
    REQUIRE((routes && sums));
    const RouteSet &own = *experiment.routes, &others = *(*routes)->routes;
    REQUIRE(own.size() == others.size());
    std::size_t cut = 0;
    for (std::size_t i = 0; i < own.size(); ++i) {
        REQUIRE((own[i].sender == others[i].sender && own[i].receiver == others[i].receiver));
        REQUIRE(wayOf(own, own[i]) == wayOf(others, others[i]));
        REQUIRE(own[i].complete == others[i].complete);
        cut += own[i].complete ? 0 : 1;
        const auto row = (*sums)->commMatrix->row(own[i].sender);
        const auto pair = std::ranges::find(row, own[i].receiver, &CommMatrix::Entry::receiver);
        REQUIRE(pair != row.end());
        REQUIRE(pair->bytes == own[i].bytes);
    }
    CHECK(own.size() == 2048);
    CHECK(cut == 418);
    CHECK(experiment.report.count(IssueKind::Truncated) == 418);
    CHECK(experiment.report.count(IssueKind::ContradictoryRecord) == 0);
    CHECK(experiment.report.count(IssueKind::CorruptRecord) == 0);
}

}  // namespace skein::visuco_analysis_test
