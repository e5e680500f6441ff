// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include "views/common/table/sorted_model.h"

#include <QAbstractTableModel>

#include "core/session/session_clock.h"
#include "views/common/scene/data/session_hand_overs.h"

#include <vector>

namespace skein {

/// The hand-overs of a session as a table, a row each.
class HandOverModel : public SortedModel<QAbstractTableModel> {
    Q_OBJECT

public:
    enum Column {
        kOutput,
        kPart,
        kFrom,
        kTo,
        kSize,
        kWritten,
        kWriting,
        kTaken,
        kWaited,
        kBetween,
        kColumnCount
    };

    explicit HandOverModel(QObject* parent = nullptr);

    /// Null: none. `clock` places their times.
    void setHandOvers(SessionPtr session, SessionHandOversPtr found, SessionClock clock);
    /// The hand-over that a row shows, and the row that shows one; -1: none.
    std::uint32_t numberOf(int row) const { return order_[static_cast<std::size_t>(row)]; }
    int rowOf(std::uint32_t number) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

protected:
    void arrange() override;
    RowKey keyOf(const QModelIndex& index) const override;
    QModelIndex indexOfKey(RowKey key, int column) const override;

private:
    const HandOver& at(std::uint32_t number) const { return found_->placed.handOvers[number]; }
    double number(const HandOver& handOver, int column) const;
    QString text(const HandOver& handOver, int column) const;

    SessionPtr session_;
    SessionHandOversPtr found_;
    SessionClock clock_;
    std::vector<std::uint32_t> order_;
};

}  // namespace skein
