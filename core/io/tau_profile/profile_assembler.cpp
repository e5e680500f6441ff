// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/tau_profile/profile_assembler.h"

#include "core/base/utf8.h"
#include "core/io/tau_profile/profile_model.h"

#include <algorithm>

namespace skein::tau {
namespace {

/// TAU itself knows 25. A limit keeps (rows × metrics) in proportion to what a file holds.
constexpr std::size_t kMaximumJoinedMetrics = 32;
constexpr std::uint32_t kNoMetric = 0xFFFFFFFFu;

/// A row without the mark knows the groups, which TAU replaces by TAU_DISABLE when it stops a function.
void joinMarks(const RawTimer& row, RawTimer& known)
{
    const bool throttled = isThrottled(row.name);
    if (known.throttled && !throttled) known.groups = row.groups;
    known.throttled = known.throttled || throttled;
}

}  // namespace

std::vector<std::uint32_t> ProfileAssembler::numberTimers(const RawProfile& raw)
{
    std::vector<std::uint32_t> numbers;
    numbers.reserve(raw.timers.size());
    for (const RawTimer& timer : raw.timers) {
        std::string name(withoutThrottleMark(timer.name));
        const auto [found, fresh] =
            timerNumbers_.try_emplace(std::move(name), static_cast<std::uint32_t>(joined_.timers.size()));
        if (fresh) joined_.timers.push_back({found->first, timer.groups, isThrottled(timer.name)});
        else joinMarks(timer, joined_.timers[found->second]);
        numbers.push_back(found->second);
    }
    return numbers;
}

std::vector<std::uint32_t> ProfileAssembler::numberMetrics(const RawProfile& raw)
{
    std::vector<std::uint32_t> numbers;
    for (const RawMetric& metric : raw.metrics) {
        if (joined_.metrics.size() == kMaximumJoinedMetrics && !metricNumbers_.contains(metric.name)) {
            joined_.report.add(IssueKind::UnsupportedRecord, "", "",
                               "more than 32 metrics; not shown: " + toValidUtf8(metric.name));
            numbers.push_back(kNoMetric);
            continue;
        }
        const auto [found, fresh] =
            metricNumbers_.try_emplace(metric.name, static_cast<std::uint32_t>(joined_.metrics.size()));
        if (fresh) joined_.metrics.push_back(metric);
        numbers.push_back(found->second);
    }
    return numbers;
}

std::vector<std::uint32_t> ProfileAssembler::numberEvents(const RawProfile& raw)
{
    std::vector<std::uint32_t> numbers;
    numbers.reserve(raw.events.size());
    for (const std::string& event : raw.events) {
        std::string name(trimmed(event));
        const auto [found, fresh] =
            eventNumbers_.try_emplace(std::move(name), static_cast<std::uint32_t>(joined_.events.size()));
        if (fresh) joined_.events.push_back(found->first);
        numbers.push_back(found->second);
    }
    return numbers;
}

/// The file of every metric repeats the metadata of a thread: those of the first are taken.
void ProfileAssembler::addMetadata(const Properties& common, RawThread& from, Thread& thread)
{
    if (!thread.common && !common->empty()) thread.common = common;
    if (thread.metadata.empty()) thread.metadata = std::move(from.metadata);
}

void ProfileAssembler::add(RawProfile raw)
{
    const auto timers = numberTimers(raw);
    const auto metrics = numberMetrics(raw);
    const auto events = numberEvents(raw);
    const auto common = std::make_shared<const std::vector<Property>>(std::move(raw.metadata));
    if (!raw.fileStem.empty()) joined_.fileStem = std::move(raw.fileStem);
    for (RawThread& from : raw.threads) {
        Thread& thread = threads_[from.key];
        addMetadata(common, from, thread);
        thread.calls.reserve(thread.calls.size() + from.timerRows.size());
        for (const RawTimerRow& row : from.timerRows)
            thread.calls.push_back({timers[row.timer], sources_, row.calls, row.subroutines});
        thread.values.reserve(thread.values.size() + from.values.size());
        for (const RawValue& value : from.values)
            if (metrics[value.metric] != kNoMetric)
                thread.values.push_back({timers[from.timerRows[value.row].timer], metrics[value.metric],
                                         value.exclusive, value.inclusive});
        for (RawEventRow row : from.eventRows) {
            row.event = events[row.event];
            thread.events.push_back({row, sources_});
        }
    }
    joined_.report.merge(raw.report);
    ++sources_;
}

Result<Experiment> ProfileAssembler::finish(const Task& task) &&
{
    return buildProfileExperiment(std::move(joined_), task);
}

}  // namespace skein::tau
