// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QWidget>

#include "views/common/scene_view.h"
#include "views/remap/remap_scene.h"

#include <string>

namespace skein {

/// The pictures of a remapping.
class RemapCanvas : public SceneView {
    Q_OBJECT

public:
    RemapCanvas(const ViewContext& context, QWidget* parent);

    void setSession(SessionPtr) override {}
    /// Without a communication on a machine: `message` says why.
    void setPicture(RemapPicture picture, const QString& message);
    const RemapPicture& picture() const { return picture_; }

Q_SIGNALS:
    /// The user has picked a point of the candidate's front.
    void picked(std::size_t point);

protected:
    Maker maker() const override;
    QString emptyText() const override { return message_; }
    std::vector<std::string> toolTipAt(Point point) const override;
    void mousePressEvent(QMouseEvent* event) override;

private:
    std::optional<std::size_t> pointAt(Point point) const;

    RemapPicture picture_;
    QString message_;
};

}  // namespace skein
