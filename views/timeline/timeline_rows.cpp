// SPDX-License-Identifier: GPL-3.0-or-later
// How users arrange the rows of the timeline.
#include "core/select/filters.h"
#include "core/select/translate.h"
#include "views/common/scene/calls/call_tooltip.h"
#include "views/common/selection_model.h"
#include "views/common/task_runner.h"
#include "views/timeline/collapsed_tooltip_scene.h"
#include "views/timeline/row_order_scene.h"
#include "views/timeline/timeline_view.h"

#include <QAction>
#include <QActionGroup>
#include <QMenu>

#include <algorithm>
#include <cmath>

namespace skein {

std::vector<LocationRef> TimelineView::rowsBetween(double fromY, double toY) const
{
    const auto [top, bottom] = std::minmax(fromY, toY);
    std::vector<LocationRef> marked;
    for (const PlacedRow& place : layout_.places) {
        if (place.y > bottom || place.y + place.height <= top) continue;
        const TimelineRow& row = layout_.rows[place.row];
        if (isHeader(row)) {
            const auto below = locationsOf(data()->session, row.group);
            marked.insert(marked.end(), below.begin(), below.end());
        }
        forEachLocation(row, [&](LocationRef location) { marked.push_back(location); });
    }
    std::sort(marked.begin(), marked.end());
    marked.erase(std::unique(marked.begin(), marked.end()), marked.end());
    std::size_t all = 0;
    for (const TimelineRow& row : layout_.rows) forEachLocation(row, [&](LocationRef) { ++all; });
    return marked.size() < all ? marked : std::vector<LocationRef>();
}

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

void TimelineView::toggleGroup(const RowGroup& group)
{
    arrange(withGroupToggled(selection().state().rows, group));
}

/// The row that is dragged comes before the one it is dropped on, and after it when it comes from above.
/// Pinned rows stay where they are.
std::optional<TimelineView::RowMove> TimelineView::rowMove(Point start, Point end) const
{
    const auto from = rowAt(start);
    const auto to = rowAt(end);
    if (!from || !to || from->kind != TimelineRowKind::Location || to->kind != TimelineRowKind::Location)
        return std::nullopt;
    if (from->location == to->location || from->pinned || to->pinned) return std::nullopt;
    const RowArrangement& rows = selection().state().rows;
    const std::vector<LocationRef> order = rows.order.empty() ? shownLocations() : rows.order;
    auto before = std::find(order.begin(), order.end(), to->location);
    const auto moved = std::find(order.begin(), order.end(), from->location);
    const bool down = moved < before && before != order.end();
    if (down) ++before;
    const PlacedRow& place = layout_.places[*layout_.rowAt(end.y)];
    return RowMove{from->location, before == order.end() ? LocationRef() : *before,
                   down ? place.y + place.height : place.y};
}

void TimelineView::labelDragged(Point start, Point end) { moving_ = rowMove(start, end); }

void TimelineView::labelDropped(Point start, Point end)
{
    moving_.reset();
    if (const auto move = rowMove(start, end))
        arrange(withRowMoved(selection().state().rows, shownLocations(), move->row, move->before));
}

/// What is moved, and a line where it will be.
void TimelineView::drawRowMove(DrawList& list) const
{
    const PlacedRow* place = moving_ ? layout_.placeOf(moving_->row) : nullptr;
    if (!place) return;
    const double thickness = std::round(2 * options_.scale);
    const Color accent = options_.theme.accent;
    list.fillRect({layout_.labels.x, std::round(place->y), layout_.labels.width, std::round(place->height)},
                  {accent.red, accent.green, accent.blue, 60});
    list.fillRect({layout_.labels.x, std::round(moving_->line) - thickness,
                   layout_.body.right() - layout_.labels.x, thickness},
                  accent);
}

/// Of a header, or of a row that stands for several locations.
std::vector<std::string> TimelineView::groupTooltip(Point point) const
{
    const auto row =
        layout_.labels.contains(point) || layout_.body.contains(point) ? rowAt(point) : std::nullopt;
    if (!row || row->kind == TimelineRowKind::Location) return {};
    const std::size_t locations = row->folded.empty() ? row->members : row->folded.size();
    const QString count = locations == 1 ? tr("1 location") : tr("%1 locations").arg(locations);
    std::vector<std::string> lines{row->fullLabel, count.toStdString()};
    if (row->folded.empty()) return lines;
    const RegionRef region = layout_.body.contains(point)
        ? regionTogetherAt(*data(), selection().state(), options_, layout_, *row, point.x)
        : RegionRef{};
    if (!region.id.valid())
        lines.push_back(tr("Each column shows what took most time in all of them").toStdString());
    else
        lines.push_back(
            tr("%1 took most time in all of them here")
                .arg(QString::fromStdString(tooltipText(displayName(
                    data()->session.experiments[region.experiment]->definitions.region(region.id)))))
                .toStdString());
    return lines;
}

void TimelineView::orderRows(
    const QString& title,
    std::function<Result<std::vector<LocationRef>>(const TimelineData&, const ViewState&, const Task&)> order)
{
    if (!data()) return;
    tasks().run<std::vector<LocationRef>>(
        {"timeline order", title}, this,
        [data = data(), state = selection().state(), order = std::move(order)](const Task& task) {
            return order(*data, state, task);
        },
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
    const bool all =
        std::includes(rows.collapsed.begin(), rows.collapsed.end(), wanted.begin(), wanted.end());
    std::vector<RowGroup> next;
    if (all)
        std::set_difference(rows.collapsed.begin(), rows.collapsed.end(), wanted.begin(), wanted.end(),
                            std::back_inserter(next));
    else
        std::set_union(rows.collapsed.begin(), rows.collapsed.end(), wanted.begin(), wanted.end(),
                       std::back_inserter(next));
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
    add("timeline.foldProcesses", tr("Collapse or Expand All Processes"),
        [this] { foldAll(RowGroupKind::Process); });
    add("timeline.orderByTree", tr("Order Rows by the System Tree"), [this] {
        RowArrangement rows = selection().state().rows;
        rows.order.clear();
        arrange(rows);
    });
    add("timeline.orderByName", tr("Order Rows by Name"), [this] {
        orderRows(tr("Ordering the rows"),
                  [](const TimelineData& prepared, const ViewState& state, const Task&)
                      -> Result<std::vector<LocationRef>> { return orderByName(prepared, state); });
    });
    add("timeline.orderByTime", tr("Order Rows by Time in the Selected Regions"), [this] {
        if (selection().state().selected.regions.empty())
            return selection().say(tr("Select a region first: click on a call, or on a row of a table"));
        orderRows(tr("Ordering the rows"),
                  [](const TimelineData& prepared, const ViewState& state, const Task& task) {
                      return orderByTime(prepared, state, state.selected.regions, task);
                  });
    });
    add("timeline.orderBySimilarity", tr("Order Rows by Similarity"),
        [this] { orderRows(tr("Ordering the rows"), orderBySimilarity); });
    addRowFits();
}

/// How high rows are at least, of which one is chosen. Kept as other choices of panels are: by name.
void TimelineView::addRowFits()
{
    const struct {
        const char* name;
        QString text, hint;
        RowFit fit;
    } choices[] = {
        {"timeline.rowsUsual", tr("Usual Height of Rows"),
         tr("High enough to see how time divides; from 512 locations on all rows in one picture"),
         RowFit::Usual},
        {"timeline.rowsAll", tr("Fit All Rows"), tr("All rows in one picture, however low"), RowFit::All},
        {"timeline.rowsReadable", tr("Readable Rows"), tr("Every row as high as its name"),
         RowFit::Readable}};
    auto* group = new QActionGroup(this);
    for (const auto& choice : choices) {
        auto* action = new QAction(choice.text, group);
        action->setParent(this);
        action->setObjectName(choice.name);
        action->setToolTip(choice.hint);
        action->setCheckable(true);
        action->setChecked(choice.fit == options_.fit);
        connect(action, &QAction::triggered, this, [this, fit = choice.fit] { setRowFit(fit); });
        addAction(action);
    }
}

void TimelineView::setRowFit(RowFit fit)
{
    options_.fit = fit;
    options_.rowZoom = 1;
    layoutAgain();
    redraw();
}

/// What stands over a single row has none, and is not collapsed.
bool TimelineView::hasHeader(const RowGroup& group) const
{
    const std::vector<TimelineRow> rows = timelineRows(*data(), selection().state().filters);
    return std::any_of(rows.begin(), rows.end(), [&](const TimelineRow& row) {
        return row.kind != TimelineRowKind::Location && row.group == group;
    });
}

void TimelineView::fillRowMenu(QMenu& menu, Point point)
{
    const auto row = rowAt(point);
    const RowArrangement& rows = selection().state().rows;
    if (row) {
        const bool location = row->kind == TimelineRowKind::Location;
        const std::vector<RowGroup> groups =
            location ? groupsOf(data()->session, row->location) : std::vector{row->group};
        for (const RowGroup& group : groups) {
            if (location && (!rows.order.empty() || !hasHeader(group))) continue;
            const bool folded = std::binary_search(rows.collapsed.begin(), rows.collapsed.end(), group);
            const QString what = !location         ? QString::fromStdString(row->label)
                : group.kind == RowGroupKind::Node ? tr("Its Node")
                                                   : tr("Its Process");
            connect(menu.addAction(folded ? tr("Expand %1").arg(what) : tr("Collapse %1").arg(what)),
                    &QAction::triggered, this, [this, group] { toggleGroup(group); });
        }
        if (location)
            connect(menu.addAction(row->pinned ? tr("Unpin Row") : tr("Pin Row to the Top")),
                    &QAction::triggered, this, [this, pinned = row->location] {
                        arrange(withPinToggled(selection().state().rows, pinned));
                    });
    }
    QMenu& order = *menu.addMenu(tr("Rows"));
    for (QAction* action : actions()) {
        const QString name = action->objectName();
        if (!name.startsWith("timeline.order") && !name.startsWith("timeline.fold")
            && !name.startsWith("timeline.rows"))
            continue;
        order.addAction(action);
    }
}

}  // namespace skein
