// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QWidget>

#include "views/common/plane_canvas.h"
#include "views/machine/machine_scene.h"

namespace skein {

/// The picture of the machine.
class MachineCanvas : public PlaneCanvas {
    Q_OBJECT

public:
    MachineCanvas(const ViewContext& context, QWidget* parent);

    void setSession(SessionPtr) override {}
    /// Null: `message` says why there is nothing. `beside` of the same plan lies at the right; null: nothing.
    void setPicture(MachinePicturePtr picture, const QString& message, MachinePicturePtr beside = nullptr);
    const MachinePicturePtr& shown() const { return picture_; }
    const MachinePicturePtr& besideIt() const { return beside_; }
    std::vector<KeyHint> keyHints() const override;

Q_SIGNALS:
    /// What was clicked; nothing of both: what is neither.
    void chosen(const skein::MachineHit& hit, bool add);

protected:
    Maker maker() const override;
    QString emptyText() const override { return message_; }
    int panes() const override { return beside_ ? 2 : 1; }
    std::optional<PlaneBox> selectedPart() const override;
    PlaneFrame frameOf(const PlaneView& view, const Canvas& canvas) const override;
    std::vector<std::string> toolTipAt(Point point) const override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    MachineHit hitAt(Point point) const;

    const MachinePicturePtr& pictureAt(Point point) const { return paneAt(point) == 0 ? picture_ : beside_; }

    MachinePicturePtr picture_, beside_;
    QString message_;
};

}  // namespace skein
