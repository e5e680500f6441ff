// SPDX-License-Identifier: GPL-3.0-or-later
// The part of the search that looks into the events.
#include "algorithms/timeline/find_calls.h"
#include "app/gui/search/hit_list.h"
#include "app/gui/search/searches.h"
#include "core/base/units.h"
#include "core/select/filters.h"
#include "core/select/translate.h"
#include "core/session/session_clock.h"
#include "views/common/scene/axes/time_axis.h"
#include "views/common/scene/data/message_filters.h"
#include "views/common/task_runner.h"

#include <algorithm>

namespace skein::gui {
namespace {

constexpr std::size_t kMostHits = 200;
constexpr std::size_t kMostShown = 50;
constexpr std::size_t kShortestQuery = 2;

TimeNs durationOf(const Session& session, IntervalRef call)
{
    return session.experiments[call.experiment]
        ->trace->locations[call.location.index()]
        .intervals.span(call.index)
        .lengthNs();
}

TimeNs durationOf(const Session& session, MessageRef message)
{
    const Message& found = session.experiments[message.experiment]->trace->messages[message.index];
    return found.receiveTime - found.sendTime;
}

template <typename RefType>
void keepLongest(const Session& session, std::vector<RefType>& found, std::size_t limit)
{
    std::stable_sort(found.begin(), found.end(), [&](const RefType& a, const RefType& b) {
        return durationOf(session, a) > durationOf(session, b);
    });
    if (found.size() > limit) found.resize(limit);
}

/// What one experiment is searched for. Nothing where filters hide all that could be found.
class Searches {
public:
    Searches(const Session& session, const ViewState& state, std::uint32_t number, std::size_t limit)
        : session_(session),
          state_(state),
          number_(number),
          limit_(limit),
          kept_(keptLocations(session, number, state.filters))
    {
        if (const auto span = keptSpan(state.filters))
            span_ = sessionClock(session, state.clockShiftsNs).toExperiment(number, *span);
    }

    std::optional<CallSearch> calls(const std::string& query) const
    {
        CallSearch search{{}, kept_.value_or(std::vector<LocationId>()), span_, limit_};
        for (const RegionRef& region : regionsMatching(session_, query))
            if (region.experiment == number_ && passes(state_.filters, region))
                search.regions.push_back(region.id);
        if (search.regions.empty() || hidesAll()) return std::nullopt;
        return search;
    }

    /// `name`: of the location of one end.
    std::optional<MessageSearch> messages(const std::string& name) const
    {
        MessageSearch search{kept_.value_or(std::vector<LocationId>()),
                             {},
                             span_,
                             limit_,
                             MessageFilter(*session_.experiments[number_], messageRules(state_.filters))};
        if (!name.empty())
            for (const LocationRef& location : locationsMatching(session_, name))
                if (location.experiment == number_) search.touching.push_back(location.id);
        if ((!name.empty() && search.touching.empty()) || hidesAll()) return std::nullopt;
        return search;
    }

private:
    bool hidesAll() const { return kept_ && kept_->empty(); }

