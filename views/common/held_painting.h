// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QObject>

class QWidget;

namespace skein {

/// For a widget that is filled again as a whole though little of it looks different afterwards: paints where
/// its picture has changed and nothing else. Over a remote display every pixel counts. Belongs to its widget,
/// which has no children.
class HeldPainting : public QObject {
    Q_OBJECT

public:
    explicit HeldPainting(QWidget& widget);

    /// To be called before the contents change; what looks different from what is on the screen is painted
    /// together in one of the next turns of the event loop. Again before that: no effect. Costs one painting
    /// of the widget into memory.
    void hold();
    bool holds() const { return held_; }

private:
    void release();

    QWidget& widget_;
    bool held_ = false;
};

}  // namespace skein
