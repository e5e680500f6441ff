// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/anomaly_rules.h"

#include "views/common/linked_selection.h"
#include "views/common/selection_model.h"

namespace skein {
namespace {

/// Panels with a selection of their own judge as the window does.
SelectionModel& anomalyWindowOf(SelectionModel& selection)
{
    auto* linked = qobject_cast<LinkedSelection*>(selection.parent());
    return linked ? linked->window() : selection;
}

}  // namespace

AnomalyRules::AnomalyRules(SelectionModel& window) : QObject(&window) { setObjectName("anomalyRules"); }

AnomalyRules& AnomalyRules::of(SelectionModel& selection)
{
    SelectionModel& window = anomalyWindowOf(selection);
    auto* known = window.findChild<AnomalyRules*>(QString(), Qt::FindDirectChildrenOnly);
    return known ? *known : *new AnomalyRules(window);
}

void AnomalyRules::setSearch(const AnomalySearch& search)
{
    if (search_ == search) return;
    search_ = search;
    Q_EMIT changed();
}

}  // namespace skein
