// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QWidget>

#include "views/common/communication_feed.h"
#include "views/common/picture_panel.h"
#include "views/communication/communication_data_scene.h"

#include <QTimer>

#include <mutex>

class QComboBox;

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

    CommunicationOptions options() const;
    void takeCommunication();
    void group();
    void layOut(GroupedCommunicationPtr grouped);
    void takeProgress();
    void arrange();
    void mark();
    void toggleExpanded(std::uint32_t group);
    void fillTable();

    CommunicationFeed feed_;
    CommunicationCanvas* canvas_ = nullptr;
    QComboBox *lines_ = nullptr, *grouping_ = nullptr, *color_ = nullptr, *style_ = nullptr, *top_ = nullptr;
    GroupedCommunicationPtr grouped_;  ///< that has places
    GroupedCommunicationPtr pending_;  ///< that is being laid out
    std::shared_ptr<const std::vector<PlanePoint>> points_;
    std::shared_ptr<Progress> progress_;
    std::vector<std::uint32_t> expanded_;
    bool toggled_ = false;  ///< a group was just expanded or put together: the rest stays where it is
    std::shared_ptr<const CommunicationPicture> base_;  ///< without marks of what is selected
    QTimer poll_;
};

}  // namespace skein
