// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "tests/support/catch.h"
#include "tests/support/cli.h"
#include "tests/support/paths.h"

#include <algorithm>
#include <fstream>
#include <iterator>

namespace skein::cli_test {

using skein::test::runCli;

TEST_CASE("the list of commands is alphabetical and every command teaches by example")
{
    const auto commands = cli::builtinCommands();
    CHECK(std::is_sorted(commands.begin(), commands.end(),
                         [](const auto& a, const auto& b) { return a.name < b.name; }));
    for (const cli::Command& command : commands) {
        const auto help = runCli({std::string(command.name), "--help"});
        CHECK(help.exitCode == 0);
        CHECK(help.err.empty());
        CHECK(help.out.find("skein-cli " + std::string(command.name)) != std::string::npos);
        CHECK(help.out.find("Examples:") != std::string::npos);
    }
}

TEST_CASE("every command stands in the table of docs/CLI.md")
{
    std::ifstream file(test::sourcePath("docs/CLI.md"));
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    for (const cli::Command& command : cli::builtinCommands()) {
        INFO(command.name);
        CHECK(text.find("\n| `" + std::string(command.name) + "` | ") != std::string::npos);
    }
}

TEST_CASE("efficiency says how many processes did not run in a window")
{
    const std::string trace = test::sourcePath("examples/lulesh-8/trace-otf2").string();
    const auto part = runCli({"efficiency", trace, "--window", "20ms:40ms", "--format", "csv"});
    CHECK(part.exitCode == 0);
    CHECK(part.out.find(",20000000,5\n") != std::string::npos);
    CHECK(part.err.find("3 of 8 processes did not run in this window") != std::string::npos);
    CHECK(runCli({"efficiency", trace}).err.empty());
}

TEST_CASE("help and version go to stdout and end with 0")
{
    const auto help = runCli({"--help"});
    CHECK(help.exitCode == 0);
    CHECK(help.out.find("Exit codes: 0 fine, 1 failed, 2 wrong usage, 3 opened with data loss")
          != std::string::npos);
    CHECK(runCli({"--version"}).out.starts_with("skein-cli "));
}

TEST_CASE("a wrong command line ends with 2 and one sentence on stderr")
{
    for (const auto& arguments : std::vector<std::vector<std::string>>{{},
                                                                       {"nonsense"},
                                                                       {"check"},
                                                                       {"check", "--format", "xml", "."},
                                                                       {"check", "--threads", "-1", "."}}) {
        const auto result = runCli(arguments);
        CHECK(result.exitCode == 2);
        CHECK(result.out.empty());
        CHECK(result.err.starts_with("skein-cli: "));
    }
}

TEST_CASE("a command that is none is named, and the nearest one proposed")
{
    const auto said = [](const std::vector<std::string>& arguments) {
        const auto result = runCli(arguments);
        CHECK(result.exitCode == 2);
        return result.err.substr(0, result.err.find('\n'));
    };
    CHECK(said({"profil", "X"}) == "skein-cli: There is no command profil; did you mean profile?");
    CHECK(said({"--threads", "2", "mesages", "X", "--format", "csv"})
          == "skein-cli: There is no command mesages; did you mean messages?");
    CHECK(said({"zzzzzzzz"}) == "skein-cli: There is no command zzzzzzzz.");
    CHECK(said({"--nonsense"}).find("There is no command") == std::string::npos);
}

TEST_CASE("numbers of rows below 0, limits at 0 and empty values are refused in a short sentence")
{
    for (const auto& arguments :
         std::vector<std::vector<std::string>>{{"profile", ".", "--top", "-1"},
                                               {"model", ".", "--at", ""},
                                               {"anomalies", ".", "--sigma", "0"},
                                               {"predict", ".", "--bandwidth", "0"}}) {
        const auto result = runCli(arguments);
        INFO(result.err);
        CHECK(result.exitCode == 2);
        CHECK(result.err.starts_with("skein-cli: " + arguments[2] + ": "));
        CHECK(result.err.size() < 150);
    }
}

TEST_CASE("what is not there ends with 1 and one sentence on stderr")
{
    const auto result = runCli({"check", "/no/such/archive"});
    CHECK(result.exitCode == 1);
    CHECK(result.out.empty());
    CHECK(result.err == "skein-cli: There is no file or folder /no/such/archive.\n");
}

TEST_CASE("an interruption ends with 130 and without a word")
{
    std::stop_source stop;
    stop.request_stop();
    std::string out, err;
    for (const auto* command : {"info", "profile", "messages", "comm", "check"}) {
        cli::Sink outSink(out), errSink(err);
        CHECK(cli::run({command, test::sourcePath("examples/lulesh-8/trace-otf2").string()}, outSink, errSink,
                       Task(stop.get_token()), openExperiment)
              == 130);
    }
    CHECK(out.empty());
    CHECK(err.empty());
}

}  // namespace skein::cli_test
