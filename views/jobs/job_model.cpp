// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/jobs/job_model.h"

#include "views/common/job_text.h"
#include "views/common/table/column_headers.h"
#include "views/common/table/row_places.h"
#include "views/common/table/table_delegate.h"

#include <algorithm>
#include <numeric>

namespace skein {

namespace {

bool isJobNumber(int column) { return column == JobModel::kProgress || column == JobModel::kTime; }

ColumnAlignment jobAlignment(int column)
{
    return isJobNumber(column) ? ColumnAlignment::Right : ColumnAlignment::Left;
}

constexpr ColumnHeader kJobHeaders[] = {
    {"Job", ""},
    {"Stage", ""},
    {"Progress", ""},
    {"Time", "How long it took; of one that runs what is left, as far as that is known"},
    {"", ""}};

}  // namespace

JobModel::JobModel(TaskRunner& tasks, QObject* parent)
    : SortedModel(-1, Qt::AscendingOrder, parent), tasks_(tasks)
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
        arrange();
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
    return row >= 0 && row < rowCount() ? &jobs_[order_[static_cast<std::size_t>(row)]] : nullptr;
}

/// Behind the texts: parts of one, nanoseconds.
double JobModel::number(const JobInfo& job, int column) const
{
    constexpr double kNsInMs = 1e6;
    return column == kProgress ? job.state == JobState::Running ? job.fraction : 1
                               : static_cast<double>(job.elapsedMs) * kNsInMs;
}

void JobModel::arrange()
{
    order_.resize(jobs_.size());
    std::iota(order_.begin(), order_.end(), 0u);
    const int column = sortColumn();
    if (isJobNumber(column))
        sortByNumber(order_, sortOrder(), [&](std::uint32_t job) { return number(jobs_[job], column); });
    else if (column >= 0)
        sortByText(order_, sortOrder(), [&](std::uint32_t job) { return text(jobs_[job], column); });
    rowOf_ = placesOf(order_, jobs_.size());
}

RowKey JobModel::keyOf(const QModelIndex& index) const
{
    return {order_[static_cast<std::size_t>(index.row())], 0};
}

QModelIndex JobModel::indexOfKey(RowKey key, int column) const { return index(rowOf_[key.first], column); }

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
    if (role == kSortRole && isJobNumber(index.column())) return number(*found, index.column());
    if (role == Qt::TextAlignmentRole) return alignmentData(jobAlignment(index.column()));
    return {};
}

QVariant JobModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (role == kExactUnitRole && isJobNumber(section)) return section == kTime ? "ns" : "%";
    return columnHeaderData(kJobHeaders, section, orientation, role, jobAlignment(section));
}

}  // namespace skein
