// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/table/table_picture.h"

#include "views/common/table/table_delegate.h"
#include "views/common/table/table_text.h"

#include <QBrush>
#include <QColor>
#include <QTreeView>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace skein {
namespace {

constexpr double kCellPad = 6;  ///< logical pixels
constexpr double kIndent = 14;
constexpr double kSwatchSide = 10;
constexpr double kLeastName = 140;

Color colorOf(const QColor& color)
{
    return {static_cast<std::uint8_t>(color.red()), static_cast<std::uint8_t>(color.green()),
            static_cast<std::uint8_t>(color.blue()), static_cast<std::uint8_t>(color.alpha())};
}

class TablePainter {
public:
    TablePainter(const QTreeView& table, const Canvas& canvas)
        : table_(table),
          model_(*table.model()),
          canvas_(canvas),
          theme_(canvas.theme()),
          rowHeight_(std::ceil(canvas.lineHeight(FontStyle::Normal)) + canvas.px(6))
    {
        takeRows();
        takeColumns();
    }

    double columnsWidth() const { return right_; }

    DrawList draw()
    {
        list_.width = canvas_.width;
        list_.background = theme_.background;
        drawHeader();
        for (std::size_t row = 0; row < rows_.size(); ++row) drawRow(row);
        double bottom = rowHeight_ * static_cast<double>(rows_.size() + 1);
        if (const std::string missing = missingText(); !missing.empty()) {
            list_.text({canvas_.px(kCellPad), bottom, canvas_.width - canvas_.px(kCellPad), rowHeight_},
                       missing, theme_.secondaryText, FontStyle::Small);
            bottom += rowHeight_;
        }
        list_.height = static_cast<int>(bottom + 1);
        return std::move(list_);
    }

private:
    struct Column {
        int logical = 0;
        double x = 0;
        double width = 0;
        bool right = false;
    };

    void takeRows()
    {
        const auto most = static_cast<std::size_t>(std::max(1.0, canvas_.height / rowHeight_ - 2));
        for (QModelIndex row = model_.index(0, 0); row.isValid(); row = table_.indexBelow(row)) {
            if (rows_.size() < most) rows_.push_back(row);
            else ++missingRows_;
            if (missingRows_ > kMostCounted) break;
        }
    }

    void takeColumns()
    {
        double sum = 0;
        for (const int logical : shownColumns(table_)) {
            const QString title = model_.headerData(logical, Qt::Horizontal).toString();
            const int alignment = model_.headerData(logical, Qt::Horizontal, Qt::TextAlignmentRole).toInt();
            Column column{logical, 0, widthOf(title.toStdString(), FontStyle::Small),
                          (alignment & Qt::AlignRight) != 0};
            for (const QModelIndex& row : rows_)
                column.width = std::max(column.width, contentWidth(row.siblingAtColumn(logical)));
            column.width = std::ceil(column.width + 2 * canvas_.px(kCellPad));
            sum += column.width;
            columns_.push_back(column);
        }
        if (columns_.empty()) return;
        shrinkTexts(sum - canvas_.width);
        columns_[0].width = std::min(columns_[0].width, static_cast<double>(canvas_.width));
        double x = 0;
        for (std::size_t column = 0; column < columns_.size(); ++column) {
            if (column > 0 && x + columns_[column].width > canvas_.width + 0.5) {
                missingColumns_ = columns_.size() - column;
                columns_.resize(column);
                break;
            }
            columns_[column].x = x;
            x += columns_[column].width;
        }
        right_ = x;
    }

    /// Where there is too little room, texts give way first, the widest before others; what still has none is
    /// what stands furthest to the right.
    void shrinkTexts(double over)
    {
        const double least = canvas_.px(kLeastName);
        const auto narrower = [](const Column& a, const Column& b) {
            return std::pair(!a.right, a.width) < std::pair(!b.right, b.width);
        };
        while (over > 0) {
            const auto widest = std::max_element(columns_.begin(), columns_.end(), narrower);
            if (widest->right || widest->width <= least) return;
            double next = least;
            for (const Column& column : columns_)
                if (!column.right && column.width < widest->width) next = std::max(next, column.width);
            const double width = std::max(next, widest->width - over);
            if (!(width < widest->width)) return;  // what is left is less than a number can tell
            over -= widest->width - width;
            widest->width = width;
        }
    }

    double widthOf(const std::string& text, FontStyle style) const
    {
        return canvas_.measure.width(text, style);
    }

