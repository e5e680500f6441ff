// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/data/session_waits.h"

#include "core/base/units.h"
#include "core/select/translate.h"

#include <fmt/format.h>

namespace skein {

namespace {

/// `messages` are made of those filters that are of messages.
bool waitStatePasses(const Session& session, std::uint32_t experiment, const WaitState& state,
                     const std::vector<Filter>& filters, const MessageFilter& messages)
{
    const Experiment& owner = *session.experiments[experiment];
    return passes(filters, LocationRef{experiment, state.location})
        && passes(filters, RegionRef{experiment, waitRegion(owner, state)})
        && passes(messages, *owner.trace, state);
}

}  // namespace

Color waitColor(WaitKind kind, bool dark)
{
    const double lift = dark ? 4 : 0;
    switch (kind) {
    case WaitKind::LateSender: return fromLch(84 + lift, 78, 88);
    case WaitKind::LateReceiver: return fromLch(72 + lift, 40, 210);
    case WaitKind::WaitAtBarrier: return fromLch(30 + 5 * lift, 50, 300);
    case WaitKind::WaitAtCollective: return fromLch(70 + lift, 55, 265);
    case WaitKind::WaitAtNxN: return fromLch(58 + 2 * lift, 66, 335);
    case WaitKind::LateBroadcast: return fromLch(86, 58, 132);
    case WaitKind::EarlyReduce: return fromLch(38 + 1.5 * lift, 32, 175);
    }
    return {};
}

WaitStates waitsPassing(const Session& session, std::uint32_t experiment, const WaitStates& waits,
                        const std::vector<Filter>& filters)
{
    if (filters.empty()) return waits;
    const MessageFilter messages(*session.experiments[experiment], messageRules(filters));
    std::vector<WaitState> kept;
    for (const WaitState& state : waits.states)
        if (waitStatePasses(session, experiment, state, filters, messages)) kept.push_back(state);
    return {Column<WaitState>(std::move(kept)), waits.inferredCollectives, {}};
}

SessionWaitsPtr waitsPassing(const Session& session, const SessionWaitsPtr& waits,
                             const std::vector<Filter>& filters)
{
    if (filters.empty()) return waits;
    return waits->passing->get(filters, [&] {
        SessionWaits kept;
        for (std::uint32_t number = 0; number < waits->experiments.size(); ++number) {
            const WaitIndex* index = waits->of(number);
            kept.experiments.push_back(index ? std::make_shared<const WaitIndex>(
                                           waitsPassing(session, number, index->found(), filters))
                                             : nullptr);
        }
        return kept;
    });
}

const WaitState* waitOf(const Session& session, const SessionWaits& waits, IntervalRef call)
{
    if (!exists(session, call)) return nullptr;
    const WaitIndex* index = waits.of(call.experiment);
    if (!index) return nullptr;
    const CallIntervals& calls =
        session.experiments[call.experiment]->trace->locations[call.location.index()].intervals;
    return index->ofCall(call.location, call.index, calls.span(call.index));
}

bool waitPasses(const Session& session, const SessionWaits& waits, IntervalRef call,
                const std::vector<Filter>& filters, MessageFiltersMemo& memo)
{
    const WaitState* state = waitOf(session, waits, call);
    if (!state || filters.empty()) return state != nullptr;
    const MessageFilter& messages = (*messageFiltersOf(memo, session, filters))[call.experiment];
    return waitStatePasses(session, call.experiment, *state, filters, messages);
}

std::string waitSummary(const Session& session, const SessionWaits& waits, IntervalRef call)
{
    const WaitState* state = waitOf(session, waits, call);
    if (!state) return {};
    return fmt::format("{}: waited {} for {}", name(state->kind),
                       formatDuration(static_cast<double>(state->lengthNs())),
                       causeName(*session.experiments[call.experiment], state->cause));
}

std::string waitText(const Session& session, const SessionWaits& waits, IntervalRef call)
{
    const WaitState* state = waitOf(session, waits, call);
    if (!state) return {};
    const Experiment& experiment = *session.experiments[call.experiment];
    const std::string text = waitSummary(session, waits, call);
    if (state->causeInterval == kNoInterval) return text;
    const CallIntervals& calls = experiment.trace->locations[state->cause.index()].intervals;
    const RegionId region = experiment.callTree->region(CallPathId(calls.callPath[state->causeInterval]));
    return text + fmt::format(" ({})", displayName(experiment.definitions.region(region)));
}

Selection selectCauseOf(const Session& session, const SessionWaits& waits, IntervalRef call)
{
    const WaitState* state = waitOf(session, waits, call);
    if (!state) return {};
    if (state->causeInterval == kNoInterval)
        return select(session, LocationRef{call.experiment, state->cause});
    return select(session, IntervalRef{call.experiment, state->cause, state->causeInterval});
}

}  // namespace skein
