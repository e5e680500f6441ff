// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStackedWidget>

class QLabel;

namespace skein {

/// The content of a view, or in its place a sentence that says why there is nothing and what to do about it.
class EmptyState : public QStackedWidget {
    Q_OBJECT

public:
    EmptyState(QWidget* content, QWidget* parent);

    /// Fills a view with its content; `focus`, a part of it, takes the view's focus.
    static EmptyState* fill(QWidget& view, QWidget* content, QWidget* focus);

    void showContent() { setCurrentIndex(0); }
    void showMessage(const QString& sentence);
    bool isEmpty() const { return currentIndex() == 1; }
    QString message() const;

private:
    QLabel* label_ = nullptr;
};

}  // namespace skein
