// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "tests/support/cli.h"
#include "tests/support/paths.h"

#include <algorithm>
#include <fstream>

namespace skein::hostile_amounts_test {
namespace {

/// A file of a name in a folder of its own.
struct Written {
    test::TemporaryFolder folder;
    std::string path;

    Written(const char* name, const std::string& text) : path((folder.path() / name).string())
    {
        std::ofstream(path) << text;
    }
};

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }
std::ptrdiff_t linesOf(const std::string& text) { return std::count(text.begin(), text.end(), '\n'); }

const char* const kFourRanks = "0 1 100 1\n1 2 100 1\n2 3 100 1\n3 0 100 1\n";

}  // namespace

TEST_CASE("hostile amounts: a file of amounts that are none is a table, and what is wrong is told")
{
    for (const char* amount : {"nan", "NaN", "-5", "inf", "-inf"}) {
        const Written file("hopbyte.txt", std::string("0 1 ") + amount + " 1\n");
        const auto told = test::runCli({"comm", file.path});
        CHECK(told.exitCode != 0);
        CHECK(holds(told.err, std::string("no sender, receiver and amount in \"0 1 ") + amount + " 1\""));
        CHECK(linesOf(told.err) == 1);
    }
    // Other texts of three words are no tables.
    const Written other("words.txt", "the answer none\n0 x nan\n");
    CHECK(holds(test::runCli({"comm", other.path}).err, "is no archive of the known kinds"));
}

TEST_CASE("hostile amounts: the good lines beside bad ones are kept, and the loss is told")
{
    const Written file("hopbyte.txt",
                       std::string("0 1 nan 1\n") + kFourRanks + "1 5 -7 2\n3 4 1e300 1\nx y z\n");
    const auto told = test::runCli({"comm", file.path, "--format", "csv"});
    CHECK(told.exitCode == 3);
    CHECK(linesOf(told.out) == 5);
    CHECK(holds(told.err, "4 findings"));
}

TEST_CASE("hostile amounts: what recorded routes lose is told where they are used")
{
    const Written file("hopbyte.txt", kFourRanks);
    const Written routes("route.txt", "Hop 1: [0-2] 0 (0 0) -> 1 (1 0)\nHop 1: [1-0] 1 (1 0) -> 0 (0 0)\n");
    const auto told = test::runCli({"routes", file.path, "--topology", "torus:4", "--routes", routes.path});
    CHECK(told.exitCode == 0);
    CHECK(holds(told.err, "was opened with data loss"));
}

TEST_CASE("hostile amounts: machines beyond all measure are a sentence each")
{
    const Written file("hopbyte.txt", kFourRanks);
    for (const char* machine : {"torus:1000000000", "torus:1000x1000x1000", "dragonfly:1000000x1000x1000",
                                "mesh:99999999999999999999", "fattree:k=100000,n=16", "torus:0x4",
                                "torus:-3x4", "torus:nan", "torus:4x4x", "hypercube:64"}) {
        const auto told = test::runCli({"traffic", file.path, "--topology", machine});
        CHECK(told.exitCode != 0);
        CHECK(told.out.empty());
        CHECK(linesOf(told.err) == 1);
        CHECK(told.err.size() < 300);
    }
    for (const char* value : {"-1", "0", "nan"}) {
        const auto told =
            test::runCli({"predict", file.path, "--topology", "torus:2x2", "--bandwidth", value});
        CHECK(told.exitCode == 2);
        CHECK(holds(told.err, "above 0"));
        CHECK(told.err.size() < 200);
    }
}

}  // namespace skein::hostile_amounts_test
