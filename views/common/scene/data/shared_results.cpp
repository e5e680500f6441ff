// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/data/shared_results.h"

#include "core/base/early_results.h"

#include <optional>
#include <utility>
#include <variant>

namespace skein {
namespace {

using Keep = ResultStore::Keep;
/// Where an owner has but one result of its type.
constexpr std::monostate kOnlyOne;

template <typename Value>
Result<std::shared_ptr<const Value>> sharedResult(Result<Value> made)
{
    if (!made) return Unexpected(std::move(made.error()));
    return std::make_shared<const Value>(std::move(*made));
}

/// What `of(experiment, task)` gives for every trace, by experiment; null where there is no trace.
template <typename Value, typename Of>
Result<std::vector<std::shared_ptr<const Value>>> ofEveryTrace(const Session& session, const Task& task,
                                                               const Of& of)
{
    std::vector<std::shared_ptr<const Value>> found(session.experiments.size());
    const auto count = static_cast<double>(found.size());
    for (std::size_t number = 0; number < found.size(); ++number) {
        const Experiment& experiment = *session.experiments[number];
        if (!experiment.trace) continue;
        const auto done = static_cast<double>(number);
        auto result = of(experiment, task.part(done / count, (done + 1) / count));
        if (!result) return Unexpected(std::move(result.error()));
        found[number] = std::move(*result);
    }
    return found;
}

}  // namespace

Result<TimelineIndexPtr> timelineIndexOf(ResultStore& results, const Experiment& experiment, const Task& task)
{
    if (experiment.timelineIndex) return experiment.timelineIndex;
    return results.get<TimelineIndex>(experiment.trace, kOnlyOne, Keep::WhileOwnerLives, task, [&] {
        return sharedResult(buildTimelineIndex(*experiment.trace, *experiment.callTree,
                                               firstOfName(experiment.definitions), task));
    });
}

Result<TimelineDataPtr> timelineDataOf(ResultStore& results, const Session& session, const Task& task)
{
    auto indexes =
        ofEveryTrace<TimelineIndex>(session, task, [&](const Experiment& experiment, const Task& part) {
            return timelineIndexOf(results, experiment, part);
        });
    if (!indexes) return Unexpected(std::move(indexes.error()));
    return makeTimelineData(session, std::move(*indexes));
}

Result<SessionWaitsPtr> waitsOf(ResultStore& results, const Session& session, const Task& task)
{
    auto waits = ofEveryTrace<WaitIndex>(session, task, [&](const Experiment& experiment, const Task& part) {
        return results.get<WaitIndex>(experiment.trace, kOnlyOne, Keep::WhileOwnerLives, part, [&] {
            return sharedResult(findWaitStates(experiment, part).map([](WaitStates found) {
                return WaitIndex(std::move(found));
            }));
        });
    });
    if (!waits) return Unexpected(std::move(waits.error()));
    auto result = std::make_shared<SessionWaits>();
    result->experiments = std::move(*waits);
    return SessionWaitsPtr(std::move(result));
}

Result<SessionCriticalPathPtr> criticalPathOf(ResultStore& results, const Session& session, const Task& task)
{
    auto paths =
        ofEveryTrace<TraceCriticalPath>(session, task, [&](const Experiment& experiment, const Task& part) {
            return results.get<TraceCriticalPath>(
                experiment.trace, kOnlyOne, Keep::WhileOwnerLives, part,
                [&] { return sharedResult(traceCriticalPath(experiment, part)); });
        });
    if (!paths) return Unexpected(std::move(paths.error()));
    return std::make_shared<const SessionCriticalPath>(SessionCriticalPath{std::move(*paths)});
}

/// They hold the session themselves: kept as long as it lives they would keep it for ever.
Result<SessionAnomaliesPtr> anomaliesOf(ResultStore& results, const SessionPtr& session,
                                        const AnomalySearch& search, const Task& task,
                                        const HearAnomalies& hear)
{
    using Early = EarlyResults<SessionAnomalies>;
    const auto early = results.get<Early>(
        session, search, Keep::WhileOwnerLives, task,
        []() -> Result<std::shared_ptr<const Early>> { return std::make_shared<const Early>(); });
    if (!early) return Unexpected(early.error());
    std::optional<Early::Listener> listener;
    if (hear) listener.emplace(**early, hear);
    return results.get<SessionAnomalies>(
        session, search, Keep::WhileHeld, task, [&]() -> Result<SessionAnomaliesPtr> {
            SessionHandOversPtr handOvers = std::make_shared<const SessionHandOvers>();
            if (session->experiments.size() > 1) {
                auto read = handOversOf(results, session, task);
                if (!read) return Unexpected(read.error());
                handOvers = std::move(*read);
            }
            auto made = makeSessionAnomalies(
                session, search, task, [&](const SessionAnomaliesPtr& known) { (*early)->tell(known); },
                handOvers->placed.handOvers);
            (*early)->forget();
            return made;
        });
}

SessionAnomaliesPtr knownAnomalies(ResultStore& results, const SessionPtr& session,
                                   const AnomalySearch& search)
{
    return results.known<SessionAnomalies>(session, search);
}

Result<SessionHandOversPtr> handOversOf(ResultStore& results, const SessionPtr& session, const Task& task)
{
    return results.get<SessionHandOvers>(session, kOnlyOne, Keep::WhileOwnerLives, task,
                                         [&] { return readHandOvers(*session, task); });
}

Result<std::shared_ptr<const Profile>> profileOfPart(ResultStore& results, const ExperimentPtr& experiment,
                                                     const ProfilePart& part, const Task& task)
{
    return results.get<Profile>(experiment, part, Keep::WhileHeld, task,
                                [&] { return profileOfPart(*experiment, part, task); });
}

}  // namespace skein
