// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QAbstractTableModel>

#include "views/common/scene/data/session_causality.h"
#include "views/common/table/sorted_model.h"

#include <string>
#include <vector>

namespace skein {

/// Which pairs a table shows.
enum class CausalDirection : std::uint8_t {
    From,  ///< what leads the metric
    To,    ///< what the metric leads
    Both,  ///< all pairs
};

/// Pairs of metrics of which the first may lead the second, as a table of Qt.
class CausalityModel : public SortedModel<QAbstractTableModel> {
    Q_OBJECT

public:
    enum Column { kFrom, kTo, kP, kResponse, kStep, kShare, kColumnCount };

    explicit CausalityModel(QObject* parent) : SortedModel(kP, Qt::AscendingOrder, parent) {}

    /// `metric` counts unless the direction is Both.
    void setRows(SessionCausalityPtr causality, CausalDirection direction, const std::string& metric);
    void setThreshold(double threshold);
    void setTheme(bool dark);

    const CausalLink& link(int row) const { return links_[order_[static_cast<std::size_t>(row)]]; }
    bool significant(int row) const { return link(row).pValue < threshold_; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

protected:
    void arrange() override;
    RowKey keyOf(const QModelIndex& index) const override;
    QModelIndex indexOfKey(RowKey key, int column) const override;

private:
    QString text(const CausalLink& link, int column) const;
    QVariant exact(const CausalLink& link, int column) const;

    SessionCausalityPtr causality_;
    std::vector<CausalLink> links_;
    std::vector<std::size_t> order_;  ///< rows as they stand
    double threshold_ = 0.05;
    bool dark_ = false;
};

}  // namespace skein
