// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/experiment.h"
#include "views/common/table/sorted_model.h"

#include <QAbstractTableModel>

namespace skein {

/// The findings of the imports of a session, gravest first.
class IssueModel : public SortedModel<QAbstractTableModel> {
    Q_OBJECT

public:
    enum Column { kIssue, kSeverity, kCount, kFile, kLocation, kOffset, kDetail, kAdvice, kColumnCount };

    explicit IssueModel(QObject* parent = nullptr) : SortedModel(kSeverity, Qt::DescendingOrder, parent) {}

    void setSession(const SessionPtr& session);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

protected:
    void arrange() override;
    RowKey keyOf(const QModelIndex& index) const override;
    QModelIndex indexOfKey(RowKey key, int column) const override;

private:
    struct Row {
        const Experiment* experiment = nullptr;
        const Issue* issue = nullptr;
    };

    QString text(const Row& row, int column) const;
    QVariant sortKey(const Row& row, int column) const;

    SessionPtr session_;                      ///< keeps what the rows point at
    std::vector<std::vector<Issue>> issues_;  ///< [experiment], as they are told
    std::vector<Row> rows_;
};

}  // namespace skein
