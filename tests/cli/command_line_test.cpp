// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command_line.h"
#include "tests/support/catch.h"

#include <cstdlib>

namespace skein::command_line_test {

using namespace skein::cli;
using End = CommandLine::Parsed::End;

/// A program with one option of each kind.
struct Program {
    CommandLine line{"program", "What the program is for."};
    std::string path;
    std::vector<std::string> others;
    std::string name = "nobody";
    int level = 3;
    std::uint32_t count = 10;
    std::uint64_t steps = 0;
    double seconds = 1.5;
    std::optional<std::int64_t> target;
    bool quiet = false;

    Program()
    {
        line.option("PATH", path, "what to open").required();
        line.option("OTHER", others, "what else to open");
        line.option("-n,--name", name, "who asks").valueName("NAME");
        line.option("--level", level, "how deep").between(0, 9);
        line.option("--count", count, "how many");
        line.option("--steps", steps, "how far");
        line.option("--seconds", seconds, "how long").aboveZero();
        line.option("--target", target, "how good");
        line.flag("-q,--quiet", quiet, "say nothing");
    }
    CommandLine::Parsed parse(const std::vector<std::string>& arguments) { return line.parse(arguments); }
    std::string complaint(const std::vector<std::string>& arguments)
    {
        const auto parsed = parse(arguments);
        REQUIRE(parsed.end == End::Wrong);
        return parsed.text;
    }
};

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST_CASE("command line: what is not given keeps its default")
{
    Program program;
    const auto parsed = program.parse({"a.otf2"});
    CHECK(parsed.end == End::Ready);
    CHECK(parsed.text.empty());
    CHECK(program.path == "a.otf2");
    CHECK(program.others.empty());
    CHECK(program.name == "nobody");
    CHECK(program.level == 3);
    CHECK(program.count == 10);
    CHECK(program.steps == 0);
    CHECK(program.seconds == 1.5);
    CHECK_FALSE(program.target);
    CHECK_FALSE(program.quiet);
}

TEST_CASE("command line: options of every type, before, between and behind positionals")
{
    Program program;
    REQUIRE(program
                .parse({"--level", "0", "a", "-n", "me", "b", "--count=4294967295", "--steps",
                        "18446744073709551615", "c", "--seconds", "0.25", "--target", "-7", "-q"})
                .end
            == End::Ready);
    CHECK(program.path == "a");
    CHECK(program.others == std::vector<std::string>{"b", "c"});
    CHECK(program.name == "me");
    CHECK(program.level == 0);
    CHECK(program.count == 4294967295u);
    CHECK(program.steps == 18446744073709551615u);
    CHECK(program.seconds == 0.25);
    CHECK(program.target == -7);
    CHECK(program.quiet);
}

TEST_CASE("command line: behind two dashes everything is a positional")
{
    Program program;
    REQUIRE(program.parse({"--", "--level", "-q"}).end == End::Ready);
    CHECK(program.path == "--level");
    CHECK(program.others == std::vector<std::string>{"-q"});
    CHECK(program.level == 3);
}

TEST_CASE("command line: wrong usage is told in one line that names what is wrong")
{
    CHECK(has(Program().complaint({}), "PATH is required"));
    CHECK(has(Program().complaint({"a", "--nonsense"}), "--nonsense"));
    CHECK(has(Program().complaint({"a", "--level", "ten"}), "--level"));
    CHECK(has(Program().complaint({"a", "--level", "10"}), "--level: Value 10 not in range 0 to 9"));
    for (const std::string wrong : {"0", "-1", "nan", "inf", "x"})
        CHECK(Program().complaint({"a", "--seconds", wrong})
              == "--seconds: \"" + wrong + "\" is no number above 0");
    for (const std::string option : {"--count", "--steps"})
        CHECK(Program().complaint({"a", option, "-1"}) == option + ": \"-1\" is below 0");
    CHECK(has(Program().complaint({"a", "--count", "4294967296"}), "--count"));
    CHECK(has(Program().complaint({"a", "--seconds", "0"}), "--seconds"));
    CHECK(has(Program().complaint({"a", "--name"}), "--name"));
    CHECK(has(Program().complaint({"a", "--name", "x", "--name", "y"}), "--name"));
    for (const std::vector<std::string>& wrong :
         {std::vector<std::string>{}, {"a", "--level", "10"}, {"a", "--nonsense"}})
        CHECK(Program().complaint(wrong).find('\n') == std::string::npos);
}

TEST_CASE("command line: --help tells names, values, limits and the footer")
{
    Program program;
    program.line.version("program 1.2");
    program.line.footer("Examples: none.");
    const auto parsed = program.parse({"--help"});
    REQUIRE(parsed.end == End::Told);
    for (const std::string part :
         {"What the program is for.", "PATH", "REQUIRED", "-n,--name NAME", "who asks", "INT in [0 - 9]",
          "-q,--quiet", "say nothing", "Examples: none.", "--version"})
        CHECK(has(parsed.text, part));
    CHECK(parsed.text.back() == '\n');
    Program second;
    second.line.version("program 1.2");
    const auto version = second.parse({"--version"});
    CHECK(version.end == End::Told);
    CHECK(version.text == "program 1.2\n");
}

TEST_CASE("command line: options that repeat, need or exclude others")
{
    const auto parse = [](const std::vector<std::string>& arguments, std::vector<std::string>& pairs) {
        CommandLine line("program", "");
        bool all = false;
        int sockets = 0;
        line.option("--pair", pairs, "").repeatable();
        line.flag("--all", all, "").excludes("--pair");
        line.option("--sockets", sockets, "").needs("--all");
        return line.parse(arguments);
    };
    std::vector<std::string> pairs;
    CHECK(parse({"--pair", "0:1", "--pair", "2:3"}, pairs).end == End::Ready);
    CHECK(pairs == std::vector<std::string>{"0:1", "2:3"});
    CHECK(parse({"--pair", "0:1", "--all"}, pairs).end == End::Wrong);
    CHECK(parse({"--sockets", "2"}, pairs).end == End::Wrong);
    CHECK(parse({"--sockets", "2", "--all"}, pairs).end == End::Ready);
}

TEST_CASE("command line: words that stand for numbers, and checks in the program's words")
{
    int colour = 0;
    const auto parse = [&](Spelling spelling, const std::string& word) {
        CommandLine line("program", "");
        line.option(
            "--colour", {{"red", 1}, {"green", 2}}, spelling, [&](int number) { colour = number; }, "");
        return line.parse({"--colour", word});
    };
    CHECK(parse(Spelling::AsIs, "green").end == End::Ready);
    CHECK(colour == 2);
    CHECK(parse(Spelling::AnyCase, "RED").end == End::Ready);
    CHECK(colour == 1);
    CHECK(parse(Spelling::AsIs, "2").end == End::Ready);
    CHECK(colour == 2);
    CHECK(parse(Spelling::AsIs, "Red").end == End::Wrong);
    CHECK(parse(Spelling::AsIs, "3").end == End::Wrong);
    CHECK(has(parse(Spelling::AnyCase, "blue").text, "green"));

    const auto even = [](const std::string& text) -> std::optional<std::string> {
        if ((text.back() - '0') % 2 == 0) return std::nullopt;
        return text + " is odd";
    };
    const auto parseEven = [&](const std::string& text) {
        CommandLine line("program", "");
        int value = 0;
        line.option("--even", value, "").check(even);
        return line.parse({"--even", text});
    };
    CHECK(parseEven("4").end == End::Ready);
    CHECK(has(parseEven("5").text, "5 is odd"));

    std::string taken;
    const auto parseTaken = [&](const std::string& text) {
        CommandLine line("program", "");
        const auto take = [&](const std::string& word) -> std::optional<std::string> {
            if (word.empty()) return "nothing there";
            taken = word;
            return std::nullopt;
        };
        line.option("-t,--take", take, "");
        return line.parse({"--take", text});
    };
    CHECK(parseTaken("what").end == End::Ready);
    CHECK(taken == "what");
    const auto refused = parseTaken("");
    CHECK(refused.end == End::Wrong);
    CHECK(has(refused.text, "--take: nothing there"));
}

TEST_CASE("command line: a variable of the environment stands in for an option")
{
    setenv("SKEIN_TEST_COMMAND_LINE", "7", 1);
    const auto parsed = [](const std::vector<std::string>& arguments) {
        CommandLine line("program", "");
        int value = 1;
        line.option("--value", value, "").environment("SKEIN_TEST_COMMAND_LINE");
        REQUIRE(line.parse(arguments).end == End::Ready);
        return value;
    };
    CHECK(parsed({}) == 7);
    CHECK(parsed({"--value", "8"}) == 8);
    unsetenv("SKEIN_TEST_COMMAND_LINE");
    CHECK(parsed({}) == 1);
}

TEST_CASE("command line: one command of several, with options of the program behind its name")
{
    struct Commands {
        CommandLine line{"program", ""};
        int threads = 0;
        int top = 0;
        std::string called;

        Commands()
        {
            line.requireCommand();
            line.option("--threads", threads, "for all");
            for (const std::string name : {"info", "check"}) {
                CommandLine& command = line.command(name, "what " + name + " prints");
                command.inheritOptions();
                if (name == "info") command.option("--top", top, "for info");
                command.whenChosen([this, name] { called += name; });
            }
        }
    };
    Commands info;
    REQUIRE(info.line.parse({"info", "--threads", "2", "--top", "5"}).end == End::Ready);
    CHECK(info.line.chosenCommand() == "info");
    CHECK(info.called == "info");
    CHECK(info.threads == 2);
    CHECK(info.top == 5);
    Commands before;
    CHECK(before.line.parse({"--threads", "2", "check"}).end == End::Ready);
    CHECK(before.line.chosenCommand() == "check");
    CHECK(Commands().line.parse({}).end == End::Wrong);
    CHECK(Commands().line.parse({"nonsense"}).end == End::Wrong);
    CHECK(Commands().line.parse({"check", "--top", "5"}).end == End::Wrong);
    CHECK(Commands().line.parse({"info", "check"}).end == End::Wrong);
    Commands help;
    const auto told = help.line.parse({"info", "--help"});
    CHECK(told.end == End::Told);
    CHECK(has(told.text, "--top"));
    CHECK_FALSE(has(told.text, "what check prints"));
    CHECK(help.called.empty());
}

TEST_CASE("command line: a name that is declared twice is a mistake of the program")
{
    CommandLine line("program", "");
    int value = 0;
    line.option("--value", value, "");
    CHECK_THROWS(line.option("--value", value, ""));
}

}  // namespace skein::command_line_test
