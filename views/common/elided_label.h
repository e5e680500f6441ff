// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>

namespace skein {

/// One line of plain text that ends in "…" where it has no room, and then tells all of it in its tool tip: a
/// long caption does not keep its panel wide.
class ElidedLabel : public QLabel {
    Q_OBJECT

public:
    using QLabel::QLabel;

    void setText(const QString& text);
    /// All of the text; text() is what is shown of it.
    const QString& fullText() const { return fullText_; }
    /// From now on it wants the room of the longest text so far, so that what stands beside it stays where it
    /// is while numbers change.
    void keepWidest() { keepsWidest_ = true; }
    /// Asks for room in steps: for a text that is a few pixels longer the whole window would be laid out
    /// again, and the lines between its panels painted.
    void stepRoom() { roomStep_ = 32; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void measure();
    int withMargins(int textPx) const;
    int roomPx() const;
    void showWhatFits();
    void showInstead(const QString& shown);

    QString fullText_;
    int fullTextPx_ = 0;  ///< its width: to shape a text takes long, and layouts ask often
    bool keepsWidest_ = false;
    int roomStep_ = 1;  ///< pixels
    int widest_ = 0;    ///< of all texts so far; 0: not kept
};

}  // namespace skein
