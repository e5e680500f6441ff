// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/search/hit_list.h"

#include "core/base/units.h"
#include "core/select/translate.h"
#include "core/session/session_clock.h"

#include <algorithm>

namespace skein::gui {
namespace {

constexpr double kSmallestPart =
    0.002;  ///< of the visible span that a call must take to be seen for what it is

}  // namespace

TimeSpan spanThatShows(TimeSpan call, TimeSpan visible)
{
    const auto length = static_cast<double>(std::max<TimeNs>(visible.lengthNs(), 1));
    const double part = static_cast<double>(call.lengthNs()) / length;
    if (part >= kSmallestPart && part <= 1 && visible.begin <= call.begin && call.end <= visible.end)
        return visible;
    const TimeNs wanted = part >= kSmallestPart && part <= 0.9 ? visible.lengthNs()
                                                               : std::max<TimeNs>(call.lengthNs() * 10, 1000);
    const TimeNs begin = call.begin + call.lengthNs() / 2 - wanted / 2;
    return {begin, begin + wanted};
}

HitList::HitList(SelectionModel& selection, QObject* parent) : QObject(parent), selection_(selection)
{
    connect(&selection_, &SelectionModel::changed, this, [this](ViewParts parts) {
        if (parts.has(ViewParts::kFilters)) filter();
    });
}

void HitList::setSession(SessionPtr session)
{
    session_ = std::move(session);
    found_.clear();
    current_ = 0;
}

void HitList::setHits(std::vector<IntervalRef> hits, std::size_t current)
{
    found_ = hits;
    const std::size_t count = hits.size();
    // Before the first: one step leads to it.
    current_ = current < count ? current : (count > 0 ? count - 1 : 0);
    selection_.setHits(hits, nullptr);
    if (current < count) show();
}

void HitList::filter()
{
    if (!session_ || found_.empty()) return;
    const auto& filters = selection_.state().filters;
    std::vector<IntervalRef> shown;
    for (const IntervalRef& hit : found_)
        if (passes(filters, locationOf(hit))
            && passes(filters, regionOf(*session_, callPathOf(*session_, hit))))
            shown.push_back(hit);
    if (current_ >= shown.size()) current_ = shown.empty() ? 0 : shown.size() - 1;
    selection_.setHits(shown, nullptr);
}

void HitList::step(int by)
{
    const std::size_t count = selection_.state().hits.size();
    if (count == 0) return;
    current_ = (current_ + (by < 0 ? count - 1 : 1)) % count;
    show();
}

void HitList::show()
{
    const IntervalRef hit = selection_.state().hits[current_];
    if (!session_ || !exists(*session_, hit)) return;
    const SessionClock clock = sessionClock(*session_, selection_.state().clockShiftsNs);
    const auto& calls =
        session_->experiments[hit.experiment]->trace->locations[hit.location.index()].intervals;
    const TimeSpan visible = selection_.state().visible.value_or(clock.extent);
    const TimeSpan wanted = spanThatShows(clock.toSession(hit.experiment, calls.span(hit.index)), visible);
    if (wanted != visible) selection_.setVisible(wanted, nullptr);
    selection_.setSelected(select(*session_, hit), nullptr);
    Q_EMIT moved(text());
}

QString HitList::text() const
{
    const IntervalRef hit = selection_.state().hits[current_];
    const Experiment& experiment = *session_->experiments[hit.experiment];
    const auto& calls = experiment.trace->locations[hit.location.index()].intervals;
    const RegionId region = regionOf(*session_, callPathOf(*session_, hit)).id;
    const QString location = QString::fromStdString(displayName(experiment.definitions, hit.location));
    return tr("%1 of %2: %3, %4 on %5")
        .arg(current_ + 1)
        .arg(selection_.state().hits.size())
        .arg(QString::fromStdString(displayName(experiment.definitions.region(region))),
             QString::fromStdString(formatDuration(static_cast<double>(calls.span(hit.index).lengthNs()))),
             session_->experiments.size() < 2 ? location
                                              : QString::fromStdString(experiment.name) + ": " + location);
}

}  // namespace skein::gui
