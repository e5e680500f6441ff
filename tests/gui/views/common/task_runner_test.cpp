// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/task_runner.h"

#include "tests/gui/support/wait_for.h"
#include "tests/support/catch.h"
#include "tests/support/gui_application.h"

#include <QSignalSpy>
#include <QTest>
#include <QThread>

#include <atomic>

namespace skein::task_runner_test {

namespace {

/// Works until it is asked to stop.
Result<int> untilStopped(const Task& task)
{
    while (!task.stopRequested()) QThread::msleep(1);
    return cancelled();
}

}  // namespace

TEST_CASE("a job's result reaches its receiver on the GUI thread")
{
    test::guiApplication();
    TaskRunner runner;
    QObject receiver;
    int result = 0;
    QThread* workThread = nullptr;
    QThread* doneThread = nullptr;
    runner.run<int>(
        {"key", "Counting"}, &receiver,
        [&](const Task&) -> Result<int> {
            workThread = QThread::currentThread();
            return 42;
        },
        [&](Result<int> got) {
            doneThread = QThread::currentThread();
            result = got.value();
        });
    REQUIRE(test::waitFor([&] { return result != 0; }));
    CHECK(result == 42);
    CHECK(doneThread == QThread::currentThread());
    CHECK(workThread != doneThread);
    CHECK_FALSE(runner.anyRunning());
    CHECK(runner.jobs().empty());
}

TEST_CASE("of several jobs under one key only the latest gives a result")
{
    test::guiApplication();
    TaskRunner runner;
    QObject receiver;
    std::vector<int> results;
    for (int i = 0; i < 20; ++i)
        runner.run<int>(
            {"same", "Number"}, &receiver,
            [i](const Task& task) -> Result<int> {
                for (int turn = 0; turn < 20 && !task.stopRequested(); ++turn) QThread::msleep(1);
                return i;
            },
            [&](Result<int> got) { results.push_back(got.value()); });
    REQUIRE(test::waitFor([&] { return !runner.anyRunning(); }));
    CHECK(results == std::vector<int>{19});
}

TEST_CASE("a receiver that has gone hears nothing and its job is stopped")
{
    test::guiApplication();
    TaskRunner runner;
    auto receiver = std::make_unique<QObject>();
    std::atomic<bool> stopped = false;
    runner.run<int>(
        {"key", "Waiting"}, receiver.get(),
        [&](const Task& task) {
            auto result = untilStopped(task);
            stopped = true;
            return result;
        },
        [&](Result<int>) { FAIL("a dead receiver was called"); });
    receiver.reset();
    CHECK(test::waitFor([&] { return stopped.load(); }));
    CHECK(test::waitFor([&] { return !runner.anyRunning(); }));
}

TEST_CASE("cancelling answers at once even when the work does not listen")
{
    test::guiApplication();
    TaskRunner runner;
    QObject receiver;
    bool wasCancelled = false;
    std::atomic<bool> leave = false;
    const JobId job = runner.run<int>(
        {"key", "Deaf", JobVisibility::AtOnce}, &receiver,
        [&](const Task&) -> Result<int> {
            while (!leave) QThread::msleep(1);
            return 1;
        },
        [&](Result<int> got) { wasCancelled = !got && got.error().cancelled(); });
    QTest::qWait(20);
    runner.cancel(job);
    CHECK(wasCancelled);
    CHECK_FALSE(runner.running(job));
    REQUIRE(runner.jobs().size() == 1);
    CHECK(runner.jobs()[0].state == JobState::Cancelled);
    leave = true;
}

TEST_CASE("progress, stage and time left of a job can be watched")
{
    test::guiApplication();
    TaskRunner runner;
    QObject receiver;
    QSignalSpy progressed(&runner, &TaskRunner::progressed);
    const JobId job = runner.run<int>(
        {"key", "Reading", JobVisibility::AtOnce}, &receiver,
        [](const Task& task) {
            task.report(0.5, "Reading events");
            return untilStopped(task);
        },
        [](Result<int>) {});
    REQUIRE(test::waitFor([&] { return runner.jobs()[0].leftMs >= 0; }));
    const JobInfo info = runner.jobs()[0];
    CHECK(info.id == job);
    CHECK(info.stage == "Reading events");
    CHECK(info.fraction == Approx(0.5));
    CHECK(info.leftMs >= 300);
    CHECK(progressed.count() < info.elapsedMs / TaskRunner::kRefreshMs + 2);
    runner.cancelAll();
}

TEST_CASE("quick jobs stay out of the list and a failure tells why")
{
    test::guiApplication();
    TaskRunner runner;
    QObject receiver;
    int ended = 0;
    runner.run<int>(
        {"quick", "Quick"}, &receiver, [](const Task&) -> Result<int> { return 1; },
        [&](Result<int>) { ++ended; });
    runner.run<int>(
        {"bad", "Bad", JobVisibility::AtOnce}, &receiver,
        [](const Task&) -> Result<int> { return fail(ErrorCode::Malformed, "The file is odd.", "line 3"); },
        [&](Result<int>) { ++ended; });
    runner.run<int>(
        {"throws", "Throws", JobVisibility::AtOnce}, &receiver,
        [](const Task&) -> Result<int> { throw std::bad_alloc(); }, [&](Result<int>) { ++ended; });
    REQUIRE(test::waitFor([&] { return ended == 3; }));
    REQUIRE(runner.jobs().size() == 2);
    CHECK(runner.jobs()[0].state == JobState::Failed);
    CHECK(runner.jobs()[0].message == "The file is odd. (line 3)");
    CHECK(runner.jobs()[1].state == JobState::Failed);
}

TEST_CASE("a runner that goes stops its jobs and waits for them")
{
    test::guiApplication();
    std::atomic<int> running = 0;
    {
        TaskRunner runner;
        QObject receiver;
        for (const char* key : {"a", "b", "c"})
            runner.run<int>(
                {key, "Waiting"}, &receiver,
                [&](const Task& task) {
                    ++running;
                    auto result = untilStopped(task);
                    --running;
                    return result;
                },
                [](Result<int>) { FAIL("called after the end"); });
        QTest::qWait(20);
    }
    CHECK(running == 0);
}

TEST_CASE("steps of a job reach its receiver in order and before its result, and none once it was dropped")
{
    test::guiApplication();
    TaskRunner shared;
    TaskRunner runner(shared, "front ");
    QObject receiver;
    std::vector<int> heard;
    const auto work = [](const Task&, const std::function<void(int)>& tell) -> Result<int> {
        for (int i = 1; i <= 5; ++i) tell(i);
        return 6;
    };
    runner.runInSteps<int>(
        {"key", "Counting"}, &receiver, work, [&](int step) { heard.push_back(step); },
        [&](Result<int> got) { heard.push_back(got.value()); });
    REQUIRE(test::waitFor([&] { return !runner.anyRunning() && heard.size() == 6; }));
    CHECK(heard == std::vector<int>{1, 2, 3, 4, 5, 6});

    heard.clear();
    std::atomic<bool> told = false;
    runner.runInSteps<int>(
        {"key", "Counting"}, &receiver,
        [&](const Task& task, const std::function<void(int)>& tell) -> Result<int> {
            tell(1);
            told = true;
            return untilStopped(task);
        },
        [&](int step) { heard.push_back(step); }, [&](Result<int>) { heard.push_back(-1); });
    while (!told) QThread::msleep(1);
    runner.drop("key");
    QTest::qWait(50);
    CHECK(heard.empty());
}

}  // namespace skein::task_runner_test