    const Session& session_;
    const ViewState& state_;
    std::uint32_t number_;
    std::size_t limit_;
    std::optional<std::vector<LocationId>> kept_;
    std::optional<TimeSpan> span_;
};

/// What stands behind "message"; nullopt: that is not what it begins with.
std::optional<std::string> messageName(const std::string& query)
{
    const QString text = QString::fromStdString(query);
    const QString word = "message";
    if (!text.startsWith(word, Qt::CaseInsensitive)) return std::nullopt;
    QString name = text.mid(word.size());
    if (name.startsWith('s', Qt::CaseInsensitive)) name.remove(0, 1);
    return name.trimmed().toStdString();
}

QString locationTitle(const Session& session, LocationRef location)
{
    const Experiment& experiment = *session.experiments[location.experiment];
    const QString name = QString::fromStdString(displayName(experiment.definitions, location.id));
    return session.experiments.size() < 2 ? name : QString::fromStdString(experiment.name) + ": " + name;
}

QString durationText(TimeNs durationNs)
{
    return QString::fromStdString(formatDuration(static_cast<double>(durationNs)));
}

/// When it begins, in session time.
QString beginText(const Session& session, const SelectionModel& selection, std::uint32_t experiment,
                  TimeNs begin)
{
    const SessionClock clock = sessionClock(session, selection.state().clockShiftsNs);
    return QString::fromStdString(exactTime(clock.toSession(experiment, begin)));
}

Finding findingOf(const SessionPtr& session, const SelectionModel& selection, IntervalRef call)
{
    const Experiment& experiment = *session->experiments[call.experiment];
    const RegionRef region = regionOf(*session, callPathOf(*session, call));
    return {
        QString::fromStdString(displayName(experiment.definitions.region(region.id))),
        QObject::tr("%1 at %2 on %3")
            .arg(durationText(durationOf(*session, call)),
                 beginText(*session, selection, call.experiment,
                           experiment.trace->locations[call.location.index()].intervals.begin[call.index]),
                 locationTitle(*session, locationOf(call))),
        {}};
}

Finding findingOf(const SessionPtr& session, SelectionModel& selection, MessageRef reference)
{
    const Experiment& experiment = *session->experiments[reference.experiment];
    const Message& message = experiment.trace->messages[reference.index];
    return {QObject::tr("Message %1 → %2")
                .arg(locationTitle(*session, {reference.experiment, message.sender}),
                     locationTitle(*session, {reference.experiment, message.receiver})),
            QObject::tr("%1 under way at %2")
                .arg(durationText(durationOf(*session, reference)),
                     beginText(*session, selection, reference.experiment, message.sendTime)),
            [session, &selection, reference, span = TimeSpan{message.sendTime, message.receiveTime}] {
                const SessionClock clock = sessionClock(*session, selection.state().clockShiftsNs);
                const TimeSpan visible = selection.state().visible.value_or(clock.extent);
                selection.setVisible(spanThatShows(clock.toSession(reference.experiment, span), visible),
                                     nullptr);
                selection.setSelected(select(*session, reference), nullptr);
            }};
}

Findings findingsOf(const SessionPtr& session, SelectionModel& selection, HitList& hits,
                    const FoundInTrace& found)
{
    Findings findings;
    findings.total = found.totalCalls + found.totalMessages;
    for (std::size_t i = 0; i < std::min(found.calls.size(), kMostShown); ++i) {
        findings.best.push_back(findingOf(session, selection, found.calls[i]));
        findings.best.back().choose = [&hits, calls = found.calls, i] { hits.setHits(calls, i); };
    }
    for (std::size_t i = 0; i < std::min(found.messages.size(), kMostShown); ++i)
        findings.best.push_back(findingOf(session, selection, found.messages[i]));
    if (!found.calls.empty()) findings.note = QObject::tr(" · N and Shift+N step through the calls");
    return findings;
}

}  // namespace

Result<FoundInTrace> findInTrace(const Session& session, const ViewState& state, const std::string& query,
                                 std::size_t limit, const Task& task)
{
    FoundInTrace found;
    const auto name = messageName(query);
    for (std::uint32_t number = 0; number < session.experiments.size(); ++number) {
        const Experiment& experiment = *session.experiments[number];
        if (!experiment.trace) continue;
        const Searches searches(session, state, number, limit);
        if (const auto search = searches.calls(query)) {
            const auto calls = findCalls(experiment, *search, task);
            if (!calls) return Unexpected(calls.error());
            found.totalCalls += calls->total;
            for (const FoundCall& call : calls->longest)
                found.calls.push_back({number, call.location, call.interval});
        }
        const auto search = name ? searches.messages(*name) : std::nullopt;
        if (!search) continue;
        const auto slowest = findMessages(experiment, *search, task);
        if (!slowest) return Unexpected(slowest.error());
        found.totalMessages += slowest->total;
        for (const std::uint32_t index : slowest->slowest) found.messages.push_back({number, index});
    }
    keepLongest(session, found.calls, limit);
    keepLongest(session, found.messages, limit);
    return found;
}

void searchTrace(const SessionPtr& session, SelectionModel& selection, TaskRunner& tasks, HitList& hits,
                 const QString& query, const FinderPopup::Deliver& deliver)
{
    const std::string wanted = query.trimmed().toStdString();
    tasks.drop("search");
    if (!session || wanted.size() < kShortestQuery) return;
    tasks.run<FoundInTrace>(
        {"search", QObject::tr("Searching")}, &hits,
        [session, state = selection.state(), wanted](const Task& task) {
            return findInTrace(*session, state, wanted, kMostHits, task);
        },
        [session, &selection, &hits, deliver](Result<FoundInTrace> found) {
            if (!found) return;
            hits.setHits(found->calls, found->calls.size());
            deliver(findingsOf(session, selection, hits, *found));
        });
}

}  // namespace skein::gui
