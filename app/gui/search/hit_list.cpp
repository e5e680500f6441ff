// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/search/hit_list.h"

#include "core/base/units.h"
#include "core/select/translate.h"
#include "core/session/session_clock.h"

#include "views/common/scene/axes/time_axis.h"

#include <algorithm>
#include <optional>
#include <utility>

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

TimeSpan movedToShow(TimeSpan call, TimeSpan visible)
{
    const TimeNs length = visible.lengthNs();
    const bool fits = call.lengthNs() <= length;
    const bool inSight = fits ? visible.begin <= call.begin && call.end <= visible.end
                              : visible.begin <= call.begin && call.begin < visible.end;
    if (inSight) return visible;
    const TimeNs begin = fits ? call.begin + call.lengthNs() / 2 - length / 2 : call.begin - length / 8;
    return {begin, begin + length};
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
    steps_.clear();
    current_ = 0;
}

void HitList::setHits(std::vector<IntervalRef> hits, std::size_t current)
{
    found_ = std::move(hits);
    selection_.setHits(found_, nullptr);
    steps_ = arranged();
    const auto chosen =
        current < found_.size() ? std::find(steps_.begin(), steps_.end(), found_[current]) : steps_.end();
    current_ = static_cast<std::size_t>(chosen - steps_.begin());
    if (current_ < steps_.size()) show(Zoom::AsNeeded);
}

void HitList::setOrder(HitOrder order)
{
    order_ = order;
    const std::optional<IntervalRef> chosen =
        current_ < steps_.size() ? std::optional(steps_[current_]) : std::nullopt;
    steps_ = arranged();
    const auto found = chosen ? std::find(steps_.begin(), steps_.end(), *chosen) : steps_.end();
    current_ = static_cast<std::size_t>(found - steps_.begin());
}

TimeSpan HitList::spanOf(IntervalRef hit) const
{
    const SessionClock clock = sessionClock(*session_, selection_.state().clockShiftsNs);
    const auto& calls =
        session_->experiments[hit.experiment]->trace->locations[hit.location.index()].intervals;
    return clock.toSession(hit.experiment, calls.span(hit.index));
}

std::vector<IntervalRef> HitList::arranged() const
{
    std::vector<IntervalRef> shown = selection_.state().hits;
    if (!session_ || order_ == HitOrder::Length) return shown;
    std::erase_if(shown, [this](IntervalRef hit) { return !exists(*session_, hit); });
    std::stable_sort(shown.begin(), shown.end(), [this](IntervalRef a, IntervalRef b) {
        return std::pair(spanOf(a).begin, a) < std::pair(spanOf(b).begin, b);
    });
    return shown;
}

void HitList::filter()
{
    if (!session_ || found_.empty()) return;
    const auto& filters = selection_.state().filters;
    const std::optional<IntervalRef> chosen =
        current_ < steps_.size() ? std::optional(steps_[current_]) : std::nullopt;
    std::vector<IntervalRef> shown;
    for (const IntervalRef& hit : found_)
        if (passes(filters, locationOf(hit))
            && passes(filters, regionOf(*session_, callPathOf(*session_, hit))))
            shown.push_back(hit);
    selection_.setHits(shown, nullptr);
    steps_ = arranged();
    const auto found = chosen ? std::find(steps_.begin(), steps_.end(), *chosen) : steps_.end();
    current_ = static_cast<std::size_t>(found - steps_.begin());
}

/// By time the first one in what is seen, or after it; else the longest.
std::size_t HitList::firstFromWindow(int by) const
{
    const std::size_t last = steps_.size() - 1;
    if (order_ == HitOrder::Length || !selection_.state().visible) return by < 0 ? last : 0;
    const TimeNs from = selection_.state().visible->begin;
    const auto found = std::find_if(steps_.begin(), steps_.end(),
                                    [&](IntervalRef hit) { return spanOf(hit).begin >= from; });
    const auto next = static_cast<std::size_t>(found - steps_.begin());
    if (by < 0) return next == 0 ? last : next - 1;
    return next > last ? 0 : next;
}

void HitList::step(int by)
{
    const std::size_t count = steps_.size();
    if (count == 0 || !session_ || selection_.state().hits.empty()) return;
    current_ = current_ < count ? (current_ + (by < 0 ? count - 1 : 1)) % count : firstFromWindow(by);
    show(Zoom::Keep);
}

void HitList::show(Zoom zoom)
{
    const IntervalRef hit = steps_[current_];
    if (!session_ || !exists(*session_, hit)) return;
    const SessionClock clock = sessionClock(*session_, selection_.state().clockShiftsNs);
    const TimeSpan visible = selection_.state().visible.value_or(clock.extent);
    const TimeSpan wanted =
        zoom == Zoom::Keep ? movedToShow(spanOf(hit), visible) : spanThatShows(spanOf(hit), visible);
    if (wanted != visible) selection_.setVisible(wanted, nullptr);
    selection_.setSelected(select(*session_, hit), nullptr);
    Q_EMIT moved(text());
}

QString HitList::text() const
{
    const IntervalRef hit = steps_[current_];
    const Experiment& experiment = *session_->experiments[hit.experiment];
    const auto& calls = experiment.trace->locations[hit.location.index()].intervals;
    const RegionId region = regionOf(*session_, callPathOf(*session_, hit)).id;
    const QString location = QString::fromStdString(displayName(experiment.definitions, hit.location));
    return tr("%1 of %2: %3, %4 at %5 on %6")
        .arg(current_ + 1)
        .arg(steps_.size())
        .arg(QString::fromStdString(displayName(experiment.definitions.region(region))),
             QString::fromStdString(formatDuration(static_cast<double>(calls.span(hit.index).lengthNs()))),
             QString::fromStdString(exactTime(spanOf(hit).begin)),
             session_->experiments.size() < 2 ? location
                                              : QString::fromStdString(experiment.name) + ": " + location);
}

}  // namespace skein::gui
