// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <functional>
#include <map>

namespace skein {

/// Keys that move a picture for as long as they are held, frame by frame and at the same speed on every
/// machine, from the first press on. A key that is only touched moves it by one step.
class HeldKeys : public QObject {
    Q_OBJECT

public:
    static constexpr int kFrameMs = 16;
    static constexpr double kStepsPerSecond = 8;

    /// Moves by so many steps of a key, fractions of one too.
    using Move = std::function<void(int key, double steps)>;

    explicit HeldKeys(Move move);

    void press(int key);
    /// What is left of the first step is made at once.
    void release(int key);
    /// As where the keyboard goes elsewhere: keys that are held are no longer.
    void releaseAll();
    bool any() const { return !moved_.empty(); }
    bool holds(int key) const { return moved_.contains(key); }

private:
    void tick();

    Move move_;
    std::map<int, double> moved_;  ///< steps so far, by key
    QTimer timer_;
    QElapsedTimer clock_;
};

}  // namespace skein
