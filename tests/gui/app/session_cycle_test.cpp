// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/session/session_file.h"
#include "tests/gui/support/window_fixture.h"

#include <fmt/format.h>

namespace skein::session_cycle_test {
namespace {

std::string sessionNaming(const std::string& source)
{
    return fmt::format(R"({{"format": "skein-session", "version": 1, "sources": [{{"path": "{}"}}]}})",
                       source);
}

}  // namespace

TEST_CASE("session files that name themselves or each other are refused, and the window comes to rest")
{
    const test::TemporaryFolder folder;
    const std::string self = fileWith(folder, "self.session.json", sessionNaming("self.session.json"));
    const std::string one = fileWith(folder, "one.session.json", sessionNaming("two.session.json"));
    const std::string two = fileWith(folder, "two.session.json", sessionNaming("one.session.json"));
    for (const std::string& file : {self, one, two}) {
        INFO(file);
        const auto read = gui::readSessionFile(QString::fromStdString(file));
        REQUIRE_FALSE(read);
        CHECK(read.error().code == ErrorCode::Malformed);
        CHECK(read.error().message.find("Source 1 of this session is a session itself") == 0);
    }
    test::WindowFixture fixture;
    std::vector<std::string> told;
    QObject::connect(&fixture.window->keeper(), &gui::SessionKeeper::failed,
                     [&](const std::vector<gui::Problem>& problems) {
                         for (const gui::Problem& problem : problems)
                             told.push_back(problem.cause.toStdString());
                     });
    fixture.window->loader().open({QString::fromStdString(self)});
    fixture.settle();
    REQUIRE(told.size() == 1);
    CHECK(told.front().find("a session itself") != std::string::npos);
    CHECK_FALSE(fixture.window->loader().session());
}

}  // namespace skein::session_cycle_test
