// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/causality/causality_model.h"

#include "views/common/scene/data/session_behavior.h"
#include "views/common/table/column_headers.h"
#include "views/common/table/number_text.h"
#include "views/common/table/table_delegate.h"
#include "views/common/utf8_text.h"

#include <QBrush>
#include <QColor>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace skein {
namespace {

/// What lies behind a significant pair; text stays readable on it.
constexpr QRgb kSignificantLight = 0xfffff3b0, kSignificantDark = 0xff5a4d00;

/// By what a column sorts; what is not known comes last in either order's sense of small.
double causalKey(const CausalLink& link, int column)
{
    switch (column) {
    case CausalityModel::kP: return std::isnan(link.pValue) ? 2.0 : link.pValue;
    case CausalityModel::kResponse: return std::isnan(link.response) ? -1.0 : std::abs(link.response);
    case CausalityModel::kStep: return static_cast<double>(link.step);
    case CausalityModel::kShare: return std::isnan(link.share) ? -1.0 : link.share;
    default: return 0;
    }
}

/// In the unit of the metric that answers.
QString responseText(const std::string& metric, double response)
{
    BehaviorRequest request;
    request.metric = metric;
    const QString amount = toQString(behaviorAmount(request, std::abs(response)));
    return response < 0 ? QString::fromUtf8("−") + amount : amount;
}

bool belongs(const CausalLink& link, CausalDirection direction, std::size_t metric)
{
    if (direction == CausalDirection::Both) return true;
    return (direction == CausalDirection::From ? link.to : link.from) == metric;
}

}  // namespace

void CausalityModel::setRows(SessionCausalityPtr causality, CausalDirection direction,
                             const std::string& metric)
{
    beginResetModel();
    causality_ = std::move(causality);
    links_.clear();
    if (causality_) {
        const auto& names = causality_->variables.columns;
        const auto place =
            static_cast<std::size_t>(std::find(names.begin(), names.end(), metric) - names.begin());
        std::copy_if(causality_->links.begin(), causality_->links.end(), std::back_inserter(links_),
                     [&](const CausalLink& link) { return belongs(link, direction, place); });
    }
    order_.resize(links_.size());
    arrange();
    endResetModel();
}

void CausalityModel::setThreshold(double threshold)
{
    threshold_ = threshold;
    if (rowCount() > 0) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, kColumnCount - 1));
}

void CausalityModel::setTheme(bool dark)
{
    dark_ = dark;
    if (rowCount() > 0) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, kColumnCount - 1));
}

int CausalityModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(order_.size());
}

int CausalityModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : kColumnCount;
}

QString CausalityModel::text(const CausalLink& link, int column) const
{
    const QString unknown = QString::fromUtf8("–");
    switch (column) {
    case kFrom: return toQString(causality_->name(link.from));
    case kTo: return toQString(causality_->name(link.to));
    case kP: return std::isnan(link.pValue) ? unknown : QString::number(link.pValue, 'g', 3);
    case kResponse:
        return std::isnan(link.response) ? unknown : responseText(causality_->name(link.to), link.response);
    case kStep: return std::isnan(link.response) ? unknown : QString::number(link.step);
    case kShare: return std::isnan(link.share) ? unknown : tablePercent(link.share);
    default: return {};
    }
}

QVariant CausalityModel::exact(const CausalLink& link, int column) const
{
    switch (column) {
    case kP: return link.pValue;
    case kResponse: return link.response;
    case kStep:
        return std::isnan(link.response) ? std::numeric_limits<double>::quiet_NaN()
                                         : static_cast<double>(link.step);
    case kShare: return link.share;
    default: return text(link, column);
    }
}

QVariant CausalityModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid()) return {};
    const CausalLink& shown = link(index.row());
    if (role == Qt::DisplayRole) return text(shown, index.column());
    if (role == Qt::TextAlignmentRole && index.column() > kTo)
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role == kSortRole) return exact(shown, index.column());
    if (role == Qt::BackgroundRole && significant(index.row()))
        return QBrush(QColor(dark_ ? kSignificantDark : kSignificantLight));
    if (role == Qt::ToolTipRole)
        return significant(index.row())
            ? tr("Significant: %1 helps to foretell %2").arg(text(shown, kFrom), text(shown, kTo))
            : tr("Not significant");
    return {};
}

QVariant CausalityModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal) return {};
    static constexpr const char* kHints[] = {
        QT_TR_NOOP("The metric whose past helps to foretell the other one"),
        QT_TR_NOOP("The metric that is foretold"),
        QT_TR_NOOP("Granger test: how likely such a result is where nothing leads"),
        QT_TR_NOOP("The largest answer to a shock of one standard deviation"),
        QT_TR_NOOP("The step at which the answer is largest; a step is a bin"),
        QT_TR_NOOP("Of the variance of the forecast's error, in percent"),
    };
    static constexpr const char* kTitles[] = {QT_TR_NOOP("From"),    QT_TR_NOOP("To"),
                                              QT_TR_NOOP("p"),       QT_TR_NOOP("Response"),
                                              QT_TR_NOOP("At step"), QT_TR_NOOP("% share")};
    if (section < 0 || section >= kColumnCount) return {};
    if (role == Qt::DisplayRole) return tr(kTitles[section]);
    if (role == Qt::ToolTipRole) return tr(kHints[section]);
    if (role == Qt::TextAlignmentRole && section > kTo) return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    // Of p the least are looked for.
    if (role == Qt::InitialSortOrderRole)
        return initialOrderData(section > kP ? ColumnAlignment::Right : ColumnAlignment::Left);
    return {};
}

void CausalityModel::arrange()
{
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    const int column = sortColumn();
    std::stable_sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) {
        const bool descending = sortOrder() == Qt::DescendingOrder;
        const CausalLink &left = links_[descending ? b : a], &right = links_[descending ? a : b];
        if (column <= kTo) return text(left, column) < text(right, column);
        return causalKey(left, column) < causalKey(right, column);
    });
}

RowKey CausalityModel::keyOf(const QModelIndex& index) const
{
    const CausalLink& of = link(index.row());
    return {of.from, of.to};
}

QModelIndex CausalityModel::indexOfKey(RowKey key, int column) const
{
    for (int row = 0; row < rowCount(); ++row)
        if (RowKey(link(row).from, link(row).to) == key) return index(row, column);
    return {};
}

}  // namespace skein
