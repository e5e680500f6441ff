// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/arguments.h"

#include "tests/support/catch.h"

namespace skein::gui_arguments_test {
namespace {

gui::ParsedArguments parsed(std::vector<const char*> words)
{
    words.insert(words.begin(), "skein");
    return gui::parseArguments(static_cast<int>(words.size()), const_cast<char**>(words.data()));
}

}  // namespace

TEST_CASE("an option with an empty text is wrong usage, and opens no window")
{
    for (const char* option : {"--render", "--tour", "-o", "--session", "--coupling", "--size", "--range"}) {
        INFO(option);
        CHECK(parsed({option, ""}).exitCode == 2);
        CHECK(parsed({"traces.otf2", option, ""}).exitCode == 2);
    }
    CHECK(parsed({"--render=", "traces.otf2"}).exitCode == 2);
    CHECK_FALSE(parsed({"traces.otf2"}).exitCode);
}

}  // namespace skein::gui_arguments_test
