// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/table/sorted_model.h"
#include "views/common/task_runner.h"

#include <QAbstractTableModel>

#include <cstdint>
#include <vector>

namespace skein {

/// The jobs of a task runner, newest first until a title is clicked.
class JobModel : public SortedModel<QAbstractTableModel> {
    Q_OBJECT

public:
    enum Column { kTitle, kState, kProgress, kTime, kCancel, kColumnCount };

    explicit JobModel(TaskRunner& tasks, QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    /// The job of a row; null where there is no such row.
    const JobInfo* job(int row) const;

protected:
    void arrange() override;
    RowKey keyOf(const QModelIndex& index) const override;
    QModelIndex indexOfKey(RowKey key, int column) const override;

private:
    void update();
    double number(const JobInfo& job, int column) const;
    QString text(const JobInfo& job, int column) const;

    TaskRunner& tasks_;
    std::vector<JobInfo> jobs_;  ///< newest first
    std::vector<std::uint32_t> order_;
    std::vector<int> rowOf_;
};

}  // namespace skein
