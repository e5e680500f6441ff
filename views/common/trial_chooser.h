// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QStringList>
#include <QTimer>

#include "views/common/scene/data/communication_trial.h"
#include "views/common/trial_model.h"
#include "views/common/view.h"

#include <functional>
#include <string>

class QComboBox;

namespace skein {

/// What a view of communication shows of what was tried: nothing, only that, both beside each other, or by
/// how much it changes things.
enum class TrialShow : std::uint8_t { AsItIs, Tried, SideBySide, Difference };

/// Two choices in the head of a communication view, and the communication of what is held beside its own.
class TrialChooser : public QObject {
    Q_OBJECT

public:
    using AddChoice =
        std::function<QComboBox*(const char* name, const QString& label, const QStringList& items)>;

    /// `showName` and `againstName` name the choices: "machine.compare", "machine.against".
    TrialChooser(const ViewContext& context, View* view, const char* showName, const char* againstName,
                 const AddChoice& add);

    void setSession(SessionPtr session);
    /// The communication of the view as it is; null: none. changed() comes when what is held beside it is
    /// known, perhaps at once.
    void setBase(SessionCommunicationPtr base);
    /// Asks again what is to be held beside the base: the view is seen again.
    void update();
    /// AsItIs where there is nothing to hold beside.
    TrialShow show() const;
    const SessionCommunicationPtr& base() const { return base_; }
    /// Null where show() is AsItIs.
    const SessionCommunicationPtr& other() const { return other_; }
    const CommunicationTrialPtr& trial() const { return trial_; }
    /// What is tried, in a word or two.
    std::string name() const { return trial_ ? trial_->name : std::string(); }

Q_SIGNALS:
    void changed();

private:
    TrialShow wanted() const;
    CommunicationTrialPtr wantedTrial() const;
    void offer();
    bool isNewerOfTheSame(const CommunicationTrialPtr& trial) const;
    void route();
    void stopRouting();
    void routed(Result<SessionCommunicationPtr> other);
    void take(Result<SessionCommunicationPtr> other);
    QString jobKey() const;

    ViewContext context_;
    View* view_;
    TrialModel& trials_;
    QComboBox* show_;
    QComboBox* against_;
    SessionPtr session_;
    SessionCommunicationPtr base_, other_;
    SessionCommunicationPtr asked_;  ///< the base that other_ is, or will be, of
    CommunicationTrialPtr trial_;
    bool routing_ = false;
    bool newerWaits_ = false;  ///< the newest of a search that runs is routed when the pause is over
    QElapsedTimer begun_;
    QTimer pause_;  ///< after a routing, so that views come to draw what it found
};

}  // namespace skein
