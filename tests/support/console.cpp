// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/console.h"

#include "tests/support/catch.h"
#include "tests/support/cli.h"
#include "tests/support/paths.h"

#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <sstream>

namespace skein::test {
namespace {

constexpr std::string_view kPrompt = "$ skein-cli ";

std::vector<std::string> linesOf(const std::string& text)
{
    std::istringstream stream(text);
    std::vector<std::string> lines;
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

std::string replaced(std::string text, const std::string& from, const std::string& to)
{
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
    return text;
}

struct CommandLine {
    std::vector<std::string> arguments;
    std::size_t head = static_cast<std::size_t>(-1);  ///< lines that `| head -n N` lets through
};

/// As a shell splits it where the only quotes are single ones around whole words.
std::vector<std::string> shellWords(const std::string& text)
{
    std::vector<std::string> words;
    for (std::size_t at = text.find_first_not_of(' '); at < text.size();
         at = text.find_first_not_of(' ', at)) {
        const bool quoted = text[at] == '\'';
        const std::size_t begin = at + (quoted ? 1 : 0);
        const std::size_t end = std::min(text.find(quoted ? '\'' : ' ', begin), text.size());
        words.push_back(text.substr(begin, end - begin));
        at = std::min(end + 1, text.size());
    }
    return words;
}

CommandLine parsed(const std::string& line)
{
    CommandLine command;
    for (const std::string& word : shellWords(line.substr(kPrompt.size()))) {
        if (word == "|") break;
        command.arguments.push_back(word.starts_with("examples/") ? sourcePath(word).string() : word);
    }
    if (const auto pipe = line.find("| head -n "); pipe != std::string::npos)
        command.head = std::stoul(line.substr(pipe + 10));
    return command;
}

std::string outputOf(const std::string& line)
{
    const CommandLine command = parsed(line);
    const CliResult result = runCli(command.arguments);
    std::string output;
    const auto lines = linesOf(result.out);
    for (std::size_t i = 0; i < std::min(command.head, lines.size()); ++i) output += lines[i] + "\n";
    output += result.err;
    if (result.exitCode != 0) output += fmt::format("[exit code {}]\n", result.exitCode);
    return replaced(output, sourcePath("").string(), "");
}

}  // namespace

std::string rerunConsole(const std::string& text)
{
    std::string result;
    bool insideOutput = false;
    for (const std::string& line : linesOf(text)) {
        const bool isCommand = line.starts_with(kPrompt);
        if (insideOutput && !isCommand && !line.starts_with("```")) continue;
        insideOutput = isCommand;
        result += line + "\n";
        if (isCommand) result += outputOf(line);
    }
    return result;
}

void checkConsole(const std::string& relativePath)
{
    const auto path = sourcePath(relativePath);
    std::ostringstream read;
    read << std::ifstream(path).rdbuf();
    const std::string now = rerunConsole(read.str());
    if (std::getenv("SKEIN_ACCEPT_GOLDEN")) {
        std::ofstream(path) << now;
        return;
    }
    const auto expected = linesOf(read.str()), found = linesOf(now);
    for (std::size_t i = 0; i < std::min(expected.size(), found.size()); ++i) {
        INFO(relativePath << ":" << i + 1 << "; accept with SKEIN_ACCEPT_GOLDEN=1");
        REQUIRE(found[i] == expected[i]);
    }
    CHECK(found.size() == expected.size());
}

}  // namespace skein::test
