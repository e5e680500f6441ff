// SPDX-License-Identifier: GPL-3.0-or-later
// What is printed of trees of very many levels grows with their rows, not with the square of them.
#include "tests/support/catch.h"
#include "tests/support/cli.h"
#include "tests/support/paths.h"

#include <nlohmann/json.hpp>

namespace skein::deep_tree_test {

using namespace skein::test;
using nlohmann::json;

namespace {

constexpr std::size_t kLevels = 4000;

std::string oneStack()
{
    std::string text;
    for (std::size_t level = 0; level < kLevels; ++level)
        text += (level > 0 ? ";f" : "f") + std::to_string(level);
    return text + " 5\n";
}

}  // namespace

TEST_CASE("deep trees: paths are shortened in every command, and depths are whole")
{
    const TemporaryFolder folder;
    const std::string file = fileWith(folder, "deep.folded", oneStack());
    const std::size_t mostBytes = kLevels * 5'000;
    const auto printed = [&](std::vector<std::string> arguments) {
        arguments.insert(arguments.begin() + 1, file);
        const auto result = runCli(arguments);
        INFO(arguments[0] << " " << arguments.back() << ": " << result.err);
        CHECK(result.exitCode == 0);
        CHECK(result.out.size() < mostBytes);
        return result.out;
    };
    const json rows = json::parse(printed({"profile", "--by", "callpath", "--format", "json"}));
    REQUIRE(rows.size() == kLevels);
    const std::string path = rows.back()["path"];
    CHECK(rows.back()["depth"] == kLevels - 1);
    CHECK(path.find("f49 => … 3,900 more … => f3950") != std::string::npos);
    CHECK(rows[999]["path"].get<std::string>().find("more") == std::string::npos);
    CHECK(printed({"profile", "--by", "callpath"}).find("[level 3999] f3999") != std::string::npos);
    const json found = json::parse(printed({"query", "MATCH (n) WHERE n IS LEAF", "--format", "json"}));
    REQUIRE(found.size() == 1);
    CHECK(found[0]["path"].size() == 101);
    CHECK(found[0]["path"][50] == "… 3,900 more …");
    const std::string folded = printed({"export", "--to", "folded"});
    CHECK(folded.find("f49;… 3,900 more …;f3950") != std::string::npos);
    for (const char* to : {"csv", "json", "hatchet", "speedscope"}) printed({"export", "--to", to});
}

}  // namespace skein::deep_tree_test
