// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QAbstractTableModel>

#include "views/comm_matrix/comm_matrix_table_scene.h"
#include "views/common/table/sorted_model.h"

#include <vector>

namespace skein {

/// The cells of the communication matrix as rows of a table. Of a difference every value has three columns:
/// as it is, as tried, and the change.
class CommMatrixModel : public SortedModel<QAbstractTableModel> {
    Q_OBJECT

public:
    enum Column { kSender, kReceiver, kBytes, kMessages, kMeanSize, kHops, kTime, kColumnCount };

    explicit CommMatrixModel(QObject* parent) : SortedModel(kBytes, Qt::DescendingOrder, parent) {}

    /// Null: nothing.
    void setMatrix(CommMatrixTablePtr table);
    const CommMatrixTablePtr& matrix() const { return table_; }
    const CommMatrixCell& cellOf(const QModelIndex& index) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

protected:
    void arrange() override;
    RowKey keyOf(const QModelIndex& index) const override;
    QModelIndex indexOfKey(RowKey key, int column) const override;

private:
    bool compares() const { return table_ && !table_->befores.empty(); }
    CommValue valueIn(int column) const;
    double value(std::uint32_t cell, int column) const;
    QString text(std::uint32_t cell, int column) const;

    CommMatrixTablePtr table_;
    std::vector<std::uint32_t> order_;
    std::vector<int> placeOf_;
};

}  // namespace skein
