// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractItemModel>

#include <cstdint>
#include <utility>
#include <vector>

namespace skein {

/// What a row stands for whatever the order: a number of the model's own and, below it, another one.
using RowKey = std::pair<std::uint64_t, std::uint64_t>;

/// A model of Qt whose rows are sorted by one of its columns. `Base` is QAbstractTableModel or
/// QAbstractItemModel. Selections and unfolded rows stay with what they stand for.
template <typename Base>
class SortedModel : public Base {
public:
    void sort(int column, Qt::SortOrder order) override
    {
        if (column < 0 || column >= this->columnCount()) return;
        Q_EMIT this->layoutAboutToBeChanged();
        const QModelIndexList before = this->persistentIndexList();
        std::vector<RowKey> meant;
        for (const QModelIndex& index : before) meant.push_back(keyOf(index));
        column_ = column;
        order_ = order;
        arrange();
        QModelIndexList now;
        for (std::size_t i = 0; i < meant.size(); ++i)
            now.push_back(indexOfKey(meant[i], before[static_cast<qsizetype>(i)].column()));
        this->changePersistentIndexList(before, now);
        Q_EMIT this->layoutChanged();
    }

protected:
    SortedModel(int column, Qt::SortOrder order, QObject* parent)
        : Base(parent), column_(column), order_(order)
    {
    }

    int sortColumn() const { return column_; }
    Qt::SortOrder sortOrder() const { return order_; }

    /// Puts the rows into the order of sortColumn() and sortOrder().
    virtual void arrange() = 0;
    virtual RowKey keyOf(const QModelIndex& index) const = 0;
    /// Where the row stands now.
    virtual QModelIndex indexOfKey(RowKey key, int column) const = 0;

private:
    int column_;
    Qt::SortOrder order_;
};

}  // namespace skein
