// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include "views/common/selection_model.h"

namespace skein {

/// The selection model of one panel, which follows that of the window and is followed by it in every part,
/// but for the visible and the marked span while the panel has a time axis of its own.
class LinkedSelection : public QObject {
    Q_OBJECT

public:
    enum class Axis { Linked, Free };

    LinkedSelection(SelectionModel& window, QObject* parent);

    SelectionModel& own() { return own_; }
    SelectionModel& window() { return window_; }
    Axis axis() const { return axis_; }
    /// Linked again, the panel shows the time of the window.
    void setAxis(Axis axis);

Q_SIGNALS:
    void axisChanged();

private:
    ViewParts shared() const;

    SelectionModel& window_;
    SelectionModel own_;
    Axis axis_ = Axis::Linked;
};

}  // namespace skein
