// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QObject>

#include "views/common/hand_over_share.h"
#include "views/common/scene/profile_share.h"
#include "views/common/wait_share.h"

#include <memory>

namespace skein {

class SelectionModel;

/// What the views of one window share besides the selection: wait states, hand-overs, profiles, and whether
/// wait states are marked in pictures over time. Lives as long as the window's selection model.
class WindowShares : public QObject {
    Q_OBJECT

public:
    enum class Marks { Hidden, Shown };
    /// What the wheel does with Shift in the timeline.
    enum class ShiftWheel { RowHeight, Time };

    /// The one of the window; made when it is first asked for.
    static WindowShares& of(SelectionModel& selection);

    const std::shared_ptr<WaitShare>& waits() const { return waits_; }
    const std::shared_ptr<HandOverShare>& handOvers() const { return handOvers_; }
    const std::shared_ptr<ProfileShare>& profiles() const { return profiles_; }
    Marks waitMarks() const { return marks_; }
    void setWaitMarks(Marks marks);
    /// Messages in pictures over time.
    Marks messages() const { return messages_; }
    void setMessages(Marks messages);
    ShiftWheel shiftWheel() const { return shiftWheel_; }
    void setShiftWheel(ShiftWheel does) { shiftWheel_ = does; }
    /// A short sentence for the foot of the window: why a key did nothing.
    void say(const QString& sentence) { Q_EMIT said(sentence); }

Q_SIGNALS:
    void waitMarksChanged();
    void messagesChanged();
    void said(const QString& sentence);

private:
    explicit WindowShares(QObject* parent) : QObject(parent) {}

    std::shared_ptr<WaitShare> waits_ = std::make_shared<WaitShare>();
    std::shared_ptr<HandOverShare> handOvers_ = std::make_shared<HandOverShare>();
    std::shared_ptr<ProfileShare> profiles_ = std::make_shared<ProfileShare>();
    Marks marks_ = Marks::Hidden;
    Marks messages_ = Marks::Shown;
    ShiftWheel shiftWheel_ = ShiftWheel::RowHeight;
};

}  // namespace skein
