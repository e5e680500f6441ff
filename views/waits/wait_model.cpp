// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/waits/wait_model.h"

#include "core/base/units.h"
#include "core/session/experiment_titles.h"
#include "views/common/table/column_headers.h"
#include "views/common/table/number_text.h"
#include "views/common/table/region_text.h"
#include "views/common/table/row_places.h"
#include "views/common/table/table_delegate.h"
#include "views/common/theme.h"
#include "views/common/utf8_text.h"

#include <algorithm>
#include <limits>

namespace skein {
namespace {

bool isWaitText(int column)
{
    return column == WaitModel::kName || column == WaitModel::kKind || column == WaitModel::kCause;
}

/// "late sender", or "late sender 83 %" where there are others.
QString withShare(const QString& name, TimeNs part, TimeNs whole)
{
    return part == whole || whole <= 0
        ? name
        : QString("%1 %2 %").arg(name).arg(100.0 * tableNs(part) / tableNs(whole), 0, 'f', 0);
}

/// A part of the time in MPI; 0 where it is not told.
TimeNs mpiPart(const WaitRow& row, int column)
{
    if (!row.mpi) return 0;
    if (column == WaitModel::kWork) return row.mpi->workNs;
    return column == WaitModel::kUnexplained ? row.mpi->unexplainedNs : row.mpi->mpiNs;
}

bool isDuration(int column)
{
    return column == WaitModel::kTime || column == WaitModel::kLongest || column == WaitModel::kBegin
        || column == WaitModel::kMpi || column == WaitModel::kWork || column == WaitModel::kUnexplained;
}

ColumnAlignment waitAlignment(int column)
{
    return isWaitText(column) ? ColumnAlignment::Left : ColumnAlignment::Right;
}

// A sum's index holds 0, that of a single wait the place of its sum + 1.

std::size_t placeOfSum(const QModelIndex& index)
{
    return index.internalId() == 0 ? static_cast<std::size_t>(index.row())
                                   : static_cast<std::size_t>(index.internalId() - 1);
}

constexpr ColumnHeader kWaitHeaders[] = {
    {"Waiting", "Who or what waited; unfold for the longest single waits"},
    {"% of waiting", "Part of all waiting in the span shown"},
    {"Waiting time", "Time lost by waiting"},
    {"Waits", "How many calls waited"},
    {"Longest", "The longest wait"},
    {"Kind", "The pattern that most time was lost to"},
    {"Waited for", "The location that let it wait; a click selects what it did"},
    {"In MPI", "All time in calls of the region: waiting, transfer and work, and what is not explained"},
    {"Transfer, work", "The rest of calls that were analysed, and of those that never wait"},
    {"Not explained", "The rest of calls of which nothing is known"},
    {"Begins at", "When a single wait begins"}};

}  // namespace

void WaitModel::setRows(WaitRows rows, SessionPtr session)
{
    beginResetModel();
    rows_ = std::move(rows);
    session_ = std::move(session);
    arrange();
    endResetModel();
}

void WaitModel::clear() { setRows({}, nullptr); }

void WaitModel::setDarkTheme(bool dark)
{
    dark_ = dark;
    if (rowCount() > 0) Q_EMIT dataChanged(index(0, kKind), index(rowCount() - 1, kKind), {kSwatchRole});
}

double WaitModel::value(const WaitRow& row, int column) const
{
    constexpr double kNotTold = std::numeric_limits<double>::quiet_NaN();
    switch (column) {
    case kPercent: return rows_.totalNs > 0 ? tableNs(row.sum.totalNs) / tableNs(rows_.totalNs) : 0;
    case kCount: return static_cast<double>(row.sum.count);
    case kLongest: return tableNs(row.sum.longestNs);
    case kMpi:
    case kWork:
    case kUnexplained: return row.mpi ? tableNs(mpiPart(row, column)) : kNotTold;
    case kBegin: return row.longest.empty() ? 0 : tableNs(row.longest.front().beginNs);
    default: return tableNs(row.sum.totalNs);
    }
}

void WaitModel::arrange()
{
    order_.clear();
    for (std::uint32_t row = 0; row < rows_.rows.size(); ++row) order_.push_back(row);
    if (isWaitText(sortColumn()))
        sortByText(order_, sortOrder(),
                   [this](std::uint32_t row) { return sumText(rows_.rows[row], sortColumn()); });
    else
        sortByNumber(order_, sortOrder(),
                     [this](std::uint32_t row) { return value(rows_.rows[row], sortColumn()); });
    placeOf_ = placesOf(order_, rows_.rows.size());
}

QModelIndex WaitModel::index(int row, int column, const QModelIndex& parent) const
{
    if (row < 0 || row >= rowCount(parent) || column < 0 || column >= kColumnCount) return {};
    return createIndex(row, column, parent.isValid() ? static_cast<quintptr>(parent.row()) + 1 : 0);
}

QModelIndex WaitModel::parent(const QModelIndex& index) const
{
    if (!index.isValid() || index.internalId() == 0) return {};
    return createIndex(static_cast<int>(index.internalId() - 1), 0, quintptr{0});
}

int WaitModel::rowCount(const QModelIndex& parent) const
{
    if (!parent.isValid()) return static_cast<int>(order_.size());
    if (parent.internalId() != 0 || parent.column() != 0) return 0;
    return static_cast<int>(row(parent).longest.size());
}

int WaitModel::columnCount(const QModelIndex&) const { return kColumnCount; }

const WaitRow& WaitModel::row(const QModelIndex& index) const
{
    return rows_.rows[order_[placeOfSum(index)]];
}

const SingleWait* WaitModel::wait(const QModelIndex& index) const
{
    if (!index.isValid() || index.internalId() == 0) return nullptr;
    return &row(index).longest[static_cast<std::size_t>(index.row())];
}

QString WaitModel::locationName(std::uint32_t experiment, LocationId location) const
{
    return toQString(causeName(*session_->experiments[experiment], location));
}

QString WaitModel::sumText(const WaitRow& row, int column) const
{
    switch (column) {
    case kName: {
        const QString name =
            rows_.grouping == WaitGrouping::Region ? shortRegionName(row.name) : toQString(row.name);
        return session_->experiments.size() > 1
            ? name + " · " + toQString(experimentTitles(*session_)[row.experiment])
            : name;
    }
    case kPercent: return tablePercent(value(row, column));
    case kTime: return tableDuration(tableNs(row.sum.totalNs));
    case kCount: return tableCount(static_cast<double>(row.sum.count));
    case kLongest: return tableDuration(tableNs(row.sum.longestNs));
    case kMpi:
    case kWork:
    case kUnexplained: return row.mpi ? tableDuration(tableNs(mpiPart(row, column))) : QString();
    case kKind:
        if (row.sum.count == 0) return {};
        return withShare(toQString(skein::name(row.kind)),
                         row.sum.byKindNs[static_cast<std::size_t>(row.kind)], row.sum.totalNs);
    case kCause:
        if (row.sum.count == 0) return {};
        return withShare(locationName(row.experiment, row.cause), row.causeNs, row.sum.totalNs);
    default: return {};
    }
}

QString WaitModel::waitText(const WaitRow& row, const SingleWait& wait, int column) const
{
    const WaitState& state = wait.state;
    const Experiment& experiment = *session_->experiments[row.experiment];
    const QString location = locationName(row.experiment, state.location);
    switch (column) {
    case kName: {
        if (rows_.grouping == WaitGrouping::Region) return location;
        const QString region =
            shortRegionName(experiment.definitions.region(waitRegion(experiment, state)).name);
        return rows_.grouping == WaitGrouping::Location ? region : location + " · " + region;
    }
    case kTime: return tableDuration(tableNs(state.lengthNs()));
    case kKind: return toQString(skein::name(state.kind));
    case kCause: {
        QString cause = locationName(row.experiment, state.cause);
        if (state.causeInterval == kNoInterval) return cause;
        const auto& calls = experiment.trace->locations[state.cause.index()].intervals;
        const RegionId region = experiment.callTree->region(CallPathId(calls.callPath[state.causeInterval]));
        return cause + " · " + shortRegionName(experiment.definitions.region(region).name);
    }
    case kBegin: return tableDuration(tableNs(wait.beginNs));
    default: return {};
    }
}

QVariant WaitModel::sumData(const WaitRow& row, int column, int role) const
{
    switch (role) {
    case Qt::DisplayRole: return sumText(row, column);
    case Qt::ToolTipRole:
        if (column == kCause && row.sum.count > 0)
            return tr("Click to select the location that most of this time was spent waiting for");
        return column == kTime ? QVariant(exactDuration(tableNs(row.sum.totalNs))) : QVariant();
    case kBarRole:
        return column == kPercent && rows_.totalNs > 0
            ? QVariant(tableNs(row.sum.totalNs) / tableNs(rows_.rows.front().sum.totalNs))
            : QVariant();
    case kSortRole:
        if (column == kBegin) return {};
        return isWaitText(column) ? QVariant(sumText(row, column)) : QVariant(value(row, column));
    case kSwatchRole:
        return column == kKind && row.sum.count > 0 ? QVariant(toQColor(waitColor(row.kind, dark_)))
                                                    : QVariant();
    case kRegionRole: return column == kName && rows_.grouping == WaitGrouping::Region;
    default: return {};
    }
}

QVariant WaitModel::waitData(const WaitRow& row, const SingleWait& wait, int column, int role) const
{
    switch (role) {
    case Qt::DisplayRole: return waitText(row, wait, column);
    case Qt::ToolTipRole:
        if (column == kCause) return tr("Click to select the call that it waited for");
        return column == kTime ? QVariant(exactDuration(tableNs(wait.state.lengthNs()))) : QVariant();
    case kSortRole:
        if (column == kTime) return tableNs(wait.state.lengthNs());
        return column == kBegin ? QVariant(tableNs(wait.beginNs)) : QVariant();
    case kSwatchRole:
        return column == kKind ? QVariant(toQColor(waitColor(wait.state.kind, dark_))) : QVariant();
    default: return {};
    }
}

QVariant WaitModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid()) return {};
    const int column = index.column();
    if (role == Qt::TextAlignmentRole) return alignmentData(waitAlignment(column));
    if (role == kUnitRole && isDuration(column)) return QString("ms");
    const SingleWait* single = wait(index);
    return single ? waitData(row(index), *single, column, role) : sumData(row(index), column, role);
}

QVariant WaitModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    return columnHeaderData(kWaitHeaders, section, orientation, role, waitAlignment(section));
}

/// A sum, or one of the waits below it, counted from 1; these keep their order.
RowKey WaitModel::keyOf(const QModelIndex& index) const
{
    const std::uint64_t wait = index.internalId() == 0 ? 0 : static_cast<std::uint64_t>(index.row()) + 1;
    return {order_[placeOfSum(index)], wait};
}

QModelIndex WaitModel::indexOfKey(RowKey key, int column) const
{
    const int place = placeOf_[key.first];
    if (key.second == 0) return createIndex(place, column, quintptr{0});
    return createIndex(static_cast<int>(key.second - 1), column, static_cast<quintptr>(place) + 1);
}

}  // namespace skein
