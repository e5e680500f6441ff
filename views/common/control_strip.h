// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QScrollArea>

namespace skein {

class WrapLayout;

/// The row of controls above a panel's picture. Where a panel is so low that its lines would leave less than
/// kLeastPicturePx to the picture, they are scrolled. A child of the panel.
class ControlStrip : public QScrollArea {
    Q_OBJECT

public:
    static constexpr int kLeastPicturePx = 200;

    explicit ControlStrip(QWidget* panel);

    /// Where the controls go.
    WrapLayout& row() const { return *row_; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int widthPx) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    WrapLayout* row_ = nullptr;
};

}  // namespace skein
