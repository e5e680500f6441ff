// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLayout>

#include <memory>
#include <vector>

namespace skein {

/// A row of controls that goes on in further lines where a panel is narrow. Controls shrink a little first;
/// what a stretch stands before ends at the right edge; what a user writes in takes the room that is left.
/// Height depends on width. For the thread of the window, as every layout.
class WrapLayout : public QLayout {
    Q_OBJECT

public:
    explicit WrapLayout(QWidget* parent = nullptr);
    ~WrapLayout() override;

    void addStretch();
    /// Before the item at `index`, from 0 to count().
    void insertWidget(int index, QWidget* widget);

    void addItem(QLayoutItem* item) override;
    int count() const override;
    QLayoutItem* itemAt(int index) const override;
    QLayoutItem* takeAt(int index) override;
    Qt::Orientations expandingDirections() const override;
    bool hasHeightForWidth() const override;
    int heightForWidth(int widthPx) const override;
    QSize minimumSize() const override;
    QSize sizeHint() const override;
    void setGeometry(const QRect& rect) override;

private:
    using Line = std::vector<QLayoutItem*>;

    std::vector<Line> linesFor(int widthPx) const;
    void placeLine(const Line& line, const QRect& rect) const;

    std::vector<std::unique_ptr<QLayoutItem>> items_;
};

}  // namespace skein
