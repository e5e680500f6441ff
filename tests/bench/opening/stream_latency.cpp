// SPDX-License-Identifier: GPL-3.0-or-later
// Sends a stream to the panel Stream of a window without a display, and prints how long the window's event
// loop was busy at a stretch meanwhile, and how much of the stream was shown.
//
// usage: skein-stream-latency INDEX_FOLDER ENTITIES TIME_POINTS_A_SECOND SECONDS [METRICS]
#include "tests/bench/opening/offscreen_window.h"
#include "views/behavior/live_view.h"

#include <QApplication>
#include <QDockWidget>
#include <QElapsedTimer>
#include <QLineEdit>
#include <QTimer>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <sys/socket.h>
#include <sys/un.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

struct Rate {
    int entities, perSecond, seconds, metrics;
};

std::string rowText(const Rate& rate, int row)
{
    std::string text =
        "{\"time\": " + std::to_string(static_cast<double>(row) / rate.perSecond) + ", \"metrics\": {";
    unsigned state = 12345U + static_cast<unsigned>(row) * 977U;
    for (int metric = 0; metric < rate.metrics; ++metric) {
        text += (metric ? ", \"m" : "\"m") + std::to_string(metric) + "\": [";
        for (int i = 0; i < rate.entities; ++i) {
            state = state * 1664525U + 1013904223U;
            text += (i ? "," : "") + std::to_string((state >> 20) + (i % 3) * 800U);
        }
        text += "]";
    }
    return text + "}}\n";
}

/// Sends rows at their times; gives how many.
int sendRows(const Rate& rate, const std::string& path, const std::atomic<bool>& end)
{
    const int descriptor = socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
    if (connect(descriptor, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) return 0;
    const auto begin = std::chrono::steady_clock::now();
    int row = 0;
    for (; row < rate.perSecond * rate.seconds && !end; ++row) {
        const std::string text = rowText(rate, row);
        std::this_thread::sleep_until(begin
                                      + std::chrono::nanoseconds(1'000'000'000LL * row / rate.perSecond));
        for (std::size_t at = 0; at < text.size();) {
            const ssize_t sent = send(descriptor, text.data() + at, text.size() - at, MSG_NOSIGNAL);
            if (sent <= 0) return row;
            at += static_cast<std::size_t>(sent);
        }
    }
    close(descriptor);
    return row;
}

}  // namespace

int main(int argc, char** argv)
{
    if (argc < 5) return 2;
    const Rate rate{std::atoi(argv[2]), std::atoi(argv[3]), std::atoi(argv[4]),
                    argc > 5 ? std::atoi(argv[5]) : 1};
    setenv("QT_QPA_PLATFORM", "offscreen", 0);
    QApplication application(argc, argv);
    const auto window = skein::bench::shownWindow(argv[1]);
    const auto* panel = window->docks().find("stream");
    auto* view = panel ? dynamic_cast<skein::LiveView*>(panel->view) : nullptr;
    if (!view) return 1;
    panel->dock->show();
    panel->dock->raise();
    const std::string path = "/tmp/skein-stream-latency-" + std::to_string(getpid());
    view->findChild<QLineEdit*>("stream.address")->setText(QString::fromStdString("unix:" + path));
    view->toggle();
    std::atomic<bool> end{false};
    std::atomic<int> sent{0};
    std::jthread sender([&] { sent = sendRows(rate, path, end); });
    std::vector<double> stretches;
    QElapsedTimer last;
    last.start();
    QTimer ticks;
    QObject::connect(&ticks, &QTimer::timeout, [&] {
        stretches.push_back(static_cast<double>(last.nsecsElapsed()) / 1e6);
        last.restart();
    });
    ticks.start(1);
    QTimer::singleShot((rate.seconds + 1) * 1000, &application, [&] { application.quit(); });
    QApplication::exec();
    end = true;
    sender.join();
    std::sort(stretches.begin(), stretches.end());
    const auto live = view->canvas().live();
    std::printf(
        "%d entities, %d metrics, %d time points a second: %d sent, %llu shown; the event loop was busy for "
        "%.1f ms at most, %.1f ms in 99 of 100\n",
        rate.entities, rate.metrics, rate.perSecond, sent.load(),
        static_cast<unsigned long long>(live ? live->rows : 0), stretches.empty() ? 0.0 : stretches.back(),
        stretches.empty() ? 0.0 : stretches[stretches.size() * 99 / 100]);
    std::fflush(stdout);
    _exit(0);
}
