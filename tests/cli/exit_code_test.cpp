// SPDX-License-Identifier: GPL-3.0-or-later
// One meaning of exit codes, whatever the command.
#include "tests/support/catch.h"
#include "tests/support/cli.h"
#include "tests/support/paths.h"

#include <fstream>
#include <iterator>

namespace skein::exit_code_test {
namespace {

std::string contentOf(const std::filesystem::path& file)
{
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

int codeOf(const std::vector<std::string>& arguments) { return test::runCli(arguments).exitCode; }

/// What is left of a file after each of its sixteenths, and after its first bytes.
std::vector<std::string> cutOff(const std::string& whole)
{
    std::vector<std::string> parts;
    for (std::size_t part = 1; part < 16; ++part) parts.push_back(whole.substr(0, whole.size() * part / 16));
    for (const std::size_t bytes : {20u, 100u, 300u, 1000u}) parts.push_back(whole.substr(0, bytes));
    return parts;
}

}  // namespace

TEST_CASE("exit codes: a damaged profile means the same to every command")
{
    const test::TemporaryFolder folder;
    const std::vector<std::pair<std::string, std::string>> archives{
        {"packed-callpath.ppk", "packed.ppk"}, {"profile-merged/tauprofile.xml", "tauprofile.xml"}};
    const std::vector<std::vector<std::string>> commands{{"check"},
                                                         {"profile"},
                                                         {"profile", "--by", "location"},
                                                         {"profile", "--metric", "TIME"},
                                                         {"metrics"},
                                                         {"comm"},
                                                         {"messages"},
                                                         {"waits"}};
    std::size_t lost = 0;
    for (const auto& [example, name] : archives) {
        const std::string whole = contentOf(test::sourcePath("examples/lulesh-8/" + example));
        REQUIRE(whole.size() > 2000);
        for (const std::string& part : cutOff(whole)) {
            const auto file = fileWith(folder, name, part);
            const int expected = codeOf({"info", file});
            INFO(name << " of " << part.size() << " bytes");
            CHECK((expected == 1 || expected == 3));
            lost += expected == 3;
            for (std::vector<std::string> command : commands) {
                INFO(command.front() << " " << command.back());
                command.push_back(file);
                CHECK(codeOf(command) == expected);
            }
        }
    }
    CHECK(lost > 10);
}

TEST_CASE("exit codes: what an undamaged archive does not hold is wrong usage")
{
    const std::string profile = test::sourcePath("examples/lulesh-8/profile-callpath").string();
    const std::string trace = test::sourcePath("examples/lulesh-8/trace-otf2").string();
    CHECK(codeOf({"profile", profile, "--metric", "NONE"}) == 2);
    CHECK(codeOf({"profile", profile, "--window", "0:1"}) == 2);
    CHECK(codeOf({"metrics", trace, "--metric", "NONE"}) == 2);
    CHECK(codeOf({"profile", trace, "--window", "backwards"}) == 2);
}

TEST_CASE("exit codes: a map that is none fails, whatever is wrong with it")
{
    const test::TemporaryFolder folder;
    const auto check = [&](const std::string& text) {
        return codeOf({"map", "check", fileWith(folder, "map.csv", text), "--from", "csv"});
    };
    CHECK(check("rank,host,slot\n0,a,0\n1,a,1\n") == 0);
    CHECK(check("rank,host,slot\n0,a,0\n0,a,1\n") == 1);  // a rank twice
    CHECK(check("rank,host,slot\n0,a,0\n1,a,0\n") == 1);  // two ranks in one slot
    CHECK(check("rank,host,slot\n0,a,0\n2,a,1\n") == 1);  // a rank is missing
    CHECK(check("nothing of a map\n") == 1);
    const auto rankfile = fileWith(folder, "rankfile", "rank 0=a slot=0\nrank 1=a slot=0\n");
    CHECK(codeOf({"map", "check", rankfile}) == 1);
    CHECK(codeOf({"map", "convert", rankfile, "--to", "slurm"}) == 1);
    const auto good = fileWith(folder, "good", "rank 0=a slot=0\nrank 1=b slot=0\n");
    CHECK(codeOf({"map", "check", good}) == 0);
    CHECK(codeOf({"map", "check", good, "--hosts", "other:1"}) == 1);
    CHECK(codeOf({"map", "check", good, "--to", "nobody"}) == 2);
    CHECK(codeOf({"map", "check", good, "--hosts", ","}) == 2);
    CHECK(codeOf({"map", "convert", good, "--to", "bgq"}) == 1);  // its nodes have no coordinates
    CHECK(codeOf({"map", "check", (folder.path() / "none").string()}) == 1);
    CHECK(codeOf({"map", "check", fileWith(folder, "order", "0,1\n"), "--from", "cray"})
          == 2);  // wants --hosts
}

TEST_CASE("exit codes: what is wrong with a file that describes a machine is no wrong usage")
{
    const test::TemporaryFolder folder;
    const auto comm = fileWith(folder, "comm.csv", "sender,receiver,bytes\n0,1,100\n");
    const auto switches = fileWith(folder, "switches.txt", "switch1 switch2\nswitch2 switch1\n");
    CHECK(codeOf({"traffic", comm, "--topology", "topology:" + switches}) == 1);
    CHECK(codeOf({"traffic", comm, "--topology", "topology:" + (folder.path() / "none").string()}) == 1);
    CHECK(codeOf({"traffic", comm, "--topology", "torus:0"}) == 2);
}

}  // namespace skein::exit_code_test
