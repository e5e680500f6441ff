// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/opening/offscreen_window.h"

#include "views/timeline/timeline_view.h"

#include <QApplication>

#include <chrono>
#include <thread>

namespace skein::bench {

void turnUntil(const std::function<bool()>& done)
{
    // With a time limit Qt does not wait for events: that would take a core from what is measured.
    while (!done()) {
        QApplication::processEvents();
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
}

void settle(const gui::MainWindow& window)
{
    constexpr int kStillMs = 400;
    QElapsedTimer still;
    still.start();
    turnUntil([&] {
        if (!window.settled()) still.restart();
        return still.elapsed() > kStillMs;
    });
}

double milliseconds(const QElapsedTimer& clock) { return static_cast<double>(clock.nsecsElapsed()) / 1e6; }

std::unique_ptr<gui::MainWindow> shownWindow(const std::string& indexFolder)
{
    auto window = std::make_unique<gui::MainWindow>(gui::SettingsUse::None);
    window->resize(1600, 1000);
    window->loader().setIndexSettings({true, indexFolder, disk::kDefaultSizeLimit});
    window->show();
    QApplication::processEvents();
    return window;
}

bool openUntilDrawn(gui::MainWindow& window, const std::string& path)
{
    bool failed = false;
    const auto watch =
        QObject::connect(&window.loader(), &gui::SessionLoader::failed, [&] { failed = true; });
    window.loader().open({QString::fromStdString(path)});
    const auto* timeline = window.findChild<TimelineView*>("timeline");
    turnUntil([&] { return failed || (window.loader().session() && timeline->upToDate()); });
    QObject::disconnect(watch);
    return !failed;
}

}  // namespace skein::bench
