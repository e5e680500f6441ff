// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QWidget>

#include "views/common/plane_canvas.h"
#include "views/communication/communication_data_scene.h"
#include "views/communication/communication_density_scene.h"
#include "views/communication/communication_scene.h"

#include <array>

namespace skein {

/// The picture of the communication view.
class CommunicationCanvas : public PlaneCanvas {
    Q_OBJECT

public:
    CommunicationCanvas(const ViewContext& context, QWidget* parent);

    void setSession(SessionPtr session) override { session_ = std::move(session); }
    /// Null: `message` says why there is nothing.
    void setPicture(CommunicationPicturePtr picture, GroupedCommunicationPtr grouped, const QString& message);
    /// What lies at the right, on the same places; null: nothing. Before setPicture().
    void setBeside(CommunicationPicturePtr picture, GroupedCommunicationPtr grouped);
    const CommunicationPicturePtr& besideIt() const { return beside_; }
    const CommunicationPicturePtr& shown() const { return picture_; }
    const GroupedCommunicationPtr& grouped() const { return grouped_; }
    /// Chains of causes over the picture have changed.
    void showCauses() { updateOverlay(); }
    void setLassoMode(LassoMode mode) { lassoMode_ = mode; }
    std::vector<KeyHint> keyHints() const override;
    CommunicationHit hitAt(Point point) const;
    /// Whether the density of what is shown need not be gone through line by line while the view moves.
    bool movesQuickly() const;

Q_SIGNALS:
    /// A group is to be shown by its members, or its members by it.
    void expandWanted(std::uint32_t group);
    /// What can be done here; `group` can be shown by its members, or these by it.
    void menuWanted(const QPoint& globalPosition, std::optional<std::uint32_t> group);

protected:
    Maker maker() const override;
    Maker movingMaker() const override;
    void pictureCame() override;
    QString emptyText() const override { return message_; }
    int panes() const override { return beside_ ? 2 : 1; }
    PlaneFrame frameOf(const PlaneView& view, const Canvas& canvas) const override;
    std::optional<PlaneBox> selectedPart() const override;
    DrawList overlay(const Canvas& canvas) const override;
    std::vector<std::string> toolTipAt(Point point) const override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    void choose(int pane, const std::vector<std::uint32_t>& vertices, const std::vector<std::uint32_t>& flows,
                bool add);
    void expandAt(Point point);
    std::optional<std::uint32_t> groupAt(Point point) const;
    void expandSelected();
    void prepareMaps();

    const CommunicationPicture& pictureOf(int pane) const { return pane == 0 ? *picture_ : *beside_; }
    const GroupedCommunication& groupedOf(int pane) const { return pane == 0 ? *grouped_ : *groupedBeside_; }

    SessionPtr session_;
    CommunicationPicturePtr picture_, beside_;
    GroupedCommunicationPtr grouped_, groupedBeside_;
    int lassoPane_ = 0;
    QString message_;
    std::array<FlowDensityMapPtr, 2> maps_;  ///< of the panes; null or of older pictures: not made yet
    QTimer prepare_;
    LassoMode lassoMode_ = LassoMode::Within;
    std::vector<Point> lasso_;
};

}  // namespace skein
