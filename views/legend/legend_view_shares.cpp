// SPDX-License-Identifier: GPL-3.0-or-later
// What part of the scope's own time each group and region of the legend took.
#include "views/common/scope_head.h"
#include "views/common/selection_model.h"
#include "views/common/task_runner.h"
#include "views/legend/legend_view.h"

#include <QTreeWidget>

#include <set>
#include <utility>

namespace skein {
namespace {

constexpr int kLegendDelayMs = 30;  ///< a drag sends many spans

}  // namespace

void LegendView::prepareSums()
{
    delay_.setSingleShot(true);
    delay_.setInterval(kLegendDelayMs);
    connect(&delay_, &QTimer::timeout, this, [this] {
        if (session_) sumUp();
    });
    connect(head_, &ScopeHead::pinned, &delay_, qOverload<>(&QTimer::start));
}

/// The whole run is known from its index.
void LegendView::sumUp()
{
    const ProfileQuery query{head_->scope().span,
                             withoutRegions(head_->filters()),
                             {},
                             selection().state().clockShiftsNs,
                             results()};
    if (!query.span && query.filters.empty()) {
        tasks().drop("legend");
        return showShares(ownTimeShares(*session_));
    }
    tasks().run<OwnTimeShares>(
        {"legend", tr("Own time by group"), JobVisibility::WhenSlow}, this,
        [session = session_, query](const Task& task) { return ownTimeSharesOf(*session, query, task); },
        [this](Result<OwnTimeShares> shares) {
            if (shares && session_) showShares(std::move(*shares));
        });
}

void LegendView::showShares(OwnTimeShares shares)
{
    shares_ = std::move(shares);
    for (int row = 0; row < tree_->topLevelItemCount(); ++row) {
        QTreeWidgetItem& group = *tree_->topLevelItem(row);
        showShare(group, shareOf(regionsOf(group)));
        for (int child = 0; child < group.childCount(); ++child)
            showShare(*group.child(child), shareOf(regionsOf(*group.child(child))));
    }
}

/// Definitions of one name count as one.
double LegendView::shareOf(const std::vector<RegionRef>& regions) const
{
    std::set<std::string> names;
    for (const RegionRef& region : regions)
        names.insert(displayName(session_->experiments[region.experiment]->definitions.region(region.id)));
    double sum = 0;
    for (const std::string& name : names)
        if (const auto found = shares_.find(name); found != shares_.end()) sum += found->second;
    return sum;
}

void LegendView::showShare(QTreeWidgetItem& item, double share) const
{
    item.setText(2, tr("%1 %").arg(100 * share, 0, 'f', 1));
    item.setTextAlignment(2, Qt::AlignRight | Qt::AlignVCenter);
    item.setToolTip(2, tr("Part of the own time: %1").arg(head_->text()));
}

}  // namespace skein
