// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHeaderView>
#include <QTreeView>

namespace skein {

/// A tree whose first column stays at the left edge while the others scroll sideways, and that does not
/// scroll sideways on its own when a row is selected or brought into sight.
class TableTree : public QTreeView {
    Q_OBJECT

public:
    explicit TableTree(QWidget* parent = nullptr);

    void scrollTo(const QModelIndex& index, ScrollHint hint = EnsureVisible) override;
    QModelIndex indexAt(const QPoint& point) const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void selectionChanged(const QItemSelection& selected, const QItemSelection& deselected) override;
    void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;

private:
    /// Whether the point is on the first column though others were scrolled below it.
    bool onFrozen(const QPoint& point) const;
    /// Where the first column has the point.
    QPoint inFirst(const QPoint& point) const { return {point.x() - horizontalOffset(), point.y()}; }
    template <typename Handler>
    void handle(QMouseEvent* event, Handler handler);
};

/// The header of such a tree: its first section stays where it is.
class TableHeader : public QHeaderView {
    Q_OBJECT

public:
    explicit TableHeader(QWidget* parent) : QHeaderView(Qt::Horizontal, parent) {}

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

private:
    template <typename Handler>
    void handle(QMouseEvent* event, Handler handler);

    bool pressedFrozen_ = false;
};

}  // namespace skein
