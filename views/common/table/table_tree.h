// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHeaderView>
#include <QTreeView>

#include <array>

class QAbstractItemModel;

namespace skein {

class HeldPainting;
class TableHeader;

/// A tree whose first column stays at the left edge while the others scroll sideways, and that does not
/// scroll sideways on its own when a row is selected or brought into sight. Where its model is filled again
/// only cells that look different are painted.
class TableTree : public QTreeView {
    Q_OBJECT

public:
    explicit TableTree(QWidget* parent = nullptr);

    /// How many columns at the left edge stay where they are: 1 at first; 2 where two of them name a row.
    void freezeColumns(int count);
    void scrollTo(const QModelIndex& index, ScrollHint hint = EnsureVisible) override;
    QModelIndex indexAt(const QPoint& point) const override;
    void setModel(QAbstractItemModel* model) override;
    /// To be called before rows or columns change as a whole: see HeldPainting.
    void holdPainting();
    bool holdsPainting() const;

protected:
    void paintEvent(QPaintEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void dataChanged(const QModelIndex& topLeft, const QModelIndex& bottomRight,
                     const QList<int>& roles = {}) override;
    void selectionChanged(const QItemSelection& selected, const QItemSelection& deselected) override;
    void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;

private:
    /// Whether the point is on a frozen column though others were scrolled below it.
    bool onFrozen(const QPoint& point) const;
    /// Where the frozen columns have the point.
    QPoint inFrozen(const QPoint& point) const { return {point.x() - horizontalOffset(), point.y()}; }
    template <typename Handler>
    void handle(QMouseEvent* event, Handler handler);

    TableHeader* header_ = nullptr;
    HeldPainting* cells_ = nullptr;
    HeldPainting* titles_ = nullptr;
    std::array<HeldPainting*, 2> bars_{};
};

/// The header of such a tree: its first sections stay where they are, and titles need no more room than their
/// text: the sign of the order stands above it, for which the style would leave room beside it.
class TableHeader : public QHeaderView {
    Q_OBJECT

public:
    explicit TableHeader(QWidget* parent) : QHeaderView(Qt::Horizontal, parent) {}

    void freezeSections(int count);
    /// Of all sections that stay. Pixels.
    int frozenWidth() const;

protected:
    QSize sectionSizeFromContents(int logicalIndex) const override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

private:
    template <typename Handler>
    void handle(QMouseEvent* event, Handler handler);

    int frozen_ = 1;
    bool pressedFrozen_ = false;
};

}  // namespace skein
