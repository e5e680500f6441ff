// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include "views/common/scene_view.h"

#include "views/flame/flame_time_scene.h"

#include <optional>
#include <string>
#include <vector>

namespace skein {

/// The picture of a flame graph: zoom into a frame, selection, scrolling.
class FlameCanvas : public SceneView {
    Q_OBJECT

public:
    FlameCanvas(const ViewContext& context, QWidget* parent);

    void setSession(SessionPtr session) override;
    /// Null: `message` says why there is nothing.
    void setFlame(FlamePtr flame, const QString& message);
    /// Calls over time in place of sums.
    void setTimeline(TimelineDataPtr data, TimeSpan span, const QString& message);
    void setRoot(FlameRoot root);
    void setSearch(const std::string& text);
    const FlamePtr& flame() const { return flame_; }
    const FlameOptions& options() const { return options_; }
    FlameLayout sceneLayout() const;
    void zoomOut();
    void zoomToSelected();
    void openSource();

Q_SIGNALS:
    void menuWanted(const QPoint& globalPosition);

protected:
    Maker maker() const override;
    QString emptyText() const override { return message_; }
    std::string caption() const override;
    std::vector<std::string> toolTipAt(Point point) const override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void redraw() override;

private:
    void choose(Point point, Qt::KeyboardModifiers modifiers);
    void zoomTo(std::uint32_t frame);
    void scrollBy(double devicePixels);
    void step(int key);
    std::optional<std::uint32_t> selectedFrame() const;
    void selectFrame(std::uint32_t frame, Qt::KeyboardModifiers modifiers);
    FlameTimeOptions timeOptions() const;
    HitId timeHitAt(Point point) const;

    SessionPtr session_;
    FlamePtr flame_;
    TimelineDataPtr timeline_;  ///< calls over time are shown where it is there
    TimeSpan span_;
    FlameOptions options_;
    QString message_;
    mutable std::optional<DrawList> hits_;  ///< of calls over time
};

}  // namespace skein
