// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QWidget>

#include "views/behavior/live_scene.h"
#include "views/common/scene_view.h"

#include <algorithm>
#include <memory>
#include <optional>

class QComboBox;
class QLineEdit;
class QToolButton;

namespace skein {

class ElidedLabel;
class LiveFeed;

/// The lines of a stream as they come.
class LiveCanvas : public SceneView {
    Q_OBJECT

public:
    LiveCanvas(const ViewContext& context, QWidget* parent);

    void setSession(SessionPtr) override {}
    /// Null, or without a picture: `message` says why.
    void setLive(std::shared_ptr<const LivePicture> live, const QString& message);
    const std::shared_ptr<const LivePicture>& live() const { return live_; }
    /// So many last time points are in sight; 0: all that are kept.
    void setSliding(std::size_t rows);

protected:
    Maker maker() const override;
    QString emptyText() const override { return message_; }
    DrawList overlay(const Canvas& canvas) const override;
    std::vector<std::string> toolTipAt(Point point) const override;
    void mouseReleaseEvent(QMouseEvent* event) override;

private:
    bool ready() const { return live_ && live_->picture; }
    int paneCount() const { return std::max<int>(1, static_cast<int>(live_->panes.size())); }
    const LivePicture& pane(int number) const;
    /// The metric at a point, and where in its pane that is.
    struct PanePoint {
        const LivePicture& live;
        BehaviorLayout layout;
        Point point;
    };
    PanePoint paneAt(Point point) const;

    std::shared_ptr<const LivePicture> live_;
    QString message_;
    std::size_t sliding_ = 0;
    std::optional<TimeNs> chosen_;  ///< begin of the bin of the change that is explained
};

/// Who is alike and who sends to whom in a stream.
class LiveSideCanvas : public SceneView {
    Q_OBJECT

public:
    LiveSideCanvas(const ViewContext& context, QWidget* parent);

    void setSession(SessionPtr) override {}
    void setLive(std::shared_ptr<const LivePicture> live);
    const std::shared_ptr<const LivePicture>& live() const { return live_; }

protected:
    Maker maker() const override;
    QString emptyText() const override { return {}; }
    std::vector<std::string> toolTipAt(Point point) const override;

private:
    std::shared_ptr<const LivePicture> live_;
};

/// What happens now: a growing file, or what senders send to a port or socket (docs/STREAM.md).
class LiveView : public View {
    Q_OBJECT

public:
    explicit LiveView(const ViewContext& context, QWidget* parent = nullptr);
    ~LiveView() override;

    void setSession(SessionPtr) override {}
    std::vector<KeyHint> keyHints() const override;
    std::optional<DrawList> drawnPicture(int width, int height) const override;
    LiveCanvas& canvas() { return *canvas_; }
    LiveSideCanvas& side() { return *side_; }

    /// Follows what the address names, or ends that.
    void toggle();

private:
    void present();
    void offerMetrics(const std::vector<std::string>& metrics);

    LiveFeed* feed_;
    QLineEdit* address_;
    QToolButton* follow_;
    QToolButton* pause_;
    QComboBox* metric_;
    QComboBox* window_;
    ElidedLabel* status_;
    LiveCanvas* canvas_;
    LiveSideCanvas* side_;
};

}  // namespace skein
