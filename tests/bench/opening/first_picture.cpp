// SPDX-License-Identifier: GPL-3.0-or-later
// Opens an archive in a window without a display and prints how long it took until the timeline showed all of it.
//
// usage: skein-first-picture INDEX_FOLDER PATH [--save]
#include "app/gui/dock_host.h"
#include "app/gui/main_window.h"
#include "views/timeline/timeline_view.h"

#include <QApplication>
#include <QElapsedTimer>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <unistd.h>

namespace {

void turnUntil(const std::function<bool()>& done)
{
    while (!done()) QApplication::processEvents(QEventLoop::WaitForMoreEvents | QEventLoop::AllEvents, 5);
}

}  // namespace

int main(int argc, char** argv)
{
    if (argc < 3) return 2;
    QElapsedTimer clock;
    clock.start();
    setenv("QT_QPA_PLATFORM", "offscreen", 0);
    QApplication application(argc, argv);
    skein::gui::MainWindow window(skein::gui::SettingsUse::None);
    window.resize(1600, 1000);
    window.loader().setIndexSettings({true, argv[1], skein::disk::kDefaultSizeLimit});
    window.show();
    QApplication::processEvents();
    const qint64 shown = clock.restart();
    bool failed = false;
    QObject::connect(&window.loader(), &skein::gui::SessionLoader::failed, [&] { failed = true; });
    window.loader().open({argv[2]});
    const auto* timeline = window.findChild<skein::TimelineView*>("timeline");
    turnUntil([&] { return failed || (window.loader().session() && timeline->upToDate()); });
    if (failed) return 1;
    std::printf("window %lld ms, picture %lld ms, %s\n", static_cast<long long>(shown), static_cast<long long>(clock.elapsed()),
                window.loader().fromIndex() ? "index" : "import");
    std::fflush(stdout);
    if (argc > 3 && std::string(argv[3]) == "--save") turnUntil([&] { return !window.loader().savingIndex(); });
    _exit(0);
}
