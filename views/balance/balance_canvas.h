// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QWidget>

#include "views/balance/balance_scene.h"
#include "views/common/scene_view.h"

namespace skein {

/// The matrix of regions and locations.
class BalanceCanvas : public SceneView {
    Q_OBJECT

public:
    BalanceCanvas(const ViewContext& context, QWidget* parent);

    void setSession(SessionPtr session) override { session_ = std::move(session); }
    /// Null or without rows: `message` says why there is nothing.
    void setPicture(BalancePicturePtr picture, const QString& message);
    const BalancePicturePtr& picture() const { return picture_; }
    BalanceLayout sceneLayout() const;
    std::vector<KeyHint> keyHints() const override;

Q_SIGNALS:
    /// Rows that the wheel or a key wants further down.
    void scrolledBy(int rows);
    void resized();

protected:
    Maker maker() const override;
    QString emptyText() const override { return message_; }
    std::vector<std::vector<std::string>> readableTable() const override;
    DrawList overlay(const Canvas& canvas) const override;
    std::vector<std::string> toolTipAt(Point point) const override;
    void mousePressEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    bool ready() const { return picture_ && !picture_->matrix.rows.empty(); }

    SessionPtr session_;
    BalancePicturePtr picture_;
    QString message_;
};

}  // namespace skein
