// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QWidget>

#include "views/common/scene_view.h"
#include "views/structure/structure_scene.h"

namespace skein {

/// The picture of the structure view.
class StructureCanvas : public SceneView {
    Q_OBJECT

public:
    StructureCanvas(const ViewContext& context, QWidget* parent);

    void setSession(SessionPtr session) override { session_ = std::move(session); }
    /// Null: `message` says why there is nothing.
    void setPicture(StructurePicturePtr picture, const QString& message);
    const StructurePicturePtr& shown() const { return picture_; }
    StructureLayout sceneLayout() const;
    std::vector<KeyHint> keyHints() const override;

Q_SIGNALS:
    /// A node was clicked.
    void callChosen(const skein::IntervalRef& call, bool add);

protected:
    Maker maker() const override;
    QString emptyText() const override { return message_; }
    std::vector<std::string> toolTipAt(Point point) const override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void putBack();
    std::optional<StructureHit> hitAt(Point point) const;

    SessionPtr session_;
    StructurePicturePtr picture_;
    QString message_;
    /// A node under the button: dragged once the pointer has moved far enough.
    struct Grabbed {
        StructureHit node;
        Point at;
        bool dragged = false;
    };
    std::optional<Grabbed> grabbed_;
};

}  // namespace skein