    double indentOf(const QModelIndex& cell) const
    {
        double indent = 0;
        if (cell.column() == 0) {
            for (QModelIndex parent = cell.parent(); parent.isValid(); parent = parent.parent())
                indent += canvas_.px(kIndent);
        }
        if (cell.data(kSwatchRole).isValid()) indent += canvas_.px(kSwatchSide) + canvas_.px(4);
        return indent;
    }

    double contentWidth(const QModelIndex& cell) const
    {
        return indentOf(cell) + widthOf(cell.data().toString().toStdString(), FontStyle::Normal);
    }

    void drawHeader()
    {
        list_.fillRect({0, 0, right_, rowHeight_}, theme_.panel);
        for (const Column& column : columns_) {
            const Rect box{column.x + canvas_.px(kCellPad), 0, column.width - 2 * canvas_.px(kCellPad),
                           rowHeight_};
            const std::string title =
                model_.headerData(column.logical, Qt::Horizontal).toString().toStdString();
            list_.text(box, elideMiddle(title, box.width + 1, FontStyle::Small, canvas_.measure),
                       theme_.secondaryText, FontStyle::Small, column.right ? Align::Right : Align::Left);
        }
        list_.fillRect({0, rowHeight_ - canvas_.px(1), right_, canvas_.px(1)}, theme_.frame);
    }

    void drawRow(std::size_t row)
    {
        const double top = rowHeight_ * static_cast<double>(row + 1);
        if (row % 2 == 1) list_.fillRect({0, top, right_, rowHeight_}, theme_.stripe);
        for (const Column& column : columns_)
            drawCell(rows_[row].siblingAtColumn(column.logical), column, top);
    }

    void drawCell(const QModelIndex& cell, const Column& column, double top)
    {
        const double pad = canvas_.px(kCellPad), indent = indentOf(cell);
        if (const QVariant background = cell.data(Qt::BackgroundRole); background.isValid())
            list_.fillRect({column.x, top, column.width, rowHeight_},
                           colorOf(background.value<QBrush>().color()));
        if (const QVariant bar = cell.data(kBarRole); bar.isValid())
            list_.fillRect({column.x + pad / 2, top + canvas_.px(3),
                            std::round((column.width - pad) * std::clamp(bar.toDouble(), 0.0, 1.0)),
                            rowHeight_ - 2 * canvas_.px(3)},
                           withAlpha(theme_.accent, 56));
        if (const QVariant swatch = cell.data(kSwatchRole); swatch.isValid()) {
            const double side = canvas_.px(kSwatchSide);
            list_.items.push_back(RectItem{{column.x + pad + indent - side - canvas_.px(4),
                                            std::round(top + (rowHeight_ - side) / 2), side, side},
                                           colorOf(swatch.value<QColor>()),
                                           theme_.frame,
                                           1,
                                           0,
                                           {}});
        }
        const Rect box{column.x + pad + indent, top, column.width - 2 * pad - indent, rowHeight_};
        const std::string text = cell.data().toString().toStdString();
        const std::string shown = cell.data(kRegionRole).toBool()
            ? elideName(text, box.width + 1, FontStyle::Normal, canvas_.measure)
            : elideMiddle(text, box.width + 1, FontStyle::Normal, canvas_.measure);
        list_.text(box, shown, cell.data(kWarnRole).toBool() ? theme_.warning : theme_.text,
                   FontStyle::Normal, column.right ? Align::Right : Align::Left);
    }

    std::string missingText() const
    {
        std::string text;
        if (missingRows_ > kMostCounted) text = fmt::format("more than {} more rows", kMostCounted);
        else if (missingRows_ > 0)
            text = fmt::format("{} more row{}", missingRows_, missingRows_ == 1 ? "" : "s");
        if (missingColumns_ > 0)
            text += fmt::format("{}{} more column{}", text.empty() ? "" : ", ", missingColumns_,
                                missingColumns_ == 1 ? "" : "s");
        return text;
    }

    static constexpr std::size_t kMostCounted = 100'000;

    const QTreeView& table_;
    const QAbstractItemModel& model_;
    const Canvas& canvas_;
    const Theme& theme_;
    double rowHeight_;
    std::vector<QModelIndex> rows_;
    std::vector<Column> columns_;
    std::size_t missingRows_ = 0;
    std::size_t missingColumns_ = 0;
    double right_ = 0;
    DrawList list_;
};

}  // namespace

DrawList tablePicture(const QTreeView& table, const Canvas& canvas)
{
    return TablePainter(table, canvas).draw();
}

int tablePictureWidth(const QTreeView& table, const Canvas& canvas)
{
    return static_cast<int>(std::ceil(TablePainter(table, canvas).columnsWidth()));
}

}  // namespace skein
