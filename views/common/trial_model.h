// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QObject>

#include "views/common/scene/data/communication_trial.h"

#include <string>
#include <vector>

namespace skein {

class SelectionModel;

/// The placements and routes that were tried in a window, for all its views. Lives in the GUI thread, as long
/// as the window's selection model.
class TrialModel : public QObject {
    Q_OBJECT

public:
    /// The one of the window that this model belongs to.
    static TrialModel& of(SelectionModel& selection);

    /// The oldest first.
    const std::vector<CommunicationTrialPtr>& trials() const { return trials_; }
    /// Keeps a trial as the newest, in the place of one with the same name.
    void keep(CommunicationTrialPtr trial);
    void drop(const std::string& name);

    /// What the next search may not touch, for views that show nodes.
    const HeldNodes& held() const { return held_; }
    void hold(HeldNodes nodes);

Q_SIGNALS:
    void changed();
    void heldChanged();

private:
    explicit TrialModel(SelectionModel& window);

    std::vector<CommunicationTrialPtr> trials_;
    HeldNodes held_;
};

}  // namespace skein
