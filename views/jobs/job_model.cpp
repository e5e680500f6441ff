// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/jobs/job_model.h"

#include "views/common/job_text.h"
#include "views/common/table/table_delegate.h"

#include <algorithm>

namespace skein {

JobModel::JobModel(TaskRunner& tasks, QObject* parent) : QAbstractTableModel(parent), tasks_(tasks)
{
    connect(&tasks_, &TaskRunner::jobsChanged, this, &JobModel::update);
    connect(&tasks_, &TaskRunner::progressed, this, &JobModel::update);
    update();
}

void JobModel::update()
{
    auto fresh = tasks_.jobs();
    std::reverse(fresh.begin(), fresh.end());
    const auto sameId = [](const JobInfo& a, const JobInfo& b) { return a.id == b.id; };
    if (!std::equal(fresh.begin(), fresh.end(), jobs_.begin(), jobs_.end(), sameId)) {
        beginResetModel();
        jobs_ = std::move(fresh);
        endResetModel();
        return;
    }
    jobs_ = std::move(fresh);
    if (!jobs_.empty()) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, kColumnCount - 1));
}

int JobModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(jobs_.size());
}

int JobModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : kColumnCount; }

const JobInfo* JobModel::job(int row) const
{
    return row >= 0 && row < rowCount() ? &jobs_[static_cast<std::size_t>(row)] : nullptr;
}

QString JobModel::text(const JobInfo& job, int column) const
{
    const bool running = job.state == JobState::Running;
    switch (column) {
    case kTitle: return job.title;
    case kState: return stateText(job);
    case kProgress: return running ? percentText(job.fraction) : QString();
    case kTime: return running ? timeLeftText(job) : clockText(job.elapsedMs);
    case kCancel: return running ? tr("✕ Cancel") : QString();
    default: return {};
    }
}

QVariant JobModel::data(const QModelIndex& index, int role) const
{
    const JobInfo* found = index.isValid() ? job(index.row()) : nullptr;
    if (!found) return {};
    if (role == Qt::DisplayRole) return text(*found, index.column());
    if (role == Qt::ToolTipRole) return stateText(*found);
    if (role == kWarnRole) return found->state == JobState::Failed;
    if (role == kBarRole && index.column() == kProgress && found->state == JobState::Running)
        return found->fraction;
    if (role == Qt::TextAlignmentRole && (index.column() == kProgress || index.column() == kTime))
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    return {};
}

QVariant JobModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant((section == kProgress || section == kTime ? Qt::AlignRight : Qt::AlignLeft)
                        | Qt::AlignVCenter);
    if (role != Qt::DisplayRole) return {};
    switch (section) {
    case kTitle: return tr("Job");
    case kState: return tr("Stage");
    case kProgress: return tr("Progress");
    case kTime: return tr("Time");
    default: return QString();
    }
}

}  // namespace skein
