// SPDX-License-Identifier: GPL-3.0-or-later
// How the timeline goes from one call to another.
#include "core/select/navigate.h"
#include "core/select/translate.h"
#include "views/common/scene/calls/call_stack.h"
#include "views/common/selection_model.h"
#include "views/common/table/region_text.h"
#include "views/timeline/timeline_view.h"

#include <algorithm>

namespace skein {
namespace {

/// "Rank 3 has no later call of MPI_Send".
QString noOtherCall(const Session& session, IntervalRef call, Direction direction)
{
    const Experiment& experiment = *session.experiments[call.experiment];
    const CallPathId path(experiment.trace->locations[call.location.index()].intervals.callPath[call.index]);
    const std::string& region = experiment.definitions.region(experiment.callTree->region(path)).name;
    const QString sentence = direction == Direction::Forward ? QObject::tr("%1 has no later call of %2")
                                                             : QObject::tr("%1 has no earlier call of %2");
    return sentence.arg(QString::fromStdString(displayName(experiment.definitions, call.location)),
                        shortRegionName(region));
}

}  // namespace

void TimelineView::stepCall(Direction direction)
{
    if (!data()) return;
    const auto& calls = selection().state().selected.intervals;
    if (calls.empty() || !canBeDrawn(*data(), calls.front()))
        return selection().say(tr("Select a call first: click on one"));
    const IntervalRef next = neighbourCall(data()->session, calls.front(), direction);
    if (!next.valid() || !canBeDrawn(*data(), next))
        return selection().say(noOtherCall(data()->session, calls.front(), direction));
    selection().setSelected(skein::select(data()->session, next), this);
    bringIntoView({next.experiment, next.location}, spanOf(*data(), next));
}

void TimelineView::goToOtherEnd()
{
    if (!data()) return;
    const auto end = otherEnd(data()->session, selection().state().selected);
    if (!end) return selection().say(tr("What is selected has no message with another end"));
    selection().setSelected(selectionAt(data()->session, *end), this);
    const TimeNs time = data()->clock.toSession(end->location.experiment, end->time);
    bringIntoView(end->location, {time, time});
}

/// Moves the window only as far as it must, and scrolls to the row.
void TimelineView::bringIntoView(LocationRef location, TimeSpan span)
{
    const TimeSpan window = layout_.scale.span;
    const bool inside = window.begin <= span.begin && span.begin < window.end
        && (span.end <= window.end || span.lengthNs() >= window.lengthNs());
    if (!inside) {
        // A call that is longer than the window is shown from its begin.
        const TimeNs center = span.begin + std::min(span.lengthNs(), window.lengthNs()) / 2;
        const TimeNs begin = center - window.lengthNs() / 2;
        showSpan({begin, begin + window.lengthNs()});
    }
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

/// A row that a search or a table has selected comes into sight, unless one of the selected rows is there
/// already.
void TimelineView::selectedElsewhere()
{
    const PlacedRow* first = nullptr;
    for (const LocationRef& location : selection().state().selected.locations) {
        const PlacedRow* place = layout_.placeOf(location);
        if (!place) continue;
        if (place->y >= layout_.body.y && place->y + place->height <= layout_.body.bottom() + 1) return;
        if (!first) first = place;
    }
    if (first) scrollTo(*first);
}

}  // namespace skein
