// SPDX-License-Identifier: GPL-3.0-or-later
// Opens an archive in a window without a display, hides a region and shows it again, some times, and prints
// how long it took until the timeline's picture changed and until every panel was done.
//
// usage: skein-filter-latency INDEX_FOLDER PATH REGION [TIMES]
#include "core/select/filters.h"
#include "tests/bench/opening/offscreen_window.h"
#include "views/timeline/timeline_view.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QPaintEvent>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <unistd.h>
#include <vector>

namespace {

using skein::bench::milliseconds;
using skein::bench::settle;

/// Notes when the picture is painted anew; the pointer's line alone does not count.
class Painted : public QObject {
public:
    explicit Painted(QWidget& widget) { widget.installEventFilter(this); }
    bool any = false;

protected:
    bool eventFilter(QObject*, QEvent* event) override
    {
        constexpr qint64 kLeast = 4096;
        qint64 pixels = 0;
        if (event->type() == QEvent::Paint)
            for (const QRect& rect : static_cast<QPaintEvent*>(event)->region())
                pixels += qint64{rect.width()} * rect.height();
        any = any || pixels > kLeast;
        return false;
    }
};

struct Latency {
    double picture = 0, exact = 0, all = 0;
};

Latency change(skein::gui::MainWindow& window, const std::vector<skein::Filter>& filters)
{
    settle(window);
    auto* timeline = window.findChild<skein::TimelineView*>("timeline");
    Latency latency;
    Painted painted(*timeline);
    QElapsedTimer clock;
    clock.start();
    window.selection().setFilters(filters, nullptr);
    skein::bench::turnUntil([&] { return painted.any; });
    latency.picture = milliseconds(clock);
    skein::bench::turnUntil([&] { return timeline->upToDate(); });
    latency.exact = milliseconds(clock);
    skein::bench::turnUntil([&] { return window.settled(); });
    latency.all = milliseconds(clock);
    return latency;
}

void tell(const char* what, std::vector<double> times)
{
    std::sort(times.begin(), times.end());
    std::printf("  %-26s median %7.1f ms, most %7.1f ms\n", what, times[times.size() / 2], times.back());
}

}  // namespace

int main(int argc, char** argv)
{
    if (argc < 4) return 2;
    setenv("QT_QPA_PLATFORM", "offscreen", 0);
    QApplication application(argc, argv);
    const auto window = skein::bench::shownWindow(argv[1]);
    if (!skein::bench::openUntilDrawn(*window, argv[2])) return 1;
    settle(*window);
    const auto hidden = skein::regionFilter(skein::FilterEffect::Hide, argv[3],
                                            skein::regionsMatching(*window->loader().session(), argv[3]));
    if (hidden.regions.empty()) return 1;
    const int times = argc > 4 ? std::atoi(argv[4]) : 5;
    std::vector<double> pictures[2], rests[2], all[2];
    for (int time = 0; time < times; ++time)
        for (const bool hides : {true, false}) {
            const Latency latency =
                change(*window, hides ? std::vector{hidden} : std::vector<skein::Filter>());
            pictures[hides].push_back(latency.picture);
            rests[hides].push_back(latency.exact);
            all[hides].push_back(latency.all);
        }
    for (const bool hides : {true, false}) {
        std::printf("%s %s\n", argv[3], hides ? "hidden" : "shown again");
        tell("the picture changes", pictures[hides]);
        tell("it is as fine as at rest", rests[hides]);
        tell("all panels are done", all[hides]);
    }
    std::fflush(stdout);
    _exit(0);
}
