// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QAbstractItemModel>

#include "core/session/experiment.h"
#include "views/common/table/sorted_model.h"
#include "views/waits/wait_rows.h"

#include <vector>

namespace skein {

/// Sums of wait states as a tree of Qt: below each sum the longest waits it is made of.
class WaitModel : public SortedModel<QAbstractItemModel> {
    Q_OBJECT

public:
    enum Column {
        kName,
        kPercent,
        kTime,
        kCount,
        kLongest,
        kKind,
        kCause,
        kMpi,
        kWork,
        kUnexplained,
        kBegin,
        kColumnCount
    };

    explicit WaitModel(QObject* parent = nullptr) : SortedModel(kTime, Qt::DescendingOrder, parent) {}

    void setRows(WaitRows rows, SessionPtr session);
    void clear();
    void setDarkTheme(bool dark);

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& index) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    /// The sum of a row at the top, or above a single wait.
    const WaitRow& row(const QModelIndex& index) const;
    /// The single wait of a row; null for sums.
    const SingleWait* wait(const QModelIndex& index) const;
    const WaitRows& rows() const { return rows_; }

protected:
    void arrange() override;
    RowKey keyOf(const QModelIndex& index) const override;
    QModelIndex indexOfKey(RowKey key, int column) const override;

private:
    double value(const WaitRow& row, int column) const;
    QVariant sumData(const WaitRow& row, int column, int role) const;
    QVariant waitData(const WaitRow& row, const SingleWait& wait, int column, int role) const;
    QString sumText(const WaitRow& row, int column) const;
    QString waitText(const WaitRow& row, const SingleWait& wait, int column) const;
    QString locationName(std::uint32_t experiment, LocationId location) const;

    WaitRows rows_;
    SessionPtr session_;
    std::vector<std::uint32_t> order_;  ///< rows as they stand
    std::vector<int> placeOf_;          ///< of each row
    bool dark_ = false;
};

}  // namespace skein
