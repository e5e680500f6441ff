// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QWidget>

#include "views/comm_matrix/comm_matrix_scene.h"
#include "views/common/scene/drawing/pane_row.h"
#include "views/common/scene_view.h"

#include <QRubberBand>

#include <string>

namespace skein {

/// The picture of the communication matrix: zoomed by the wheel, moved with the right or middle button, cells
/// selected by clicking and by dragging a rectangle.
class CommMatrixCanvas : public SceneView {
    Q_OBJECT

public:
    CommMatrixCanvas(const ViewContext& context, QWidget* parent);

    void setSession(SessionPtr session) override;
    /// Null: `message` says why there is nothing. What is in sight stays where the size is the same.
    void setPicture(std::shared_ptr<CommMatrixPicture> picture, const QString& message);
    const CommMatrixPicture* picture() const { return picture_.get(); }
    void setStops(const ColorStops& stops);
    std::vector<KeyHint> keyHints() const override;
    /// All rows and columns.
    void fitAll();
    CommMatrixLayout sceneLayout() const;

Q_SIGNALS:
    /// The user wants the ranks of these groups to be shown.
    void opened(const QStringList& groups);

protected:
    Maker maker() const override;
    QString emptyText() const override { return message_; }
    std::vector<std::vector<std::string>> readableTable() const override;
    DrawList overlay(const Canvas& canvas) const override;
    std::vector<std::string> toolTipAt(Point point) const override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    int panes() const
    {
        return ready() && picture_->beside && picture_->shown == CommPicture::Matrix ? 2 : 1;
    }
    int paneAt(Point point) const;
    /// As the pane there has it.
    Point inPane(Point point) const;
    bool ready() const { return picture_ && picture_->table && picture_->table->size() > 0; }
    void zoom(double factor, const QPointF& about);
    void look(double row, double column, double rows);
    void choose(const QRect& area, Qt::KeyboardModifiers modifiers);
    void takeMarked();

    SessionPtr session_;
    std::shared_ptr<CommMatrixPicture> picture_;
    QString message_;
    QRubberBand band_;
    QPoint pressed_;
    QPoint last_;
};

}  // namespace skein
