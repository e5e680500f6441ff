// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSplitter>

namespace skein {

/// A picture and the table of its numbers: the table stands below, and beside it where that would leave
/// neither any room.
class TurningSplitter : public QSplitter {
    Q_OBJECT

public:
    /// Lower than this many pixels its parts stand side by side.
    static constexpr int kLowPx = 340;

    explicit TurningSplitter(QWidget* parent = nullptr) : QSplitter(Qt::Vertical, parent) {}

protected:
    void resizeEvent(QResizeEvent* event) override;
};

}  // namespace skein
