// SPDX-License-Identifier: GPL-3.0-or-later
// What every source file has in common: the licence line, sizes a reader can hold, and no traces of a
// machine.
#include "tests/checks/source_tree.h"
#include "tests/checks/standard_names.h"
#include "tests/support/catch.h"
#include "tests/support/paths.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <string_view>

namespace skein::checks {

namespace {

constexpr std::size_t kMaxFunctionLines = 100;
constexpr std::size_t kMaxHeaderLines = 200;
constexpr std::size_t kMaxSourceLines = 600;

bool isHeader(const SourceFile& file) { return file.path.ends_with(".h"); }

}  // namespace

TEST_CASE("every source file begins with its licence")
{
    for (const SourceFile& file : sourceFiles(test::sourcePath(""))) {
        INFO(file.path);
        CHECK(file.text.starts_with("// SPDX-License-Identifier: GPL-3.0-or-later\n"));
    }
}

TEST_CASE("every header guards itself")
{
    for (const SourceFile& file : sourceFiles(test::sourcePath(""))) {
        if (!isHeader(file)) continue;
        INFO(file.path);
        CHECK(file.text.find("\n#pragma once\n") != std::string::npos);
    }
}

TEST_CASE("a source includes its own header first, so that each header is compiled alone")
{
    for (const SourceFile& file : sourceFiles(test::sourcePath(""))) {
        if (!file.path.ends_with(".cpp")) continue;
        const std::string header = file.path.substr(0, file.path.size() - 3) + "h";
        if (!std::filesystem::exists(test::sourcePath(header))) continue;
        INFO(file.path);
        const std::size_t first = file.text.find("\n#include ");
        REQUIRE(first != std::string::npos);
        CHECK(file.text.compare(first + 1, header.size() + 11, "#include \"" + header + "\"") == 0);
    }
}

TEST_CASE("every header includes what it names of the standard library")
{
    for (const MissingInclude& missing : missingStandardIncludes(sourceFiles(test::sourcePath("")))) {
        INFO(missing.path << " names " << missing.name << " and does not include <" << missing.header << ">");
        CHECK(missing.path.empty());
    }
}

TEST_CASE("no file and no function is longer than a reader can hold")
{
    for (const SourceFile& file : sourceFiles(test::sourcePath(""))) {
        INFO(file.path);
        CHECK(lineCount(file.text) <= (isHeader(file) ? kMaxHeaderLines : kMaxSourceLines));
        for (const FunctionBody& body : functionBodies(file.text)) {
            INFO("the function at line " << body.firstLine);
            CHECK(body.lines <= kMaxFunctionLines);
        }
    }
}

TEST_CASE("no source file names a folder of somebody's machine")
{
    // Written in two parts so that this file does not find itself.
    const std::array<std::string, 4> folders = {std::string("\"/ho") + "me/", std::string("\"/ro") + "ot",
                                                std::string("\"/wo") + "rk", std::string("\"/Us") + "ers/"};
    for (const SourceFile& file : sourceFiles(test::sourcePath(""))) {
        for (const std::string& folder : folders) {
            INFO(file.path << " contains " << folder);
            CHECK(file.text.find(folder) == std::string::npos);
        }
    }
}

TEST_CASE("no algorithm gives a std::ranges::subrange, which clang 14 of the fuzz preset can't compile")
{
    constexpr std::array<std::string_view, 10> kOfSubranges{
        "equal_range", "find_end", "partition", "remove",           "remove_if",
        "rotate",      "search",   "search_n",  "stable_partition", "unique"};
    for (const SourceFile& file : sourceFiles(test::sourcePath(""))) {
        const std::string code = withoutCommentsAndLiterals(file.text);
        for (const std::string_view name : kOfSubranges) {
            INFO(file.path << " calls std::ranges::" << name);
            CHECK(code.find("ranges::" + std::string(name) + "(") == std::string::npos);
        }
    }
}

TEST_CASE("nothing is left unfinished")
{
    const std::array<std::string, 3> words = {std::string("TO") + "DO", std::string("FIX") + "ME",
                                              std::string("XX") + "X"};
    for (const SourceFile& file : sourceFiles(test::sourcePath(""))) {
        for (const std::string& word : words) {
            if (word == words[2] && file.text.find("mkdtemp") != std::string::npos) continue;
            INFO(file.path << " contains " << word);
            CHECK(file.text.find(word) == std::string::npos);
        }
    }
}

TEST_CASE("registries are in alphabetical order of their ids")
{
    for (const SourceFile& file : sourceFiles(test::sourcePath(""))) {
        if (file.path.find("/builtin_") == std::string::npos || !file.path.ends_with(".cpp")) continue;
        const auto ids = registryIds(file.text);
        INFO(file.path);
        CHECK(std::ranges::is_sorted(ids));
        CHECK(std::ranges::adjacent_find(ids) == ids.end());
    }
}

}  // namespace skein::checks
