// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/draw_list_painter.h"

#include <QStyledItemDelegate>

#include <memory>

namespace skein {

/// Roles that the tables of all views share.
enum TableRole {
    kBarRole =
        Qt::UserRole + 100,  ///< double 0…1: a bar behind the number, as long as the part it is of the whole
    kSortRole,               ///< a number or text to sort by
    kSwatchRole,             ///< QColor: a square before the text, the region's colour in the timeline
    kRegionRole,             ///< bool: the text is the name of a region, shortened by its own rules
    kUnitRole,               ///< QString: the widest unit of the column; numbers and units then line up
    kWarnRole,               ///< bool: drawn in the warning colour
    kExactUnitRole,  ///< of a header, QString: the unit of kSortRole's numbers; "%": they are parts of one
};

/// Draws the cells of tables: bars behind numbers, colour swatches before names, numbers apart from their
/// units.
class TableDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;

private:
    QString shortened(const QStyleOptionViewItem& option) const;

    mutable QFont fontOf_;                       ///< that fonts_ were made of
    mutable std::unique_ptr<SceneFonts> fonts_;  ///< with the widths of names measured so far
};

}  // namespace skein
