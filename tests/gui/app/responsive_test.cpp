// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/archive_generator/archive_writer.h"
#include "tests/gui/support/event_loop_watchdog.h"
#include "tests/gui/support/window_fixture.h"

using namespace skein;
using namespace skein::gui;

namespace {

/// Three frames of a screen: more than an import may take of the window, with room for a machine that does other things
/// meanwhile. What instruments every access to memory gets several times that.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr double kLongestMs = 192;
#else
constexpr double kLongestMs = 48;
#endif

struct Archive {
    test::TemporaryFolder folder;
    QString path;

    explicit Archive(const generator::Options& options)
    {
        const auto target = folder.path() / "halo";
        REQUIRE(generator::writeArchive(target, options));
        path = QString::fromStdString(target.string());
    }
};

}  // namespace

TEST_CASE("the window answers within three frames while an archive is imported, shown and replaced")
{
    const Archive archive({.ranks = 64, .steps = 100});
    test::WindowFixture fixture;
    fixture.settle();
    for (const char* round : {"first", "over the first"}) {
        const test::EventLoopWatchdog watchdog;
        fixture.open({archive.path});
        REQUIRE(fixture.window->loader().session());
        INFO(round << ": worked at most " << watchdog.longestWorkMs() << " ms at a time, longest pause by the clock "
                   << watchdog.longestByClockMs() << " ms");
        CHECK(watchdog.ticks() > 10);
        CHECK(watchdog.longestWorkMs() < kLongestMs);
    }
    const test::EventLoopWatchdog watchdog;
    fixture.trigger("file.close");
    fixture.settle();
    CHECK(watchdog.longestWorkMs() < kLongestMs);
}

TEST_CASE("a session that is closed is given back although nothing else is opened")
{
    test::WindowFixture fixture;
    fixture.open({test::example("lulesh-8/trace-otf2")});
    const std::weak_ptr<const Session> session = fixture.window->loader().session();
    const std::weak_ptr<const Trace> trace = fixture.window->loader().session()->experiments[0]->trace;
    fixture.trigger("file.close");
    CHECK(QTest::qWaitFor([&] { return session.expired() && trace.expired(); }, 5000));
}

TEST_CASE("an archive is added to the session as it is when its import ends")
{
    test::WindowFixture fixture;
    fixture.open({test::example("eztrace-lulesh-8/trace-otf2")});
    auto& loader = fixture.window->loader();
    const SessionPtr first = loader.session();
    loader.add({test::example("lulesh-8/profile-flat")});
    const auto other = std::make_shared<Session>(*first);
    loader.derive(other);
    fixture.settle();
    REQUIRE(loader.session()->experiments.size() == 2);
    CHECK(loader.session()->experiments[0] == other->experiments[0]);
    CHECK(loader.paths().size() == 2);
}
