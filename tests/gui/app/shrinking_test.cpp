// SPDX-License-Identifier: GPL-3.0-or-later
// A job that runs again writes its files anew while the window reads them.
#include "tests/gui/support/window_fixture.h"
#include "tests/support/tau_call_trace.h"

#include <thread>

namespace skein::shrinking_test {

TEST_CASE("a trace that shrinks while it is opened does not end the window")
{
    const test::TemporaryFolder folder;
    test::WindowFixture fixture;
    fixture.open({test::example("lulesh-8/profile-flat")});
    for (int round = 0; round < 8; ++round) {
        const auto records = test::writeTauCallTrace(folder.path(), 200'000);
        const std::jthread job([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(round));
            std::filesystem::resize_file(records, 4096);
        });
        fixture.open({QString::fromStdString(folder.path().string())});
        REQUIRE(fixture.window->loader().session());
    }
    fixture.open({test::example("lulesh-8/profile-callpath")});
    CHECK(fixture.window->loader().session()->experiments.size() == 1);
}

}  // namespace skein::shrinking_test
