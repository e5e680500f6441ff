// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/scene_view.h"
#include "views/profile/profile_scene.h"

namespace skein {

/// The picture of a profile: bars or a treemap, their selection, tool tips and scrolling.
class ProfileCanvas : public SceneView {
    Q_OBJECT

public:
    ProfileCanvas(const ViewContext& context, QWidget* parent);

    void setSession(SessionPtr session) override;
    /// Null: `message` says why there is nothing.
    void setPicture(ProfilePicturePtr picture, const QString& message);
    void setOptions(const ProfileOptions& options);
    const ProfileOptions& options() const { return options_; }
    const ProfilePicturePtr& picture() const { return shown_; }
    void showSelection();
    void scrollTo(double devicePixels);
    /// Where everything is now, in device pixels.
    ProfileLayout sceneLayout() const;
    HitId hitAt(Point point) const;

Q_SIGNALS:
    /// How far it is scrolled and can be, in device pixels.
    void scrolled(double position, double maximum, double page);

protected:
    Maker maker() const override;
    QString emptyText() const override { return message_; }
    std::vector<std::string> toolTipAt(Point point) const override;
    void layoutAgain() override;
    void mousePressEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    void changed();

    SessionPtr session_;
    ProfilePicturePtr shown_;
    ProfileOptions options_;
    QString message_;
    mutable std::optional<DrawList> hits_;  ///< the present scene, for hit tests
};

}  // namespace skein
