// SPDX-License-Identifier: GPL-3.0-or-later
// Opens an archive in a window without a display, types into its search and prints how long it took until the
// names and until the calls were listed.
//
// usage: skein-search-latency INDEX_FOLDER PATH QUERY…
#include "tests/bench/opening/offscreen_window.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>

#include <cstdio>
#include <cstdlib>
#include <unistd.h>

namespace {

using skein::bench::milliseconds;

void measure(skein::gui::MainWindow& window, const QWidget& popup, const char* query)
{
    auto* field = popup.findChild<QLineEdit*>();
    const auto* list = popup.findChild<QListWidget*>();
    field->clear();
    skein::bench::turnUntil([&] { return window.settled(); });
    QElapsedTimer clock;
    clock.start();
    field->setText(query);
    const double names = milliseconds(clock);
    const int namesListed = list->count();
    skein::bench::turnUntil([&] { return list->count() > namesListed || window.settled(); });
    std::printf("%s: names %.1f ms (%d), calls %.1f ms (%d); %s\n", query, names, namesListed,
                milliseconds(clock), list->count() - namesListed,
                qPrintable(popup.findChild<QLabel*>()->text()));
}

}  // namespace

int main(int argc, char** argv)
{
    if (argc < 4) return 2;
    setenv("QT_QPA_PLATFORM", "offscreen", 0);
    QApplication application(argc, argv);
    const auto window = skein::bench::shownWindow(argv[1]);
    if (!skein::bench::openUntilDrawn(*window, argv[2])) return 1;
    skein::bench::turnUntil([&] { return window->settled(); });
    window->actionRegistry().find("edit.search")->trigger();
    const auto* popup = window->findChild<QWidget*>("searchPopup");
    for (int query = 3; query < argc; ++query) measure(*window, *popup, argv[query]);
    std::fflush(stdout);
    _exit(0);
}
