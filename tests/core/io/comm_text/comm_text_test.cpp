// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/comm_text/comm_table.h"
#include "core/io/comm_text/route_file.h"
#include "core/io/importer.h"
#include "tests/support/catch.h"
#include "tests/support/paths.h"

#include <fstream>

namespace skein::comm_text_test {
namespace {

ExperimentPtr opened(const std::string& text)
{
    const test::TemporaryFolder folder;
    const auto path = folder.path() / "input.txt";
    std::ofstream(path, std::ios::binary) << text;
    auto experiment = openExperiment(path, Task());
    INFO((experiment ? std::string() : experiment.error().text()));
    REQUIRE(experiment.has_value());
    REQUIRE((*experiment)->commMatrix);
    return *experiment;
}

using Entries = std::vector<CommMatrix::Entry>;

Entries entriesOf(const Experiment& experiment)
{
    return {experiment.commMatrix->entries().begin(), experiment.commMatrix->entries().end()};
}

std::vector<std::int64_t> linesOf(const ImportReport& report, IssueKind kind)
{
    std::vector<std::int64_t> lines;
    for (const Issue& issue : report.issues())
        if (issue.kind == kind) lines.push_back(issue.offset);
    return lines;
}

}  // namespace

TEST_CASE("a hop-byte file gives exact bytes from four-digit floats")
{
    const auto experiment = opened("0 1 3.913e+06 0\n0 2 9.033e+06 1\n2 0 7 1\n");
    CHECK(experiment->commMatrix->ranks() == 3);
    CHECK(entriesOf(*experiment) == Entries{{0, 1, 0, 3913000}, {0, 2, 0, 9033000}, {2, 0, 0, 7}});
    CHECK(experiment->report.empty());
    CHECK(experiment->definitions.locations.size() == 3);
}

TEST_CASE("a short table tells the line whose amount is none")
{
    for (const std::string amount : {"-5", "nan", "inf", "36893488147419103232", "1e999"}) {
        INFO(amount);
        const auto experiment = opened("0 1 " + amount + " 1\n1 2 7 1\n");
        CHECK(entriesOf(*experiment) == Entries{{1, 2, 0, 7}});
        CHECK(linesOf(experiment->report, IssueKind::CorruptRecord) == std::vector<std::int64_t>{1});
    }
    const test::TemporaryFolder folder;
    const auto path = folder.path() / "input.txt";
    std::ofstream(path) << "0 1 -5 1\n";
    const auto nothing = openExperiment(path, Task());
    REQUIRE_FALSE(nothing);
    CHECK(nothing.error().code == ErrorCode::Malformed);
    CHECK(nothing.error().message.find("Line 1") != std::string::npos);
}

TEST_CASE("a table whose first lines are garbled is told by those after them")
{
    std::string text;
    for (int line = 0; line < 20; ++line)
        text += line < 12 ? "#x%$ 1\n" + std::string("&/(9 $\n") : "0 1 5\n";
    for (int line = 0; line < 30; ++line) text += "1 0 7\n";
    const auto experiment = opened(text);
    CHECK(entriesOf(*experiment) == Entries{{0, 1, 0, 40}, {1, 0, 0, 210}});
    CHECK(linesOf(experiment->report, IssueKind::CorruptRecord).size() == 12);
}

TEST_CASE("a hop-byte file without hops that leaves most numbers out names nodes in the order of ranks")
{
    const auto experiment = opened("762 804 6656272\n762 764 12269184\n804 762 1.38052e+07\n");
    CHECK(experiment->commMatrix->ranks() == 3);
    CHECK(entriesOf(*experiment) == Entries{{0, 1, 0, 12269184}, {0, 2, 0, 6656272}, {2, 0, 0, 13805200}});
    CHECK(experiment->definitions.systemTree[2].name == "nid00804");
    const auto idle = opened("0 1 10\n1 5 20\n5 3 30\n");
    CHECK(idle->commMatrix->ranks() == 6);
    CHECK(entriesOf(*idle) == Entries{{0, 1, 0, 10}, {1, 5, 0, 20}, {5, 3, 0, 30}});
    CHECK(opened("sender,receiver,bytes\n762,804,1\n")->commMatrix->ranks() == 805);
}

TEST_CASE("commas, headers and columns in any order are read as a table")
{
    CHECK(entriesOf(*opened("src,dst,bytes,hops\r\n0,1,10,2\r\n1, 0, 2e1, 2\r\n"))
          == Entries{{0, 1, 0, 10}, {1, 0, 0, 20}});
    CHECK(entriesOf(*opened("# made by hand\nsender,receiver,messages,bytes\n0,3,2,10\n"))
          == Entries{{0, 3, 2, 10}});
    CHECK(entriesOf(*opened("bytes;receiver;sender\n10;3;0\n")) == Entries{{0, 3, 0, 10}});
    CHECK(entriesOf(*opened("\xEF\xBB\xBF"
                            "bytes,receiver,sender\r\n10,3,0\r\n"))
          == Entries{{0, 3, 0, 10}});
    CHECK(entriesOf(*opened("Sender,Receiver,Bytes\n5,5,1\n5,5,2\n")) == Entries{{5, 5, 0, 3}});
}

TEST_CASE("lines of a table that cannot be read are left out and named")
{
    const auto experiment = opened(
        "0 1 100 1\nx 1 100 1\n0 1\n1 0 -5 1\n1 99999999999 5 1\n1 0 50 1\n1 2 3 1\n1 3 3 1\n1 4 3 1\n2 0 4");
    CHECK(entriesOf(*experiment)
          == Entries{{0, 1, 0, 100}, {1, 0, 0, 50}, {1, 2, 0, 3}, {1, 3, 0, 3}, {1, 4, 0, 3}, {2, 0, 0, 4}});
    CHECK(linesOf(experiment->report, IssueKind::CorruptRecord) == std::vector<std::int64_t>{2, 3, 4, 5});
    const auto zeros = opened(
        std::string("0 1 100 1\n1 0 50 1\n\0\0 1 50 1\n1 2 3 1\n1 3 3 1\n1 4 3 1\n2 0 4 1\n2 1 5 1\n", 69));
    CHECK(entriesOf(*zeros).size() == 7);
    CHECK(linesOf(zeros->report, IssueKind::CorruptRecord) == std::vector<std::int64_t>{3});
    const auto cut = opened("0 1 100 1\n1 0 50 1\n2 0");
    CHECK(linesOf(cut->report, IssueKind::Truncated) == std::vector<std::int64_t>{3});
}

TEST_CASE("a square of numbers is a dense matrix, with or without labels")
{
    const Entries wanted{{0, 1, 0, 5}, {2, 0, 0, 1000}};
    CHECK(entriesOf(*opened("0,5,0\n0,0,0\n1e3,0,0\n")) == wanted);
    CHECK(entriesOf(*opened("rank,0,1,2\n0,0,5,0\n1,0,0,0\n2,1000,0,0\n")) == wanted);
    CHECK(entriesOf(*opened("0 5 0 0 0\n0 0 0 0 0\n1000 0 0 0 0\n0 0 0 0 0\n0 0 0 0 0\n")) == wanted);
    const auto torn = opened("0,5,0,0\n0,0,0,0\n1000,x,0,0\n0,0,0,0\n");
    CHECK(entriesOf(*torn) == Entries{{0, 1, 0, 5}});
}

TEST_CASE("Matrix Market files of every kind become the same matrix")
{
    CHECK(entriesOf(*opened(
              "%%MatrixMarket matrix coordinate real general\n% made by hand\n3 3 2\n1 2 5\n3 1 1.0e3\n"))
          == Entries{{0, 1, 0, 5}, {2, 0, 0, 1000}});
    CHECK(entriesOf(*opened("%%MatrixMarket matrix coordinate integer symmetric\n3 3 2\n2 1 5\n3 3 7\n"))
          == Entries{{0, 1, 0, 5}, {1, 0, 0, 5}, {2, 2, 0, 7}});
    CHECK(entriesOf(*opened("%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n"))
          == Entries{{0, 1, 1, 0}});
    CHECK(entriesOf(*opened("%%MatrixMarket matrix array real general\n2 2\n0\n7\n5\n0\n"))
          == Entries{{0, 1, 0, 5}, {1, 0, 0, 7}});
    CHECK(entriesOf(*opened("%%MatrixMarket matrix array real symmetric\n2 2\n1\n7\n0\n"))
          == Entries{{0, 0, 0, 1}, {0, 1, 0, 7}, {1, 0, 0, 7}});
    const auto cut = opened("%%MatrixMarket matrix coordinate real general\n3 3 4\n1 2 5\n9 9 1\n");
    CHECK(linesOf(cut->report, IssueKind::CorruptRecord) == std::vector<std::int64_t>{4});
    CHECK(cut->report.count(IssueKind::Truncated) == 1);
}

TEST_CASE("hops of routes may stand in any order, and a repeated hop begins a new message")
{
    ImportReport report;
    const auto routes = comm_text::parseRoutes("Hop 2: [4-1] 2 (0 1 0) -> 1 (0 0 1)\n"
                                               "Hop 1: [0-2] 0 (0 0 0) -> 2 (0 1 0)\n"
                                               "Hop 1: [4-1] 4 (1 1 0) -> 3 (0 1 1)\n"
                                               "Hop 1: [0-2] 0 (0 0 0) -> 2 (0 1 0)\n",
                                               "input", report, Task());
    REQUIRE(routes.has_value());
    REQUIRE(routes->size() == 3);
    CHECK(routes->dimensions() == 2);
    const auto& longest = (*routes)[2];
    CHECK(longest.sender == 4);
    CHECK(longest.stops == 3);
    CHECK(longest.complete);
    CHECK(std::vector<std::uint32_t>(routes->position(longest, 1).begin(), routes->position(longest, 1).end())
          == std::vector<std::uint32_t>{0, 1});
    CHECK(report.empty());
}

TEST_CASE("a route that ends early is kept as far as it goes, and garbled lines are named")
{
    const auto experiment =
        opened("Hop 3: [0-\nHop 1: [0-5] 0 (0 0 0) -> 1 (0 1 0)\nHop 3: [0-5] 1 (0 1 0) -> 5 (1 2 0)\n"
               "Hop 1: [0-1] 0 (0 0 0) -> 1 (0 1 0)\nHop 2: [7-8] 1 (0 1 0) -> 8 (2 2 0)\nHop 1: [0-2] 0 (0 "
               "0 0) -> 2 (0 2 0) x\n");
    REQUIRE(experiment->routes);
    REQUIRE(experiment->routes->size() == 2);
    CHECK((*experiment->routes)[0].complete);
    CHECK_FALSE((*experiment->routes)[1].complete);
    CHECK((*experiment->routes)[1].stops == 2);
    CHECK(linesOf(experiment->report, IssueKind::CorruptRecord) == std::vector<std::int64_t>{1, 6});
    CHECK(linesOf(experiment->report, IssueKind::Truncated) == std::vector<std::int64_t>{2, 5});
    CHECK(entriesOf(*experiment) == Entries{{0, 1, 1, 0}, {0, 5, 1, 0}});
}

TEST_CASE("routes of a Cray XC are built from the coordinates they arrive at")
{
    // The second hop begins at a stale position; nid = 2304 B + 192 A + 64 C + 4 D + E with BC = 3 B + C.
    const auto experiment = opened("Hop 1: [1352-1355] 1352 (7 0 2 0 0) -> 1355 (7 0 2 3 0)\n"
                                   "Hop 1: [3594-3498] 3594 (6 5 2 2 0) -> 3626 (6 5 10 2 0)\n"
                                   "Hop 2: [3594-3498] 0 (0 0 0 0 0) -> 3498 (6 3 10 2 0)\n");
    REQUIRE(experiment->routes);
    const RouteSet& routes = *experiment->routes;
    CHECK(routes.endpointKind() == EndpointKind::NodeNumbers);
    REQUIRE(routes.size() == 2);
    CHECK(routes.dimensions() == 5);
    CHECK(routes[1].complete);
    const auto stop = routes.position(routes[1], 1);
    CHECK(std::vector<std::uint32_t>(stop.begin(), stop.end()) == std::vector<std::uint32_t>{6, 1, 2, 10, 2});
    CHECK(experiment->report.count(IssueKind::ContradictoryRecord) == 1);
    CHECK_FALSE(experiment->report.lostData());
}

TEST_CASE("the published route files are read as their description says")
{
    SKEIN_SHARED_OR_SKIP(folder, "data/par-comm-data/route");
    const auto read = [&](const char* name) {
        return *openExperiment(folder / (std::string(name) + "_route.txt"), Task());
    };
    const auto cut = [](const Experiment& experiment) {
        return std::count_if(experiment.routes->routes().begin(), experiment.routes->routes().end(),
                             [](const auto& route) { return !route.complete; });
    };
    const auto theta = read("MiniAMR_Theta_n1024_c1_s2");
    CHECK(linesOf(theta->report, IssueKind::CorruptRecord)
          == std::vector<std::int64_t>{36310, 45507, 53438, 56209, 61914, 66687});
    CHECK(theta->routes->size() == 28511);
    CHECK(cut(*theta)
          == 7);  // an eighth has lost its first hop, a ninth is whole at the end of a garbled line
    const auto truncated = read("MiniMD_Mira_n2048_c1_s1");
    CHECK(truncated->routes->size() == 2048);
    CHECK(cut(*truncated) == 418);
    const auto whole = read("MiniMD_Mira_n1024_c1_w");
    CHECK(whole->routes->size() == 6144);
    CHECK(whole->report.empty());
}

TEST_CASE("repeated messages of the published I/O traffic are counted one by one")
{
    SKEIN_SHARED_OR_SKIP(file, "data/par-comm-data/hdf5data/ThetaN64_165332_ost10_iter1");
    const auto experiment = *openExperiment(file, Task());
    CHECK(experiment->routes->size() == 1023);
    CHECK(experiment->commMatrix->entries().size() == 705);
    CHECK(experiment->commMatrix->totalMessages() == 1023);
}

}  // namespace skein::comm_text_test
