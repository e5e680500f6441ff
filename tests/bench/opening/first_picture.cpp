// SPDX-License-Identifier: GPL-3.0-or-later
// Opens an archive in a window without a display and prints how long it took until the timeline showed all of
// it.
//
// usage: skein-first-picture INDEX_FOLDER PATH [--save]
#include "tests/bench/opening/offscreen_window.h"

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
    if (argc > 3 && std::string(argv[3]) == "--save")
        skein::bench::turnUntil([&] { return !window->loader().savingIndex(); });
    _exit(0);
}
