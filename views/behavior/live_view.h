// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QWidget>

#include "views/behavior/live_side_scene.h"
#include "views/common/scene/drawing/lasso.h"
#include "views/common/scene_view.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>

class QComboBox;
class QLineEdit;
class QToolButton;

namespace skein {

class ChangeChoices;
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
    /// These entities keep their colours; none: all do.
    void setSelected(const Selection& selected);

Q_SIGNALS:
    /// The user has chosen these entities.
    void chosen(const std::vector<LocationRef>& entities, Qt::KeyboardModifiers modifiers);

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
    ViewState stateOf(const LivePicture& live) const;
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
    Selection selected_;
    std::optional<TimeNs> chosenChange_;  ///< begin of the bin of the change that is explained
};

/// Who is alike and who sends to whom in a stream.
class LiveSideCanvas : public SceneView {
    Q_OBJECT

public:
    LiveSideCanvas(const ViewContext& context, QWidget* parent);

    void setSession(SessionPtr) override {}
    void setLive(std::shared_ptr<const LivePicture> live);
    const std::shared_ptr<const LivePicture>& live() const { return live_; }
    void setSelected(const Selection& selected);
    LiveSideLayout sceneLayout() const;

Q_SIGNALS:
    /// The user has chosen these entities.
    void chosen(const std::vector<LocationRef>& entities, Qt::KeyboardModifiers modifiers);

protected:
    Maker maker() const override;
    QString emptyText() const override { return {}; }
    DrawList overlay(const Canvas& canvas) const override;
    std::vector<std::string> toolTipAt(Point point) const override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

private:
    bool ready() const { return live_ && live_->picture; }

    std::shared_ptr<const LivePicture> live_;
    Selection selected_;
    Lasso lasso_;
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
    /// Asks what is done to the stream before it is looked at.
    void askForTransforms();
    /// Asks what the columns of a table of text are.
    void askForColumns();
    /// Entities whose colours are kept, as locations of an experiment 0; none: all.
    const Selection& selected() const { return selected_; }

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void layOut();
    void choose(const std::vector<LocationRef>& entities, Qt::KeyboardModifiers modifiers);
    void select(const Selection& selected);
    void look();
    void present();
    void offerMetrics(const std::vector<std::string>& metrics);
    void offerGranularities(const std::vector<LiveGranularity>& granularities);
    void chooseGranularity();
    void presentTransform();

    LiveFeed* feed_;
    QLineEdit* address_;
    QToolButton* follow_;
    QToolButton* pause_;
    QComboBox* metric_;
    QComboBox* granularity_;
    QComboBox* window_;
    ChangeChoices* changes_;
    QToolButton* transforms_;
    QToolButton* columnsButton_;
    StreamColumns columns_;
    std::string columnsOf_;  ///< the address that they were chosen for
    StreamTransformParams transform_;
    std::vector<std::string> metrics_;            ///< that are offered
    std::vector<LiveGranularity> granularities_;  ///< the same
    std::string sampled_;                         ///< the one that is chosen of a file's samples
    Selection selected_;
    std::uint64_t restarts_ = 0;  ///< of what is in sight
    ElidedLabel* status_;
    LiveCanvas* canvas_;
    LiveSideCanvas* side_;
};

}  // namespace skein
