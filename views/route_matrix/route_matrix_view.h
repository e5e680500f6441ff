// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QWidget>

#include "views/common/communication_feed.h"
#include "views/common/picture_panel.h"
#include "views/common/trial_chooser.h"
#include "views/route_matrix/route_matrix_scene.h"

class QComboBox;

namespace skein {

class LinkUsersTree;
class RouteMatrixCanvas;

/// The machine's adjacency matrix with the ways of the selected or the most loaded routes, and who loads the
/// selected links.
class RouteMatrixView : public PicturePanel {
    Q_OBJECT

public:
    explicit RouteMatrixView(const ViewContext& context, QWidget* parent = nullptr);

    void setSession(SessionPtr session) override;

protected:
    void showEvent(QShowEvent* event) override;

private:
    void takeCommunication();
    void compute();
    void fillTable();
    void fillTrialTable();
    void chooseRows(const std::vector<std::size_t>& rows);
    void chooseLinks(std::vector<LinkRef> links, bool add);
    void chooseRoutes(const SessionCommunication& communication, const std::vector<std::uint32_t>& routes,
                      bool add);

    CommunicationFeed feed_;
    RouteMatrixCanvas* canvas_ = nullptr;
    LinkUsersTree* users_ = nullptr;
    TrialChooser trials_;
    SessionCommunicationPtr before_, after_;  ///< of the pictures; after_ null: nothing is held beside
    TrialShow show_ = TrialShow::AsItIs;      ///< of the pictures
    std::vector<RouteBeforeAfter> compared_;  ///< rows of the table; empty where nothing is held beside
    QComboBox *order_ = nullptr, *top_ = nullptr, *fold_ = nullptr, *outline_ = nullptr, *ways_ = nullptr;
};

}  // namespace skein
