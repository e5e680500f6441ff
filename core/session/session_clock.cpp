// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/session_clock.h"

#include <algorithm>

namespace skein {
namespace {

constexpr std::int64_t kSecondNs = 1'000'000'000;
constexpr std::int64_t kYear2000 = 946'684'800;
constexpr std::int64_t kYear2100 = 4'102'444'800;

TimeSpan extentOf(const Experiment& experiment)
{
    return experiment.trace ? experiment.trace->extent : TimeSpan{};
}

std::int64_t ticksToNs(std::int64_t ticks, std::int64_t ticksPerSecond)
{
    const std::int64_t seconds = ticks / ticksPerSecond;
    const auto rest = static_cast<double>(ticks % ticksPerSecond);
    return seconds * kSecondNs + static_cast<std::int64_t>(rest * 1e9 / static_cast<double>(ticksPerSecond));
}

std::vector<std::optional<std::int64_t>> startsOf(const Session& session)
{
    std::vector<std::optional<std::int64_t>> starts;
    for (const ExperimentPtr& experiment : session.experiments)
        starts.push_back(startUnixNs(experiment->definitions));
    return starts;
}

bool isOneWorkflow(const Session& session, const std::vector<std::optional<std::int64_t>>& starts)
{
    std::vector<TimeSpan> spans;
    std::int64_t together = 0;
    for (std::size_t index = 0; index < starts.size(); ++index) {
        if (!session.experiments[index]->trace) continue;
        if (!starts[index]) return false;
        const TimeSpan extent = extentOf(*session.experiments[index]);
        spans.push_back({*starts[index] + extent.begin, *starts[index] + extent.end});
        together += extent.lengthNs();
    }
    std::sort(spans.begin(), spans.end(), [](const auto& a, const auto& b) { return a.begin < b.begin; });
    std::int64_t reached = spans.empty() ? 0 : spans.front().end;
    for (const TimeSpan& span : spans) {
        if (span.begin - reached > std::max(together, kSecondNs)) return false;
        reached = std::max(reached, span.end);
    }
    return !spans.empty();
}

std::int64_t earliestTrace(const Session& session, const std::vector<std::optional<std::int64_t>>& starts)
{
    std::optional<std::int64_t> earliest;
    for (std::size_t index = 0; index < starts.size(); ++index)
        if (session.experiments[index]->trace)
            earliest = std::min(earliest.value_or(*starts[index]), *starts[index]);
    return *earliest;
}

}  // namespace

std::optional<std::int64_t> startUnixNs(const Definitions& definitions)
{
    const ClockProperties& clock = definitions.clock;
    const auto perSecond = static_cast<std::int64_t>(clock.ticksPerSecond);
    if (!clock.present || perSecond <= 0) return std::nullopt;
    if (clock.realtimeNs > 0) {
        const auto sinceOffset = static_cast<std::int64_t>(clock.originTicks - clock.globalOffsetTicks);
        return clock.realtimeNs + ticksToNs(sinceOffset, perSecond);
    }
    const auto origin = static_cast<std::int64_t>(clock.originTicks);
    if (origin / perSecond < kYear2000 || origin / perSecond > kYear2100) return std::nullopt;
    return ticksToNs(origin, perSecond);
}

SessionClock sessionClock(const Session& session, const std::vector<TimeNs>& shiftsNs)
{
    SessionClock clock;
    clock.offsetsNs.assign(session.experiments.size(), 0);
    const auto starts = startsOf(session);
    clock.absolute = isOneWorkflow(session, starts);
    const std::int64_t zero = clock.absolute ? earliestTrace(session, starts) : 0;
    std::optional<TimeSpan> extent;
    for (std::uint32_t index = 0; index < starts.size(); ++index) {
        if (!session.experiments[index]->trace) continue;
        if (clock.absolute) clock.offsetsNs[index] = *starts[index] - zero;
        if (index < shiftsNs.size()) clock.offsetsNs[index] += shiftsNs[index];
        const TimeSpan own = clock.toSession(index, extentOf(*session.experiments[index]));
        extent = extent ? extent->united(own) : own;
    }
    clock.extent = extent.value_or(TimeSpan{});
    return clock;
}

}  // namespace skein
