// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/timeline/parent_call.h"

#include "core/base/parallel_for.h"
#include "core/trace/event_attributes.h"

#include <vector>

namespace skein {
namespace {

/// A task by the value of the attribute that its calls bear.
struct WantedParent {
    std::uint16_t attribute;
    std::uint64_t value;
};

/// The last call up to a time, and the first of all.
struct CallsOfTask {
    std::uint32_t lastBefore = kNoInterval;
    std::uint32_t first = kNoInterval;
};

const LocationTrace* traceOfCall(const Experiment& experiment, CallOfTask call)
{
    if (!experiment.trace || call.location.index() >= experiment.trace->locations.size()) return nullptr;
    const LocationTrace& location = experiment.trace->locations[call.location.index()];
    return call.interval < location.intervals.size() ? &location : nullptr;
}

std::optional<WantedParent> parentNamedBy(const Experiment& experiment, CallOfTask call)
{
    const LocationTrace* location = traceOfCall(experiment, call);
    if (!location || location->attributes.empty()) return std::nullopt;
    const auto rows = attributesOf(*location, call.interval);
    for (const ParentAttribute& pair : parentAttributes(experiment.definitions))
        for (const EventAttribute& row : rows)
            if (row.attribute == pair.parent && row.event != AttributedEvent::Other)
                return WantedParent{pair.own, row.value};
    return std::nullopt;
}

/// False after a stop request.
bool searchForTask(const LocationTrace& location, WantedParent wanted, TimeNs time, CallsOfTask& found,
                   const Task& task)
{
    constexpr std::size_t kRowsPerLook = std::size_t{1} << 18;
    for (std::size_t at = 0; at < location.attributes.size(); ++at) {
        if (at % kRowsPerLook == 0 && task.stopRequested()) return false;
        const EventAttribute& row = location.attributes[at];
        const bool bears = row.attribute == wanted.attribute && row.value == wanted.value
            && row.event != AttributedEvent::Other && row.interval < location.intervals.size();
        if (!bears) continue;
        const TimeNs begin = location.intervals.begin[row.interval];
        const auto beginOf = [&](std::uint32_t interval) { return location.intervals.begin[interval]; };
        if (found.first == kNoInterval) found.first = row.interval;
        if (begin <= time && (found.lastBefore == kNoInterval || begin > beginOf(found.lastBefore)))
            found.lastBefore = row.interval;
    }
    return true;
}

}  // namespace

bool namesParent(const Experiment& experiment, CallOfTask call)
{
    return parentNamedBy(experiment, call).has_value();
}

Result<std::optional<CallOfTask>> parentCall(const Experiment& experiment, CallOfTask call, const Task& task)
{
    const auto wanted = parentNamedBy(experiment, call);
    if (!wanted) return std::nullopt;
    const std::vector<LocationTrace>& locations = experiment.trace->locations;
    const TimeNs time = locations[call.location.index()].intervals.begin[call.interval];
    std::vector<CallsOfTask> found(locations.size());
    const bool finished = parallelFor(locations.size(), task, [&](std::size_t index) {
        searchForTask(locations[index], *wanted, time, found[index], task);
    });
    if (!finished || task.stopRequested()) return cancelled();
    std::optional<CallOfTask> before, first;
    const auto beginOf = [&](const CallOfTask& each) {
        return locations[each.location.index()].intervals.begin[each.interval];
    };
    for (std::size_t index = 0; index < locations.size(); ++index) {
        const CallOfTask last{LocationId(index), found[index].lastBefore};
        const CallOfTask earliest{LocationId(index), found[index].first};
        if (last.interval != kNoInterval && (!before || beginOf(last) > beginOf(*before))) before = last;
        if (earliest.interval != kNoInterval && (!first || beginOf(earliest) < beginOf(*first)))
            first = earliest;
    }
    return before ? before : first;
}

}  // namespace skein
