// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/select/view_state.h"
#include "core/session/experiment.h"

#include <QString>

#include <optional>
#include <vector>

class QMenu;
class QWidget;

namespace skein {

class SelectionModel;

/// What was clicked on, as far as it can be filtered in or out. Empty parts are not offered.
struct FilterSubject {
    std::vector<RegionRef> regions;
    std::vector<LocationRef> locations;
    QString locationsName;         ///< "Rank 3", "node 12"
    std::optional<TimeSpan> span;  ///< session time
};

/// Appends what the window of a view offers about calls: to export the call tree.
void addTreeExport(QMenu& menu, const QWidget& view);

/// Appends what filters can be made of the subject: hide it, show nothing else, the same for the groups of
/// its regions, regions and locations by a pattern of their names, locations and messages by their
/// attributes, and removing all filters. `window` is the parent of the question for a pattern.
void addFilterActions(QMenu& menu, SelectionModel& selection, const SessionPtr& session,
                      const FilterSubject& subject, QWidget* window);

}  // namespace skein
