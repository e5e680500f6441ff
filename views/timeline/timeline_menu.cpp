// SPDX-License-Identifier: GPL-3.0-or-later
// What the timeline offers for the thing under the pointer.
#include "core/select/filters.h"
#include "views/common/filter_menu.h"
#include "views/common/selection_model.h"
#include "views/timeline/timeline_view.h"
#include "views/timeline/timeline_waits_scene.h"
#include "views/timeline/timeline_workflow_scene.h"

#include <QContextMenuEvent>
#include <QMenu>

namespace skein {

void TimelineView::contextMenuEvent(QContextMenuEvent* event)
{
    if (!data_) return;
    const Hover hit = hitAt(event->pos());
    FilterSubject subject;
    if (hit.region.valid()) subject.regions = {hit.region};
    if (const auto row = layout_.rowAt(toDevice(event->pos()).y)) {
        const TimelineRow& shown = layout_.rows[*row];
        const bool location = shown.kind == TimelineRowKind::Location;
        subject.locations = location ? std::vector{shown.location} : locationsOf(data_->session, shown.group);
        subject.locationsName = QString::fromStdString(shown.fullLabel);
    }
    subject.span = selection().state().brushed;
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    fillRowMenu(*menu, event->pos());
    menu->addSeparator();
    if (options_.waits)
        if (const Selection cause = selectCauseOf(*data_, *options_.waits, hit.interval); !cause.empty())
            menu->addAction(tr("Select What It Waited For"), this, [this, cause] {
                selection().setSelected(cause, nullptr);
                refresh();
            });
    if (const auto handOver = handOverAt(*data_, options_, layout_, toDevice(event->pos())))
        menu->addAction(tr("Select Both Ends of the Hand-Over"), this, [this, both = selectHandOver(*data_, options_.handOvers->handOvers[*handOver])] {
            selection().setSelected(both, nullptr);
        });
    addFilterActions(*menu, selection(), session_, subject, this);
    menu->popup(event->globalPos());
}

}  // namespace skein
