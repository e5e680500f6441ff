// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/import_report/issue_model.h"

#include "core/base/units.h"
#include "views/common/table/column_headers.h"
#include "views/common/table/table_delegate.h"
#include "views/common/utf8_text.h"

#include <algorithm>

namespace skein {
namespace {

bool isNumber(int column) { return column == IssueModel::kCount || column == IssueModel::kOffset; }

ColumnAlignment issueAlignment(int column)
{
    return !isNumber(column) ? ColumnAlignment::Left : ColumnAlignment::Right;
}

constexpr ColumnHeader kIssueHeaders[] = {
    {"Finding", ""}, {"Severity", ""},     {"Count", ""},
    {"File", ""},    {"Location", ""},     {"Offset", "Byte, record or line number in the file"},
    {"First", ""},   {"What it means", ""}};

}  // namespace

void IssueModel::setSession(const SessionPtr& session)
{
    beginResetModel();
    session_ = session;
    rows_.clear();
    issues_.clear();
    if (session)
        for (const ExperimentPtr& experiment : session->experiments)
            issues_.push_back(experiment->report.summary());
    for (std::size_t number = 0; number < issues_.size(); ++number)
        for (const Issue& issue : issues_[number])
            rows_.push_back({session->experiments[number].get(), &issue});
    arrange();
    endResetModel();
}

int IssueModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int IssueModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : kColumnCount; }

QString IssueModel::text(const Row& row, int column) const
{
    const IssueDescription& description = describe(row.issue->kind);
    switch (column) {
    case kIssue: return toQString(description.name);
    case kSeverity: return toQString(name(description.severity));
    case kCount: return toQString(formatGrouped(static_cast<std::int64_t>(row.issue->count)));
    case kFile: return toQString(row.issue->file.empty() ? row.experiment->name : row.issue->file);
    case kLocation: return toQString(row.issue->location);
    case kOffset: return row.issue->offset < 0 ? QString() : toQString(formatGrouped(row.issue->offset));
    case kDetail: return toQString(row.issue->detail);
    case kAdvice: return toQString(description.advice);
    default: return {};
    }
}

QVariant IssueModel::sortKey(const Row& row, int column) const
{
    switch (column) {
    case kSeverity: return static_cast<int>(describe(row.issue->kind).severity);
    case kCount: return static_cast<qulonglong>(row.issue->count);
    case kOffset: return static_cast<qlonglong>(row.issue->offset);
    default: return text(row, column);
    }
}

QVariant IssueModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid()) return {};
    const Row& row = rows_[static_cast<std::size_t>(index.row())];
    if (role == Qt::DisplayRole || role == Qt::ToolTipRole) return text(row, index.column());
    if (role == kSortRole) return sortKey(row, index.column());
    if (role == kWarnRole)
        return index.column() == kSeverity && describe(row.issue->kind).severity != Severity::Information;
    if (role == Qt::TextAlignmentRole) return alignmentData(issueAlignment(index.column()));
    return {};
}

QVariant IssueModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    return columnHeaderData(kIssueHeaders, section, orientation, role, issueAlignment(section));
}

void IssueModel::arrange()
{
    const int column = sortColumn();
    std::stable_sort(rows_.begin(), rows_.end(), [&](const Row& a, const Row& b) {
        const auto compared = QVariant::compare(sortKey(a, column), sortKey(b, column));
        return sortOrder() == Qt::AscendingOrder ? compared == QPartialOrdering::Less
                                                 : compared == QPartialOrdering::Greater;
    });
}

RowKey IssueModel::keyOf(const QModelIndex& index) const
{
    return {reinterpret_cast<std::uintptr_t>(rows_[static_cast<std::size_t>(index.row())].issue), 0};
}

QModelIndex IssueModel::indexOfKey(RowKey key, int column) const
{
    const auto found = std::find_if(rows_.begin(), rows_.end(), [&](const Row& row) {
        return reinterpret_cast<std::uintptr_t>(row.issue) == key.first;
    });
    return index(static_cast<int>(found - rows_.begin()), column);
}

}  // namespace skein
