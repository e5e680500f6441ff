// SPDX-License-Identifier: GPL-3.0-or-later
// How the timeline goes from one call to another.
#include "core/select/navigate.h"
#include "core/select/translate.h"
#include "views/common/selection_model.h"
#include "views/timeline/timeline_view.h"

#include <algorithm>

namespace skein {
void TimelineView::goToOtherEnd()
{
    if (!data()) return;
    const auto end = otherEnd(data()->session, selection().state().selected);
    if (!end) return selection().say(tr("What is selected has no message with another end"));
    selection().setSelected(selectionAt(data()->session, *end), this);
    const TimeNs time = data()->clock.toSession(end->location.experiment, end->time);
    bringIntoView(end->location, {time, time});
}

/// And scrolls to the row.
void TimelineView::bringIntoView(LocationRef location, TimeSpan span)
{
    TimeView::bringIntoView(location, span);
    if (const PlacedRow* place = layout_.placeOf(location)) scrollTo(*place);
    redraw();
}

/// Only as far as it must.
void TimelineView::scrollTo(const PlacedRow& place)
{
    const double above = layout_.body.y - place.y;
    const double below = place.y + place.height - layout_.body.bottom();
    if (above > 0) scrollBy(-above);
    else if (below > 0) scrollBy(std::min(below, -above));
}

/// Rows that a search or a table has selected come into sight: all of them where they fit, as the two ends of
/// a wait, else the first, unless one of them is there already.
void TimelineView::selectedElsewhere() { bringRowsIntoSight(selection().state().selected.locations); }

void TimelineView::bringRowsIntoSight(const std::vector<LocationRef>& locations)
{
    constexpr std::size_t kMostRows = 64;
    const PlacedRow* first = nullptr;
    double top = 0, bottom = 0;
    bool all = true, any = false;
    for (const LocationRef& location : locations) {
        const PlacedRow* place = layout_.placeOf(location);
        if (!place) continue;
        const bool seen = place->y >= layout_.body.y && place->y + place->height <= layout_.body.bottom() + 1;
        top = first ? std::min(top, place->y) : place->y;
        bottom = std::max(first ? bottom : place->y, place->y + place->height);
        all = all && seen;
        any = any || seen;
        if (!first) first = place;
    }
    if (!first || all) return;
    const bool few = locations.size() > 1 && locations.size() <= kMostRows;
    if (few && bottom - top <= layout_.body.height) {
        if (top < layout_.body.y) scrollBy(top - layout_.body.y);
        else scrollBy(bottom - layout_.body.bottom());
        return;
    }
    if (!any) scrollTo(*first);
}

}  // namespace skein
