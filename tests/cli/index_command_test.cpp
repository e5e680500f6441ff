// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "tests/support/cli.h"
#include "tests/support/paths.h"

#include <filesystem>
#include <fstream>

namespace skein::index_command_test {

using namespace skein::test;

namespace {

namespace fs = std::filesystem;

/// skein-cli as users run it, with a folder of its own for indexes.
struct IndexedCli {
    TemporaryFolder folder;
    fs::path indexes = folder.path() / "indexes";
    std::string archive = sourcePath("examples/lulesh-8/trace-otf2").string();

    CliResult run(std::vector<std::string> arguments) const
    {
        arguments.insert(arguments.begin(), {"--index-dir", indexes.string()});
        return runCli(arguments, cli::Opener{});
    }
    std::size_t files() const
    {
        std::error_code none;
        return static_cast<std::size_t>(
            std::distance(fs::directory_iterator(indexes, none), fs::directory_iterator()));
    }
    fs::path onlyIndex() const
    {
        for (const auto& entry : fs::directory_iterator(indexes))
            if (entry.path().extension() == ".skein-index") return entry.path();
        return {};
    }
};

bool contains(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("index command: builds, tells, lists and drops")
{
    const IndexedCli cli;
    const auto none = cli.run({"index", "info", cli.archive, "--format", "csv"});
    CHECK(none.exitCode == 1);
    CHECK(contains(none.out, ",none,"));
    const auto built = cli.run({"index", "build", cli.archive});
    CHECK(built.exitCode == 0);
    CHECK(contains(built.out, ": saved "));
    CHECK(contains(cli.run({"index", "build", cli.archive}).out, "has a good index already"));
    const auto told = cli.run({"index", "info", "--verify", cli.archive, "--format", "csv"});
    CHECK(told.exitCode == 0);
    CHECK(contains(told.out, "\"good, verified\",54458,"));
    const auto listed = cli.run({"index", "list", "--format", "json"});
    CHECK(listed.exitCode == 0);
    CHECK(contains(listed.out, "\"state\": \"good\""));
    CHECK(contains(listed.out, cli.archive + "/traces.otf2"));
    CHECK(cli.run({"index", "drop", cli.archive}).out == "1 index dropped.\n");
    CHECK(cli.run({"index", "drop", "--all"}).out == "0 indexes dropped.\n");
    CHECK(cli.files() == 0);
    CHECK(cli.run({"index", "drop"}).exitCode == 2);
    CHECK(cli.run({"index"}).exitCode == 2);
}

TEST_CASE("index command: damage is told")
{
    const IndexedCli cli;
    REQUIRE(cli.run({"index", "build", cli.archive}).exitCode == 0);
    const fs::path file = cli.onlyIndex();
    std::fstream(file, std::ios::in | std::ios::out | std::ios::binary).seekp(5000) << "damage";
    const auto verified = cli.run({"index", "info", "--verify", cli.archive});
    CHECK(verified.exitCode == 1);
    CHECK(contains(verified.out, "damaged: 1 block of 1 MiB"));
    fs::resize_file(file, 4000);
    CHECK(cli.run({"index", "info", cli.archive}).exitCode == 1);
    CHECK(contains(cli.run({"index", "list"}).out, "damaged or of another version"));
    CHECK(contains(cli.run({"index", "build", cli.archive}).out, ": saved "));
    CHECK(cli.run({"index", "info", "--verify", cli.archive}).exitCode == 0);
}

TEST_CASE("index command: every command prints the same with an index, without one and while it saves one")
{
    const std::vector<std::vector<std::string>> commands{
        {"info"}, {"check"}, {"profile", "--by", "callpath"}, {"messages"}, {"comm"}, {"metrics"}};
    const std::string archive = GENERATE("lulesh-8/trace-otf2", "lulesh-8/profile-callpath");
    const std::string path = sourcePath("examples/" + archive).string();
    for (std::vector<std::string> command : commands) {
        INFO(archive << " " << command.front());
        command.push_back(path);
        const IndexedCli cli;
        const auto expected = runCli(command);
        std::vector<std::string> without = command;
        without.push_back("--no-index");
        const auto unindexed = cli.run(without);
        CHECK(cli.files() == 0);
        const auto saving = cli.run(command);
        CHECK(cli.files() == 2);
        const auto indexed = cli.run(command);
        for (const CliResult* result : {&unindexed, &saving, &indexed}) {
            CHECK(result->exitCode == expected.exitCode);
            CHECK(result->out == expected.out);
            CHECK(result->err == expected.err);
        }
    }
}

TEST_CASE("index command: a folder that cannot be written informs and fails nothing but build")
{
    IndexedCli cli;
    std::ofstream(cli.folder.path() / "file") << "no folder";
    cli.indexes = cli.folder.path() / "file" / "indexes";
    const auto result = cli.run({"info", cli.archive});
    CHECK(result.exitCode == 0);
    CHECK(result.out == runCli({"info", cli.archive}).out);
    CHECK(contains(result.err, "skein-cli: information: "));
    CHECK(contains(result.err, "cannot be written"));
    CHECK(cli.run({"index", "build", cli.archive}).exitCode == 1);
}

TEST_CASE("index command: the room for indexes is a size with a unit")
{
    const IndexedCli cli;
    CHECK(cli.run({"--index-limit", "many", "index", "list"}).exitCode == 2);
    const auto result = cli.run({"info", cli.archive, "--index-limit", "1KiB"});
    CHECK(result.exitCode == 0);
    CHECK(contains(result.err, "more than the limit of 1"));
    CHECK(cli.files() == 0);
    CHECK(cli.run({"info", cli.archive, "--index-limit", "1GiB"}).err.empty());
    CHECK(cli.files() == 2);
}

}  // namespace skein::index_command_test
