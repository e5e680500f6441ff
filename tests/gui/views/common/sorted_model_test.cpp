// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "views/common/table/row_places.h"
#include "views/common/table/sorted_model.h"

#include <QAbstractTableModel>

#include <cmath>
#include <limits>
#include <numeric>
#include <random>

namespace skein::sorted_model_test {
namespace {

/// Rows of two numbers.
class Numbers : public SortedModel<QAbstractTableModel> {
public:
    explicit Numbers(std::vector<std::pair<double, double>> rows)
        : SortedModel(0, Qt::AscendingOrder, nullptr), rows_(std::move(rows)), order_(rows_.size())
    {
        std::iota(order_.begin(), order_.end(), 0u);
        arrange();
    }
    int rowCount(const QModelIndex& parent = {}) const override
    {
        return parent.isValid() ? 0 : static_cast<int>(order_.size());
    }
    int columnCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : 2; }
    QVariant data(const QModelIndex& index, int role) const override
    {
        return role == Qt::DisplayRole ? QVariant(value(rowAt(index), index.column())) : QVariant();
    }
    std::uint32_t rowAt(const QModelIndex& index) const
    {
        return order_[static_cast<std::size_t>(index.row())];
    }

protected:
    void arrange() override
    {
        sortByNumber(order_, sortOrder(), [this](std::uint32_t row) { return value(row, sortColumn()); });
    }
    RowKey keyOf(const QModelIndex& index) const override { return {rowAt(index), 0}; }
    QModelIndex indexOfKey(RowKey key, int column) const override
    {
        const auto found = std::find(order_.begin(), order_.end(), key.first);
        return index(static_cast<int>(found - order_.begin()), column);
    }

private:
    double value(std::uint32_t row, int column) const
    {
        return column == 0 ? rows_[row].first : rows_[row].second;
    }

    std::vector<std::pair<double, double>> rows_;
    std::vector<std::uint32_t> order_;
};

}  // namespace

TEST_CASE("a sorted model: persistent indexes stay with their rows, and unknown numbers stand last")
{
    std::mt19937 random(3);
    std::vector<std::pair<double, double>> rows;
    for (int row = 0; row < 200; ++row)
        rows.emplace_back(random() % 10,
                          random() % 7 == 0 ? std::numeric_limits<double>::quiet_NaN()
                                            : static_cast<double>(random() % 50));
    Numbers model(rows);
    std::vector<std::pair<QPersistentModelIndex, std::uint32_t>> kept;
    for (int row = 0; row < model.rowCount(); row += 3) {
        const QModelIndex index = model.index(row, row % 2);
        kept.emplace_back(index, model.rowAt(index));
    }
    for (int round = 0; round < 20; ++round) {
        const int column = static_cast<int>(random() % 2);
        const auto order = random() % 2 == 0 ? Qt::AscendingOrder : Qt::DescendingOrder;
        model.sort(column, order);
        model.sort(7, order);  // no such column
        for (int row = 0; row + 1 < model.rowCount(); ++row) {
            const double here = model.index(row, column).data().toDouble();
            const double next = model.index(row + 1, column).data().toDouble();
            if (std::isnan(here)) CHECK(std::isnan(next));
            else if (!std::isnan(next)) CHECK((order == Qt::AscendingOrder ? here <= next : here >= next));
        }
        for (const auto& [index, row] : kept) CHECK(model.rowAt(index) == row);
    }
}

}  // namespace skein::sorted_model_test
