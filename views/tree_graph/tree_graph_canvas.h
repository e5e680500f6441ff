// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include "views/common/scene_view.h"

#include "views/tree_graph/tree_graph_scene.h"

#include <optional>
#include <string>
#include <vector>

namespace skein {

/// The node-link picture: pan, zoom, selection, brush, keys, and edits of the tree by double-clicks.
class TreeGraphCanvas : public SceneView {
    Q_OBJECT

public:
    enum class Drag { Pan, Brush };

    TreeGraphCanvas(const ViewContext& context, QWidget* parent);

    void setSession(SessionPtr session) override;
    /// Null: `message` says why there is nothing.
    void setGraph(TreeGraphPtr graph, const QString& message);
    void setOptions(const TreeGraphOptions& options);
    /// Looks where another canvas looks.
    void setCameraOf(const TreeGraphCanvas& other);
    const TreeGraphOptions& options() const { return options_; }
    const TreeGraphPtr& graph() const { return graph_; }
    void setDrag(Drag drag) { drag_ = drag; }
    TreeGraphLayout sceneLayout() const;
    /// The nodes that are selected.
    std::vector<std::uint32_t> selected() const;

    void fit();
    void zoomBy(double factor);
    /// Brings a node into the picture.
    void showNode(std::uint32_t node);
    void showSelection();
    /// Chains of causes over the picture have changed.
    void showCauses() { updateOverlay(); }

    void collapseSelected();
    void composeSelected();
    void decomposeSelected();
    void pruneSelected();
    void keepSelected();
    void noteSelected();
    void openSource();
    void copySelected();

Q_SIGNALS:
    /// The user has moved or zoomed the picture.
    void cameraChanged();
    /// For a menu about what is selected.
    void menuWanted(const QPoint& globalPosition);

protected:
    Maker maker() const override;
    QString emptyText() const override { return message_; }
    DrawList overlay(const Canvas& canvas) const override;
    std::vector<std::string> toolTipAt(Point point) const override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    std::optional<std::uint32_t> nodeAt(Point point) const;
    void hover(std::optional<std::uint32_t> node);
    void select(const std::vector<std::uint32_t>& nodes, Qt::KeyboardModifiers modifiers);
    void moveTo(std::optional<std::uint32_t> node);
    std::optional<std::uint32_t> neighbor(int key) const;
    std::vector<std::uint32_t> rowsOf(const std::vector<std::uint32_t>& nodes) const;
    void setEdits(const TreeEdits& edits);
    void zoomAt(Point point, double factor, bool wide);
    void panBy(double x, double y);
    void setCamera(const TreeCamera& camera);

    SessionPtr session_;
    TreeGraphPtr graph_;
    TreeGraphOptions options_;
    QString message_;
    Drag drag_ = Drag::Pan;
    std::optional<Point> pressed_;
    std::optional<Rect> brush_;
    std::optional<std::uint32_t> hovered_;
    TreeCamera cameraAtPress_;
    bool moved_ = false;
};

}  // namespace skein
