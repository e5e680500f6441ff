// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QStringList>
#include <QWidget>

#include <functional>

namespace skein {

/// A scale of colours with a text at its left end, its middle and its right end, and what it is of above it.
class ColorStrip : public QWidget {
    Q_OBJECT

public:
    explicit ColorStrip(QWidget* parent = nullptr);

    /// `colorOf` is asked for parts of the strip in 0…1.
    void showScale(const QStringList& texts, std::function<QColor(double)> colorOf,
                   const QString& title = {});
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    int titleHeight() const;

    QStringList texts_;
    QString title_;
    std::function<QColor(double)> colorOf_;
};

}  // namespace skein
