// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QWidget>

#include "views/common/communication_feed.h"
#include "views/common/picture_panel.h"
#include "views/common/trial_chooser.h"
#include "views/communication/communication_data_scene.h"
#include "views/communication/communication_trial_scene.h"

#include <QTimer>

#include <mutex>
#include <optional>
#include <string>
#include <vector>

class QAction;
class QComboBox;
class QMenu;

namespace skein {

class CommunicationCanvas;

/// Who exchanges what, over which ways: a graph whose nodes lie near those with which they exchange most.
class CommunicationView : public PicturePanel {
    Q_OBJECT

public:
    explicit CommunicationView(const ViewContext& context, QWidget* parent = nullptr);

    void setSession(SessionPtr session) override;

protected:
    void showEvent(QShowEvent* event) override;

private:
    /// What the layout has come to, for both threads.
    struct Progress {
        std::mutex mutex;
        std::vector<PlanePoint> points;
        bool fresh = false;
    };

    /// What is laid out: the communication as it is, and beside it what was tried.
    struct Grouping {
        GroupedCommunicationPtr shown;  ///< in united, where that is not null
        UnitedCommunicationPtr united;

        const CommGraph& layoutGraph() const { return united ? *united->both->graph : *shown->graph; }
    };
    struct Pictures {
        std::shared_ptr<const CommunicationPicture> shown, beside;
        GroupedCommunicationPtr groupedShown, groupedBeside;
    };
    static Result<Pictures> picturesOf(const Grouping& grouping, TrialShow show, const std::string& name,
                                       bool routesTried, CommunicationOptions options,
                                       const std::shared_ptr<const std::vector<PlanePoint>>& points,
                                       const Task& task);

    CommunicationOptions options() const;
    void takeCommunication();
    void group();
    void layOut(Grouping grouping);
    std::vector<PlanePoint> startPlaces(const CommGraph& graph);
    void showSilence();
    void takeProgress();
    void arrange();
    void mark();
    void toggleExpanded(std::uint32_t group);
    void showMenu(const QPoint& globalPosition, std::optional<std::uint32_t> group);
    void addLineActions(QMenu& menu);
    void addGroupActions(QMenu& menu, std::optional<std::uint32_t> group);
    void addDialogs();
    void joinAll();
    void reset();
    void fillTable();
    void fillTrialTable();
    GroupedCommunicationPtr tableGroups() const;
    CommunicationLines linesOfUnion() const;
    bool showsAlternatives() const;

    CommunicationFeed feed_;
    CommunicationCanvas* canvas_ = nullptr;
    TrialChooser trials_;
    QComboBox *lines_ = nullptr, *grouping_ = nullptr, *color_ = nullptr, *style_ = nullptr, *top_ = nullptr,
              *lasso_ = nullptr;
    std::optional<Grouping> placed_;   ///< that has places
    std::optional<Grouping> pending_;  ///< that is being laid out
    std::shared_ptr<const std::vector<PlanePoint>> points_;
    std::vector<PlanePoint> known_;  ///< where the places of earlier pictures lay
    std::shared_ptr<Progress> progress_;
    std::vector<std::uint32_t> expanded_;
    std::uint64_t arranged_ = 0;  ///< number of the newest pictures
    bool routed_ = false;         ///< ways of all pairs are known
    bool toggled_ = false;        ///< a group was just expanded or put together: the rest stays where it is
    QAction *encoding_ = nullptr, *colors_ = nullptr;  ///< open dialogs
    Pictures base_;                                    ///< without marks of what is selected
    QTimer poll_;
};

}  // namespace skein
