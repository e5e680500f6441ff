// SPDX-License-Identifier: GPL-3.0-or-later
// How users arrange the rows of the timeline.
#include "core/select/translate.h"
#include "views/common/selection_model.h"
#include "views/common/task_runner.h"
#include "views/timeline/row_order_scene.h"
#include "views/timeline/timeline_view.h"

#include <QAction>
#include <QMenu>

#include <algorithm>

namespace skein {

std::optional<TimelineRow> TimelineView::rowAt(Point point) const
{
    const auto row = layout_.rowAt(point.y);
    return row ? std::optional(layout_.rows[*row]) : std::nullopt;
}

std::vector<LocationRef> TimelineView::shownLocations() const
{
    std::vector<LocationRef> shown;
    for (const TimelineRow& row : timelineRows(*data(), selection().state().filters))
        if (row.kind == TimelineRowKind::Location) shown.push_back(row.location);
    return shown;
}

void TimelineView::arrange(const RowArrangement& rows)
{
    selection().setRows(rows, this);
    layoutAgain();
    redraw();
}

void TimelineView::toggleGroup(const RowGroup& group) { arrange(withGroupToggled(selection().state().rows, group)); }

/// The row that was dragged comes before the one it is dropped on, and after it when it comes from above.
void TimelineView::labelDropped(Point start, Point end)
{
    const auto from = rowAt(start);
    const auto to = rowAt(end);
    if (!from || !to || from->kind != TimelineRowKind::Location || to->kind != TimelineRowKind::Location) return;
    const auto shown = shownLocations();
    const RowArrangement& rows = selection().state().rows;
    const std::vector<LocationRef>& order = rows.order.empty() ? shown : rows.order;
    auto before = std::find(order.begin(), order.end(), to->location);
    const auto moved = std::find(order.begin(), order.end(), from->location);
    if (moved < before && before != order.end()) ++before;
    arrange(withRowMoved(rows, shown, from->location, before == order.end() ? LocationRef() : *before));
}

void TimelineView::orderRows(const QString& title, std::function<Result<std::vector<LocationRef>>(const TimelineData&, const ViewState&, const Task&)> order)
{
    if (!data()) return;
    tasks().run<std::vector<LocationRef>>(
        {"timeline order", title}, this,
        [data = data(), state = selection().state(), order = std::move(order)](const Task& task) { return order(*data, state, task); },
        [this](Result<std::vector<LocationRef>> ordered) {
            if (!ordered || !data()) return;
            RowArrangement rows = selection().state().rows;
            rows.order = std::move(*ordered);
            arrange(rows);
        });
}

/// Folds every group of the kind; where all of them are folded already, unfolds them.
void TimelineView::foldAll(RowGroupKind kind)
{
    if (!data()) return;
    RowArrangement rows = selection().state().rows;
    rows.order.clear();
    std::vector<RowGroup> wanted;
    for (const TimelineRow& row : timelineRows(*data(), selection().state().filters))
        if (row.kind != TimelineRowKind::Location && row.group.kind == kind) wanted.push_back(row.group);
    std::sort(wanted.begin(), wanted.end());
    const bool all = std::includes(rows.collapsed.begin(), rows.collapsed.end(), wanted.begin(), wanted.end());
    std::vector<RowGroup> next;
    if (all) std::set_difference(rows.collapsed.begin(), rows.collapsed.end(), wanted.begin(), wanted.end(), std::back_inserter(next));
    else std::set_union(rows.collapsed.begin(), rows.collapsed.end(), wanted.begin(), wanted.end(), std::back_inserter(next));
    rows.collapsed = std::move(next);
    arrange(rows);
}

void TimelineView::addRowActions()
{
    const auto add = [this](const char* name, const QString& text, auto does) {
        auto* action = new QAction(text, this);
        action->setObjectName(name);
        connect(action, &QAction::triggered, this, does);
        addAction(action);
    };
    add("timeline.foldNodes", tr("Collapse or Expand All Nodes"), [this] { foldAll(RowGroupKind::Node); });
    add("timeline.foldProcesses", tr("Collapse or Expand All Processes"), [this] { foldAll(RowGroupKind::Process); });
    add("timeline.orderByTree", tr("Order Rows by the System Tree"), [this] {
        RowArrangement rows = selection().state().rows;
        rows.order.clear();
        arrange(rows);
    });
    add("timeline.orderByName", tr("Order Rows by Name"), [this] {
        orderRows(tr("Ordering the rows"), [](const TimelineData& prepared, const ViewState& state, const Task&) -> Result<std::vector<LocationRef>> {
            return orderByName(prepared, state);
        });
    });
    add("timeline.orderByTime", tr("Order Rows by Time in the Selected Regions"), [this] {
        if (selection().state().selected.regions.empty()) return;
        orderRows(tr("Ordering the rows"), [](const TimelineData& prepared, const ViewState& state, const Task& task) {
            return orderByTime(prepared, state, state.selected.regions, task);
        });
    });
    add("timeline.orderBySimilarity", tr("Order Rows by Similarity"), [this] { orderRows(tr("Ordering the rows"), orderBySimilarity); });
}

/// What stands over a single row has none, and is not collapsed.
bool TimelineView::hasHeader(const RowGroup& group) const
{
    const std::vector<TimelineRow> rows = timelineRows(*data(), selection().state().filters);
    return std::any_of(rows.begin(), rows.end(), [&](const TimelineRow& row) { return row.kind != TimelineRowKind::Location && row.group == group; });
}

void TimelineView::fillRowMenu(QMenu& menu, Point point)
{
    const auto row = rowAt(point);
    const RowArrangement& rows = selection().state().rows;
    if (row) {
        const bool location = row->kind == TimelineRowKind::Location;
        const std::vector<RowGroup> groups = location ? groupsOf(data()->session, row->location) : std::vector{row->group};
        for (const RowGroup& group : groups) {
            if (location && (!rows.order.empty() || !hasHeader(group))) continue;
            const bool folded = std::binary_search(rows.collapsed.begin(), rows.collapsed.end(), group);
            const QString what = !location ? QString::fromStdString(row->label) : group.kind == RowGroupKind::Node ? tr("Its Node") : tr("Its Process");
            connect(menu.addAction(folded ? tr("Expand %1").arg(what) : tr("Collapse %1").arg(what)), &QAction::triggered, this, [this, group] { toggleGroup(group); });
        }
        if (location)
            connect(menu.addAction(row->pinned ? tr("Unpin Row") : tr("Pin Row to the Top")), &QAction::triggered, this,
                    [this, pinned = row->location] { arrange(withPinToggled(selection().state().rows, pinned)); });
    }
    QMenu& order = *menu.addMenu(tr("Rows"));
    for (QAction* action : actions()) {
        const QString name = action->objectName();
        if (!name.startsWith("timeline.order") && !name.startsWith("timeline.fold")) continue;
        if (name == "timeline.orderByTime") action->setEnabled(!selection().state().selected.regions.empty());
        order.addAction(action);
    }
}

}  // namespace skein
