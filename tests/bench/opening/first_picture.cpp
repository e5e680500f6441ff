// SPDX-License-Identifier: GPL-3.0-or-later
// Opens an archive in a window without a display and prints how long it took until the timeline showed all of
// it; with --anomalies also from there until the panel Anomalies, which is opened then, has a picture of the
// first anomalies, and of all of them.
//
// usage: skein-first-picture INDEX_FOLDER PATH [--save | --anomalies]
#include "app/gui/window/dock_host.h"
#include "tests/bench/opening/offscreen_window.h"
#include "views/anomalies/anomalies_canvas.h"

#include <QApplication>
#include <QElapsedTimer>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <unistd.h>

int main(int argc, char** argv)
{
    if (argc < 3) return 2;
    QElapsedTimer clock;
    clock.start();
    setenv("QT_QPA_PLATFORM", "offscreen", 0);
    QApplication application(argc, argv);
    const auto window = skein::bench::shownWindow(argv[1]);
    const qint64 shown = clock.restart();
    if (!skein::bench::openUntilDrawn(*window, argv[2])) return 1;
    std::printf("window %lld ms, picture %lld ms, %s\n", static_cast<long long>(shown),
                static_cast<long long>(clock.elapsed()), window->loader().fromIndex() ? "index" : "import");
    std::fflush(stdout);
    if (argc > 3 && std::string(argv[3]) == "--anomalies") {
        const auto* canvas = window->findChild<skein::AnomaliesCanvas*>("anomalies.scatter");
        clock.restart();
        window->docks().focusView("anomalies");
        skein::bench::turnUntil([&] { return canvas->showsKnown(); });
        const std::size_t first = canvas->anomalies()->found[0]->anomalies;
        std::printf("first anomalies %lld ms, %zu from %.0f %% of the work\n",
                    static_cast<long long>(clock.elapsed()), first, 100 * canvas->anomalies()->share);
        skein::bench::turnUntil([&] { return canvas->anomalies() && canvas->upToDate(); });
        std::printf("all anomalies %lld ms, %zu of them\n", static_cast<long long>(clock.elapsed()),
                    canvas->anomalies()->found[0]->anomalies);
        std::fflush(stdout);
    }
    if (argc > 3 && std::string(argv[3]) == "--save")
        skein::bench::turnUntil([&] { return !window->loader().savingIndex(); });
    _exit(0);
}
