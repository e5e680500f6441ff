// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QWidget>

#include "views/common/communication_feed.h"
#include "views/common/picture_panel.h"
#include "views/common/trial_chooser.h"
#include "views/machine/machine_scene.h"

class QComboBox;

namespace skein {

class LinkUsersTree;
class MachineCanvas;

/// The machine as a plan with the loads of its links, who runs where, and who loads the selected links.
/// Everything that is open and communicates runs on it.
class MachineView : public PicturePanel {
    Q_OBJECT

public:
    explicit MachineView(const ViewContext& context, QWidget* parent = nullptr);

    void setSession(SessionPtr session) override;

protected:
    void showEvent(QShowEvent* event) override;

private:
    void compute();
    void take(MachinePicturePtr picture);
    void showNothing(const QString& message);
    void offerUsers();
    void computeTrial();
    void mark();
    std::vector<LinkIndex> tableLinks() const;
    void fillTable();
    void fillTrialTable();
    void choose(const MachineHit& hit, bool add);

    CommunicationFeed feed_;
    MachineCanvas* canvas_ = nullptr;
    LinkUsersTree* users_ = nullptr;
    QComboBox* shown_ = nullptr;
    TrialChooser trials_;
    MachinePicturePtr base_;                  ///< without marks of what is selected
    MachinePicturePtr tried_;                 ///< beside it, or null
    SessionCommunicationPtr before_, after_;  ///< of pictures of what was tried; else null
};

}  // namespace skein
