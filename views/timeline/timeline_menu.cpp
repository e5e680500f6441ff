// SPDX-License-Identifier: GPL-3.0-or-later
// What the timeline offers for the thing under the pointer.
#include "core/select/filters.h"
#include "core/session/experiment_titles.h"
#include "views/common/filter_menu.h"
#include "views/common/mark_actions.h"
#include "views/common/selection_model.h"
#include "views/timeline/timeline_view.h"
#include "views/timeline/timeline_waits_scene.h"
#include "views/timeline/timeline_workflow_scene.h"

#include <QContextMenuEvent>
#include <QMenu>

namespace skein {
namespace {

/// Where several archives are open each may have a rank 3.
std::string nameAmongAll(const Session& session, const TimelineRow& row)
{
    if (session.experiments.size() < 2 || row.kind == TimelineRowKind::Experiment) return row.fullLabel;
    return experimentTitles(session)[row.location.experiment] + " " + row.fullLabel;
}

}  // namespace

void TimelineView::contextMenuEvent(QContextMenuEvent* event)
{
    if (!data()) return;
    const Point point = toDevice(event->pos());
    const Hover hit = hitAt(point);
    FilterSubject subject;
    if (hit.region.valid()) subject.regions = {hit.region};
    if (const auto row = rowAt(point)) {
        const bool location = row->kind == TimelineRowKind::Location;
        subject.locations = location ? std::vector{row->location} : locationsOf(data()->session, row->group);
        subject.locationsName = QString::fromStdString(nameAmongAll(data()->session, *row));
    }
    subject.span = selection().state().brushed;
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    if (const Mark* mark = markAt(selection().state(), frame(), point, options_.scale)) {
        addMarkActions(*menu, selection(), *mark, data()->clock.extent, this);
        menu->addSeparator();
    }
    fillRowMenu(*menu, point);
    menu->addSeparator();
    if (waitedInSight(hit.interval))
        if (const Selection cause = selectCauseOf(data()->session, *options_.waits, hit.interval);
            !cause.empty())
            menu->addAction(tr("Select What It Waited For"), this, [this, cause] {
                selection().setSelected(cause, nullptr);
                redraw();
            });
    if (const auto handOver = handOverAt(*data(), options_, layout_, point))
        menu->addAction(tr("Select Both Ends of the Hand-Over"), this,
                        [this, number = *handOver] { selectHandOver(number); });
    addFilterActions(*menu, selection(), session(), subject, this);
    menu->popup(event->globalPos());
}

}  // namespace skein
