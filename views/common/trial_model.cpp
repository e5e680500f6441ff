// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/trial_model.h"

#include "views/common/linked_selection.h"
#include "views/common/selection_model.h"

#include <algorithm>
#include <utility>

namespace skein {
namespace {

/// Panels with a selection of their own share the window's trials.
SelectionModel& trialWindowOf(SelectionModel& selection)
{
    auto* linked = qobject_cast<LinkedSelection*>(selection.parent());
    return linked ? linked->window() : selection;
}

}  // namespace

TrialModel::TrialModel(SelectionModel& window) : QObject(&window) { setObjectName("trials"); }

TrialModel& TrialModel::of(SelectionModel& selection)
{
    SelectionModel& window = trialWindowOf(selection);
    auto* known = window.findChild<TrialModel*>(QString(), Qt::FindDirectChildrenOnly);
    return known ? *known : *new TrialModel(window);
}

void TrialModel::keep(CommunicationTrialPtr trial)
{
    std::erase_if(trials_, [&](const CommunicationTrialPtr& known) { return known->name == trial->name; });
    trials_.push_back(std::move(trial));
    Q_EMIT changed();
}

void TrialModel::drop(const std::string& name)
{
    if (std::erase_if(trials_, [&](const CommunicationTrialPtr& known) { return known->name == name; }) > 0)
        Q_EMIT changed();
}

void TrialModel::hold(HeldNodes nodes)
{
    if (held_ == nodes) return;
    held_ = std::move(nodes);
    Q_EMIT heldChanged();
}

}  // namespace skein
