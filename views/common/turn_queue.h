// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTimer>

#include <deque>
#include <functional>

namespace skein {

/// Does things one after another, each in a turn of the event loop of its own: what the user does and what
/// has to be painted comes between. To be used on the GUI thread only. What still waits when the queue goes
/// is not done.
class TurnQueue : public QObject {
    Q_OBJECT

public:
    using Step = std::function<void()>;

    explicit TurnQueue(QObject* parent = nullptr);

    /// Does `step` in a later turn, after all that were added before it. A step may add others.
    void add(Step step);
    /// Forgets what still waits.
    void clear();
    /// Whether nothing waits.
    bool empty() const { return steps_.empty(); }

private:
    void doNext();

    std::deque<Step> steps_;
    QTimer timer_;
};

}  // namespace skein
