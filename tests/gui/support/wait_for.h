// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QTimer>

namespace skein::test {

/// Runs the event loop until the condition holds: true, or false when it did not within the limit. As QTest's
/// own, but an event is answered when it comes and not up to 10 ms later, so that work handed from turn to
/// turn does not take ten times as long in a test as in the program.
template <typename Condition>
bool waitFor(Condition condition, int limitMs = 5000)
{
    constexpr int kLookAgainMs = 5;  // what another thread changes sends no event
    QElapsedTimer elapsed;
    elapsed.start();
    QTimer again;
    again.start(kLookAgainMs);
    while (!condition()) {
        if (elapsed.elapsed() > limitMs) return false;
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }
    return true;
}

}  // namespace skein::test
