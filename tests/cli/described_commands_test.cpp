// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/described_commands.h"

#include "app/cli/commands.h"
#include "tests/support/catch.h"

#include <algorithm>

namespace skein::described_commands_test {
namespace {

const cli::OptionText* find(const cli::CommandText& command, const std::string& name)
{
    const auto found = std::ranges::find(command.options, name, &cli::OptionText::name);
    return found == command.options.end() ? nullptr : &*found;
}

const cli::CommandText& commandOf(const std::vector<cli::CommandText>& all, const std::string& name)
{
    const auto found = std::ranges::find(all, name, &cli::CommandText::name);
    REQUIRE(found != all.end());
    return *found;
}

}  // namespace

TEST_CASE("every command is described, with what can be written for it")
{
    const auto all = cli::describedCommands();
    REQUIRE(all.size() == cli::builtinCommands().size());
    for (std::size_t i = 0; i < all.size(); ++i) {
        CHECK(all[i].name == cli::builtinCommands()[i].name);
        CHECK_FALSE(all[i].summary.empty());
        CHECK(find(all[i], "--help") == nullptr);
        for (const cli::OptionText& option : all[i].options) {
            INFO(all[i].name << " " << option.name);
            CHECK_FALSE(option.help.empty());
            CHECK(option.positional != option.name.starts_with("--"));
            CHECK(option.flag == option.value.empty());
        }
    }
}

TEST_CASE("options are told as they are declared")
{
    const auto all = cli::describedCommands();
    const cli::CommandText& profile = commandOf(all, "profile");
    REQUIRE(find(profile, "PATH"));
    CHECK(find(profile, "PATH")->positional);
    CHECK(find(profile, "PATH")->required);
    CHECK(find(profile, "PATH")->repeatable);
    REQUIRE(find(profile, "--top"));
    CHECK(find(profile, "--top")->value == "N");
    CHECK_FALSE(find(profile, "--top")->repeatable);
    REQUIRE(find(commandOf(all, "collectives"), "--members"));
    CHECK(find(commandOf(all, "collectives"), "--members")->flag);
    CHECK(find(commandOf(all, "compare"), "--also-a")->repeatable);
    CHECK(find(commandOf(all, "export"), "--output"));
    CHECK_FALSE(find(commandOf(all, "query"), "PATH")->repeatable);
    const auto& steps = commandOf(all, "map").steps;
    CHECK(std::ranges::any_of(steps, [](const cli::CommandText& step) { return step.name == "verify"; }));
}

}  // namespace skein::described_commands_test
