// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLayout>

#include <vector>

namespace skein::gui {

/// Puts widgets beside each other, and into further rows where one is full. Never wider than its widest
/// widget demands, and that one is made narrower than it wishes where there is no room.
class FlowLayout : public QLayout {
    Q_OBJECT

public:
    explicit FlowLayout(QWidget* parent) : QLayout(parent) {}
    ~FlowLayout() override;

    void addItem(QLayoutItem* item) override { items_.push_back(item); }
    int count() const override { return static_cast<int>(items_.size()); }
    QLayoutItem* itemAt(int index) const override;
    QLayoutItem* takeAt(int index) override;
    Qt::Orientations expandingDirections() const override { return {}; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override { return place(QRect(0, 0, width, 0), Placing::Measure); }
    QSize minimumSize() const override;
    QSize sizeHint() const override { return minimumSize(); }
    void setGeometry(const QRect& area) override;

private:
    enum class Placing { Measure, Move };

    /// The height that the rows take in this width.
    int place(const QRect& area, Placing placing) const;

    std::vector<QLayoutItem*> items_;
};

}  // namespace skein::gui
