// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <algorithm>
#include <ctime>

namespace skein::test {

/// Measures how long the event loop of this thread keeps the user waiting: the longest that the thread has
/// worked between two ticks of a timer. Time of the processor and not of the clock: on a busy machine the
/// clock tells how long other work had the processors, and nothing of how the program is made.
class EventLoopWatchdog : public QObject {
public:
    EventLoopWatchdog()
    {
        timer_.setTimerType(Qt::PreciseTimer);
        connect(&timer_, &QTimer::timeout, this, [this] { tick(); });
        workedMs_ = threadMs();
        clock_.start();
        timer_.start(1);
    }

    double longestWorkMs() const { return longestWorkMs_; }
    qint64 longestByClockMs() const { return longestByClockMs_; }
    /// How often the loop has come by: no number means anything where it is small.
    int ticks() const { return ticks_; }

private:
    static double threadMs()
    {
        timespec now{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
        return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
    }

    void tick()
    {
        const double worked = threadMs();
        longestWorkMs_ = std::max(longestWorkMs_, worked - workedMs_);
        workedMs_ = worked;
        longestByClockMs_ = std::max(longestByClockMs_, clock_.restart());
        ++ticks_;
    }

    QTimer timer_;
    QElapsedTimer clock_;
    double workedMs_ = 0;
    double longestWorkMs_ = 0;
    qint64 longestByClockMs_ = 0;
    int ticks_ = 0;
};

}  // namespace skein::test
